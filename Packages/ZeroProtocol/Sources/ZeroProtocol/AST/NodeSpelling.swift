/// How the JSON text of a node differs from what the builder prints: the order of its members, and
/// members that this version does not know. A node without a spelling prints as the builder does.
final class NodeSpelling: Sendable {
  struct Member: Sendable {
    let name: String
    /// The value of an unknown member; nil for one of the node's own.
    let extra: JSONValue?
  }

  let members: [Member]
  /// How many of the members are the node's own.
  let ownCount: Int

  init(_ members: [Member]) {
    self.members = members
    ownCount = members.count { $0.extra == nil }
  }

  func names(_ member: String) -> Bool {
    members.contains { $0.extra == nil && $0.name.utf8.elementsEqual(member.utf8) }
  }

  /// A node whose own members come in that order.
  convenience init(order: [String]) { self.init(order.map { Member(name: $0, extra: nil) }) }

  /// A comparison that negation made.
  static let negatedComparison = NodeSpelling(order: ["type", "op", "left", "right"])

  /// A nested result after normalization.
  static let normalizedRelated = NodeSpelling(
    order: ["correlation", "hidden", "subquery", "system"])

  /// The spelling of `object`, or nil if its members are some of `usual` in that order.
  static func of(_ object: JSONObject, usual: [String]) -> NodeSpelling? {
    var next = 0
    var isUsual = true
    var members: [Member] = []
    members.reserveCapacity(object.count)
    for (name, value) in object.members {
      let place = usual.firstIndex { $0.utf8.elementsEqual(name.utf8) }
      members.append(Member(name: name, extra: place == nil ? value : nil))
      if let place, place >= next { next = place + 1 } else { isUsual = false }
    }
    return isUsual ? nil : NodeSpelling(members)
  }
}

/// A node of an AST whose members print in an order of their own.
protocol SpelledNode {
  associatedtype Member: RawRepresentable<String>

  /// The members in the order in which the builder prints them.
  static var usualOrder: [Member] { get }

  var spelling: NodeSpelling? { get }

  /// Prints `member`, key and value, unless the node lacks it.
  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable)
}

extension SpelledNode {
  static var usualNames: [String] { usualOrder.map(\.rawValue) }

  func encode(to sink: inout some JSONSink & ~Copyable) {
    sink.beginObject()
    if let spelling {
      for member in spelling.members {
        if let extra = member.extra {
          sink.key(member.name)
          sink.put(extra)
        } else if let own = Member(rawValue: member.name) {
          encode(own, to: &sink)
        }
      }
      if spelling.ownCount < Self.usualOrder.count {
        for member in Self.usualOrder where !spelling.names(member.rawValue) {
          encode(member, to: &sink)
        }
      }
    } else {
      for member in Self.usualOrder { encode(member, to: &sink) }
    }
    sink.endObject()
  }
}
