// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Integration",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroDevServer", targets: ["ZeroDevServer"]),
    .library(name: "IssueTracker", targets: ["IssueTracker"]),
  ],
  dependencies: [
    .package(path: "../Packages/ZeroProtocol"),
    .package(path: "../Packages/ZeroIVM"),
    .package(path: "../Packages/ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroDevServer",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      path: "DevServer",
      swiftSettings: settings),
    .target(
      name: "IssueTracker",
      dependencies: [
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
      ],
      path: "IssueTracker",
      swiftSettings: settings),
    .target(
      name: "IssueTrackerServer",
      dependencies: [
        "IssueTracker", "ZeroDevServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
      ],
      path: "IssueTrackerServer",
      swiftSettings: settings),
    .testTarget(
      name: "ZeroDevServerTests",
      dependencies: [
        "ZeroDevServer", "IssueTracker", "IssueTrackerServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/DevServerTests",
      swiftSettings: settings),
  ]
)
