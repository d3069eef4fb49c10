/// Text as messages quote it: data may be longer than anyone wants to read, log or send on.
func excerpt(_ text: String) -> String {
  text.utf8.count <= 100 ? text : String(text.unicodeScalars.prefix(80)) + "…"
}
