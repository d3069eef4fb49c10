import Foundation
import ZeroDevServer
import ZeroProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to an API server the way zero-cache does: with its headers and parameters, and
/// again when the server fails or cannot be reached.
@MainActor final class EndpointClient {
  private let endpoint: Endpoint
  private let scheduler: any Scheduler
  private let session = URLSession(configuration: .ephemeral)

  /// How often a request is sent at most.
  static let attempts = 4

  init(_ endpoint: Endpoint, scheduler: any Scheduler) {
    self.endpoint = endpoint
    self.scheduler = scheduler
  }

  /// Sends `body` and answers with the JSON of a successful response.
  func post(
    _ body: JSONValue, to configured: String?, _ caller: BackendCaller,
    answer: @escaping @MainActor (Result<JSONValue, BackendFailure>) -> Void
  ) {
    do throws(BackendFailure) {
      let request = try request(body, configured, caller)
      send(request, attempt: 1, answer)
    } catch {
      answer(.failure(error))
    }
  }

  // MARK: -

  private func request(
    _ body: JSONValue, _ configured: String?, _ caller: BackendCaller
  ) throws(BackendFailure) -> URLRequest {
    var wanted = configured
    if let url = caller.url {
      let base = String(url.prefix { $0 != "?" && $0 != "#" })
      guard url == configured || endpoint.allowedURLs.contains(base) else {
        throw .endpoint("The URL \"\(base)\" is not one of the allowed ones.")
      }
      wanted = url
    }
    guard let wanted else { throw .endpoint("No endpoint is configured for this.") }
    guard var components = URLComponents(string: wanted) else {
      throw .endpoint("\"\(wanted)\" is not a URL.")
    }
    var items = components.queryItems ?? []
    for (name, value) in [("schema", endpoint.schema), ("appID", endpoint.appID)] {
      guard !items.contains(where: { $0.name == name }) else {
        throw .endpoint("The URL \"\(wanted)\" must not have a parameter \"\(name)\".")
      }
      items.append(URLQueryItem(name: name, value: value))
    }
    components.queryItems = items
    guard let url = components.url else { throw .endpoint("\"\(wanted)\" is not a URL.") }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.jsonText)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let key = endpoint.apiKey { request.setValue(key, forHTTPHeaderField: "X-Api-Key") }
    if let token = caller.token {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    for (name, value) in caller.headers + caller.clientHeaders where isAllowed(name) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }

  private func isAllowed(_ header: String) -> Bool {
    let name = header.lowercased()
    if name == "origin" { return true }
    return name == "cookie" ? endpoint.forwardsCookies : endpoint.allowedHeaders.contains(name)
  }

  private func send(
    _ request: URLRequest, attempt: Int,
    _ answer: @escaping @MainActor (Result<JSONValue, BackendFailure>) -> Void
  ) {
    session.dataTask(with: request) { data, response, error in
      let bytes = data.map { [UInt8]($0) } ?? []
      let status = (response as? HTTPURLResponse)?.statusCode
      let problem = error.map { "\($0.localizedDescription)" }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self.received(bytes, status: status, problem, request, attempt: attempt, answer)
        }
      }
    }.resume()
  }

  private func received(
    _ bytes: [UInt8], status: Int?, _ problem: String?, _ request: URLRequest, attempt: Int,
    _ answer: @escaping @MainActor (Result<JSONValue, BackendFailure>) -> Void
  ) {
    let isWorthAnotherTry = status.map { $0 >= 500 } ?? true
    if isWorthAnotherTry, attempt < Self.attempts {
      let wait = min(1000, 100 << (attempt - 1) + Int.random(in: 0...100))
      _ = scheduler.after(.milliseconds(wait)) { [self] in
        send(request, attempt: attempt + 1, answer)
      }
      return
    }
    guard let status else {
      let reason = problem ?? "no response"
      return answer(.failure(.endpoint("The API server cannot be reached: \(reason)")))
    }
    guard (200..<300).contains(status) else {
      return answer(
        .failure(.http(status: status, body: String(decoding: bytes, as: UTF8.self))))
    }
    do {
      answer(.success(try JSONValue(parsing: bytes)))
    } catch {
      answer(.failure(.unreadable("\(error)")))
    }
  }
}

extension BackendFailure {
  /// The endpoint cannot be asked.
  static func endpoint(_ message: String) -> BackendFailure {
    BackendFailure(origin: "zeroCache", reason: "internal", message: message)
  }

  /// The endpoint's answer does not have the agreed form.
  static func unreadable(_ message: String) -> BackendFailure {
    BackendFailure(
      origin: "zeroCache", reason: "parse",
      message: "The response of the API server was not understood: \(message)")
  }

  /// The failure that an endpoint reports itself.
  init(_ error: ServerError) {
    let failure = error.endpointFailure
    self.init(
      origin: error.origin?.rawValue ?? "server", reason: failure?.reason.rawValue ?? "internal",
      message: error.message, status: failure?.status.flatMap { Int(exactly: $0) },
      bodyPreview: failure?.bodyPreview, details: failure?.details)
  }
}
