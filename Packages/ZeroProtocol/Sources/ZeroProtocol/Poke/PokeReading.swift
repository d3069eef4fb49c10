/// The reading of one poke: the text, the rows' builder and what is expected next.
struct PokeReading: ~Copyable {
  var reader: JSONReader
  var builder = RowBuilder()
  let tables: [PokeTable]
  /// The table of the latest entry, which the next one most likely belongs to.
  var latest: PokeTable?
  /// Stands for all tables that the schema lacks.
  private(set) lazy var unknown = PokeTable(TableDescriptor("", columns: [], primaryKey: []))

  init(_ reader: consuming JSONReader, _ tables: [TableDescriptor]) {
    self.reader = reader
    self.tables = tables.map { PokeTable($0) }
  }

  /// Checks that nothing follows.
  mutating func finish() throws(JSONError) { try reader.finish() }

  mutating func readParts() throws(JSONError) -> [PokePatches] {
    try reader.enterArray()
    var parts: [PokePatches] = []
    var isFirst = true
    while try reader.nextElement(&isFirst) { parts.append(try readPart()) }
    return parts
  }

  /// A message, if it is a poke part.
  mutating func readMessage() throws(JSONError) -> PokePatches? {
    try reader.enterArray()
    var isFirst = true
    guard try reader.nextElement(&isFirst) else {
      throw reader.error(.wrongType, "a message begins with its name")
    }
    guard isEqual(try reader.readString(), "pokePart") else { return nil }
    guard try reader.nextElement(&isFirst) else {
      throw reader.error(.missingMember, "the message has no body")
    }
    let part = try readPart()
    guard try !reader.nextElement(&isFirst) else {
      throw reader.error(.invalidValue, "a message has two elements")
    }
    return part
  }

  private mutating func readPart() throws(JSONError) -> PokePatches {
    _ = reader.peek()
    let start = reader.mark
    let treeBytes = reader.treeBytes
    reader.findsPaths = false
    defer { reader.findsPaths = true }
    do {
      return try readPartAtOnce()
    } catch {
      // A member that does not fit may be repeated later, and only the last one counts. If the part
      // cannot be read that way either, its error is the one that is shown.
      reader.findsPaths = true
      reader.treeBytes = treeBytes
      reader.rewind(to: start)
      return try readPartByPlaces()
    }
  }

  /// Reads the members as they come.
  private mutating func readPartAtOnce() throws(JSONError) -> PokePatches {
    let start = reader.offset
    var part = PokePatches(pokeID: "")
    var hasID = false
    try reader.enterObject()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      guard let member = PartMember(key) else {
        try reader.skipValue()
        continue
      }
      if member == .pokeID { hasID = true }
      try readMember(member, of: &part)
    }
    guard hasID else { throw reader.missing("pokeID", from: start) }
    return part
  }

  /// Looks for the last of each member first.
  private mutating func readPartByPlaces() throws(JSONError) -> PokePatches {
    let start = reader.offset
    var part = PokePatches(pokeID: "")
    var places: [PartMember: JSONReader.Mark] = [:]
    try reader.enterObject()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      let member = PartMember(key)
      _ = reader.peek()
      if let member { places[member] = reader.mark }
      try reader.skipValue()
    }
    guard places[.pokeID] != nil else { throw reader.missing("pokeID", from: start) }
    let end = reader.mark
    for member in PartMember.allCases {
      guard let place = places[member] else { continue }
      reader.rewind(to: place)
      try readMember(member, of: &part)
    }
    reader.rewind(to: end)
    return part
  }

  private mutating func readMember(
    _ member: PartMember, of part: inout PokePatches
  ) throws(JSONError) {
    switch member {
    case .pokeID: part.pokeID = try reader.readText()
    case .rowsPatch:
      part.rowsPatch = []
      part.hasRows = false
      try readRows(&part)
    case .lastMutationIDChanges:
      part.lastMutationIDChanges = try readTree { (tree, json) throws(JSONError) in
        try tree.lastMutationIDs(json)
      }
    case .desiredQueriesPatches:
      part.desiredQueriesPatches = try readTree { (tree, json) throws(JSONError) in
        try tree.queriesByClient(json)
      }
    case .gotQueriesPatch:
      part.gotQueriesPatch = try readTree { (tree, json) throws(JSONError) in
        try tree.queries(json)
      }
    case .mutationsPatch:
      part.mutationsPatch = try readTree { (tree, json) throws(JSONError) in
        try tree.mutations(json)
      }
    }
  }

  /// Reads a member that is small or rare by way of a tree.
  mutating func readTree<T>(
    _ body: (inout JSONTreeDecoder, JSONValue) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    _ = reader.peek()
    let offset = reader.offset
    let json = try reader.readValue()
    do {
      var decoder = JSONTreeDecoder(unknownMembers: .kept)
      return try body(&decoder, json)
    } catch {
      throw JSONError(
        error.code, byteOffset: offset,
        path: JSONPath(reader.path(to: offset).elements + error.path.elements),
        message: error.message)
    }
  }
}

/// The members of a part that are understood.
private enum PartMember: CaseIterable {
  case pokeID, lastMutationIDChanges, desiredQueriesPatches, gotQueriesPatch, rowsPatch
  case mutationsPatch

  init?(_ key: UnsafeRawBufferPointer) {
    if isEqual(key, "pokeID") {
      self = .pokeID
    } else if isEqual(key, "rowsPatch") {
      self = .rowsPatch
    } else if isEqual(key, "lastMutationIDChanges") {
      self = .lastMutationIDChanges
    } else if isEqual(key, "desiredQueriesPatches") {
      self = .desiredQueriesPatches
    } else if isEqual(key, "gotQueriesPatch") {
      self = .gotQueriesPatch
    } else if isEqual(key, "mutationsPatch") {
      self = .mutationsPatch
    } else {
      return nil
    }
  }
}

/// Whether text given as UTF-8 is `word`.
@inline(__always)
func isEqual(_ text: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
  equalBytes(text, UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
}
