/// How the JSON text of a node differs from what the builder prints: the order of its members, and
/// members that this version does not know. A node without a spelling prints as the builder does.
final class NodeSpelling: Sendable {
  struct Member: Sendable {
    let name: String
    /// The value of an unknown member; nil for one of the node's own.
    let extra: JSONValue?
  }

  let members: [Member]

  init(_ members: [Member]) { self.members = members }

  /// A comparison that negation made.
  static let negatedComparison = NodeSpelling(
    ["type", "op", "left", "right"].map { Member(name: $0, extra: nil) })

  /// The spelling of `object`, or nil if its members are a subset of `usual` in that order.
  convenience init?(of object: JSONObject, usual: [String]) {
    var next = usual[...]
    var isUsual = true
    var members: [Member] = []
    members.reserveCapacity(object.count)
    for (name, value) in object.members {
      let isKnown = usual.contains { $0.utf8.elementsEqual(name.utf8) }
      members.append(Member(name: name, extra: isKnown ? nil : value))
      if let place = next.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
        next = next[(place + 1)...]
      } else {
        isUsual = false
      }
    }
    if isUsual { return nil }
    self.init(members)
  }
}
