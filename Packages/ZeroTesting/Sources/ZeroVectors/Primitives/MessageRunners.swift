/// Runners of the files about messages, connecting, errors and the connection.
let messageRunners: [String: VectorRunner] = [
  "messages-down": .messagesDown,
  "messages-up": .messagesUp,
  "mutation-result": .mutationResult,
  "inspect-reply": .inspectReply,
  "api-server-reply": .apiServerReply,
  "poke-handler": .pending("engine"),
  "server-url": .pending("connecting"),
  "url-append-path": .pending("connecting"),
  "connect-url": .pending("connecting"),
  "sec-protocol": .pending("connecting"),
  "connect-socket": .pending("connecting"),
  "client-options": .pending("connecting"),
  "errors": .errors,
  "application-errors": .applicationErrors,
  "connection-states": .pending("engine"),
  "client-wire": .pending("engine"),
]
