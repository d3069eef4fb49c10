// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreSQLite",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreSQLite", targets: ["ZeroStoreSQLite"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroStoreCore"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .systemLibrary(
      name: "CZeroSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "ZeroStoreSQLite",
      dependencies: [
        "CZeroSQLite", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreCore", package: "ZeroStoreCore"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "sqlite-store-worker",
      dependencies: [
        "CZeroSQLite", "ZeroStoreSQLite",
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/sqlite-store-worker",
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreSQLiteTests",
      dependencies: [
        "ZeroStoreSQLite", "CZeroSQLite", "sqlite-store-worker",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreCore", package: "ZeroStoreCore"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
