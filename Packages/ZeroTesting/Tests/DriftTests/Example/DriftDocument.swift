import Foundation
import ZeroClient
import ZeroProtocol
import ZeroTesting

/// The example's drift file, to be changed by tests.
struct DriftDocument {
  static let url = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Files/example.json")

  private(set) var json: JSONValue

  init() throws { json = try JSONValue(parsing: [UInt8](Data(contentsOf: Self.url))) }

  var bytes: [UInt8] { json.jsonText }

  /// The document with another value at a place; nil removes it. Elements of arrays go by their
  /// name, their label or their number.
  func with(_ path: String..., value: JSONValue?) -> DriftDocument { with(path, value: value) }

  func with(_ path: [String], value: JSONValue?) -> DriftDocument {
    var copy = self
    copy.json = Self.setting(json, path[...], value)
    return copy
  }

  /// What differs from the example's definitions, or from others.
  @MainActor func failures(
    queries: [any AnyQueryDefinition<AuthData?>] = IssueQueries.all,
    mutators: [any AnyMutator<AuthData?>] = IssueMutators.all
  ) -> [DriftFailure] {
    Drift.failures(vectors: bytes, schema: .app, queries: queries, mutators: mutators)
  }

  // MARK: -

  private static func setting(
    _ json: JSONValue, _ path: ArraySlice<String>, _ value: JSONValue?
  ) -> JSONValue {
    guard let first = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    switch json {
    case .object(var object):
      object[first] = rest.isEmpty ? value : setting(object[first] ?? .null, rest, value)
      return .object(object)
    case .array(var elements):
      let place = elements.indices.first { place in
        guard case .object(let object) = elements[place] else { return "\(place)" == first }
        return object["name"] == .string(first) || object["label"] == .string(first)
          || "\(place)" == first
      }
      guard let place else { return json }
      if rest.isEmpty, value == nil {
        elements.remove(at: place)
      } else {
        elements[place] = setting(elements[place], rest, value)
      }
      return .array(elements)
    default: return json
    }
  }
}
