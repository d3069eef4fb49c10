@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol

extension Scenario {
  /// Steps of the server, the clock and the surroundings.
  func performServer(_ step: Fields) throws {
    switch try step.string("op") {
    case "socketOpen":
      try step.allow(["op", "socket", "expect"])
      let socket = try sockets.socket(try step.string("socket"))
      environment.turn { socket.accept() }
    case "message":
      try step.allow(["op", "socket", "messages", "expect"])
      let socket = try sockets.socket(try step.string("socket"))
      for message in try step.array("messages") {
        socket.deliver(.text(try placeholders.resolve(message).jsonText))
      }
    case "messageText":
      try step.allow(["op", "socket", "text", "expect"])
      try sockets.socket(try step.string("socket")).deliver(
        .text(Array(try step.string("text").utf8)))
    case "messageBinary":
      try step.allow(["op", "socket", "base64", "expect"])
      try sockets.socket(try step.string("socket")).deliver(
        .binary(try decodeBase64(try step.string("base64"))))
    case "pokeChunks": try pokeChunks(step)
    case "socketClose":
      try step.allow(["op", "socket", "code", "reason", "clean", "expect"])
      try sockets.socket(try step.string("socket")).finish(
        SocketClose(
          code: UInt16(exactly: try step.optionalNumber("code") ?? 1005) ?? 1005,
          reason: try step.optionalString("reason") ?? "",
          wasClean: try step.optionalBool("clean") ?? true))
    case "socketError":
      try step.allow(["op", "socket", "expect"])
      try sockets.socket(try step.string("socket")).finish(
        SocketClose(
          code: 1006, wasClean: false,
          error: SocketError(.connectionLost, message: "the connection broke")))
    case "advance":
      try step.allow(["op", "ms", "expect"])
      scheduler.advance(by: .milliseconds(try step.number("ms")))
    case "setVisibility":
      try step.allow(["op", "state", "expect"])
      let isVisible = try step.string("state") == "visible"
      environment.turn { environment.activity.isVisible = isVisible }
    case let op: throw VectorFailure("step \(op) is not understood")
    }
    numberGroups()
  }

  // MARK: -

  private func pokeChunks(_ step: Fields) throws {
    try step.allow(["op", "socket", "parts", "split", "expect"])
    let socket = try sockets.socket(try step.string("socket"))
    let text = try placeholders.resolve(step.json("parts")).jsonText
    var places = [0]
    if step.object["split"] != nil {
      for case .number(let fraction) in try step.array("split") {
        places.append(Int((Double(text.count) * fraction).rounded(.down)))
      }
    }
    places.append(text.count)
    for (start, end) in zip(places, places.dropFirst()) {
      socket.deliver(.binary([0] + text[start..<end]))
    }
  }
}
