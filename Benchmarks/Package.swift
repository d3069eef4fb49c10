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
    .package(path: "../Integration"),
    .package(path: "../Packages/ZeroClient"),
    .package(path: "../Packages/ZeroIVM"),
    .package(path: "../Packages/ZeroProtocol"),
    .package(path: "../Packages/ZeroStoreMemory"),
    .package(path: "../Packages/ZeroStoreSQLite"),
    .package(path: "../Packages/ZeroTesting"),
    .package(path: "../Packages/ZeroTransportCurl"),
    .package(path: "../Packages/ZeroStoreLMDB"),
    .package(path: "../Packages/ZeroStoreEncrypted"),
    .package(path: "../Packages/ZeroWebSocket"),
  ],
  targets: [
    .target(name: "CBenchPeers"),
    .target(name: "CBenchAllocations"),
    .target(name: "BenchKit", dependencies: ["CBenchAllocations"], swiftSettings: settings),
    .executableTarget(
      name: "bench-protocol",
      dependencies: [
        "BenchKit", "CBenchPeers", .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      exclude: ["peers.mjs", "queries.mjs"], swiftSettings: settings),
    .target(name: "CBenchOrderedSet"),
    .executableTarget(
      name: "bench-ivm",
      dependencies: [
        "BenchKit", "CBenchOrderedSet", .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      exclude: ["peers.mjs"], swiftSettings: settings),
    .executableTarget(
      name: "bench-client",
      dependencies: [
        "BenchKit", .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
        .product(name: "ZeroDevServer", package: "Integration"),
        .product(name: "ZeroDevServerHost", package: "Integration"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreLMDB", package: "ZeroStoreLMDB"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
        .product(name: "ZeroWebSocketServer", package: "Integration"),
      ],
      exclude: ["wire.mjs"], swiftSettings: settings),
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
    .target(
      name: "CStoreBench", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("lmdb")]),
    .executableTarget(
      name: "bench-stores",
      dependencies: [
        "BenchKit", "CStoreBench", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
        .product(name: "ZeroStoreLMDB", package: "ZeroStoreLMDB"),
        .product(name: "ZeroStoreEncrypted", package: "ZeroStoreEncrypted"),
      ],
      swiftSettings: settings),
  ]
)
