@_spi(Engine) import ZeroIVM
import ZeroProtocol

/// What the `Columns` and `Relations` of a table's struct refer to, and what is wrong with them.
struct TableReferences {
  /// By place in the descriptor, the Swift type of the column; nil if no member refers to it.
  private(set) var columnTypes: [(any ZeroValue.Type)?]
  private(set) var failures: [TableFailure] = []
  private let table: TableDescriptor

  init<T: ZeroTable>(_ type: T.Type) {
    table = type.table
    columnTypes = Array(repeating: nil, count: table.columns.count)
    readColumns(type)
    readRelations(type)
  }

  // MARK: -

  private mutating func readColumns<T: ZeroTable>(_ type: T.Type) {
    for (name, value) in Self.members(type.columns) {
      guard let column = value as? any ColumnReference else {
        note(name, "the member of Columns is no Column")
        continue
      }
      let names = table.columns.map(\.name)
      guard
        let place = checkedPlace(name, column.ordinal, in: names, "column", column.tableType, type)
      else { continue }
      if columnTypes[place] != nil { note(name, "two members refer to it") }
      columnTypes[place] = column.valueType
      check(column.valueType, table.columns[place])
    }
    for (place, column) in table.columns.enumerated() where columnTypes[place] == nil {
      note(column.name, "no member of Columns refers to it")
    }
  }

  private mutating func check(_ type: any ZeroValue.Type, _ column: ColumnDescriptor) {
    let isOptional = type is any OptionalColumnType.Type
    if isOptional != column.isOptional {
      note(
        column.name,
        column.isOptional
          ? "it may be null, and its type \(type) is not optional"
          : "it cannot be null, and its type \(type) is optional")
    }
    let wrapped = (type as? any OptionalColumnType.Type)?.wrappedType ?? type
    if let own = Self.columnType(of: wrapped), own != column.type, column.type != .null {
      note(column.name, "it is of type \(column.type.rawValue), and its type in Swift is \(type)")
    }
  }

  /// The type of columns that a Swift type is for. Nil for an app's own type: whether that takes
  /// the column's values, a row shows.
  private static func columnType(of type: any ZeroValue.Type) -> ColumnType? {
    switch type {
    case is String.Type, is any ZeroEnum.Type: .string
    case is Double.Type, is Int.Type: .number
    case is Bool.Type: .boolean
    case is JSONValue.Type, is any ZeroJSON.Type: .json
    default: nil
    }
  }

  private mutating func readRelations<T: ZeroTable>(_ type: T.Type) {
    var isReferred = Array(repeating: false, count: table.relations.count)
    for (name, value) in Self.members(type.relations) {
      guard let relation = value as? any RelationReference else {
        note(name, "the member of Relations is no Relation")
        continue
      }
      let names = table.relations.map(\.name)
      guard
        let place = checkedPlace(
          name, relation.ordinal, in: names, "relation", relation.tableType, type)
      else { continue }
      let descriptor = table.relations[place]
      if isReferred[place] { note(name, "two members refer to it") }
      isReferred[place] = true
      let target = relation.targetType.table.name
      if let far = descriptor.hops.last?.table, !far.utf8.elementsEqual(target.utf8) {
        note(name, "it leads to table \"\(far)\", and in Swift to \"\(target)\"")
      }
      if relation.cardinality != descriptor.cardinality {
        note(
          name,
          "it leads to \(descriptor.cardinality.rawValue), and in Swift to "
            + (relation.cardinality?.rawValue ?? "neither one nor many"))
      }
    }
    for (place, relation) in table.relations.enumerated() where !isReferred[place] {
      note(relation.name, "no member of Relations refers to it")
    }
  }

  /// The place in the descriptor that a member refers to; nil, and noted, if what is there has another
  /// name or there is nothing.
  private mutating func checkedPlace(
    _ member: String, _ ordinal: Int, in names: [String], _ kind: String,
    _ owner: any ZeroTable.Type, _ type: any ZeroTable.Type
  ) -> Int? {
    if owner != type { note(member, "it is a \(kind) of \(owner)") }
    guard names.indices.contains(ordinal) else {
      note(member, "it refers to \(kind) \(ordinal) of \(names.count)")
      return nil
    }
    guard names[ordinal].utf8.elementsEqual(member.utf8) else {
      note(
        member,
        "it refers to \(kind) \(ordinal), which is \"\(names[ordinal])\"; generate it again")
      return nil
    }
    return ordinal
  }

  private static func members(_ value: some Any) -> [(String, Any)] {
    Mirror(reflecting: value).children.compactMap { child in
      child.label.map { ($0, child.value) }
    }
  }

  private mutating func note(_ member: String, _ message: String) {
    failures.append(TableFailure(table: table.name, member: member, message))
  }
}

/// An optional type of columns.
protocol OptionalColumnType {
  static var wrappedType: any ZeroValue.Type { get }
}

extension Optional: OptionalColumnType where Wrapped: ZeroValue {
  static var wrappedType: any ZeroValue.Type { Wrapped.self }
}
