import CZeroCurl
import ZeroProtocol

extension CurlTransportOptions {
  /// Sets up a libcurl handle that only connects.
  func apply(
    to easy: UnsafeMutableRawPointer, target: ConnectTarget, timeout: Duration
  ) throws(SocketError) {
    var status = CURLE_OK
    func set(_ option: CURLoption, _ value: Int) {
      if status == CURLE_OK { status = czero_set_long(easy, option, value) }
    }
    func set(_ option: CURLoption, _ value: String) {
      if status == CURLE_OK { status = czero_set_string(easy, option, value) }
    }
    set(CURLOPT_URL, target.origin)
    set(CURLOPT_CONNECT_ONLY, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeout.milliseconds))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_SSL_ENABLE_ALPN, 0)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_HTTPPROXYTUNNEL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    czero_set_quick_exit(easy)
    if let userAgent { set(CURLOPT_USERAGENT, userAgent) }
    if case .authorities(let path) = trust {
      set(CURLOPT_CAINFO, path)
      // An empty path stops OpenSSL from looking into the system's directory as well.
      if status == CURLE_OK { status = czero_set_string(easy, CURLOPT_CAPATH, nil) }
    }
    if let clientCertificate {
      set(CURLOPT_SSLCERT, clientCertificate.certificatePath)
      set(CURLOPT_SSLKEY, clientCertificate.keyPath)
      if let password = clientCertificate.keyPassword { set(CURLOPT_KEYPASSWD, password) }
    }
    if !pinnedPublicKeys.isEmpty {
      set(
        CURLOPT_PINNEDPUBLICKEY, pinnedPublicKeys.map { "sha256//" + $0 }.joined(separator: ";"))
    }
    let credentials: Credentials?
    // `no_proxy` is about the environment's proxy; the library would let it go before the options' too.
    if proxy != .environment { set(CURLOPT_NOPROXY, "") }
    switch proxy {
    case .environment: credentials = nil
    case .direct:
      set(CURLOPT_PROXY, "")
      credentials = nil
    case .http(let host, let port, let login):
      set(CURLOPT_PROXY, "http://\(host):\(port)")
      credentials = login
    case .socks5(let host, let port, let login):
      set(CURLOPT_PROXY, "socks5h://\(host):\(port)")
      credentials = login
    }
    if let credentials {
      set(CURLOPT_PROXYUSERNAME, credentials.user)
      set(CURLOPT_PROXYPASSWORD, credentials.password)
    }
    guard status == CURLE_OK else {
      throw SocketError(
        .invalidRequest,
        message: "libcurl does not accept the transport's options:"
          + " \(String(cString: curl_easy_strerror(status))).")
    }
  }
}

extension Duration {
  /// Whole milliseconds, from none to what fits into 32 bits.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let whole = Int(min(max(0, seconds), Int64(Int32.max / 1000) - 1))
    return whole * 1000 + Int(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}
