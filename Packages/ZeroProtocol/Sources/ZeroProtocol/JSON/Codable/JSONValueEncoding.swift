/// The `Encoder` that ``JSONValueEncoder`` hands to a value.
struct JSONValueEncoding: Encoder {
  let node: JSONEncodingNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(JSONKeyedEncoding<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return JSONUnkeyedEncoding(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleEncoding(node: node, codingPath: codingPath)
  }
}

private struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONEncodingNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { node.member(key.stringValue).set(.null) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let path = codingPath + [key]
    try JSONSingleEncoding(node: node.member(key.stringValue), codingPath: path).encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(JSONKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func encoder(_ key: Key) -> JSONValueEncoding { nested(key) }

  private func nested(_ key: any CodingKey) -> JSONValueEncoding {
    JSONValueEncoding(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let node: JSONEncodingNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  func encodeNil() { node.appended().set(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [JSONKey(count)]
    try JSONSingleEncoding(node: node.appended(), codingPath: path).encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> JSONValueEncoding {
    let path = codingPath + [JSONKey(count)]
    return JSONValueEncoding(node: node.appended(), codingPath: path)
  }
}

private struct JSONSingleEncoding: SingleValueEncodingContainer {
  let node: JSONEncodingNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.set(.null) }

  /// Every scalar comes here too: the requirements for single types have this one as default.
  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as String: node.set(.string(value))
    case let value as Bool: node.set(.bool(value))
    case let value as Double: try node.set(value, path: codingPath)
    case let value as Float: try node.set(Double(value), path: codingPath)
    case let value as any BinaryInteger & Encodable: try node.set(value, path: codingPath)
    default: try node.encode(value, path: codingPath)
    }
  }

  func encode(_ value: Bool) throws { node.set(.bool(value)) }
  func encode(_ value: String) throws { node.set(.string(value)) }
  func encode(_ value: Double) throws { try node.set(value, path: codingPath) }
  func encode(_ value: Float) throws { try node.set(Double(value), path: codingPath) }
  func encode(_ value: Int) throws { try node.set(value, path: codingPath) }
  func encode(_ value: Int8) throws { try node.set(value, path: codingPath) }
  func encode(_ value: Int16) throws { try node.set(value, path: codingPath) }
  func encode(_ value: Int32) throws { try node.set(value, path: codingPath) }
  func encode(_ value: Int64) throws { try node.set(value, path: codingPath) }
  func encode(_ value: UInt) throws { try node.set(value, path: codingPath) }
  func encode(_ value: UInt8) throws { try node.set(value, path: codingPath) }
  func encode(_ value: UInt16) throws { try node.set(value, path: codingPath) }
  func encode(_ value: UInt32) throws { try node.set(value, path: codingPath) }
  func encode(_ value: UInt64) throws { try node.set(value, path: codingPath) }
}
