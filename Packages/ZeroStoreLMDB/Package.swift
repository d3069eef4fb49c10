// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreLMDB",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreLMDB", targets: ["ZeroStoreLMDB"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroStoreLMDB",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreLMDBTests",
      dependencies: [
        "ZeroStoreLMDB", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
