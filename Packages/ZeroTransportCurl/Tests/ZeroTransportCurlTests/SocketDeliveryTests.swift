import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroTransportCurl

@MainActor struct SocketDeliveryTests {
  @Test("messages that wait count for the memory they hold, also when they are empty")
  func emptyMessages() {
    let delivery = SocketDelivery(SocketDelivery.Receiver(events: SocketRecorder()))
    delivery.post(.messages([SocketMessage](repeating: .binary([]), count: 1 << 20)))
    #expect(delivery.waitingBytes > Channel.pauseBytes)
    delivery.post(.messages([.text([UInt8](repeating: 65, count: 1000))]))
    #expect(delivery.waitingBytes > Channel.pauseBytes + 1000)
  }
}
