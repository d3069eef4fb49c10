/// What both ends agreed on for permessage-deflate (RFC 7692).
public struct DeflateParameters: Sendable, Equatable {
  /// The server forgets its window after each message.
  public var serverNoContextTakeover = false
  /// The client forgets its window after each message.
  public var clientNoContextTakeover = false
  /// Size of the server's window as a power of two, 8 to 15.
  public var serverMaxWindowBits = 15
  /// Size of the client's window as a power of two, 8 to 15.
  public var clientMaxWindowBits = 15

  /// Full windows that are kept from message to message.
  public init() {}

  /// The header value a client offers.
  static let offer = "permessage-deflate; client_max_window_bits"

  /// Reads the server's answer to ``offer``.
  /// - Returns: nil when there is none.
  static func accepted(_ header: String) throws(WebSocketError) -> Self? {
    let extensions = HeaderList.parse(header)
    guard let first = extensions.first else { return nil }
    guard extensions.count == 1, first.name == "permessage-deflate" else {
      throw violation("the server chose an extension that was not offered")
    }
    guard let parameters = Self(first.parameters, isOffer: false) else {
      throw violation("the server's parameters of permessage-deflate are not valid")
    }
    return parameters
  }

  /// Chooses among a client's offers.
  /// - Returns: the agreement and the header value of the answer, or nil to go without.
  static func choose(_ header: String) -> (parameters: Self, answer: String)? {
    for candidate in HeaderList.parse(header) where candidate.name == "permessage-deflate" {
      guard let parameters = Self(candidate.parameters, isOffer: true) else { continue }
      return (parameters, parameters.answer)
    }
    return nil
  }

  // MARK: -

  private init?(_ parameters: [(name: String, value: String?)], isOffer: Bool) {
    var seen: Set<String> = []
    for (name, value) in parameters {
      guard seen.insert(name).inserted else { return nil }
      switch (name, value) {
      case ("server_no_context_takeover", nil): serverNoContextTakeover = true
      case ("client_no_context_takeover", nil): clientNoContextTakeover = true
      case ("client_max_window_bits", nil) where isOffer: break
      case ("server_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        serverMaxWindowBits = bits
      case ("client_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        clientMaxWindowBits = bits
      default: return nil
      }
    }
  }

  private static func windowBits(_ text: String) -> Int? {
    guard let bits = Int(text), (8...15).contains(bits), !text.hasPrefix("+"),
      !text.hasPrefix("0")
    else { return nil }
    return bits
  }

  private var answer: String {
    var text = "permessage-deflate"
    if serverNoContextTakeover { text += "; server_no_context_takeover" }
    if clientNoContextTakeover { text += "; client_no_context_takeover" }
    if serverMaxWindowBits < 15 { text += "; server_max_window_bits=\(serverMaxWindowBits)" }
    if clientMaxWindowBits < 15 { text += "; client_max_window_bits=\(clientMaxWindowBits)" }
    return text
  }
}
