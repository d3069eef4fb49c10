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
      if column.tableType != type { note(name, "it is a column of \(column.tableType)") }
      guard table.columns.indices.contains(column.ordinal) else {
        note(name, "it refers to column \(column.ordinal) of \(table.columns.count)")
        continue
      }
      let descriptor = table.columns[column.ordinal]
      guard descriptor.name.utf8.elementsEqual(name.utf8) else {
        note(
          name,
          "it refers to column \(column.ordinal), which is \"\(descriptor.name)\"; generate it again"
        )
        continue
      }
      if columnTypes[column.ordinal] != nil { note(name, "two members refer to it") }
      columnTypes[column.ordinal] = column.valueType
      check(column.valueType, descriptor)
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
    let fits =
      switch column.type {
      case .string: wrapped == String.self || wrapped is any ZeroEnum.Type
      case .number: wrapped == Double.self || wrapped == Int.self
      case .boolean: wrapped == Bool.self
      case .json: wrapped == JSONValue.self || wrapped is any ZeroJSON.Type
      case .null: true
      }
    // Other types are the app's own; whether they take the column's values, a row shows.
    let isOurs =
      wrapped == String.self || wrapped == Double.self || wrapped == Int.self
      || wrapped == Bool.self || wrapped == JSONValue.self || wrapped is any ZeroEnum.Type
      || wrapped is any ZeroJSON.Type
    if isOurs && !fits {
      note(column.name, "it is of type \(column.type.rawValue), and its type in Swift is \(type)")
    }
  }

  private mutating func readRelations<T: ZeroTable>(_ type: T.Type) {
    var isReferred = Array(repeating: false, count: table.relations.count)
    for (name, value) in Self.members(type.relations) {
      guard let relation = value as? any RelationReference else {
        note(name, "the member of Relations is no Relation")
        continue
      }
      if relation.tableType != type { note(name, "it is a relation of \(relation.tableType)") }
      guard table.relations.indices.contains(relation.ordinal) else {
        note(name, "it refers to relation \(relation.ordinal) of \(table.relations.count)")
        continue
      }
      let descriptor = table.relations[relation.ordinal]
      guard descriptor.name.utf8.elementsEqual(name.utf8) else {
        note(
          name,
          "it refers to relation \(relation.ordinal), which is \"\(descriptor.name)\"; generate it "
            + "again")
        continue
      }
      if isReferred[relation.ordinal] { note(name, "two members refer to it") }
      isReferred[relation.ordinal] = true
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
