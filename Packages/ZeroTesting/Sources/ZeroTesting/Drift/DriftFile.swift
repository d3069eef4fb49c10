import ZeroIVM
import ZeroProtocol

/// What a file of the format `zero-drift/1` says, and what is wrong with it.
///
/// A part that is not as it should be is left out and becomes a failure; the others are used.
struct DriftFile {
  static let format = "zero-drift/1"

  struct Query {
    let name: String
    let samples: [QuerySample]
  }

  struct QuerySample {
    let name: String
    let label: String
    /// Nil for a call without arguments.
    let args: JSONValue?
    /// Nil where JavaScript has `undefined`.
    let context: JSONValue?
    let result: Result

    enum Result {
      case query(id: String, ast: JSONValue, hash: String, format: Format)
      case error(ErrorSample)
    }
  }

  /// An error that a definition in TypeScript threw.
  struct ErrorSample {
    /// Nil if it is no text that is to be compared.
    let message: String?
    /// Nil for none, which is not null.
    let details: JSONValue?
  }

  struct Mutator {
    let name: String
    let samples: [MutatorSample]
  }

  struct MutatorSample {
    let name: String
    let label: String
    let args: JSONValue?
    let context: JSONValue?
    let clientID: String
    let mutationID: Int
    /// Nil for a mutator that only the server has.
    let effect: Effect?

    struct Effect {
      /// Rows by table.
      let seed: JSONObject
      /// Nil for success.
      let error: ErrorSample?
      let changes: [JSONValue]
    }
  }

  /// Nil if the file has none, which is one of the failures.
  private(set) var schemaHash: String?
  /// Nil if the list cannot be read, so that it says nothing about names.
  private(set) var queries: [Query]?
  private(set) var mutators: [Mutator]?
  private(set) var failures: [DriftFailure] = []

  /// - Throws: `JSONError`, or ``DriftFormatError`` for a file of another format.
  init(_ bytes: [UInt8]) throws {
    let fields = try DriftFields(JSONValue(parsing: bytes), "")
    let format = try fields.string("format")
    guard format.utf8.elementsEqual(Self.format.utf8) else {
      throw DriftFormatError(
        "its format is \"\(format)\", and this version reads \"\(Self.format)\"; record it with a "
          + "recorder of the same version")
    }
    noting(.file) {
      try fields.allow([
        "format", "zero", "protocol", "schemaHash", "queries", "mutators",
      ])
    }
    noting(.file) { _ = try fields.optionalString("zero") }
    noting(.file) { _ = try fields.optionalInteger("protocol") }
    schemaHash = noting(.file) { try fields.string("schemaHash") }
    readQueries(fields)
    readMutators(fields)
  }

  // MARK: -

  private mutating func readQueries(_ fields: DriftFields) {
    var names: Set<UTF8Key> = []
    guard let entries = noting(.file, { try fields.array("queries") }) else { return }
    var queries: [Query] = []
    for entry in entries {
      guard let (fields, name) = named(entry, &names, DriftFailure.Subject.query) else { continue }
      noting(.query(name)) { try fields.allow(["name", "samples"]) }
      var samples: [QuerySample] = []
      for sample in self.samples(fields, .query(name)) {
        noting(.query(name), of: sample) { samples.append(try QuerySample(name, sample)) }
      }
      queries.append(Query(name: name, samples: samples))
    }
    self.queries = queries
  }

  private mutating func readMutators(_ fields: DriftFields) {
    var names: Set<UTF8Key> = []
    guard let entries = noting(.file, { try fields.array("mutators") }) else { return }
    var mutators: [Mutator] = []
    for entry in entries {
      guard let (fields, name) = named(entry, &names, DriftFailure.Subject.mutator)
      else { continue }
      noting(.mutator(name)) { try fields.allow(["name", "serverOnly", "samples"]) }
      let isServerOnly =
        noting(.mutator(name)) { try fields.optionalBool("serverOnly") ?? false } ?? false
      var samples: [MutatorSample] = []
      for sample in self.samples(fields, .mutator(name)) {
        noting(.mutator(name), of: sample) {
          samples.append(try MutatorSample(name, sample, isServerOnly: isServerOnly))
        }
      }
      mutators.append(Mutator(name: name, samples: samples))
    }
    self.mutators = mutators
  }

  /// A definition's members and its name; nil if it has none or its name was there before.
  private mutating func named(
    _ entry: DriftFields.Element, _ names: inout Set<UTF8Key>,
    _ subject: (String) -> DriftFailure.Subject
  ) -> (DriftFields, String)? {
    let read = noting(.file) { () throws -> (DriftFields, String) in
      let fields = try DriftFields(entry.value, entry.place)
      return (fields, try fields.string("name"))
    }
    guard let (fields, name) = read else { return nil }
    guard names.insert(UTF8Key(name)).inserted else {
      failures.append(
        DriftFailure(.malformedFile, subject(name), "the file has it twice; record it again"))
      return nil
    }
    return (fields, name)
  }

  private mutating func samples(
    _ fields: DriftFields, _ subject: DriftFailure.Subject
  ) -> [DriftFields.Element] {
    noting(subject) { try fields.array("samples") } ?? []
  }

  /// Makes a failure of what `read` throws.
  @discardableResult
  private mutating func noting<T>(
    _ subject: DriftFailure.Subject, of sample: DriftFields.Element? = nil,
    _ read: () throws -> T
  ) -> T? {
    do {
      return try read()
    } catch {
      var label: String?
      if case .object(let object)? = sample?.value, case .string(let text)? = object["label"] {
        label = text
      }
      failures.append(DriftFailure(.malformedFile, subject, sample: label, "\(error)"))
      return nil
    }
  }
}
