import Testing
import ZeroSocketContracts
import ZeroTransportURLSession

#if canImport(Darwin)
  struct ContractTests {
    @Test("URLSession's sockets keep the contract", arguments: SocketContract.cases)
    func holds(_ rule: SocketContract.Case) async throws {
      try await rule.check(URLSessionSocketFactory())
    }
  }
#endif

struct AvailabilityTests {
  @Test("the module says whether the platform has the transport; only Apple's do")
  func availability() {
    #if canImport(Darwin)
      #expect(isURLSessionTransportAvailable)
    #else
      #expect(!isURLSessionTransportAvailable)
    #endif
  }
}
