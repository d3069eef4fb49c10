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
    .library(name: "ZeroDevServerHost", targets: ["ZeroDevServerHost"]),
    .executable(name: "zero-dev-server", targets: ["zero-dev-server"]),
    .library(name: "FaultProxy", targets: ["FaultProxy"]),
    .executable(name: "zero-e2e", targets: ["zero-e2e"]),
    .executable(name: "zero-soak", targets: ["zero-soak"]),
    .library(name: "IssueTracker", targets: ["IssueTracker"]),
    .library(name: "ZeroWebSocketServer", targets: ["ZeroWebSocketServer"]),
    .library(name: "ReplayServer", targets: ["ReplayServer"]),
    .executable(name: "zero-replay", targets: ["zero-replay"]),
    .executable(name: "demo", targets: ["demo"]),
    .executable(name: "autobahn-client", targets: ["autobahn-client"]),
  ],
  dependencies: [
    .package(path: "../Packages/ZeroProtocol"),
    .package(path: "../Packages/ZeroClient"),
    .package(path: "../Packages/ZeroIVM"),
    .package(path: "../Packages/ZeroStoreLMDB"),
    .package(path: "../Packages/ZeroStoreMemory"),
    .package(path: "../Packages/ZeroStoreSQLite"),
    .package(path: "../Packages/ZeroTesting"),
    .package(path: "../Packages/ZeroTransportCurl"),
    .package(path: "../Packages/ZeroWebSocket"),
  ],
  targets: [
    .target(
      name: "ZeroDevServer",
      dependencies: [
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
      ],
      path: "DevServer",
      exclude: ["README.md"],
      swiftSettings: settings),
    .target(
      name: "ZeroDevServerHost",
      dependencies: [
        "ZeroDevServer", "ZeroWebSocketServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      path: "DevServerHost",
      swiftSettings: settings),
    .executableTarget(
      name: "zero-dev-server",
      dependencies: [
        "ZeroDevServer", "ZeroDevServerHost", "ZeroWebSocketServer", "IssueTracker",
        "IssueTrackerServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
      ],
      path: "DevServerCommand",
      swiftSettings: settings),
    .target(
      name: "FaultProxy",
      dependencies: [.product(name: "CZeroSockets", package: "ZeroWebSocket")],
      path: "FaultProxy",
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
    .target(
      name: "IssueTrackerClient",
      dependencies: [
        "IssueTracker",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
      ],
      path: "IssueTrackerClient",
      swiftSettings: settings),
    .target(
      name: "EndToEnd",
      dependencies: [
        "IssueTracker", "IssueTrackerClient",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreLMDB", package: "ZeroStoreLMDB"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
      ],
      path: "EndToEnd",
      swiftSettings: settings),
    .target(
      name: "Convergence",
      dependencies: [
        "EndToEnd", "FaultProxy", "IssueTracker",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      path: "Convergence",
      swiftSettings: settings),
    .executableTarget(
      name: "zero-soak",
      dependencies: ["Convergence", "zero-dev-server", "zero-e2e"],
      path: "SoakCommand",
      swiftSettings: settings),
    .executableTarget(
      name: "zero-e2e",
      dependencies: ["EndToEnd"],
      path: "EndToEndCommand",
      swiftSettings: settings),
    .target(
      name: "ZeroWebSocketServer",
      dependencies: [
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
        .product(name: "CZeroSockets", package: "ZeroWebSocket"),
      ],
      path: "WebSocketServer",
      swiftSettings: settings),
    .target(
      name: "ReplayServer",
      dependencies: [
        "ZeroWebSocketServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      path: "ReplayServer",
      swiftSettings: settings),
    .executableTarget(
      name: "zero-replay",
      dependencies: ["ReplayServer"],
      path: "ReplayCommand",
      swiftSettings: settings),
    .target(
      name: "TerminalTracker",
      dependencies: [
        "IssueTracker", "IssueTrackerClient",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroStoreSQLite", package: "ZeroStoreSQLite"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
      ],
      path: "TerminalTracker",
      swiftSettings: settings),
    .executableTarget(
      name: "demo",
      dependencies: [
        "Convergence", "EndToEnd", "IssueTracker", "IssueTrackerClient", "TerminalTracker",
        "zero-dev-server",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
      ],
      path: "Demo",
      swiftSettings: settings),
    .executableTarget(
      name: "autobahn-client",
      dependencies: [
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
      ],
      path: "AutobahnClient",
      swiftSettings: settings),
    .testTarget(
      name: "ZeroWebSocketServerTests",
      dependencies: [
        "ZeroWebSocketServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/WebSocketServerTests",
      swiftSettings: settings),
    .testTarget(
      name: "ReplayServerTests",
      dependencies: [
        "ReplayServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/ReplayServerTests",
      swiftSettings: settings),
    .testTarget(
      name: "ZeroDevServerTests",
      dependencies: [
        "ZeroDevServer", "ZeroDevServerHost", "ZeroWebSocketServer", "IssueTracker",
        "IssueTrackerServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
        .product(name: "ZeroStoreMemory", package: "ZeroStoreMemory"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      path: "Tests/DevServerTests",
      swiftSettings: settings),
    .testTarget(
      name: "TranscriptParityTests",
      dependencies: [
        "ZeroDevServer", "IssueTracker", "IssueTrackerServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroContracts", package: "ZeroTesting"),
      ],
      path: "Tests/TranscriptParityTests",
      swiftSettings: settings),
    .testTarget(
      name: "FaultProxyTests",
      dependencies: [
        "FaultProxy", "ZeroWebSocketServer",
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroTransportCurl", package: "ZeroTransportCurl"),
        .product(name: "ZeroWebSocket", package: "ZeroWebSocket"),
      ],
      path: "Tests/FaultProxyTests",
      swiftSettings: settings),
    .testTarget(
      name: "IssueTrackerTests",
      dependencies: [
        "IssueTracker", "IssueTrackerClient", "ZeroDevServer",
        .product(name: "ZeroClient", package: "ZeroClient"),
        .product(name: "ZeroIVM", package: "ZeroIVM"),
        .product(name: "ZeroProtocol", package: "ZeroProtocol"),
        .product(name: "ZeroTesting", package: "ZeroTesting"),
      ],
      path: "Tests/IssueTrackerTests",
      exclude: ["drift.json"],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Convergence", "EndToEnd", "IssueTracker", "IssueTrackerServer", "ZeroDevServer",
        "ZeroDevServerHost", "zero-dev-server", "zero-e2e",
      ],
      path: "Tests/EndToEndTests",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTrackerTests",
      dependencies: [
        "TerminalTracker", "IssueTracker", "IssueTrackerClient",
        .product(name: "ZeroClient", package: "ZeroClient"),
      ],
      path: "Tests/TerminalTrackerTests",
      swiftSettings: settings),
  ]
)
