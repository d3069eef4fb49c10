// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroTransportCurl",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroTransportCurl", targets: ["ZeroTransportCurl"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroWebSocket"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(name: "CZeroCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(
      name: "ZeroTransportCurl",
      dependencies: [
        "CZeroCurl",
        .product(name: "CZeroSockets", package: "ZeroWebSocket"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroTransportCurlTests",
      dependencies: [
        "ZeroTransportCurl", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
        .product(name: "ZeroSocketContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
