/// How `CurlSocketFactory` connects.
///
/// There is no option that turns certificate or host name checks off.
public struct CurlTransportOptions: Sendable {
  /// Which certificate authorities are trusted.
  public enum Trust: Sendable, Equatable {
    /// Those of the system.
    case system
    /// Only those in a file of PEM certificates.
    case authorities(path: String)
  }

  /// A certificate this side shows to the server.
  public struct ClientCertificate: Sendable, Equatable {
    /// A file with the certificate, and those between it and its authority, in PEM.
    public var certificatePath: String
    /// A file with the private key in PEM.
    public var keyPath: String
    /// Opens the key when it is encrypted.
    public var keyPassword: String?

    /// Files are read when a socket connects.
    public init(certificatePath: String, keyPath: String, keyPassword: String? = nil) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
      self.keyPassword = keyPassword
    }
  }

  /// Name and password for a proxy.
  public struct Credentials: Sendable, Equatable {
    /// Sent in plain to a proxy that is not reached through TLS.
    public var user: String
    /// As the user name.
    public var password: String

    /// A login for one proxy.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// The way out of the local network.
  public enum Proxy: Sendable, Equatable {
    /// What `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` and `no_proxy` say,
    /// where `ws` goes by the variables of `http` and `wss` by those of `https`.
    case environment
    /// Connects directly, whatever the environment says.
    case direct
    /// A proxy that understands HTTP `CONNECT`, for every host, whatever the environment says.
    case http(host: String, port: UInt16, credentials: Credentials? = nil)
    /// A SOCKS 5 proxy, which also resolves the server's name; for every host.
    case socks5(host: String, port: UInt16, credentials: Credentials? = nil)
  }

  /// Value of `User-Agent`; none is sent when it is nil.
  public var userAgent: String?
  /// Whose certificates are accepted; those of the system unless set.
  public var trust = Trust.system
  /// What to show to a server that asks who we are; nothing unless set.
  public var clientCertificate: ClientCertificate?
  /// SHA-256 hashes of acceptable public keys (the server's SubjectPublicKeyInfo in DER) in base64.
  /// When there is at least one, a server whose key is not among them is refused, whatever its
  /// certificate.
  public var pinnedPublicKeys: [String] = []
  /// The way out; what the environment says unless set.
  public var proxy = Proxy.environment
  /// Whether to offer permessage-deflate, which the server may then use. Zero's server does not by
  /// default.
  public var offersCompression = true
  /// How long the peer may take to complete the closing handshake.
  public var closeTimeout: Duration = .seconds(5)

  /// The usual options: trust and proxy of the system, compression offered.
  public init(userAgent: String? = "zero-swift") { self.userAgent = userAgent }
}
