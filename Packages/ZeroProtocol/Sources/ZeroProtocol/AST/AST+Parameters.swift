extension AST {
  /// This query with every static parameter replaced by the value found for it, or by null if the
  /// anchor or any step of its path is missing.
  ///
  /// A step reads a member of an object, an element of an array by its decimal index, or `length`
  /// of an array or a text (in UTF-16 units), as property access does in JavaScript.
  /// - Parameter parameters: an object with a member per anchor; nil if there are none.
  /// - Throws: `missingParameters` if there are none and the query has a parameter.
  public func bindingParameters(_ parameters: JSONObject?) throws(ASTError) -> AST {
    var copy = self
    if let condition = self.where { copy.where = try condition.bindingParameters(parameters) }
    if let related {
      copy.related = try related.map { (entry) throws(ASTError) in
        var entry = entry
        entry.subquery = try entry.subquery.bindingParameters(parameters)
        return entry
      }
    }
    return copy
  }
}

extension Condition {
  func bindingParameters(_ parameters: JSONObject?) throws(ASTError) -> Condition {
    switch self {
    case .simple(var condition):
      condition.left = try condition.left.bindingParameters(parameters)
      condition.right = try condition.right.bindingParameters(parameters)
      return .simple(condition)
    case .and(let members):
      return .and(
        try members.map { (member) throws(ASTError) in
          try member.bindingParameters(parameters)
        })
    case .or(let members):
      return .or(
        try members.map { (member) throws(ASTError) in
          try member.bindingParameters(parameters)
        })
    case .correlatedSubquery(var condition):
      condition.related.subquery = try condition.related.subquery.bindingParameters(parameters)
      return .correlatedSubquery(condition)
    }
  }
}

extension ValuePosition {
  func bindingParameters(_ parameters: JSONObject?) throws(ASTError) -> ValuePosition {
    guard case .parameter(let parameter) = kind else { return self }
    guard let parameters else {
      throw ASTError(
        .missingParameters,
        "the query has the static parameter \(parameter.path.joined(separator: ".")), but no "
          + "parameters were given")
    }
    var value = parameters[parameter.anchor.rawValue]
    for step in parameter.path { value = value?.property(step) }
    return .literal(Value(value ?? .null))
  }
}

extension JSONValue {
  /// What JavaScript finds at the own property `name` of this value.
  fileprivate func property(_ name: String) -> JSONValue? {
    switch self {
    case .object(let object): return object[name]
    case .array(let elements):
      if name == "length" { return .number(Double(elements.count)) }
      guard let index = Int(name), String(index) == name, elements.indices.contains(index) else {
        return nil
      }
      return elements[index]
    case .string(let text):
      if name == "length" { return .number(Double(text.utf16.count)) }
      guard let index = Int(name), String(index) == name, index >= 0,
        let place = text.utf16.index(
          text.utf16.startIndex, offsetBy: index, limitedBy: text.utf16.endIndex),
        place < text.utf16.endIndex
      else { return nil }
      return .string(String(decoding: CollectionOfOne(text.utf16[place]), as: UTF16.self))
    case .null, .bool, .number: return nil
    }
  }
}
