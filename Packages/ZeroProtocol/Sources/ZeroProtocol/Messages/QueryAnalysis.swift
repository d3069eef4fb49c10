/// What the server did to answer a query.
public struct QueryAnalysis: Sendable, Equatable {
  /// Table → SQL text → what was counted for it.
  public typealias CountsBySource = NamedValues<NamedValues<Double>>
  /// Table → SQL text → rows.
  public typealias RowsBySource = NamedValues<NamedValues<[JSONObject]>>

  /// What the reader should know.
  public var warnings: [String]
  /// Table → rows of the result.
  public var syncedRows: NamedValues<[JSONObject]>?
  /// Number of rows of the result.
  public var syncedRowCount: Double
  /// Milliseconds since 1970, as `end`.
  public var start: Double
  /// Deprecated in favour of `elapsed`.
  public var end: Double
  /// Milliseconds.
  public var elapsed: Double?
  /// The query after permissions were added, as text.
  public var afterPermissions: String?
  /// Deprecated in favour of `readRowCountsByQuery`.
  public var vendedRowCounts: CountsBySource?
  /// Deprecated in favour of `readRows`.
  public var vendedRows: RowsBySource?
  /// SQL text → lines of its plan.
  public var sqlitePlans: NamedValues<[String]>?
  /// Rows that were read.
  public var readRows: RowsBySource?
  /// How many rows each SQL query read.
  public var readRowCountsByQuery: CountsBySource?
  /// How many rows were read in all.
  public var readRowCount: Double?
  /// How many rows the database visited for each SQL query.
  public var dbScansByQuery: CountsBySource?
  /// How the order of joins was found.
  public var joinPlans: [JoinPlanEvent]?

  public init(
    warnings: [String] = [], syncedRowCount: Double, start: Double, end: Double,
    elapsed: Double? = nil
  ) {
    self.warnings = warnings
    self.syncedRowCount = syncedRowCount
    self.start = start
    self.end = end
    self.elapsed = elapsed
  }
}

extension QueryAnalysis: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    warnings = try members.required("warnings")
    syncedRows = try members.optional("syncedRows")
    syncedRowCount = try members.required("syncedRowCount")
    start = try members.required("start")
    end = try members.required("end")
    elapsed = try members.optional("elapsed")
    afterPermissions = try members.optional("afterPermissions")
    vendedRowCounts = try members.optional("vendedRowCounts")
    vendedRows = try members.optional("vendedRows")
    sqlitePlans = try members.optional("sqlitePlans")
    readRows = try members.optional("readRows")
    readRowCountsByQuery = try members.optional("readRowCountsByQuery")
    readRowCount = try members.optional("readRowCount")
    dbScansByQuery = try members.optional("dbScansByQuery")
    joinPlans = try members.optional("joinPlans")
  }

  func write(_ members: inout MemberWriter) {
    members.put("warnings", warnings)
    members.putIfPresent("syncedRows", syncedRows)
    members.put("syncedRowCount", syncedRowCount)
    members.put("start", start)
    members.put("end", end)
    members.putIfPresent("elapsed", elapsed)
    members.putIfPresent("afterPermissions", afterPermissions)
    members.putIfPresent("vendedRowCounts", vendedRowCounts)
    members.putIfPresent("vendedRows", vendedRows)
    members.putIfPresent("sqlitePlans", sqlitePlans)
    members.putIfPresent("readRows", readRows)
    members.putIfPresent("readRowCountsByQuery", readRowCountsByQuery)
    members.putIfPresent("readRowCount", readRowCount)
    members.putIfPresent("dbScansByQuery", dbScansByQuery)
    members.putIfPresent("joinPlans", joinPlans)
  }
}

/// A step of the server's search for a good order of joins. What a step says is for people to read
/// and kept as it came.
public struct JoinPlanEvent: Sendable, Equatable {
  /// What the step is.
  public enum Kind: String, Sendable, CaseIterable {
    case attemptStart = "attempt-start"
    case connectionCosts = "connection-costs"
    case connectionSelected = "connection-selected"
    case constraintsPropagated = "constraints-propagated"
    case planComplete = "plan-complete"
    case planFailed = "plan-failed"
    case bestPlanSelected = "best-plan-selected"
    case nodeCost = "node-cost"
    case nodeConstraint = "node-constraint"
  }

  /// What the step is.
  public let kind: Kind
  /// All members, the kind included.
  public let members: JSONObject
}

extension JoinPlanEvent: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> JoinPlanEvent {
    let object = try decoder.object(json)
    return JoinPlanEvent(
      kind: try decoder.literal("type", of: object, Kind.self), members: object)
  }

  var jsonValue: JSONValue { .object(members) }
}
