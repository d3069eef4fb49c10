/// An array of a type and a body.
struct MessageFrame<Kind: MessageLiteral> {
  let kind: Kind
  private let content: JSONValue
  private let unknownMembers: UnknownMembers

  init(_ json: JSONValue, unknownMembers: UnknownMembers) throws(JSONError) {
    var decoder = JSONTreeDecoder(unknownMembers: unknownMembers)
    guard case .array(let elements) = json else { throw decoder.mismatch("an array", json) }
    guard elements.count == 2 else {
      throw decoder.error(.invalidLength, "expected a type and a body, got \(elements.count)")
    }
    kind = try decoder.inside(.index(0)) { (decoder) throws(JSONError) in
      try Kind.read(elements[0], &decoder)
    }
    content = elements[1]
    self.unknownMembers = unknownMembers
  }

  func body<T: MessagePart>(as type: T.Type = T.self) throws(JSONError) -> T {
    try T.decode(content, unknownMembers: unknownMembers, at: [1])
  }
}
