// The usual choice for the platform in one import: the client, a store on SQLite, a transport.

@_exported public import ZeroClient
@_exported public import ZeroIVM
@_exported public import ZeroProtocol
@_exported public import ZeroStoreMemory
@_exported public import ZeroStoreSQLite

#if canImport(Darwin)
  @_exported public import ZeroTransportURLSession
#else
  @_exported public import ZeroTransportCurl
#endif
