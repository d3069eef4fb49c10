// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroClient",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroClient", targets: ["ZeroClient"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroIVM"),
    .package(path: "../ZeroStoreMemory"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroClient",
      dependencies: [
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroClientTests",
      dependencies: [
        "ZeroClient", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
