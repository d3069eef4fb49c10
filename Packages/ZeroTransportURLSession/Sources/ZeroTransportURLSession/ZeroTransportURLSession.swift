/// Whether this platform has the transport. Only Apple's do; elsewhere the module is empty, so that a
/// manifest need not tell platforms apart.
public let isURLSessionTransportAvailable: Bool = {
  #if canImport(Darwin)
    true
  #else
    false
  #endif
}()
