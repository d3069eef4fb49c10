// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroTesting",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroTesting", targets: ["ZeroTesting"]),
    .library(name: "ZeroContracts", targets: ["ZeroContracts"]),
    .library(name: "ZeroSocketContracts", targets: ["ZeroSocketContracts"]),
    .library(name: "ZeroVectors", targets: ["ZeroVectors"]),
    .library(name: "ZeroFuzz", targets: ["ZeroFuzz"]),
    .executable(name: "zero-vectors", targets: ["zero-vectors"]),
    .executable(name: "zero-fuzz", targets: ["zero-fuzz"]),
  ],
  dependencies: [
    .package(path: "../ZeroClient"),
    .package(path: "../ZeroIVM"),
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroStoreLMDB"),
    .package(path: "../ZeroStoreMemory"),
    .package(path: "../ZeroStoreSQLite"),
    .package(path: "../ZeroWebSocket"),
  ],
  targets: [
    .target(
      name: "ZeroTesting",
      dependencies: [
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      swiftSettings: settings),
    .target(
      name: "ZeroContracts",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .target(
      name: "CZeroPeer",
      linkerSettings: [
        .linkedLibrary("ssl", .when(platforms: [.linux])),
        .linkedLibrary("crypto", .when(platforms: [.linux])),
      ]),
    .target(
      name: "ZeroSocketContracts",
      dependencies: [
        "CZeroPeer", "ZeroContracts",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      swiftSettings: settings),
    .target(
      name: "ZeroVectors",
      dependencies: [
        "ZeroContracts",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "zero-vectors",
      dependencies: ["ZeroVectors"],
      swiftSettings: settings),
    .target(
      name: "ZeroFuzz",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .executableTarget(
      name: "zero-fuzz",
      dependencies: ["ZeroFuzz"],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroFuzzTests",
      dependencies: ["ZeroFuzz"],
      swiftSettings: settings),
    .executableTarget(
      name: "client-kill-worker",
      dependencies: [
        "ZeroContracts",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreLMDB", package: "ZeroStoreLMDB"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
      ],
      path: "Tests/client-kill-worker",
      swiftSettings: settings),
    .testTarget(
      name: "DriftTests",
      dependencies: [
        "ZeroContracts", "ZeroTesting",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      exclude: ["Files"],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroTestingTests",
      dependencies: [
        "ZeroContracts", "ZeroVectors", "client-kill-worker",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreLMDB", package: "ZeroStoreLMDB"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
      ],
      swiftSettings: settings),
  ]
)
