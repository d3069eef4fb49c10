import Testing
import ZeroSocketContracts
import ZeroTransportCurl

@Suite(.serialized) struct ContractTests {
  @Test("libcurl's sockets keep the contract", arguments: SocketContract.cases)
  func holds(_ rule: SocketContract.Case) async throws {
    try await rule.check(CurlSocketFactory(options: .forTests))
  }
}
