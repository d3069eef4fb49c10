import Foundation

/// What the figures were measured on.
enum Machine {
  static var description: String {
    let info = ProcessInfo.processInfo
    let memory = info.physicalMemory >> 30
    var lines = ["\(processor), \(info.activeProcessorCount) cores, \(memory) GiB of memory"]
    lines.append("\(info.operatingSystemVersionString), kernel \(kernel), \(compiler)")
    lines.append("disk: \(fileSystem)")
    return lines.joined(separator: "\n")
  }

  private static var processor: String {
    text(of: "/proc/cpuinfo")?.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown processor"
  }

  private static var kernel: String {
    text(of: "/proc/sys/kernel/osrelease")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "?"
  }

  private static var compiler: String {
    #if compiler(>=6.3)
      "Swift 6.3 or newer"
    #else
      "Swift 6.2"
    #endif
  }

  /// The kind of file system that temporary files are on.
  private static var fileSystem: String {
    let folder = FileManager.default.temporaryDirectory.path
    let mounts = text(of: "/proc/mounts")?.split(separator: "\n").map { $0.split(separator: " ") }
    let mount = mounts?.filter { $0.count > 2 && folder.hasPrefix(String($0[1])) }
      .max { $0[1].count < $1[1].count }
    return mount.map { String($0[2]) } ?? "unknown"
  }

  private static func text(of path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}
