#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ZeroOptions {
  /// The usual choice for the platform: SQLite in the folder for an app's data, and URLSession on
  /// Apple platforms or libcurl elsewhere.
  ///
  /// - Parameters:
  ///   - cacheURL: the URL of zero-cache, `http` or `https`; nil to stay local.
  ///   - directory: another folder for the databases.
  public static func standard(cacheURL: URL?, directory: String? = nil) -> ZeroOptions {
    ZeroOptions(cacheURL: cacheURL, storage: .sqlite(directory: directory), transport: .default)
  }

  /// ``standard(cacheURL:directory:)-(URL?,_)`` with the URL as text. Text that is no URL is an error of
  /// the initializer of ``Zero``.
  @_disfavoredOverload
  public static func standard(cacheURL: String?, directory: String? = nil) -> ZeroOptions {
    ZeroOptions(cacheURL: cacheURL, storage: .sqlite(directory: directory), transport: .default)
  }
}
