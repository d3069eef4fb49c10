import ZeroProtocol

/// A client whose deletion the server has not confirmed.
struct DeletedClient: Hashable, Sendable, Comparable {
  var group: String
  var client: String

  init(group: String, client: String) {
    self.group = group
    self.client = client
  }

  /// The stored form: group, `/`, client.
  init?(key: String) {
    let parts = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(group: String(parts[0]), client: String(parts[1]))
  }

  var key: [UInt8] { StorageKey.pair(group, client) }

  static func == (a: Self, b: Self) -> Bool {
    a.group.utf8.elementsEqual(b.group.utf8) && a.client.utf8.elementsEqual(b.client.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(UTF8Key(group))
    hasher.combine(UTF8Key(client))
  }

  /// By group, then client, both in the order of UTF-16 code units.
  static func < (a: Self, b: Self) -> Bool {
    if a.group.utf16.elementsEqual(b.group.utf16) {
      return a.client.utf16.lexicographicallyPrecedes(b.client.utf16)
    }
    return a.group.utf16.lexicographicallyPrecedes(b.group.utf16)
  }
}

/// The clients the server has yet to be told about, or has yet to confirm: sorted, without duplicates.
struct DeletedClients: Sendable, Equatable {
  private(set) var all: [DeletedClient] = []

  init(_ clients: some Sequence<DeletedClient> = []) { add(clients) }

  mutating func add(_ clients: some Sequence<DeletedClient>) {
    all = Set(all).union(clients).sorted()
  }

  /// Removes what the server confirms.
  /// - Returns: what was removed.
  mutating func confirm(clients: Set<String>, groups: Set<String>) -> [DeletedClient] {
    let confirmed = all.filter { clients.contains($0.client) || groups.contains($0.group) }
    all.removeAll { clients.contains($0.client) || groups.contains($0.group) }
    return confirmed
  }

  /// The clients of one group.
  func clients(of group: String) -> [String] {
    all.filter { $0.group.utf8.elementsEqual(group.utf8) }.map(\.client)
  }
}
