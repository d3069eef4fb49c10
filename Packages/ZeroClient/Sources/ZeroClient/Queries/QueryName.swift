import ZeroIVM
import ZeroProtocol

/// A named query with its arguments, and the hash by which client and server refer to it.
struct QueryName: Sendable {
  let name: String
  /// None, or one.
  let args: [JSONValue]
  let hash: String

  init(_ id: CustomQueryID) {
    name = id.name
    args = id.args
    hash = queryID(name: id.name, arguments: id.args)
  }
}
