/// One thing in which an app's Swift definitions differ from those a drift file was recorded from,
/// or one thing that is wrong with the file.
public struct DriftFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What differs. New kinds may be added.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case malformedFile, schema, schemaHash, missingHere, missingThere, duplicateName, arguments
      case context, queryID, ast, format, error, outcome, changes
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The file cannot be read, or a part of it is not as the format wants it. Other parts are
    /// checked.
    public static let malformedFile = Self(.malformedFile)
    /// The schema given cannot be used.
    public static let schema = Self(.schema)
    /// The schemas differ in what the server sees of them.
    public static let schemaHash = Self(.schemaHash)
    /// The file has a name that Swift lacks.
    public static let missingHere = Self(.missingHere)
    /// Swift has a name that the file lacks.
    public static let missingThere = Self(.missingThere)
    /// Two definitions given have one name.
    public static let duplicateName = Self(.duplicateName)
    /// The arguments cannot be read into the Swift type, or it writes them as another text.
    public static let arguments = Self(.arguments)
    /// The Swift context cannot be made from the recorded one.
    public static let context = Self(.context)
    /// Client and server would refer to the query by different IDs.
    public static let queryID = Self(.queryID)
    /// The queries differ.
    public static let ast = Self(.ast)
    /// The shapes of the results differ.
    public static let format = Self(.format)
    /// One of the definitions of a query throws and the other does not, or their errors differ.
    public static let error = Self(.error)
    /// One of the mutators throws and the other does not, or their errors differ.
    public static let outcome = Self(.outcome)
    /// The mutators change rows differently.
    public static let changes = Self(.changes)

    public var description: String { base.rawValue }
  }

  /// What a failure is about.
  public enum Subject: Hashable, Sendable, CustomStringConvertible {
    case file
    case schema
    case query(String)
    case mutator(String)

    public var description: String {
      switch self {
      case .file: "drift file"
      case .schema: "schema"
      case .query(let name): "query \(name)"
      case .mutator(let name): "mutator \(name)"
      }
    }
  }

  /// What differs.
  public let kind: Kind
  /// What it is about.
  public let subject: Subject
  /// The label of the sample, if the failure is about one.
  public let sample: String?
  /// What differs and how, for people; of several lines where rows or queries are shown.
  public let message: String

  /// What it is about, and the message.
  public var description: String {
    let place = sample.map { "\(subject), sample \"\($0)\"" } ?? subject.description
    return "\(place): \(message)"
  }

  init(_ kind: Kind, _ subject: Subject, sample: String? = nil, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.sample = sample
    self.message = message
  }
}
