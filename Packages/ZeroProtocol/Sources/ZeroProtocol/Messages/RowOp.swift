/// A change to the rows of a table, with the server's names.
public enum RowOp: Sendable, Equatable {
  /// Insert the row or replace the whole of it.
  case put(tableName: String, value: JSONObject)
  /// Change a part of a row. Not sent by current servers.
  case update(RowUpdate)
  /// Remove a row that may be missing. `id` has every column of the primary key.
  case del(tableName: String, id: JSONObject)
  /// Remove everything: rows, sets of queries and results. Not sent by current servers.
  case clear
}

/// A change to a part of a row.
public struct RowUpdate: Sendable, Equatable {
  /// The table's server name.
  public var tableName: String
  /// Every column of the primary key.
  public var id: JSONObject
  /// New values of some columns: an object. The reference also lets an array pass, as an object with
  /// the array's indexes for names.
  public var merge: JSONValue?
  /// If there are any, the only columns that remain.
  public var constrain: [String]?

  public init(
    tableName: String, id: JSONObject, merge: JSONValue? = nil, constrain: [String]? = nil
  ) {
    self.tableName = tableName
    self.id = id
    self.merge = merge
    self.constrain = constrain
  }

  /// The row that results from `row`.
  public func applied(to row: JSONObject) -> JSONObject {
    var members = row.members
    switch merge {
    case .object(let columns)?: members += columns.members
    case .array(let elements)?:
      for (index, value) in elements.enumerated() { members.append((String(index), value)) }
    default: break
    }
    if let constrain, !constrain.isEmpty {
      let kept = Set(constrain.map { UTF8Key($0) })
      members.removeAll { !kept.contains(UTF8Key($0.key)) }
    }
    return JSONObject(members: members)
  }
}

extension RowOp: MessageObject {
  private enum Word: String, MessageLiteral { case put, update, del, clear }

  init(_ members: inout MemberReader) throws(JSONError) {
    switch try members.required("op", as: Word.self) {
    case .put:
      self = .put(
        tableName: try members.required("tableName"), value: try members.required("value"))
    case .update:
      self = .update(
        RowUpdate(
          tableName: try members.required("tableName"),
          id: try members.required("id", as: RowKey.self).columns,
          merge: try members.optional("merge", as: RowMerge.self)?.value,
          constrain: try members.optional("constrain")))
    case .del:
      self = .del(
        tableName: try members.required("tableName"),
        id: try members.required("id", as: RowKey.self).columns)
    case .clear: self = .clear
    }
  }

  func write(_ members: inout MemberWriter) {
    switch self {
    case .put(let tableName, let value):
      members.put("op", Word.put)
      members.put("tableName", tableName)
      members.put("value", value)
    case .update(let update):
      members.put("op", Word.update)
      members.put("tableName", update.tableName)
      members.put("id", update.id)
      members.putIfPresent("merge", update.merge)
      members.putIfPresent("constrain", update.constrain)
    case .del(let tableName, let id):
      members.put("op", Word.del)
      members.put("tableName", tableName)
      members.put("id", id)
    case .clear: members.put("op", Word.clear)
    }
  }
}

/// Columns whose values are strings, numbers or booleans.
struct RowKey: MessagePart {
  var columns: JSONObject

  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> RowKey {
    _ = try decoder.entries(json) { (decoder, _, value) throws(JSONError) in
      switch value {
      case .string, .number, .bool: break
      default: throw decoder.mismatch("a string, a number or a boolean", value)
      }
    }
    return RowKey(columns: try decoder.object(json))
  }

  var jsonValue: JSONValue { .object(columns) }
}

/// An object or an array.
private struct RowMerge: MessagePart {
  var value: JSONValue

  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> RowMerge {
    switch json {
    case .object, .array: RowMerge(value: json)
    default: throw decoder.mismatch("an object", json)
    }
  }

  var jsonValue: JSONValue { value }
}
