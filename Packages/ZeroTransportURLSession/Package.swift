// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroTransportURLSession",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroTransportURLSession", targets: ["ZeroTransportURLSession"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroTransportURLSession",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroTransportURLSessionTests",
      dependencies: [
        "ZeroTransportURLSession",
        .product(name: "ZeroSocketContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
