/// Runners of the files about messages, connecting, errors and the connection.
let messageRunners: [String: VectorRunner] = [
  "messages-down": .messagesDown,
  "messages-up": .messagesUp,
  "mutation-result": .mutationResult,
  "inspect-reply": .inspectReply,
  "api-server-reply": .apiServerReply,
  "poke-handler": pokeHandlerRunner,
  "server-url": .serverURL,
  "url-append-path": .urlAppendPath,
  "connect-url": .connectURL,
  "sec-protocol": .secProtocol,
  "connect-socket": .connectSocket,
  "client-options": .clientOptions,
  "errors": .errors,
  "application-errors": .applicationErrors,
  "connection-states": .connectionStates,
  "client-wire": wireRunner,
]
