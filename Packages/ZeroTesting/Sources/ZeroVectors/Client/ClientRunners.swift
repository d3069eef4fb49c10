/// Runners of the scenarios of a whole client.
let clientRunners: [String: VectorRunner] = [
  "connection": .pending("client"),
  "fixtures": .pending("client"),
  "lifecycle": .pending("client"),
  "mutations": .pending("client"),
  "pokes": .pending("client"),
  "queries": .pending("client"),
  "stories": .pending("client"),
  "views": .pending("client"),
]
