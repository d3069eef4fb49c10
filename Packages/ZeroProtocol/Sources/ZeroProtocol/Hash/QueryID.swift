/// The ID of a named query: a hash of its name and of its arguments as JSON text.
///
/// There is no canonical form of arguments: the order of members and the spelling of values count.
/// - Parameters:
///   - name: the registered name.
///   - arguments: empty for a query called without arguments, else one element.
public func queryID(name: String, arguments: [JSONValue]) -> String {
  var text = Array(name.utf8)
  text.append(UInt8(ascii: ":"))
  text.append(contentsOf: JSONValue.array(arguments).jsonText)
  return TextHash.base36(utf8: text)
}
