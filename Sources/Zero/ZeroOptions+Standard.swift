extension ZeroOptions {
  /// The usual choice for the platform: SQLite in the folder for an app's data, and URLSession on
  /// Apple platforms or libcurl elsewhere.
  ///
  /// - Parameters:
  ///   - cacheURL: the URL of zero-cache, `http` or `https`; nil to stay local.
  ///   - directory: another folder for the databases.
  public static func standard(cacheURL: String?, directory: String? = nil) -> ZeroOptions {
    #if canImport(Darwin)
      let transport = URLSessionSocketFactory()
    #else
      let transport = CurlSocketFactory()
    #endif
    return ZeroOptions(
      cacheURL: cacheURL, storage: SQLiteStoreProvider(directory: directory), transport: transport)
  }
}
