public import ZeroIVM
public import ZeroProtocol

extension JSONValue {
  /// A query's result as an app in JavaScript sees it: rows as objects of the columns they have, nested
  /// rows under the relationship's name.
  @_spi(Engine) public init(_ data: ViewData, _ format: Format) {
    switch data {
    case .many(let list): self = .array(list.map { JSONValue($0, format) })
    case .one(let entry): self = entry.map { JSONValue($0, format) } ?? .null
    }
  }

  private init(_ entry: Entry, _ format: Format) {
    var object = JSONObject()
    let row = entry.row
    for (column, descriptor) in row.layout.columns.enumerated() where row.tag(column) != .absent {
      object[descriptor.name] = row[column].jsonValue
    }
    for (name, format) in format.relationships {
      if let related = entry[name] { object[name] = JSONValue(related, format) }
    }
    self = .object(object)
  }
}
