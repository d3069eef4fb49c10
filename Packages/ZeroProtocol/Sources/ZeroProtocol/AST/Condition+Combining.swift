extension Condition {
  /// What the expression builder makes of `and(…)`: true members are dropped, a false one makes it
  /// false, a single one stands for itself.
  public static func conjunction(_ members: [Condition]) -> Condition {
    let rest = members.filter { !$0.isAlwaysTrue }
    if rest.count == 1 { return rest[0] }
    return rest.contains(where: \.isAlwaysFalse) ? .false : .and(rest)
  }

  /// What the expression builder makes of `or(…)`: false members are dropped, a true one makes it
  /// true, a single one stands for itself.
  public static func disjunction(_ members: [Condition]) -> Condition {
    let rest = members.filter { !$0.isAlwaysFalse }
    if rest.count == 1 { return rest[0] }
    return rest.contains(where: \.isAlwaysTrue) ? .true : .or(rest)
  }

  /// The condition under `not`: De Morgan over groups, the opposite operator elsewhere.
  ///
  /// This is no logical negation where nulls are compared: then both are false.
  public var negated: Condition {
    switch self {
    case .simple(let condition): .simple(condition.negated)
    case .correlatedSubquery(let condition): .correlatedSubquery(condition.negated)
    case .and(let members): .or(members.map(\.negated))
    case .or(let members): .and(members.map(\.negated))
    }
  }

  /// The condition with groups of one member resolved, groups inside a group of the same kind
  /// joined with it (one level, from the inside out), and what is always true or false drawn up.
  public var simplified: Condition {
    switch self {
    case .simple, .correlatedSubquery: return self
    case .and(let members):
      if members.count == 1 { return members[0].simplified }
      let parts = members.flatMap { (member) -> [Condition] in
        let part = member.simplified
        if case .and(let inner) = part { return inner }
        return [part]
      }
      return parts.contains(where: \.isAlwaysFalse) ? .false : .and(parts)
    case .or(let members):
      if members.count == 1 { return members[0].simplified }
      let parts = members.flatMap { (member) -> [Condition] in
        let part = member.simplified
        if case .or(let inner) = part { return inner }
        return [part]
      }
      return parts.contains(where: \.isAlwaysTrue) ? .true : .or(parts)
    }
  }
}
