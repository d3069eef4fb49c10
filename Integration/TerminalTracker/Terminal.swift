import Dispatch
import Foundation

/// The terminal: keys come from it, lines go to it. Knows nothing of issues.
@MainActor final class Terminal {
  private var saved = termios()
  private var source: (any DispatchSourceRead)?
  private var shown: [String] = []

  /// Columns and rows.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal over: keys come one by one and are not echoed.
  func start(_ onBytes: @escaping @MainActor ([UInt8]) -> Void) {
    tcgetattr(STDIN_FILENO, &saved)
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    write("\u{1B}[?1049h\u{1B}[?25l")
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      MainActor.assumeIsolated { onBytes(Array(buffer.prefix(max(0, count)))) }
    }
    source.resume()
    self.source = source
  }

  /// Gives the terminal back as it was.
  func stop() {
    source?.cancel()
    write("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSANOW, &saved)
  }

  /// Shows lines; only those that differ from what is there are written.
  func show(_ lines: [String]) {
    var text = ""
    for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    shown = lines
    write(text)
  }

  /// The keys that bytes of the terminal stand for.
  static func keys(_ bytes: [UInt8]) -> [ScreenModel.Key] {
    switch bytes {
    case [0x1B, UInt8(ascii: "["), UInt8(ascii: "A")]: return [.up]
    case [0x1B, UInt8(ascii: "["), UInt8(ascii: "B")]: return [.down]
    case [0x1B]: return [.escape]
    default: break
    }
    guard bytes.first != 0x1B else { return [] }
    return String(decoding: bytes, as: UTF8.self).map { character in
      switch character {
      case "\n", "\r": .enter
      case "\u{7F}", "\u{8}": .backspace
      default: .character(character)
      }
    }
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
