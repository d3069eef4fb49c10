import Foundation
import ZeroVectors

// zero-vectors [DIR] [FILE...]: runs every vector in DIR, or only the files named.
let arguments = CommandLine.arguments.dropFirst()
let folder = arguments.first ?? "Tests/Conformance/Vectors"
let wanted = Set(arguments.dropFirst())
let suite = VectorSuite(folder: folder)
let files = try suite.files().filter { wanted.isEmpty || wanted.contains($0.name) }
guard !files.isEmpty else {
  print("no vectors in \(folder)")
  exit(2)
}
var table = VectorTable()
for file in files { table.add(await suite.run(file)) }
print(table)
exit(table.isGood ? 0 : 1)
