public import ZeroProtocol

/// A file of recorded behaviour, with its cases.
public struct VectorFile: Sendable {
  /// Which folder it is in.
  public let layer: VectorLayer
  /// The folder's path.
  public let folder: String
  /// Its own name without `.json`.
  public let name: String
  /// All members of the file but the cases.
  public let header: JSONObject
  public let cases: [VectorCase]

  /// Loads `name`.json of the layer's folder.
  /// - Throws: ``VectorFailure`` naming the file, if it cannot be read or has not the form of the
  ///   layer's files.
  public init(_ name: String, _ layer: VectorLayer, folder: String) throws {
    self.layer = layer
    self.folder = folder
    self.name = name
    let path = "\(folder)/\(name).json"
    var header = try VectorFile.object(path)
    switch layer {
    case .primitives, .queries, .client:
      let list = layer == .client ? "scenarios" : "cases"
      let id = layer == .client ? "name" : "id"
      if case .array(let elements) = header[list] {
        cases = try elements.enumerated().map { place, element in
          guard case .object(let object) = element, case .string(let id)? = object[id] else {
            throw VectorFailure("\(path): element \(place) of \(list) is no object with \(id)")
          }
          return VectorCase(id: id, object: object)
        }
      } else {
        cases = []
      }
      header[list] = nil
    case .transcripts:
      cases = [VectorCase(id: name, object: header)]
    }
    self.header = header
    let ids = Set(cases.map(\.id))
    guard ids.count == cases.count else { throw VectorFailure("\(path): case ids are not unique") }
  }

  /// Another file of the same folder, such as the fixtures.
  public func sibling(_ name: String) throws -> VectorFile {
    try VectorFile(name, layer, folder: folder)
  }

  /// A member of the header.
  public func header(_ field: String) throws -> JSONValue {
    guard let value = header[field] else { throw VectorFailure("no header field \(field)") }
    return value
  }

  /// The sync protocol version of the recorded library.
  public var protocolVersion: Int? {
    guard case .number(let version)? = header["protocolVersion"] else { return nil }
    return Int(exactly: version)
  }

  /// The object in the JSON file at `path`.
  public static func object(_ path: String) throws -> JSONObject {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: try contents(ofFile: path))
    } catch {
      throw VectorFailure("\(path): \(error)")
    }
    guard case .object(let object) = value else { throw VectorFailure("\(path): no object") }
    return object
  }
}

/// The folders of vectors, each with a form of its own.
public enum VectorLayer: String, CaseIterable, Sendable {
  case primitives, queries, client, transcripts
}
