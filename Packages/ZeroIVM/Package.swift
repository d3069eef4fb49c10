// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroIVM",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroIVM", targets: ["ZeroIVM"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol")
  ],
  targets: [
    .target(
      name: "ZeroIVM",
      dependencies: [.product(name: "ZeroProtocol", package: "ZeroProtocol")],
      swiftSettings: settings),
    // Counts heap blocks in tests.
    .target(name: "CZeroAllocations", path: "Tests/CZeroAllocations"),
    .testTarget(
      name: "ZeroIVMTests",
      dependencies: [
        "CZeroAllocations", "ZeroIVM", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      swiftSettings: settings),
  ]
)
