import ZeroProtocol

/// How the cases of one file are run.
///
/// A case or header with a field that is not named here fails: nothing is skipped silently.
public struct VectorRunner: Sendable {
  /// Runs one case; throws ``VectorFailure`` or any other error if it does not come out as recorded.
  public typealias Run = @Sendable (VectorCase) async throws -> Void

  /// The fields a case may have.
  let fields: Set<String>
  /// The fields the header may have, beyond those that all files of a layer have.
  let headerFields: Set<String>
  /// IDs of cases in which the reference is not followed on purpose, with the reason. Each has a
  /// test of its own; here they are counted and not run.
  let exceptions: [String: String]
  /// Why the file cannot be run yet.
  let pendingReason: String?
  let prepare: @Sendable (VectorFile) throws -> Run

  /// - Parameters:
  ///   - fields: names of the fields that the runner reads, or knowingly leaves aside, as texts of
  ///     errors.
  ///   - headerFields: likewise for the file's header.
  ///   - exceptions: case ID → reason.
  ///   - prepare: called once per file; may load fixtures.
  public init(
    fields: Set<String>, headerFields: Set<String> = [], exceptions: [String: String] = [:],
    prepare: @escaping @Sendable (VectorFile) throws -> Run
  ) {
    self.fields = fields
    self.headerFields = headerFields
    self.exceptions = exceptions
    self.pendingReason = nil
    self.prepare = prepare
  }

  /// A runner that needs nothing but the case.
  public init(
    fields: Set<String>, headerFields: Set<String> = [], exceptions: [String: String] = [:],
    run: @escaping @Sendable (VectorCase) throws -> Void
  ) {
    self.init(
      fields: fields, headerFields: headerFields, exceptions: exceptions,
      prepare: { _ in { try run($0) } })
  }

  /// A file whose cases cannot be run yet. They count as pending.
  public static func pending(_ reason: String) -> VectorRunner { VectorRunner(pending: reason) }

  /// A file that other files refer to and that has no cases of its own.
  public static func fixture(
    headerFields: Set<String>, check: @escaping @Sendable (VectorFile) throws -> Void
  ) -> VectorRunner {
    VectorRunner(
      fields: [], headerFields: headerFields,
      prepare: { file in
        guard file.cases.isEmpty else { throw VectorFailure("a fixture file with cases") }
        try check(file)
        return { _ in }
      })
  }

  private init(pending reason: String) {
    fields = []
    headerFields = []
    exceptions = [:]
    pendingReason = reason
    prepare = { _ in { _ in } }
  }

  /// Runs all cases of `file`, one after the other.
  public func run(_ file: VectorFile) async -> VectorResult {
    var result = VectorResult(layer: file.layer, file: file.name, cases: file.cases.count)
    if pendingReason != nil {
      result.pending = file.cases.map(\.id)
      return result
    }
    let run: Run
    do {
      for (field, _) in file.header.members where !isKnown(field, in: file.layer) {
        throw VectorFailure("header field \(field) is not understood")
      }
      run = try prepare(file)
    } catch {
      result.fileFailure = "\(error)"
      return result
    }
    for id in exceptions.keys.sorted() where !file.cases.contains(where: { $0.id == id }) {
      result.unusedExceptions.append(id)
    }
    for test in file.cases {
      if let reason = exceptions[test.id] {
        result.excepted.append(.init(id: test.id, message: reason))
        continue
      }
      do {
        for (field, _) in test.object.members where !fields.contains(field) && field != "id" {
          throw VectorFailure("field \(field) is not understood")
        }
        try await run(test)
        result.passed += 1
      } catch let error as VectorException {
        result.excepted.append(.init(id: test.id, message: error.description))
      } catch let error as VectorValue.Inexpressible {
        result.excepted.append(.init(id: test.id, message: error.description))
      } catch {
        result.failed.append(.init(id: test.id, message: "\(error)"))
      }
    }
    return result
  }

  // MARK: -

  private func isKnown(_ field: String, in layer: VectorLayer) -> Bool {
    let common: Set<String> =
      switch layer {
      case .primitives: ["file", "protocolVersion", "schemaFile", "mode"]
      case .queries: ["file"]
      case .client: ["format", "version", "area"]
      case .transcripts: ["name", "description", "protocolVersion", "events"]
      }
    return common.contains(field) || headerFields.contains(field)
  }
}
