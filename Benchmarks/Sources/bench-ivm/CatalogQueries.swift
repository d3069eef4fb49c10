import ZeroIVM
import ZeroProtocol

/// Queries with many subqueries over the tables of a music catalog, which have no rows here.
enum CatalogQueries {
  static let schema = ZeroSchema(
    tables: [
      ("track", ["albumID", "genreID", "mediaTypeID"]), ("album", ["artistID"]), ("artist", []),
      ("genre", []), ("mediaType", []), ("invoiceLine", ["trackID"]),
      ("playlistTrack", ["trackID", "playlistID"]), ("playlist", []),
    ].map { name, keys in
      TableDescriptor(
        name,
        columns: [ColumnDescriptor("id", .string), ColumnDescriptor("name", .string)]
          + keys.map { ColumnDescriptor($0, .string) }, primaryKey: ["id"])
    })

  static let all = [
    ("1 exists", tracks(.and([album()]))),
    ("2 exists (AND)", tracks(.and([album(), genre()]))),
    ("3 exists (AND)", tracks(.and([album(), genre(), mediaType()]))),
    ("3 exists (OR)", tracks(.or([album("Big Ones"), genre("Rock"), mediaType("MPEG")]))),
    (
      "5 exists (AND)",
      tracks(
        .and([
          album(), genre(), mediaType(), exists("id", "invoiceLine", "trackID"),
          exists("id", "playlistTrack", "trackID"),
        ]))
    ),
    (
      "5 exists (OR)",
      tracks(
        .or([album("Big Ones"), genre("Rock"), mediaType("MPEG"), album("Two"), genre("Pop")]))
    ),
    ("nested, 2 levels", tracks(album(artist()))),
    (
      "nested, 4 levels",
      NestedQuery(
        "playlist",
        where: exists(
          "id", "playlistTrack", "playlistID",
          exists("trackID", "track", "id", album(artist()))))
    ),
    ("12 exists (AND)", tracks(.and((0..<4).flatMap { _ in [album(), genre(), mediaType()] }))),
    (
      "12 exists (OR)",
      tracks(
        .or((0..<4).flatMap { [album("\($0)"), genre("\($0)"), mediaType("\($0)")] }))
    ),
  ]

  // MARK: -

  private static func tracks(_ condition: Condition) -> NestedQuery {
    NestedQuery("track", where: condition)
  }

  private static func album(_ name: String) -> Condition { album(named(name)) }
  private static func album(_ condition: Condition? = nil) -> Condition {
    exists("albumID", "album", "id", condition)
  }
  private static func artist() -> Condition { exists("artistID", "artist", "id") }
  private static func genre(_ name: String? = nil) -> Condition {
    exists("genreID", "genre", "id", name.map(named))
  }
  private static func mediaType(_ name: String? = nil) -> Condition {
    exists("mediaTypeID", "mediaType", "id", name.map(named))
  }

  private static func named(_ name: String) -> Condition {
    .simple(column: "name", .equal, .string(name))
  }

  private static func exists(
    _ key: String, _ table: String, _ otherKey: String, _ condition: Condition? = nil
  ) -> Condition {
    NestedQuery.exists((key, otherKey), NestedQuery(table, where: condition))
  }
}
