@_spi(Engine) import ZeroIVM
import ZeroProtocol

/// Reads and writes made-up rows through a table's struct, to see which property stands for which
/// column and relation.
struct TableProbe<T: ZeroTable> {
  private let table = T.table
  private let references: TableReferences
  private let example: T?

  init(_: T.Type, _ references: TableReferences, example: T?) {
    self.references = references
    self.example = example
  }

  func failures() -> [TableFailure] {
    // A struct that refers to other columns than its own would only fail again.
    guard references.failures.isEmpty else { return [] }
    let types = references.columnTypes.compactMap { $0 }
    let candidates = zip(table.columns, types).map { Self.candidates($0, $1) }
    var base: [Value]
    if let example {
      base = Array(example.encode())
      guard base.count == table.columns.count else { return [wrongCount(base.count)] }
    } else {
      base = candidates.map { $0.first ?? .null }
    }
    guard let read = self.read(base) else {
      return [
        TableFailure(
          table: table.name,
          "no row of it could be made up (\(problem(base))); give an example of one")
      ]
    }
    let written = Array(read.encode())
    guard written.count == table.columns.count else { return [wrongCount(written.count)] }
    let properties = Self.properties(read)
    let names = table.columns.map(\.name) + table.relations.map(\.name)
    var failures = names.filter { properties[UTF8Key($0)] == nil }.map {
      TableFailure(table: table.name, member: $0, "the struct has no property of that name")
    }
    guard failures.isEmpty else { return failures }
    for place in table.columns.indices {
      // Only this column is another than in the row before.
      guard let other = candidates[place].first(where: { $0 != base[place] }) else { continue }
      var values = base
      values[place] = other
      failures += check(values, base, place)
    }
    for place in table.relations.indices { failures += check(relation: place, base) }
    var told: Set<TableFailure> = []
    return failures.filter { told.insert($0).inserted }
  }

  // MARK: -

  private func check(_ values: [Value], _ base: [Value], _ place: Int) -> [TableFailure] {
    let name = table.columns[place].name
    guard let row = read(values) else {
      return [
        TableFailure(table: table.name, member: name, "a row cannot be read: \(problem(values))")
      ]
    }
    var failures: [TableFailure] = []
    let properties = Self.properties(row)
    for (other, column) in table.columns.enumerated() {
      guard let value = properties[UTF8Key(column.name)] as? any ZeroValue,
        value.zero != values[other]
      else { continue }
      failures.append(
        TableFailure(
          table: table.name, member: column.name,
          "init(_:) reads it from another column than \(other)"))
    }
    guard failures.isEmpty else { return failures }
    let written = Array(row.encode())
    for (other, column) in table.columns.enumerated()
    where written.indices.contains(other) && written[other] != values[other] {
      failures.append(
        TableFailure(
          table: table.name, member: column.name, "encode() writes another property at \(other)"))
    }
    return failures
  }

  /// Gives a row one relation, and sees which property takes it.
  private func check(relation place: Int, _ base: [Value]) -> [TableFailure] {
    let relation = table.relations[place]
    var related: Row?
    for (_, value) in Mirror(reflecting: T.relations).children {
      guard let reference = value as? any RelationReference, reference.ordinal == place else {
        continue
      }
      related = Self.anyRow(reference.targetType)
    }
    guard let related,
      let row = try? T(
        RowReader(Entry(self.row(base), relation: relation, to: related), table))
    else { return [] }
    let properties = Self.properties(row)
    return table.relations.enumerated().compactMap { other, descriptor in
      guard let property = properties[UTF8Key(descriptor.name)] else { return nil }
      if Self.isNil(property) == (other == place) {
        return TableFailure(
          table: table.name, member: descriptor.name,
          other == place
            ? "init(_:) does not read it from relation \(place)"
            : "init(_:) reads it from relation \(place), which is \"\(relation.name)\"")
      }
      return nil
    }
  }

  private func row(_ values: [Value]) -> Row {
    var builder = RowBuilder()
    builder.begin(table.layout)
    for (column, value) in values.enumerated() { builder.set(column, value) }
    return builder.finish()
  }

  private func read(_ values: [Value]) -> T? {
    try? T(RowReader(Entry(plain: row(values)), table))
  }

  private func problem(_ values: [Value]) -> String {
    do {
      _ = try T(RowReader(Entry(plain: row(values)), table))
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  private func wrongCount(_ count: Int) -> TableFailure {
    TableFailure(
      table: table.name, "encode() gives \(count) values, and it has \(table.columns.count) columns"
    )
  }

  /// Stored properties by name, those behind a property wrapper by the name of the property.
  private static func properties(_ row: T) -> [UTF8Key: Any] {
    var properties: [UTF8Key: Any] = [:]
    for case (let label?, let value) in Mirror(reflecting: row).children {
      properties[UTF8Key(label)] = value
      if label.hasPrefix("_") { properties[UTF8Key(String(label.dropFirst()))] = value }
    }
    return properties
  }

  /// Whether an optional, or the box of a property wrapper, is empty.
  private static func isNil(_ property: Any) -> Bool {
    let mirror = Mirror(reflecting: property)
    if mirror.displayStyle == .optional { return mirror.children.isEmpty }
    return mirror.children.first.map { isNil($0.value) } ?? false
  }

  /// A row that the struct can be read from.
  private static func anyRow<C: ZeroTable>(_: C.Type) -> Row? {
    let table = C.table
    let types = TableReferences(C.self).columnTypes
    guard types.count == table.columns.count else { return nil }
    var builder = RowBuilder()
    builder.begin(table.layout)
    for (place, column) in table.columns.enumerated() {
      guard let type = types[place] else { return nil }
      builder.set(place, candidates(column, type).first ?? .null)
    }
    let row = builder.finish()
    return (try? C(RowReader(Entry(plain: row), table))) == nil ? nil : row
  }

  /// Values that the type takes and gives back, the more telling ones first.
  private static func candidates(
    _ column: ColumnDescriptor, _ type: any ZeroValue.Type
  ) -> [Value] {
    let wrapped = (type as? any OptionalColumnType.Type)?.wrappedType ?? type
    var values: [Value]
    switch column.type {
    case .string:
      values = (column.enumeration ?? []).map { .string($0) } + cases(of: wrapped)
      values += [.string("one"), .string("another")]
    case .number: values = [.number(1), .number(2)]
    case .boolean: values = [.bool(true), .bool(false)]
    case .json:
      values = [.json(.object(["a": .number(1)])), .json(.array([.number(1)]))]
      values += [.json(.object([:])), .json(.array([])), .string("text"), .number(1), .bool(true)]
      values += cases(of: wrapped)
    case .null: values = []
    }
    if type is any OptionalColumnType.Type { values.append(.null) }
    return values.filter { accepts(type, $0) }
  }

  private static func accepts<V: ZeroValue>(_: V.Type, _ value: Value) -> Bool {
    if case .null = value { return V.valueForNull?.zero == .null }
    return V(zero: value)?.zero == value
  }

  private static func cases(of type: any ZeroValue.Type) -> [Value] {
    guard let type = type as? any CaseIterable.Type else { return [] }
    func values<C: CaseIterable>(_: C.Type) -> [Value] {
      C.allCases.compactMap { ($0 as? any ZeroValue)?.zero }
    }
    return values(type)
  }
}
