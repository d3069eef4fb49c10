import ZeroProtocol

extension String {
  var json: JSONValue { .string(self) }
}
