/// A mutation as it is pushed.
public struct MutationMessage: Sendable, Equatable {
  /// What the mutation does.
  public enum Content: Sendable, Equatable {
    /// A call of a registered mutator, as `issue.create`. There is always one argument; a mutator
    /// called without sends null.
    case custom(name: String, args: [JSONValue])
    /// Writes of old clients, in order.
    case crud([CRUDWrite])
  }

  /// The client that made it, and its number there.
  public var id: MutationID
  /// Wall-clock time at which the mutation was made, in milliseconds since 1970.
  public var timestamp: Double
  /// What the mutation does.
  public var content: Content

  public init(id: MutationID, timestamp: Double, content: Content) {
    self.id = id
    self.timestamp = timestamp
    self.content = content
  }
}

/// One write of a mutation of old clients.
public struct CRUDWrite: Sendable, Equatable {
  /// What is done to the row.
  public enum Operation: String, Sendable, CaseIterable { case insert, upsert, update, delete }

  /// What is done to the row.
  public var operation: Operation
  /// The table's server name.
  public var tableName: String
  /// At least one column.
  public var primaryKey: [String]
  /// The row, or for `delete` its primary key.
  public var value: JSONObject

  public init(
    _ operation: Operation, tableName: String, primaryKey: [String], value: JSONObject
  ) {
    self.operation = operation
    self.tableName = tableName
    self.primaryKey = primaryKey
    self.value = value
  }
}

extension MutationMessage: MessageObject {
  private enum Kind: String, MessageLiteral { case custom, crud }
  private enum CRUDName: String, MessageLiteral { case crud = "_zero_crud" }

  private struct CRUDArgument: MessageObject {
    var writes: [CRUDWrite]

    init(_ writes: [CRUDWrite]) { self.writes = writes }

    init(_ members: inout MemberReader) throws(JSONError) {
      writes = try members.required("ops")
    }

    func write(_ members: inout MemberWriter) { members.put("ops", writes) }
  }

  init(_ members: inout MemberReader) throws(JSONError) {
    let kind = try members.required("type", as: Kind.self)
    timestamp = try members.required("timestamp")
    id = MutationID(
      id: try members.required("id"), clientID: try members.required("clientID"))
    switch kind {
    case .custom:
      content = .custom(name: try members.required("name"), args: try members.required("args"))
    case .crud:
      _ = try members.required("name", as: CRUDName.self)
      let args = try members.required("args", as: [CRUDArgument].self)
      guard args.count == 1, let argument = args.first else {
        throw members.error(.invalidLength, at: "args", "expected one element, got \(args.count)")
      }
      content = .crud(argument.writes)
    }
  }

  func write(_ members: inout MemberWriter) {
    switch content {
    case .custom: members.put("type", Kind.custom)
    case .crud: members.put("type", Kind.crud)
    }
    members.put("timestamp", timestamp)
    id.write(&members)
    switch content {
    case .custom(let name, let args):
      members.put("name", name)
      members.put("args", args)
    case .crud(let writes):
      members.put("name", CRUDName.crud)
      members.put("args", [CRUDArgument(writes)])
    }
  }
}

extension CRUDWrite: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    operation = try members.required("op")
    tableName = try members.required("tableName")
    primaryKey = try members.required("primaryKey")
    guard !primaryKey.isEmpty else {
      throw members.error(.invalidLength, at: "primaryKey", "expected at least one column")
    }
    value =
      operation == .delete
      ? try members.required("value", as: RowKey.self).columns : try members.required("value")
  }

  func write(_ members: inout MemberWriter) {
    members.put("op", operation)
    members.put("tableName", tableName)
    members.put("primaryKey", primaryKey)
    members.put("value", value)
  }
}

extension CRUDWrite.Operation: MessageLiteral {}
