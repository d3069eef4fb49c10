import Foundation
import ZeroProtocol

/// A recording of connections between clients and zero-cache.
struct Transcript {
  enum Event {
    case connect(conn: Int, target: String, subprotocol: String?)
    case send(conn: Int, bytes: [UInt8])
    case receive(conn: Int, WireMessage)
    case clientClose(conn: Int)
    case close(conn: Int, code: Int, reason: String)
    case sql(String)
    case step(String)
  }

  let name: String
  let events: [(time: Double, event: Event)]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Tests/Conformance/Vectors/transcripts").standardizedFileURL

  init(named name: String) throws {
    self.name = name
    let file = Self.folder.appending(path: "\(name).json")
    let json = try JSONValue(parsing: [UInt8](try Data(contentsOf: file)))
    events = try json["events"].elements.compactMap { event in
      try Self.event(event).map { (event["t"].number, $0) }
    }
  }

  private static func event(_ json: JSONValue) throws -> Event? {
    let conn = Int(json["conn"].number)
    switch json["type"].text {
    case "connect":
      let url = json["url"].text
      let path = url.range(of: "4848").map { String(url[$0.upperBound...]) } ?? url
      let subprotocol = json["secWebSocketProtocol"]
      return .connect(
        conn: conn, target: path, subprotocol: subprotocol == .null ? nil : subprotocol.text)
    case "send": return .send(conn: conn, bytes: try bytes(json))
    case "recv":
      return .receive(
        conn: conn, WireMessage(try bytes(json), isBinary: json["text"] == .null))
    case "client-close": return .clientClose(conn: conn)
    case "close":
      return .close(conn: conn, code: Int(json["code"].number), reason: json["reason"].text)
    case "sql": return .sql(json["text"].text)
    case "step": return .step(json["text"].text)
    case "open", "api", "client", "note": return nil
    case let type: throw SQLScript.Failure(description: "an event of type \(type)")
    }
  }

  private static func bytes(_ json: JSONValue) throws -> [UInt8] {
    if case .object(let object) = json, let text = object["text"], case .string(let text) = text {
      return Array(text.utf8)
    }
    return [UInt8](Data(base64Encoded: json["base64"].text) ?? Data())
  }
}

/// A message of the server.
enum WireMessage {
  case text(JSONValue)
  case chunk([UInt8])

  init(_ bytes: [UInt8], isBinary: Bool) {
    self = isBinary ? .chunk(bytes) : .text((try? JSONValue(parsing: bytes)) ?? .null)
  }
}

extension JSONValue {
  subscript(member: String) -> JSONValue {
    if case .object(let object) = self { object[member] ?? .null } else { .null }
  }

  subscript(element: Int) -> JSONValue {
    elements.indices.contains(element) ? elements[element] : .null
  }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var text: String { if case .string(let text) = self { text } else { "" } }
  var number: Double { if case .number(let number) = self { number } else { 0 } }
}
