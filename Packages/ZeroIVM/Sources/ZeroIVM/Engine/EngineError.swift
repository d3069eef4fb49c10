public import ZeroProtocol

/// Data or a query that the engine cannot work with.
public struct EngineError: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String {
      case rowExists, rowMissing, wrongLayout, compareTypes, compareUnsupported, predicate
      case singularMany, inconsistent, unknownTable, unknownColumn, notExistsUnsupported
      case existsStart, existsRelated, missingAlias, invalidCondition, wrongHead
      case closed
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// A row is added under a primary key that is taken.
    public static let rowExists = Self(.rowExists)
    /// A row is removed or edited that is not there.
    public static let rowMissing = Self(.rowMissing)
    /// A row whose layout is not that of the table in this branch.
    public static let wrongLayout = Self(.wrongLayout)
    /// Values of two types are to be ordered.
    public static let compareTypes = Self(.compareTypes)
    /// Arrays or objects are to be ordered.
    public static let compareUnsupported = Self(.compareUnsupported)
    /// A condition cannot be decided; `predicateError` says why.
    public static let predicate = Self(.predicate)
    /// A singular query or relationship has several rows.
    public static let singularMany = Self(.singularMany)
    /// A change names a row that a view does not have.
    public static let inconsistent = Self(.inconsistent)
    /// A table that the schema lacks.
    public static let unknownTable = Self(.unknownTable)
    /// A column, used for joining or for a new row, that the table lacks.
    public static let unknownColumn = Self(.unknownColumn)
    /// NOT EXISTS, which a client refuses unless told otherwise.
    public static let notExistsUnsupported = Self(.notExistsUnsupported)
    /// `start` inside an exists that is not flipped.
    public static let existsStart = Self(.existsStart)
    /// `related` inside an exists that is not flipped.
    public static let existsRelated = Self(.existsRelated)
    /// A subquery has no alias.
    public static let missingAlias = Self(.missingAlias)
    /// A condition that no pipeline can be built for.
    public static let invalidCondition = Self(.invalidCondition)
    /// Changes were made for another head than the branch has.
    public static let wrongHead = Self(.wrongHead)
    /// The view was destroyed.
    public static let closed = Self(.closed)

    public var description: String { base.rawValue }
  }

  /// What is wrong.
  public let code: Code
  /// What failed, on what, and what to do.
  public let message: String
  /// Whether the branch refuses every later change, because this one was half applied.
  public internal(set) var requiresRebuild = false
  /// Why a condition could not be decided.
  public let predicateError: PredicateError?

  init(_ code: Code, _ message: String, predicateError: PredicateError? = nil) {
    self.code = code
    self.message = message
    self.predicateError = predicateError
  }

  public var description: String { "engine error \(code): \(message)" }
}

extension EngineError {
  static func compareTypes(_ a: ColumnView, _ b: ColumnView) -> EngineError {
    EngineError(
      .compareTypes,
      "a \(a.typeName) and a \(b.typeName) have no order; keep one type per column")
  }

  static let compareUnsupported = EngineError(
    .compareUnsupported, "arrays and objects have no order; order and join by scalar columns")

  static func predicate(_ error: PredicateError) -> EngineError {
    EngineError(.predicate, error.message, predicateError: error)
  }

  static func rowExists(_ row: Row) -> EngineError {
    EngineError(
      .rowExists,
      "table \"\(row.layout.table)\" already has a row with key \(row.keyText); edit it instead")
  }

  static func rowMissing(_ row: Row) -> EngineError {
    EngineError(
      .rowMissing, "table \"\(row.layout.table)\" has no row with key \(row.keyText); add it first")
  }

  static func wrongLayout(_ row: Row, _ table: String) -> EngineError {
    EngineError(
      .wrongLayout,
      "a row made for table \"\(row.layout.table)\" does not have the layout of table \"\(table)\" "
        + "of this branch; build rows with the layout of the branch's schema")
  }

  static func singularMany(_ row: Row) -> EngineError {
    EngineError(
      .singularMany,
      "a second row of table \"\(row.layout.table)\", with key \(row.keyText), in a result that is "
        + "one row; make it a list or see to it that there is one")
  }

  static func inconsistent(_ row: Row) -> EngineError {
    EngineError(
      .inconsistent,
      "a view lacks the row with key \(row.keyText) of table \"\(row.layout.table)\" that a change "
        + "names; open the query anew")
  }

  static func unknownTable(_ name: String) -> EngineError {
    EngineError(.unknownTable, "the schema has no table \"\(name)\"; check the query")
  }

  static func unknownColumn(_ column: String, _ table: String) -> EngineError {
    EngineError(
      .unknownColumn,
      "table \"\(table)\" has no column \"\(column)\"; check its name")
  }
}

extension Row {
  /// The primary key as it reads in messages.
  fileprivate var keyText: String {
    layout.primaryKey.map { place in
      switch self[place] {
      case .absent, .null: "null"
      case .bool(let value): "\(value)"
      case .number(let value): "\(value)"
      case .string(let value): "\"\(value)\""
      case .json: "JSON"
      }
    }.joined(separator: ", ")
  }
}

extension ColumnView {
  fileprivate var typeName: String {
    switch tag {
    case Tag.false, Tag.true: "boolean"
    case Tag.integer, Tag.double: "number"
    case Tag.string: "string"
    case Tag.json: "JSON value"
    default: "null"
    }
  }
}
