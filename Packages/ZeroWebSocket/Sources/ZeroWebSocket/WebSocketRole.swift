/// Which end of a connection this is. Clients mask what they send, servers do not.
public enum WebSocketRole: Sendable {
  case client, server
}
