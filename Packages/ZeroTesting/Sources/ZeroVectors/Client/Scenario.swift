@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// One scenario: clients on a manual clock, with sockets and storage that the scenario plays.
@MainActor final class Scenario {
  let schemas: ScenarioSchemas
  let scheduler = ManualScheduler(wallStart: 1_735_689_600_000)
  let sockets = ScenarioSockets()
  let placeholders = ScenarioPlaceholders()
  let environment: EngineEnvironment

  var zeros: [String: Zero] = [:]
  var order: [String] = []
  var views: [String: View] = [:]
  var listeners: [String: @MainActor () -> Void] = [:]
  var preloads: [String: EnginePreload] = [:]
  var log = ScenarioLog()

  /// A client with what it was opened with.
  struct Zero {
    let engine: ClientEngine
    let queries: ScenarioQueries
    let context: JSONValue?
  }

  struct View {
    let view: EngineView
    let zero: String
    let format: Format
  }

  init(schemas: ScenarioSchemas, storage: any StoreProvider, isVisible: Bool) {
    self.schemas = schemas
    environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: scheduler,
      activity: AppActivity(isVisible: isVisible), inline: true)
    sockets.didOpen = { [weak self] in self?.opened($0) }
    sockets.didSend = { [weak self] socket, text in
      let message = (try? JSONValue(parsing: text)) ?? .string("no JSON")
      self?.record(["ev": .string("send"), "socket": .string(socket.name), "msg": message])
    }
    sockets.didClose = { [weak self] socket, code in
      self?.record([
        "ev": .string("closeSocket"), "socket": .string(socket.name),
        "code": code.map { .number(Double($0)) } ?? .null,
      ])
    }
  }

  /// Closes what is still open, whatever that causes.
  func closeAll() {
    for name in order { _ = zeros[name]?.engine.close() }
    zeros = [:]
    views = [:]
  }

  /// Runs a step and compares what happened with what was recorded.
  func run(_ step: JSONValue) throws {
    let fields = try Fields(step)
    log.begin(at: try fields.string("op") == "advance" ? scheduler.monotonicTime : nil)
    try perform(fields)
    let expected = try fields.array("expect").map(Self.withoutRejection)
    let actual = log.events.map { placeholders.name(.object($0)) }
    let schemas = schemas.entries.values.map(\.clientSchema)
    try ScenarioLog.compare(
      expected, actual, viewOwner: { [views] in views[$0]?.zero },
      matches: { ScenarioMatch.matches($0, $1, schemas) }, step: try fields.string("op"))
  }

  func record(_ event: JSONObject) { log.record(event, at: scheduler.monotonicTime) }

  // MARK: -

  private func opened(_ socket: ScenarioSocket) {
    let parts = socket.request.url.split(separator: "?", maxSplits: 1)
    var parameters = JSONObject()
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters[Self.decoded(sides[0])] = .string(sides.count > 1 ? Self.decoded(sides[1]) : "")
    }
    if case .string(let id)? = parameters["wsid"] {
      placeholders.define("$wsid:\(socket.name)", id)
    }
    if case .string(let id)? = parameters["profileID"] { placeholders.number("profile", id) }
    let token = socket.request.subprotocols.first.flatMap { try? SocketProtocolToken(header: $0) }
    let client: String? = if case .string(let id)? = parameters["clientID"] { id } else { nil }
    let zero = zeros.first { $0.value.engine.clientID == client }?.key
    numberGroups()
    record([
      "ev": .string("connect"), "socket": .string(socket.name),
      "zero": zero.map { .string($0) } ?? .null, "url": .string(String(parts[0])),
      "params": .object(parameters), "auth": token?.authToken.map { .string($0) } ?? .null,
      "init": token?.initConnectionMessage ?? .null,
    ])
  }

  /// An expected event without what a run is rejected with.
  private static func withoutRejection(_ event: JSONValue) -> JSONValue {
    guard case .object(var object) = event, object["ev"] == .string("run"),
      object["rejected"] != nil
    else { return event }
    object["rejected"] = rejection
    return .object(object)
  }

  /// Gives client groups their numbers, in the order in which clients were opened.
  func numberGroups() {
    for name in order {
      if case .success(let group)? = zeros[name]?.engine.clientGroupID.result {
        placeholders.number("group", group)
      }
    }
  }

  /// Text from a form-encoded query.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? byte)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
