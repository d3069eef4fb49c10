import ZeroDevServerHost

/// The command line of `zero-dev-server`.
struct ServerArguments {
  var port: UInt16 = 4848
  var isPublic = false
  var schemaPath: String?
  var seedPath: String?
  /// Issues to make up for the issue tracker; nil for its small seed.
  var issueCount: Int?
  var endpoint = Endpoint()
  /// Users by token.
  var tokens: [String: String] = [:]
  var dataPath: String?

  struct Failure: Error { let message: String }

  static let usage = """
    usage: zero-dev-server [options]

      --port N            where to listen; 0 picks a free port (4848)
      --public            let other machines connect; only this one can otherwise
      --schema FILE       the app's schema as JSON; the issue tracker without it
      --seed FILE         rows to start with: {"table": [{"column": value, …}, …], …}
      --issues N          make up N issues for the issue tracker
      --query-url URL     the API server's endpoint for named queries
      --mutate-url URL    the API server's endpoint for mutations
      --api-key KEY       sent to the API server as X-Api-Key
      --allow-url URL     an endpoint that clients may ask for; repeatable
      --allow-header NAME a header that clients may have passed on; repeatable
      --forward-cookies   pass the Cookie header on to the API server
      --token TOKEN=USER  whom a token stands for, without an API server; repeatable
      --data FOLDER       keep tables and client groups in SQLite there
      --help              this text
    """

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = Array(arguments)[...]
    func value(_ option: String) throws(Failure) -> String {
      guard let value = rest.popFirst() else { throw Failure(message: "\(option) needs a value") }
      return value
    }
    func number(_ option: String, _ limit: Int) throws(Failure) -> Int {
      let text = try value(option)
      guard let number = Int(text), (0...limit).contains(number) else {
        throw Failure(message: "\(option) must be a number from 0 to \(limit), not \"\(text)\"")
      }
      return number
    }
    while let option = rest.popFirst() {
      switch option {
      case "--port": port = UInt16(try number(option, 65_535))
      case "--public": isPublic = true
      case "--schema": schemaPath = try value(option)
      case "--seed": seedPath = try value(option)
      case "--issues": issueCount = try number(option, 10_000_000)
      case "--query-url": endpoint.queryURL = try value(option)
      case "--mutate-url": endpoint.mutateURL = try value(option)
      case "--api-key": endpoint.apiKey = try value(option)
      case "--allow-url": endpoint.allowedURLs.insert(try value(option))
      case "--allow-header": endpoint.allowedHeaders.insert(try value(option).lowercased())
      case "--forward-cookies": endpoint.forwardsCookies = true
      case "--token":
        let parts = try value(option).split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Failure(message: "--token needs TOKEN=USER") }
        tokens[parts[0]] = parts[1]
      case "--data": dataPath = try value(option)
      default: throw Failure(message: "unknown option \(option)")
      }
    }
    if schemaPath != nil, issueCount != nil {
      throw Failure(message: "--issues is for the issue tracker, not for --schema")
    }
    if schemaPath != nil, endpoint.queryURL == nil {
      throw Failure(message: "--schema needs --query-url: its queries are named by an API server")
    }
  }
}
