// swift-tools-version: 6.2
import PackageDescription

// The packages under `Packages/` declare the same targets, each for itself, with the dependencies its
// layer may have. They are repeated here by path because a package that others depend on cannot have
// path dependencies of its own.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// A library of the package of the same name.
func layer(
  _ name: String, in package: String? = nil, _ dependencies: [Target.Dependency] = [],
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Packages/\(package ?? name)/Sources/\(name)",
    swiftSettings: settings, linkerSettings: linkerSettings)
}

/// The tests of a package.
func tests(of package: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(package)Tests", dependencies: dependencies,
    path: "Packages/\(package)/Tests/\(package)Tests", swiftSettings: settings)
}

let package = Package(
  name: "zero-swift",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "ZeroProtocol", targets: ["ZeroProtocol"]),
    .library(name: "ZeroContracts", targets: ["ZeroContracts"]),
  ],
  targets: [
    layer(
      "ZeroProtocol",
      // Rounding functions of Double live in libm, which nothing else here links.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    layer("ZeroContracts", in: "ZeroTesting", ["ZeroProtocol"]),
    layer("ZeroVectors", in: "ZeroTesting", ["ZeroIVM", "ZeroProtocol"]),
    tests(of: "ZeroProtocol", ["ZeroProtocol"]),
    tests(of: "ZeroTesting", ["ZeroContracts", "ZeroProtocol", "ZeroVectors"]),
    .testTarget(
      name: "Conformance", dependencies: ["ZeroVectors"], path: "Tests/Conformance",
      exclude: ["Vectors"], swiftSettings: settings),
  ]
)
