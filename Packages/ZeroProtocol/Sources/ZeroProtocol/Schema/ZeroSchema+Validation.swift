extension ZeroSchema {
  /// Checks what a schema must fulfil before a client, a query or a server can use it.
  ///
  /// Of a relationship's columns only the first source column of each hop has to exist, as in the
  /// reference; a column that is missing elsewhere reads as null.
  /// - Throws: the first problem found, in order of declaration.
  /// - Complexity: O(tables and columns and relations)
  public func validate() throws(SchemaError) {
    try refuseDuplicateTables()
    for table in tables { try table.validateColumns() }
    for table in tables {
      var names: Set<UTF8Key> = []
      for relation in table.relations {
        guard names.insert(UTF8Key(relation.name)).inserted else {
          throw SchemaError(
            .duplicateRelation,
            "table \"\(table.name)\" has two relationships \"\(relation.name)\"; rename one")
        }
        try validate(relation, of: table)
      }
    }
  }

  // MARK: -

  private func refuseDuplicateTables() throws(SchemaError) {
    var names: Set<UTF8Key> = []
    var serverNames: Set<UTF8Key> = []
    for table in tables {
      guard names.insert(UTF8Key(table.name)).inserted else {
        throw SchemaError(
          .duplicateTable, "two tables are named \"\(table.name)\"; rename one of them")
      }
      guard serverNames.insert(UTF8Key(table.serverName)).inserted else {
        throw SchemaError(
          .duplicateTable,
          "table \"\(table.name)\" and another one stand for \"\(table.serverName)\" on the server")
      }
    }
  }

  private func validate(
    _ relation: RelationDescriptor, of table: TableDescriptor
  ) throws(SchemaError) {
    let name = "the relationship \"\(relation.name)\" of table \"\(table.name)\""
    guard table.layout.index(of: relation.name) == nil else {
      throw SchemaError(
        .relationNamedLikeColumn, "\(name) has the name of one of the table's columns; rename it")
    }
    guard !relation.name.utf8.starts(with: AST.existsPrefix.utf8) else {
      throw SchemaError(
        .reservedName, "\(name) starts with \"\(AST.existsPrefix)\", which is reserved; rename it")
    }
    guard (1...2).contains(relation.hops.count) else {
      throw SchemaError(
        .invalidHops, "\(name) has \(relation.hops.count) hops; one and two are supported")
    }
    var source = table
    for hop in relation.hops {
      guard let first = hop.from.first, hop.from.count == hop.to.count else {
        throw SchemaError(
          .invalidHops,
          "\(name) ties \(hop.from.count) columns to \(hop.to.count) of table \"\(hop.table)\"; "
            + "give as many on both sides, at least one")
      }
      guard let destination = self.table(hop.table) else {
        throw SchemaError(
          .missingTable, "\(name) leads to table \"\(hop.table)\", which is not in the schema")
      }
      guard source.layout.index(of: first) != nil else {
        throw SchemaError(
          .missingField,
          "\(name) starts from column \"\(first)\", which table \"\(source.name)\" does not have")
      }
      source = destination
    }
  }
}

extension TableDescriptor {
  fileprivate func validateColumns() throws(SchemaError) {
    guard !primaryKey.isEmpty else {
      throw SchemaError(
        .missingPrimaryKey, "table \"\(name)\" has no primary key; declare its key columns")
    }
    var names: Set<UTF8Key> = []
    var serverNames: Set<UTF8Key> = []
    for column in columns {
      guard names.insert(UTF8Key(column.name)).inserted else {
        throw SchemaError(
          .duplicateColumn, "table \"\(name)\" has two columns \"\(column.name)\"; rename one")
      }
      guard serverNames.insert(UTF8Key(column.serverName)).inserted else {
        throw SchemaError(
          .duplicateColumn,
          "table \"\(name)\" has two columns that stand for \"\(column.serverName)\" on the server")
      }
    }
    for column in primaryKey where !names.contains(UTF8Key(column)) {
      throw SchemaError(
        .unknownKeyColumn,
        "the primary key of table \"\(name)\" names \"\(column)\", which is none of its columns")
    }
  }
}
