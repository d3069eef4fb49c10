import Foundation

/// Gives large texts of hostile forms to every decoder and looks at how much memory the process took
/// at most.
public enum MemoryCheck {
  /// Bytes of memory that a decoder may take per byte of text, beyond `allowance`.
  public static let factor = 20
  private static let allowance = 4 << 20

  /// Whether the peak can be measured: on Linux.
  public static var isPossible: Bool { resetPeak() && memory("VmHWM") != nil }

  /// Runs all forms of `size` bytes each. Nothing else may run in the process meanwhile.
  /// - Returns: the largest number of bytes of memory per byte of text, and where.
  /// - Throws: ``FuzzFailure`` if one exceeds the limit or breaks another promise.
  public static func run(size: Int) throws -> (factor: Double, place: String) {
    var worst = (factor: 0.0, place: "")
    for (form, text) in forms(size) {
      for decoder in FuzzDecoder.all where decoder.isForLargeTexts {
        trimHeap()
        guard resetPeak(), let before = memory("VmRSS") else {
          throw FuzzFailure("the peak of memory cannot be measured here")
        }
        do {
          try decoder.run(text)
        } catch let failure as FuzzFailure {
          throw FuzzFailure("\(decoder.name), \(form): \(failure)")
        } catch {}
        guard let peak = memory("VmHWM") else { throw FuzzFailure("no peak of memory") }
        let taken = max(0, peak - before)
        let factor = Double(taken) / Double(text.count)
        if factor > worst.factor { worst = (factor, "\(decoder.name), \(form)") }
        guard taken <= text.count * MemoryCheck.factor + allowance else {
          throw FuzzFailure(
            "\(decoder.name), \(form): \(taken) bytes of memory for \(text.count) bytes of text")
        }
      }
    }
    return worst
  }

  // MARK: -

  private static func forms(_ size: Int) -> [(String, [UInt8])] {
    func repeated(_ form: String, _ open: String, _ piece: String, _ close: String)
      -> (String, [UInt8])
    {
      let count = max(1, (size - open.utf8.count - close.utf8.count) / piece.utf8.count)
      var text = Array(open.utf8)
      for _ in 0..<count { text.append(contentsOf: piece.utf8) }
      if text.last == UInt8(ascii: ","), close.utf8.first != UInt8(ascii: "0") { text.removeLast() }
      return (form, text + Array(close.utf8))
    }
    func numbered(_ form: String, _ open: String, _ piece: (Int) -> String, _ close: String)
      -> (String, [UInt8])
    {
      var text = Array(open.utf8)
      var i = 0
      while text.count < size {
        if i > 0 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: piece(i).utf8)
        i += 1
      }
      return (form, text + Array(close.utf8))
    }
    let deep = String(repeating: "[", count: 400) + "0" + String(repeating: "]", count: 400) + ","
    return [
      repeated("digits in an array", "[", "0,", "0]"),
      repeated("empty arrays", "[", "[],", "0]"),
      repeated("arrays of one", "[", "[0],", "0]"),
      repeated("arrays of two", "[", "[0,1],", "0]"),
      repeated("empty objects", "[", "{},", "0]"),
      repeated("objects of one", "[", "{\"\":0},", "0]"),
      repeated("deep arrays", "[", deep, "0]"),
      repeated("open arrays", "", "[", ""),
      repeated("one long string", "\"", "a", "\""),
      repeated("a string of escapes", "\"", "\\n", "\""),
      repeated("a string of surrogates", "\"", "\\ud83d\\ude00", "\""),
      repeated("a string of Han", "\"", "\u{5929}", "\""),
      repeated("one long number", "", "1", ""),
      repeated(
        "repeated keys", "{", "\"a\":0,", "\"b\":0}"),
      numbered("different keys", "{", { "\"\(String($0, radix: 36))\":0" }, "}"),
      numbered("index keys, descending", "{", { "\"\(100_000_000 - $0)\":0" }, "}"),
      numbered(
        "a row of unknown columns",
        "[{\"pokeID\":\"p\",\"rowsPatch\":[{\"op\":\"put\",\"tableName\":\"issues\",\"value\":{",
        { "\"\(String($0, radix: 36))\":0" }, "}}]}]"),
      repeated(
        "rows without columns", "[{\"pokeID\":\"p\",\"rowsPatch\":[",
        "{\"op\":\"put\",\"tableName\":\"issues\",\"value\":{}},", "{\"op\":\"clear\"}]}]"),
      repeated(
        "entries that clear", "[{\"pokeID\":\"p\",\"rowsPatch\":[", "{\"op\":\"clear\"},",
        "{\"op\":\"clear\"}]}]"),
      repeated(
        "queries that clear", "[{\"pokeID\":\"p\",\"gotQueriesPatch\":[", "{\"op\":\"clear\"},",
        "{\"op\":\"clear\"}]}]"),
      repeated("parts", "[", "{\"pokeID\":\"\"},", "{\"pokeID\":\"\"}]"),
      numbered(
        "last mutation IDs", "[{\"pokeID\":\"p\",\"lastMutationIDChanges\":{",
        { "\"\(String($0, radix: 36))\":0" }, "}}]"),
    ]
  }

  /// Makes the peak the memory of now.
  private static func resetPeak() -> Bool {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return false }
    defer { fclose(file) }
    return fputs("5", file) >= 0
  }

  /// A line of the process's status, in bytes.
  private static func memory(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    return status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?
      .split(whereSeparator: \.isWhitespace).dropFirst().first
      .flatMap { Int($0) }.map { $0 * 1024 }
  }
}

/// Gives memory that is not used back to the system, so that the next peak counts from there.
private func trimHeap() {
  typealias Trim = @convention(c) (Int) -> Int32
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
  _ = unsafeBitCast(symbol, to: Trim.self)(0)
}
