// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroWebSocket",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroWebSocket", targets: ["ZeroWebSocket"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol")
  ],
  targets: [
    .target(
      name: "ZeroWebSocket",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroWebSocketTests",
      dependencies: ["ZeroWebSocket", .product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
  ]
)
