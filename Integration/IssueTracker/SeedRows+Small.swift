extension SeedRows {
  /// Three users, two projects, five issues: small enough to read.
  /// - Throws: never in practice; the text is part of the program.
  public static func small() throws -> SeedRows { try SeedRows(jsonText: smallText) }

  // Rows are one line each, for reading.
  // swift-format-ignore
  private static let smallText = #"""
    {
        "user": [
          {"id": "u1", "name": "Ada", "email": "ada@example.com", "role": "admin", "active": true, "settings": {"size": 12, "theme": "dark"}, "joined_on": 1705276800000},
          {"id": "u2", "name": "Björn", "email": "bjorn@example.com", "role": "member", "active": true, "settings": null, "joined_on": 1709164800000},
          {"id": "u3", "name": "Chloé", "email": null, "role": "guest", "active": false, "settings": {}, "joined_on": null}
        ],
        "project": [
          {"id": "p1", "name": "Apollo", "owner_id": "u1", "budget": 12345.67, "archived": false, "tags": ["core", "backend"], "created_at": 1709287200000},
          {"id": "p2", "name": "Borealis", "owner_id": "u2", "budget": null, "archived": true, "tags": [], "created_at": 1709379000123}
        ],
        "issue": [
          {"id": "i1", "project_id": "p1", "title": "Crash on start", "description": "Stack trace attached", "status": "open", "priority": 3, "estimate": 1.5, "votes": 9007199254740991, "is_private": false, "creator_id": "u1", "assignee_id": "u2", "metadata": {"os": "linux", "tags": ["a", "b"]}, "created_at": 1711958400000, "closed_at": null},
          {"id": "i2", "project_id": "p1", "title": "Add dark mode", "description": null, "status": "in_progress", "priority": 1, "estimate": null, "votes": 12, "is_private": false, "creator_id": "u2", "assignee_id": "u1", "metadata": null, "created_at": 1712049330250, "closed_at": null},
          {"id": "i3", "project_id": "p1", "title": "Typo in docs – “é”", "description": "see line 3\nand 7", "status": "closed", "priority": 0, "estimate": 0.25, "votes": 0, "is_private": false, "creator_id": "u3", "assignee_id": null, "metadata": [1, 2.5, null, true, "x"], "created_at": 1712138400123.456, "closed_at": 1712318400000},
          {"id": "i4", "project_id": "p1", "title": "Secret roadmap", "description": "private", "status": "open", "priority": 2, "estimate": 40, "votes": 1, "is_private": true, "creator_id": "u1", "assignee_id": "u1", "metadata": "just a string", "created_at": 1712188800000, "closed_at": null},
          {"id": "i5", "project_id": "p2", "title": "Migrate CI 🚀", "description": "different project", "status": "open", "priority": 5, "estimate": -3, "votes": 7, "is_private": false, "creator_id": "u2", "assignee_id": null, "metadata": {}, "created_at": 1712275200000, "closed_at": null}
        ],
        "comment": [
          {"id": "11111111-1111-4111-8111-111111111111", "issue_id": "i1", "author_id": "u2", "body": "Can reproduce", "reactions": {"+1": 2}, "created_at": 1711962000000},
          {"id": "22222222-2222-4222-8222-222222222222", "issue_id": "i1", "author_id": "u1", "body": "Fixed on main?", "reactions": {}, "created_at": 1711965600000},
          {"id": "33333333-3333-4333-8333-333333333333", "issue_id": "i2", "author_id": "u3", "body": "Yes please", "reactions": {"+1": 1, "heart": 1}, "created_at": 1712052000000}
        ],
        "label": [
          {"id": "l1", "project_id": "p1", "name": "bug", "color": "#ff0000"},
          {"id": "l2", "project_id": "p1", "name": "feature", "color": "#00ff00"},
          {"id": "l3", "project_id": "p2", "name": "infra", "color": null}
        ],
        "issue_label": [
          {"issue_id": "i1", "label_id": "l1"},
          {"issue_id": "i2", "label_id": "l2"},
          {"issue_id": "i3", "label_id": "l1"},
          {"issue_id": "i3", "label_id": "l2"},
          {"issue_id": "i5", "label_id": "l3"}
        ]
    }
    """#
}
