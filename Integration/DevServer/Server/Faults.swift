import ZeroProtocol

/// What is to go wrong, so that a client's answer to it can be seen.
public struct Faults: Sendable {
  /// Where a fault strikes.
  public struct Point: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// A socket has come in, before `connected`.
    public static let connect = Point(name: "connect")
    /// A poke has begun and is not finished.
    public static let poke = Point(name: "poke")
    /// Mutations were taken from a push and applied.
    public static let afterPush = Point(name: "afterPush")

    /// A message of that type has come in and was not handled yet.
    public static func message(_ type: String) -> Point { Point(name: type) }

    public init(name: String) { self.name = name }

    public var description: String { name }
  }

  /// What happens there.
  public enum Kind: Sendable {
    /// The connection is told of the error and closed.
    case fail(GroupError)
    /// The connection is gone without a closing handshake.
    case drop
    /// The connection is closed with a code.
    case close(UInt16?, String)
    /// A poke is taken back after its first half.
    case cancel
    /// A poke is sent with a base that no client has.
    case wrongBase
    /// A message is sent that no client knows.
    case unknownMessage
  }

  struct Rule: Sendable {
    let point: Point
    let kind: Kind
    /// Only for this client; nil for the next to come by.
    let clientID: String?
    var remaining: Int
  }

  private(set) var rules: [Rule] = []
  /// Milliseconds by which everything sent is held back, by client; nil for all others.
  var delays: [String?: Double] = [:]
  /// Clients with whom nothing is exchanged; nil for all.
  var paused: Set<String?> = []
  /// Largest binary frame in bytes.
  var chunkBytes = PokeEncoder.frameBytes

  public init() {}

  mutating func add(_ kind: Kind, at point: Point, clientID: String?, count: Int) {
    rules.append(Rule(point: point, kind: kind, clientID: clientID, remaining: count))
  }

  /// The fault that strikes a client at a point; it is used up.
  mutating func take(_ point: Point, clientID: String) -> Kind? {
    guard
      let place = rules.firstIndex(where: { rule in
        rule.point == point && (rule.clientID ?? clientID) == clientID
      })
    else { return nil }
    let kind = rules[place].kind
    rules[place].remaining -= 1
    if rules[place].remaining <= 0 { rules.remove(at: place) }
    return kind
  }

  func delay(of clientID: String) -> Double { delays[clientID] ?? delays[nil] ?? 0 }

  func isPaused(_ clientID: String) -> Bool { paused.contains(nil) || paused.contains(clientID) }
}
