/// A case in which the reference is not followed on purpose. It counts as excepted, and has a test of
/// its own.
struct VectorException: Error, CustomStringConvertible {
  let description: String

  init(_ reason: String) { description = reason }
}
