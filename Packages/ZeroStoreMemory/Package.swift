// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreMemory",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreMemory", targets: ["ZeroStoreMemory"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroStoreCore"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .target(
      name: "ZeroStoreMemory",
      dependencies: [
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreCore", package: "ZeroStoreCore"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreMemoryTests",
      dependencies: [
        "ZeroStoreMemory", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
