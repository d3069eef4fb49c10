import ZeroProtocol

@testable import ZeroDevServer

/// The SQL of the recordings, as far as they use it, run on the tables of the development server.
struct SQLScript {
  let database: Database

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Runs the statements of `text` in one transaction.
  func run(_ text: String, _ transaction: DatabaseTransaction) throws {
    for statement in Self.statements(text) {
      var tokens = Tokens(statement)
      switch tokens.next() {
      case .word("BEGIN")?, .word("COMMIT")?, nil: continue
      case .word("UPDATE")?: try update(&tokens, transaction)
      case .word("INSERT")?: try insert(&tokens, transaction)
      case .word("DELETE")?: try delete(&tokens, transaction)
      case let token?: throw Failure(description: "a statement that starts with \(token)")
      }
    }
  }

  // MARK: -

  private func update(_ tokens: inout Tokens, _ transaction: DatabaseTransaction) throws {
    let table = try database.schema.table(try tokens.name())
    try tokens.expect(.word("SET"))
    var values: JSONObject = [:]
    repeat {
      let column = try tokens.name()
      try tokens.expect(.symbol("="))
      values[column] = try value(tokens.next(), column, table)
    } while tokens.take(.symbol(","))
    for row in try rows(&tokens, table) {
      try transaction.change(table, row, values, names: .server)
    }
  }

  private func insert(_ tokens: inout Tokens, _ transaction: DatabaseTransaction) throws {
    try tokens.expect(.word("INTO"))
    let table = try database.schema.table(try tokens.name())
    var columns = table.layout.columns.map(\.name)
    if tokens.take(.symbol("(")) {
      columns = []
      repeat { columns.append(try tokens.name()) } while tokens.take(.symbol(","))
      try tokens.expect(.symbol(")"))
    }
    try tokens.expect(.word("VALUES"))
    repeat {
      try tokens.expect(.symbol("("))
      var row: JSONObject = [:]
      for (place, column) in columns.enumerated() {
        if place > 0 { try tokens.expect(.symbol(",")) }
        row[column] = try value(tokens.next(), column, table)
      }
      try tokens.expect(.symbol(")"))
      try transaction.insert(table, row, names: .server)
    } while tokens.take(.symbol(","))
  }

  private func delete(_ tokens: inout Tokens, _ transaction: DatabaseTransaction) throws {
    try tokens.expect(.word("FROM"))
    let table = try database.schema.table(try tokens.name())
    for row in try rows(&tokens, table) {
      let key = RowKey(row, table: table.ordinal).identity(table.layout)
      try transaction.delete(table, key, names: .server)
    }
  }

  /// The rows that a `WHERE` of equalities leaves.
  private func rows(_ tokens: inout Tokens, _ table: DatabaseTable) throws -> [Row] {
    var rows = database.rows(of: table)
    guard tokens.take(.word("WHERE")) else { return rows }
    repeat {
      let column = try tokens.name()
      try tokens.expect(.symbol("="))
      let wanted = try value(tokens.next(), column, table)
      rows = rows.filter { $0[column].jsonValue == wanted }
    } while tokens.take(.word("AND"))
    return rows
  }

  /// A literal as the replica holds it: times in milliseconds, JSON parsed, no number as null.
  private func value(
    _ token: Tokens.Token?, _ column: String, _ table: DatabaseTable
  ) throws -> JSONValue {
    let type = table.server.column(column)?.type
    switch token {
    case .word("NULL")?: return .null
    case .word(let word)?: return .number(Double(word) ?? .nan)
    case .text(let text)? where type == .json: return try JSONValue(parsing: text)
    case .text(let text)? where type == .number:
      return Self.milliseconds(text).map(JSONValue.number) ?? .null
    case .text(let text)?: return .string(text)
    default: throw Failure(description: "no value for \(column)")
    }
  }

  /// Milliseconds since 1970 of `2024-04-05[T ]12:00:00.5[Z|+05:30]`; nil for other text.
  static func milliseconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    func number(_ from: Int, _ count: Int) -> Double? {
      guard from + count <= bytes.count else { return nil }
      return Double(String(decoding: bytes[from..<(from + count)], as: UTF8.self))
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2) else {
      return nil
    }
    // Days since 1970 of a date in the Gregorian calendar, counting years from March.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted / 400).rounded(.down)
    let yearOfEra = shifted - era * 400
    let dayOfYear = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5).rounded(.down) + day - 1
    let dayOfEra =
      yearOfEra * 365 + (yearOfEra / 4).rounded(.down) - (yearOfEra / 100).rounded(.down)
      + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    guard bytes.count > 18, let hour = number(11, 2), let minute = number(14, 2) else {
      return days * 86_400_000
    }
    let rest = bytes[17...]
    let second = rest.prefix { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }
    let zone = rest.dropFirst(second.count)
    var offset = 0.0
    if zone.first == UInt8(ascii: "+"), let hours = number(zone.startIndex + 1, 2),
      let minutes = number(zone.startIndex + 4, 2)
    {
      offset = hours * 60 + minutes
    }
    // Whole microseconds, so that the fraction is that of the nearest double.
    let seconds = Double(String(decoding: second, as: UTF8.self)) ?? 0
    let micros = ((hour * 60 + minute - offset) * 60 + seconds) * 1_000_000
    return (days * 86_400_000_000 + micros.rounded()) / 1000
  }

  private static func statements(_ text: String) -> [String] {
    var statements = [""]
    var isQuoted = false
    for character in text {
      if character == "'" { isQuoted.toggle() }
      if character == ";" && !isQuoted {
        statements.append("")
      } else {
        statements[statements.count - 1].append(character)
      }
    }
    return statements
  }
}

/// The words, texts and signs of a statement.
struct Tokens {
  enum Token: Equatable { case word(String), text(String), symbol(Character) }

  private var tokens: ArraySlice<Token>

  init(_ statement: String) {
    var tokens: [Token] = []
    var rest = Substring(statement)
    while let character = rest.first {
      if character == "'" || character == "\"" {
        rest = rest.dropFirst()
        let text = String(rest.prefix { $0 != character })
        rest = rest.dropFirst(text.count + 1)
        tokens.append(character == "'" ? .text(text) : .word(text))
      } else if character.isLetter || character.isNumber || "-_.".contains(character) {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        rest = rest.dropFirst(word.count)
        tokens.append(.word(String(word)))
      } else {
        if !character.isWhitespace { tokens.append(.symbol(character)) }
        rest = rest.dropFirst()
      }
    }
    self.tokens = tokens[...]
  }

  mutating func next() -> Token? { tokens.popFirst() }

  mutating func take(_ token: Token) -> Bool {
    guard tokens.first == token else { return false }
    tokens.removeFirst()
    return true
  }

  mutating func expect(_ token: Token) throws {
    guard take(token) else {
      throw SQLScript.Failure(
        description: "expected \(token), got \(tokens.first.map { "\($0)" } ?? "the end")")
    }
  }

  mutating func name() throws -> String {
    guard case .word(let name)? = next() else {
      throw SQLScript.Failure(description: "expected a name")
    }
    return name
  }
}
