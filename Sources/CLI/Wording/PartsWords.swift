import Navigation

// The words for what a device tells, and for the commands that read it.

extension DeviceParts {
  private static let names: [(DeviceParts, String)] = [
    ([.field, .strength], "a magnetic field"), (.acceleration, "accelerations"), (.rotation, "rotation rates"),
    (.heading, "headings of its own"), (.position, "positions"), (.alongProbe, "the field along a probe of one axis"),
  ]

  /// Words for a field in counts whose strength is needed, and for what gives them a scale.
  static let scaleMissing = "the field is in counts of unknown scale, and this needs its strength"
  static let scaleHint =
    "name the chip, as in --chip qmc5883l, or calibrate with --at LAT,LON; --unit counts shows the counts"

  /// "accelerations and rotation rates".
  var words: String { words(joined: "and") }

  /// The parts with another word than "and" before the last.
  func words(joined: String) -> String {
    let parts = Self.names.filter { !isDisjoint(with: $0.0) }.map { $0.1 }
    guard let last = parts.last else { return "nothing" }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " \(joined) \(last)"
  }

  /// The quantities sent, those needed, and the command that fits.
  func words(of sender: String, _ needs: DeviceParts) -> String {
    if lackScale(for: needs) { return "\(Self.scaleMissing): \(Self.scaleHint)" }
    let question =
      self == .acceleration && !needs.isDisjoint(with: [.field, .strength]) ? ". Is this a magnetometer?" : ""
    return "\(words(of: sender, missing: needs)): \(commands)\(question)"
  }

  /// The quantities sent and those needed.
  func words(of sender: String, missing needs: DeviceParts) -> String {
    "\(sender) \(words), and this needs \(needs.subtracting(.alongProbe).words(joined: "or"))"
  }

  /// The commands that read it.
  var commands: String {
    let all: [(DeviceParts, String)] = [
      (.field, "heading"), (.strength, "teslameter"), (.heading, "heading"), (.heading, "swing"),
      (.acceleration, "level"), (.acceleration, "motion"), (.position, "location"), (.alongProbe, "teslameter"),
      (.alongProbe, "teslameter --turns"),
    ]
    var commands: [String] = []
    for (part, command) in all where contains(part) && !commands.contains(command) { commands.append(command) }
    // Without a field there is no north, and yaw begins at 0.
    if contains([.acceleration, .rotation]), !contains(.field) { commands.append("attitude --frame arbitrary") }
    guard let last = commands.last else { return "no command reads that alone" }
    let names = commands.dropLast().map { "lodestone \($0)" }.joined(separator: ", ")
    return (names.isEmpty ? "" : "\(names) or ") + "lodestone \(last) can read it"
  }
}
