// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreCore",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreCore", targets: ["ZeroStoreCore"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol")
  ],
  targets: [
    .target(name: "CZeroFiles"),
    .target(
      name: "ZeroStoreCore",
      dependencies: ["CZeroFiles", .product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreCoreTests",
      dependencies: [
        "ZeroStoreCore", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      swiftSettings: settings),
  ]
)
