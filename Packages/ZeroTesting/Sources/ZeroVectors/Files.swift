import Foundation

/// The bytes of a file.
func contents(ofFile path: String) throws -> [UInt8] {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw VectorFailure("\(path) cannot be read")
  }
  return [UInt8](data)
}

/// The names of the files in a folder; none if it does not exist.
func names(inFolder path: String) throws -> [String] {
  guard FileManager.default.fileExists(atPath: path) else { return [] }
  return try FileManager.default.contentsOfDirectory(atPath: path)
}
