public import ZeroProtocol
public import ZeroStoreMemory

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ZeroOptions {
  /// Options with the usual values, apart from what is given here.
  ///
  /// - Parameters:
  ///   - cacheURL: see ``cacheURL``.
  ///   - storage: where rows and pending mutations are kept; unless given in memory, for the life of the
  ///     client.
  ///   - transport: how sockets are opened; nil never connects.
  public init(
    cacheURL: URL? = nil, storage: any StoreProvider = MemoryStoreProvider(),
    transport: (any SocketFactory)? = nil
  ) {
    self.init(cacheText: cacheURL?.absoluteString, storage: storage, transport: transport)
  }

  /// ``init(cacheURL:storage:transport:)-(URL?,_,_)`` with the URL as text, such as from a
  /// configuration.
  ///
  /// Text that is no URL is an error of the initializer of ``Zero``, whereas nil works on local rows.
  @_disfavoredOverload public init(
    cacheURL: String?, storage: any StoreProvider = MemoryStoreProvider(),
    transport: (any SocketFactory)? = nil
  ) {
    self.init(cacheText: cacheURL, storage: storage, transport: transport)
  }

  /// Base URL of zero-cache: http or https, with at most one path component, without query and fragment.
  ///
  /// Nil works on local rows only and never connects; so does a client without a ``transport``. A URL
  /// that cannot be used is an error of the initializer of ``Zero``.
  public var cacheURL: URL? {
    get { cacheText.flatMap { URL(string: $0) } }
    set { cacheText = newValue?.absoluteString }
  }

  /// Sent to zero-cache, which calls it for mutations; its deployment has to allow it. Part of the
  /// database's name.
  public var mutateURL: URL? {
    get { mutateText.flatMap { URL(string: $0) } }
    set { mutateText = newValue?.absoluteString }
  }

  /// Sent to zero-cache, which calls it for queries; its deployment has to allow it. Part of the
  /// database's name.
  public var queryURL: URL? {
    get { queryText.flatMap { URL(string: $0) } }
    set { queryText = newValue?.absoluteString }
  }
}

extension Zero {
  /// The URL of zero-cache as it is used; nil if the client works on local rows only.
  public var cacheURL: URL? { cacheText.flatMap { URL(string: $0) } }
}
