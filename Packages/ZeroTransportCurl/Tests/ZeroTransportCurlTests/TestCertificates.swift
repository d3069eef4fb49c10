import Foundation
import ZeroSocketContracts

/// Certificates made for this run of the tests.
struct TestCertificates: Sendable {
  let directory: String

  /// Made once; nil when `openssl` is not installed.
  static let shared = TestCertificates()

  func path(_ name: String) -> String { directory + "/" + name }

  /// A server with the certificate `name`.
  func server(_ name: String, clientAuthorities: String? = nil) -> ScriptedPeer<String>.TLS {
    ScriptedPeer<String>.TLS(
      certificatePath: path(name + ".pem"), keyPath: path("server.key"),
      clientAuthoritiesPath: clientAuthorities.map(path))
  }

  /// The hash of the servers' public key.
  var pin: String {
    (try? String(contentsOfFile: path("server.pin"), encoding: .utf8)) ?? ""
  }

  // MARK: -

  private init?() {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "zero-certificates-\(UUID().uuidString)")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Support/make-certificates")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      let process = try Process.run(script, arguments: [url.path])
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return nil }
    } catch {
      return nil
    }
    directory = url.path
    atexit { TestCertificates.remove() }
  }

  private static func remove() {
    if let shared { try? FileManager.default.removeItem(atPath: shared.directory) }
  }
}
