// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreSQLite",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreSQLite", targets: ["ZeroStoreSQLite"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroStoreSQLite",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreSQLiteTests",
      dependencies: [
        "ZeroStoreSQLite", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
