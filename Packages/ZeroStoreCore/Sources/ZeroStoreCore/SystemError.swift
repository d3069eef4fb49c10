public import ZeroProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreError {
  /// The error for a failed system call.
  /// - Parameters:
  ///   - errno: the code the call left.
  ///   - doing: what was tried on what, as in `create the file /a/b`.
  public init(errno: Int32, database: String, doing: String) {
    let code: Code
    let advice: String
    switch errno {
    case ENOSPC, EDQUOT, EFBIG:
      code = .full
      advice = "free some space or raise the limit"
    case EROFS:
      code = .readOnly
      advice = "choose a folder on a medium that can be written"
    case EACCES, EPERM:
      code = .permission
      advice = "give this user access to the folder and its files"
    case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG:
      code = .io
      advice = "something else is in its place; choose another folder or move it away"
    case EMFILE, ENFILE:
      code = .io
      advice = "close some files or raise the limit of open files"
    default:
      code = .io
      advice = "see the system's message"
    }
    self.init(
      code, database: database,
      message: "cannot \(doing): \(String(cString: strerror(errno))); \(advice)",
      underlyingCode: Int(errno))
  }
}
