import Lodestone
import Navigation

// The words for what a device tells, and for the commands that read it.

extension DeviceParts {
  private static let names: [(DeviceParts, String)] = [
    (.field, "a magnetic field"), (.acceleration, "accelerations"), (.rotation, "rotation rates"),
    (.heading, "headings of its own"), (.position, "positions"),
  ]

  /// "accelerations and rotation rates".
  var words: String { words(joined: "and") }

  /// The same with another word before the last.
  func words(joined: String) -> String {
    let parts = Self.names.filter { contains($0.0) }.map { $0.1 }
    guard let last = parts.last else { return "nothing" }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " \(joined) \(last)"
  }

  /// Which commands read it.
  var commands: String {
    let all: [(DeviceParts, String)] = [
      (.field, "heading"), (.field, "teslameter"), (.heading, "heading"), (.acceleration, "level"),
      (.acceleration, "motion"),
      (.position, "location"),
    ]
    var commands: [String] = []
    for (part, command) in all where contains(part) && !commands.contains(command) { commands.append(command) }
    guard !commands.isEmpty else { return "no command reads that alone" }
    return "lodestone \(commands.joined(separator: " or lodestone ")) can read it"
  }
}
