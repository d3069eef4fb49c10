/// Rules for the status codes of close frames (RFC 6455 section 7.4).
public enum CloseCode {
  /// Stands for a close frame without a code. Never sent.
  public static let none: UInt16 = 1005
  /// Stands for an end without a close frame. Never sent.
  public static let abnormal: UInt16 = 1006

  /// Whether a close frame may carry `code`.
  public static func isValid(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// Cuts a reason to the 123 bytes of UTF-8 that fit into a close frame, between characters.
  public static func fit(_ reason: String) -> [UInt8] {
    var utf8 = Array(reason.utf8)
    guard utf8.count > 123 else { return utf8 }
    var end = 123
    while end > 0, utf8[end] & 0xC0 == 0x80 { end -= 1 }
    utf8.removeSubrange(end...)
    return utf8
  }
}
