@_spi(Engine) import ZeroProtocol

/// Gathers patches into parts of a poke and prints them.
struct PokeParts {
  enum Section: Hashable {
    case lastMutationIDs
    case mutations
    case desired(String)
    case got
    case rows
  }

  let id: String
  private var parts: [[UInt8]] = []
  private var sections: [(section: Section, text: [UInt8])] = []
  private var patchCount = 0
  private var rowBytes = 0

  init(id: String) { self.id = id }

  /// Adds a patch to a section; a full part is closed.
  mutating func add(to section: Section, _ append: (inout [UInt8]) -> Void) {
    if sections.last?.section != section { sections.append((section, [])) }
    let last = sections.count - 1
    if !sections[last].text.isEmpty { sections[last].text.append(UInt8(ascii: ",")) }
    let before = sections[last].text.count
    append(&sections[last].text)
    patchCount += 1
    if section == .rows { rowBytes += sections[last].text.count - before }
    if patchCount >= PokeEncoder.partPatches || rowBytes >= PokeEncoder.partBytes { close() }
  }

  /// The JSON text of each part.
  mutating func finish() -> [[UInt8]] {
    close()
    return parts
  }

  // MARK: -

  private mutating func close() {
    guard !sections.isEmpty else { return }
    var text = Array("{\"pokeID\":".utf8)
    text.appendJSON(id)
    var isInsideDesired = false
    for (section, body) in sections {
      if case .desired(let client) = section {
        text += (isInsideDesired ? "," : ",\"desiredQueriesPatches\":{").utf8
        text.appendJSON(client)
        text += ":[".utf8
        text += body
        text.append(UInt8(ascii: "]"))
        isInsideDesired = true
        continue
      }
      if isInsideDesired { text.append(UInt8(ascii: "}")) }
      isInsideDesired = false
      switch section {
      case .lastMutationIDs: text += ",\"lastMutationIDChanges\":{".utf8
      case .mutations: text += ",\"mutationsPatch\":[".utf8
      case .got: text += ",\"gotQueriesPatch\":[".utf8
      case .rows: text += ",\"rowsPatch\":[".utf8
      case .desired: continue
      }
      text += body
      text.append(UInt8(ascii: section == .lastMutationIDs ? "}" : "]"))
    }
    if isInsideDesired { text.append(UInt8(ascii: "}")) }
    text.append(UInt8(ascii: "}"))
    parts.append(text)
    sections.removeAll()
    patchCount = 0
    rowBytes = 0
  }
}
