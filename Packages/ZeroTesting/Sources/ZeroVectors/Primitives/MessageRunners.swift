/// Runners of the files about messages, connecting, errors and the connection.
let messageRunners: [String: VectorRunner] = [
  "messages-down": .pending("messages"),
  "messages-up": .pending("messages"),
  "mutation-result": .pending("messages"),
  "inspect-reply": .pending("messages"),
  "api-server-reply": .pending("messages"),
  "poke-handler": .pending("engine"),
  "server-url": .pending("connecting"),
  "url-append-path": .pending("connecting"),
  "connect-url": .pending("connecting"),
  "sec-protocol": .pending("connecting"),
  "connect-socket": .pending("connecting"),
  "client-options": .pending("connecting"),
  "errors": .pending("errors"),
  "application-errors": .pending("errors"),
  "connection-states": .pending("engine"),
  "client-wire": .pending("engine"),
]
