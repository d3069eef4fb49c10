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
      swiftSettings: settings,
      // Rounding functions of Double live in libm, which nothing else here links.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .testTarget(
      name: "ZeroProtocolTests",
      dependencies: ["ZeroProtocol"],
      swiftSettings: settings),
  ]
)
