import LodestoneCore

extension ProfileFields {
  /// `causes`; none where there is no such key.
  func causes() throws(ProfileProblem) -> [Cause] {
    guard has("causes") else { return [] }
    return try objects("causes", limit: CauseValues.limit) { (entry) throws(ProfileProblem) in
      let (from, to) = (try entry.number("from"), try entry.number("to"))
      guard from < to else { throw .outOfRange(key: "causes.to", expected: "more than from") }
      guard let slope = try entry.vector("uT_per_unit", in: -1e6...1e6) else {
        throw .missing(key: "causes.uT_per_unit")
      }
      return Cause(
        name: try entry.text("name"), slope: slope,
        deviation: try entry.number("deviation_uT_per_unit", in: 0...1e6), range: from...to,
        lag: try entry.number("lag_s", in: -1...1))
    }
  }
}

extension Profile {
  /// The `quality` object alone, as the file has it, with the causes where there are any.
  public var resultJSON: String {
    guard !causes.isEmpty else { return quality.json }
    return quality.known.merging(.members(("causes", .array(causes.map { $0.known })))).printed
  }
}

extension Cause {
  /// The cause's entry in a profile.
  package var known: JSONValue {
    .members(
      ("name", .string(name)), ("uT_per_unit", .numbers(slope)), ("deviation_uT_per_unit", .number(deviation)),
      ("from", .number(range.lowerBound)), ("to", .number(range.upperBound)), ("lag_s", .number(lag)))
  }
}
