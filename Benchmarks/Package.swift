// swift-tools-version: 6.2
import PackageDescription

// One executable per area. They are not part of the umbrella package: an app that depends on it builds
// none of this.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../Packages/ZeroIVM"),
    .package(path: "../Packages/ZeroProtocol"),
    .package(path: "../Packages/ZeroTransportCurl"),
    .package(path: "../Packages/ZeroWebSocket"),
  ],
  targets: [
    .target(name: "CBenchPeers"),
    .target(name: "CBenchAllocations"),
    .target(name: "BenchKit", dependencies: ["CBenchAllocations"], swiftSettings: settings),
    .executableTarget(
      name: "bench-protocol",
      dependencies: [
        "BenchKit", "CBenchPeers", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      exclude: ["peers.mjs", "queries.mjs"], swiftSettings: settings),
    .target(name: "CBenchOrderedSet"),
    .executableTarget(
      name: "bench-ivm",
      dependencies: [
        "BenchKit", "CBenchOrderedSet", .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      swiftSettings: settings),
    .target(
      name: "CBenchSockets",
      linkerSettings: [
        .linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto"),
      ]),
    .executableTarget(
      name: "bench-transport",
      dependencies: [
        "BenchKit", "CBenchSockets",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      exclude: ["peers.mjs", "peers.py"], swiftSettings: settings),
  ]
)
