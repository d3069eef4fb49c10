import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
@_spi(Engine) import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreMemory
import ZeroStoreSQLite

extension ClientBench {
  /// F: the heap of a client that holds issues and has stored them, in a process of its own.
  func memory() throws {
    for variant in MemoryVariant.allCases where run.wants("memory.\(variant.rawValue)") {
      run.beside(
        "memory.\(variant.rawValue)", size: size,
        try ChildRun.numbers("memory", "\(size)", variant.rawValue)[0], "bytes/row",
        .lessOnAnyMachine)
    }
  }
}

/// Where a client keeps its issues, and what it shows of them.
enum MemoryVariant: String, CaseIterable {
  /// The decoded rows alone, without a client.
  case objects
  case memNone = "mem_none"
  case memPlain = "mem_plain"
  case memList = "mem_list"
  case fileNone = "file_none"
  case filePlain = "file_plain"
  case fileList = "file_list"
  case lmdbNone = "lmdb_none"
  case lmdbPlain = "lmdb_plain"
  /// What an earlier client stored, opened.
  case fileOpened = "file_opened"
  case lmdbOpened = "lmdb_opened"

  /// Prints the bytes of heap per row of a variant.
  @MainActor static func child(_ name: String, _ data: IssueData) throws {
    guard let variant = MemoryVariant(rawValue: name) else {
      throw BenchFailure("there is no variant \(name)")
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // What the code itself needs, once, is no part of the rows.
    _ = try variant.holder(IssueData(issueCount: 100), folder.path + "/first")
    let (holder, bytes) = try Allocations.retained {
      try variant.holder(data, folder.path + "/second")
    }
    print(Double(bytes) / Double(data.issueCount))
    withExtendedLifetime(holder) {}
  }

  // MARK: -

  /// Something that holds the issues.
  @MainActor private func holder(_ data: IssueData, _ folder: String) throws -> AnyObject {
    if self == .objects { return try DecodedRows(data) }
    let storage = provider(folder)
    let client = try BenchClient(storage)
    client.connect()
    if let view = try view { try client.open(view) }
    client.deliver(client.poke(data.issuePuts(), gotQueries: true))
    guard self == .fileOpened || self == .lmdbOpened else { return client }
    client.close()
    return try BenchClient(storage)
  }

  private func provider(_ folder: String) -> any StoreProvider {
    switch self {
    case .objects, .memNone, .memPlain, .memList: MemoryStoreProvider()
    case .fileNone, .filePlain, .fileList, .fileOpened: SQLiteStoreProvider(directory: folder)
    case .lmdbNone, .lmdbPlain, .lmdbOpened: LMDBStoreProvider(directory: folder)
    }
  }

  private var view: AnyQuery? {
    get throws {
      switch self {
      case .objects, .memNone, .fileNone, .lmdbNone, .fileOpened, .lmdbOpened: nil
      case .memPlain, .filePlain, .lmdbPlain: try BenchQueries.all()
      case .memList, .fileList: try BenchQueries.list(0, 50)
      }
    }
  }

  /// The rows of a poke's parts.
  private final class DecodedRows {
    private let rows: [Row]

    init(_ data: IssueData) throws {
      let decoder = PokeDecoder(IssueData.schema)
      var rows: [Row] = []
      rows.reserveCapacity(data.issueCount)
      for part in PokeWriter.parts("p", data.issuePuts()) {
        let message = Array("[\"pokePart\",".utf8) + part + Array("]".utf8)
        for case .put(let row) in try decoder.part(inMessage: message)?.rowsPatch ?? [] {
          rows.append(row)
        }
      }
      self.rows = rows
    }
  }
}
