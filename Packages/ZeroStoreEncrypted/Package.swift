// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "ZeroStoreEncrypted",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroStoreEncrypted", targets: ["ZeroStoreEncrypted"])
  ],
  dependencies: [
    .package(path: "../ZeroProtocol"),
    .package(path: "../ZeroStoreMemory"),
    .package(path: "../ZeroTesting"),
  ],
  targets: [
    .systemLibrary(
      name: "CZeroCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "ZeroStoreEncrypted",
      dependencies: [
        // Apple platforms have CryptoKit.
        .target(name: "CZeroCrypto", condition: .when(platforms: [.linux])),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ZeroStoreEncryptedTests",
      dependencies: [
        "ZeroStoreEncrypted", .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      swiftSettings: settings),
  ]
)
