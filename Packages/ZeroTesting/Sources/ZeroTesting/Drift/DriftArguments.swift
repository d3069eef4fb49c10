import ZeroProtocol

/// Words for arguments and contexts that do not fit.
enum DriftArguments {
  /// Why arguments that went through their Swift type are not what they were; nil if they are.
  static func difference(_ recorded: JSONValue?, _ reencoded: JSONValue?) -> String? {
    switch (recorded, reencoded) {
    case (nil, nil): return nil
    case (nil, let own?):
      return "TypeScript is called without arguments, Swift would send \(own.jsonString)"
    case (let recorded?, nil):
      return "TypeScript is called with \(recorded.jsonString), Swift would send no arguments"
    case (let recorded?, let own?):
      guard recorded.jsonText != own.jsonText else { return nil }
      return "the arguments \(recorded.jsonString) become \(own.jsonString) in Swift; the query's "
        + "or mutator's type has to write what it reads, member by member and in the same order"
    }
  }

  /// As ``difference(_:_:)`` for mutators, for which null is the same as no arguments.
  static func mutatorDifference(_ recorded: JSONValue?, _ reencoded: JSONValue?) -> String? {
    difference(recorded == .null ? nil : recorded, reencoded == .null ? nil : reencoded)
  }

  static func unreadable(_ args: JSONValue?, _ error: any Error) -> String {
    let text = args.map { "the arguments \($0.jsonString) do" } ?? "a call without arguments does"
    return "\(text) not fit the Swift type: \(Drift.text(of: error))"
  }

  static func unusable(_ context: JSONValue?, _ error: any Error) -> String {
    let text = context?.jsonString ?? "undefined, which reads as null,"
    return "no Swift context can be made of \(text): \(Drift.text(of: error))"
  }
}
