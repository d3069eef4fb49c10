import Testing
import ZeroTransportCurl

struct ReadmeTests {
  @Test("the README's example compiles, and the factory keeps its options")
  func example() {
    var options = CurlTransportOptions()
    options.trust = .authorities(path: "/etc/app/ca.pem")
    options.proxy = .http(host: "proxy.example", port: 3128, credentials: nil)
    let transport = CurlSocketFactory(options: options)
    #expect(transport.options.trust == .authorities(path: "/etc/app/ca.pem"))
  }
}
