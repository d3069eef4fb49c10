// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroProtocol",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroProtocol", targets: ["ZeroProtocol"])
  ],
  dependencies: [],
  targets: [
    .target(
      name: "ZeroProtocol",
      dependencies: [],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroProtocolTests",
      dependencies: ["ZeroProtocol"],
      swiftSettings: settings),
  ]
)
