import Foundation
public import ZeroProtocol

/// A recorded conversation between clients and a server.
public struct Transcript: Sendable {
  /// A frame as it went over the wire.
  public enum Frame: Sendable, Equatable {
    case text([UInt8])
    case binary([UInt8])

    /// The type of a JSON message; nil for binary frames and text that is none.
    public var messageType: String? {
      guard case .text(let text) = self, case .array(let parts)? = try? JSONValue(parsing: text),
        case .string(let type)? = parts.first
      else { return nil }
      return type
    }
  }

  /// What happened on one connection, in order.
  public enum Step: Sendable, Equatable {
    case send(Frame)
    case receive(Frame)
    case clientClose(code: UInt16?, reason: String)
    case close(code: UInt16, reason: String)
  }

  /// One socket of a flow, seen from the client.
  public struct Connection: Sendable {
    /// The URL, with host and port of the recording.
    public var url: String
    /// Value of `Sec-WebSocket-Protocol`, if one was sent.
    public var subprotocol: String?
    /// Whether the server completed the handshake.
    public var isOpened = false
    public var steps: [Step] = []
  }

  public var name: String
  public var summary: String
  public var connections: [Connection]

  /// Reads a file.
  /// - Throws: when it is missing, is no JSON or is no transcript.
  public init(contentsOf path: String) throws {
    try self.init(json: JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path)))))
  }

  /// - Throws: `TranscriptError` for an event that is not understood.
  public init(json: JSONValue) throws {
    name = try json.string("name")
    summary = try json.string("description")
    connections = []
    guard case .array(let events)? = json["events"] else {
      throw TranscriptError(description: "The transcript has no events.")
    }
    for event in events { try add(event) }
  }

  // MARK: -

  private mutating func add(_ event: JSONValue) throws {
    let type = try event.string("type")
    switch type {
    case "connect":
      connections.append(
        Connection(
          url: try event.string("url"), subprotocol: try? event.string("secWebSocketProtocol")))
    case "open": try append(event) { $0.isOpened = true }
    case "send":
      let frame = try Self.frame(event)
      try append(event) { $0.steps.append(.send(frame)) }
    case "recv":
      let frame = try Self.frame(event)
      try append(event) { $0.steps.append(.receive(frame)) }
    case "client-close":
      let code = event.number("code").flatMap { UInt16(exactly: $0) }
      let reason = (try? event.string("reason")) ?? ""
      try append(event) { $0.steps.append(.clientClose(code: code, reason: reason)) }
    case "close":
      let code = event.number("code").flatMap { UInt16(exactly: $0) } ?? 1006
      let reason = (try? event.string("reason")) ?? ""
      try append(event) { $0.steps.append(.close(code: code, reason: reason)) }
    case "api", "sql", "step", "client", "note": break
    default: throw TranscriptError(description: "The event type '\(type)' is unknown.")
    }
  }

  private mutating func append(
    _ event: JSONValue, _ change: (inout Connection) -> Void
  ) throws {
    guard let number = event.number("conn").flatMap({ Int(exactly: $0) }),
      connections.indices.contains(number - 1)
    else {
      throw TranscriptError(description: "An event belongs to a connection that was not made.")
    }
    change(&connections[number - 1])
  }

  private static func frame(_ event: JSONValue) throws -> Frame {
    if let text = try? event.string("text") { return .text(Array(text.utf8)) }
    guard let bytes = Data(base64Encoded: try event.string("base64")) else {
      throw TranscriptError(description: "A frame is not valid base64.")
    }
    return .binary(Array(bytes))
  }
}

/// A file that is no transcript.
public struct TranscriptError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  fileprivate func string(_ key: String) throws -> String {
    guard case .string(let text)? = self[key] else {
      throw TranscriptError(description: "The text '\(key)' is missing.")
    }
    return text
  }

  fileprivate func number(_ key: String) -> Double? {
    if case .number(let number)? = self[key] { number } else { nil }
  }
}
