extension StoreProvider where Self == SQLiteStoreProvider {
  /// The usual store: SQLite, in the folder for an app's data.
  public static var `default`: Self { .sqlite() }
}

#if canImport(Darwin)
  extension SocketFactory where Self == URLSessionSocketFactory {
    /// The usual transport of the platform.
    public static var `default`: Self { .urlSession() }
  }
#else
  extension SocketFactory where Self == CurlSocketFactory {
    /// The usual transport of the platform.
    public static var `default`: Self { .curl() }
  }
#endif
