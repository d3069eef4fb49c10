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
    .library(name: "ZeroWebSocket", targets: ["ZeroWebSocket"]),
    .library(name: "CZeroSockets", targets: ["CZeroSockets"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "CZeroSockets"),
    .target(name: "CZeroZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "ZeroWebSocket",
      dependencies: ["CZeroZlib"],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroWebSocketTests",
      dependencies: ["ZeroWebSocket"],
      swiftSettings: settings),
  ]
)
