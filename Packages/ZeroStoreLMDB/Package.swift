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
    .package(path: "../ZeroStoreCore"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .systemLibrary(
      name: "CZeroLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(
      name: "ZeroStoreLMDB",
      dependencies: [
        "CZeroLMDB", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreCore", package: "ZeroStoreCore"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "lmdb-store-worker",
      dependencies: [
        "CZeroLMDB", "ZeroStoreLMDB",
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/lmdb-store-worker",
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreLMDBTests",
      dependencies: [
        "ZeroStoreLMDB", "CZeroLMDB", "lmdb-store-worker",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreCore", package: "ZeroStoreCore"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
