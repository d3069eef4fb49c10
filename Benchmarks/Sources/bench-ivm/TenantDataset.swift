import ZeroIVM
import ZeroProtocol

/// One organisation with 64 accounts of 4 contacts each and 512 activities, and writes to it.
///
/// A write is one activity more and new numbers on its account and on the organisation.
final class TenantDataset {
  static let window = 50
  private var organisation = RowTable(
    "organisation",
    [
      ("id", .string), ("name", .string), ("region", .string), ("seq", .number),
      ("writtenAt", .number), ("updatedAt", .number),
    ])
  private var account = RowTable(
    "account",
    [
      ("id", .string), ("orgID", .string), ("ownerID", .string), ("name", .string),
      ("status", .string), ("seq", .number), ("writtenAt", .number), ("updatedAt", .number),
    ])
  private var contact = RowTable(
    "contact",
    [
      ("id", .string), ("accountID", .string), ("name", .string), ("role", .string),
      ("seq", .number), ("writtenAt", .number), ("updatedAt", .number),
    ])
  private var activity = RowTable(
    "activity",
    [
      ("id", .string), ("orgID", .string), ("accountID", .string), ("contactID", .string),
      ("kind", .string), ("body", .string), ("seq", .number), ("writtenAt", .number),
      ("updatedAt", .number),
    ])
  /// The organisation's and the accounts' rows as they are now.
  private var organisationRow: Row
  private var accountRows: ContiguousArray<Row>
  private var sequence = 0

  init() {
    organisation.add(
      .string("org-0"), .string("Throughput Org"), .string("na"), .number(0), .number(0),
      .number(0))
    for i in 0..<64 {
      account.add(
        .string("account-\(i)"), .string("org-0"), .string("owner-\(i % 8)"),
        .string("Account \(i)"), .string(i % 3 == 0 ? "risk" : "active"), .number(0), .number(0),
        .number(0))
      for k in 0..<4 {
        contact.add(
          .string("account-\(i)-contact-\(k)"), .string("account-\(i)"),
          .string("Contact \(k) at Account \(i)"), .string(k == 0 ? "buyer" : "stakeholder"),
          .number(0), .number(0), .number(0))
      }
    }
    organisationRow = organisation.rows[0]
    accountRows = account.rows
  }

  func branch() throws -> Branch {
    let tables = [organisation, account, contact, activity]
    let branch = Branch(schema: ZeroSchema(tables: tables.map(\.descriptor)))
    for table in tables { try branch.load(table.descriptor.name, table.rows) }
    for _ in 0..<512 { for change in nextWrite() { try branch.push(change) } }
    return branch
  }

  /// The changes of the next write.
  func nextWrite() -> [SourceChange] {
    sequence += 1
    let number = Value.number(Double(sequence))
    let place = sequence % accountRows.count
    let account = "account-\(place)"
    let added = activity.row(
      .string("activity-\(sequence)"), .string("org-0"), .string(account),
      .string("\(account)-contact-\(sequence % 4)"),
      .string(sequence % 5 == 0 ? "meeting" : "note"),
      .string(String(repeating: "x", count: 256)), number, number, number)
    let oldAccount = accountRows[place]
    let oldOrganisation = organisationRow
    accountRows[place] = self.account.changing(oldAccount, [5: number, 6: number, 7: number])
    organisationRow = organisation.changing(
      oldOrganisation, [3: number, 4: number, 5: number])
    return [
      .add(added), .edit(old: oldAccount, new: accountRows[place]),
      .edit(old: oldOrganisation, new: organisationRow),
    ]
  }

  // MARK: - Queries

  /// What each user has open: the organisation, its accounts and its activities, newest first.
  static let queries = [
    NestedQuery("organisation", where: .simple(column: "id", .equal, .string("org-0")))
      .related(
        "accounts", ("id", "orgID"),
        NestedQuery("account", limit: window, orderBy: newest).withContacts.withActivities
      )
      .related(
        "activities", ("id", "orgID"), NestedQuery("activity", limit: window, orderBy: newest)),
    NestedQuery("account", where: inOrganisation, limit: window, orderBy: newest)
      .related("org", ("orgID", "id"), one: true, NestedQuery("organisation"))
      .withContacts.withActivities,
    NestedQuery("activity", where: inOrganisation, limit: window, orderBy: newest)
      .related("org", ("orgID", "id"), one: true, NestedQuery("organisation"))
      .related("account", ("accountID", "id"), one: true, NestedQuery("account").withContacts)
      .related("contact", ("contactID", "id"), one: true, NestedQuery("contact")),
  ]
  /// Rows that no write touches.
  static let untouched = NestedQuery(
    "contact", where: .simple(column: "role", .equal, .string("buyer")), limit: window)

  fileprivate static let newest = [OrderPart("seq", .desc)]
  private static let inOrganisation = Condition.simple(column: "orgID", .equal, .string("org-0"))
}

extension NestedQuery {
  fileprivate var withContacts: NestedQuery {
    related("contacts", ("id", "accountID"), NestedQuery("contact"))
  }

  /// With the five newest activities of an account.
  fileprivate var withActivities: NestedQuery {
    related(
      "activities", ("id", "accountID"),
      NestedQuery("activity", limit: 5, orderBy: TenantDataset.newest)
        .related("contact", ("contactID", "id"), one: true, NestedQuery("contact")))
  }
}
