extension CRUDWrite {
  /// The write with the names of table and columns on the other side. Columns that the schema does
  /// not know keep their name.
  /// - Throws: `unknownTable`.
  public func mapped(by names: NameMapper) throws(ASTError) -> CRUDWrite {
    CRUDWrite(
      operation, tableName: try names.tableName(tableName),
      primaryKey: try names.columns(primaryKey, of: tableName),
      value: try names.row(value, of: tableName))
  }
}
