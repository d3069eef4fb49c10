#if canImport(Darwin)
  public import Foundation
  public import ZeroProtocol

  /// Opens WebSockets with `URLSession`, which brings the system's proxies, TLS and power management.
  ///
  /// What it cannot do: limit messages before they are received (a message over
  /// `SocketRequest.maxMessageBytes` is a failure of the task), send a close frame without a code (1000
  /// goes out instead), and show how much of a message the network has taken (a message counts as
  /// buffered until it has been taken as a whole).
  public struct URLSessionSocketFactory: SocketFactory {
    private let configuration: URLSessionConfiguration

    /// - Parameter configuration: proxies, TLS limits and so on; copied.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
      self.configuration = configuration
    }

    public func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
      URLSessionSocket(request, configuration: configuration, events: events)
    }
  }

  extension SocketFactory where Self == URLSessionSocketFactory {
    /// Opens WebSockets with `URLSession`.
    /// - Parameter configuration: proxies, TLS limits and so on; copied.
    public static func urlSession(_ configuration: URLSessionConfiguration = .ephemeral) -> Self {
      URLSessionSocketFactory(configuration: configuration)
    }
  }
#endif
