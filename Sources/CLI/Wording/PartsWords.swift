import Lodestone
import LodestoneCore
import Navigation

// The commands that read what a device tells.

extension DeviceParts {
  /// The remedy where a device tells these parts and others are needed: a scale for counts, or the command that fits.
  func hint(_ needs: DeviceParts) -> String {
    guard lackScale(for: needs) else { return commands }
    return "name the chip, as in --chip qmc5883l, or calibrate with --at LAT,LON; --unit counts shows the counts"
  }

  /// The quantities sent, those needed, and the remedy, in a sentence.
  func words(of sender: String, _ needs: DeviceParts) -> String {
    "\(words(of: sender, missing: needs)): \(advice(needs))"
  }

  /// The remedy, with the question whether it is the right device.
  func advice(_ needs: DeviceParts) -> String {
    let isOdd = self == .acceleration && !needs.isDisjoint(with: [.field, .strength])
    return hint(needs) + (isOdd ? ". Is this a magnetometer?" : "")
  }

  /// The commands that read it.
  private var commands: String {
    let all: [(DeviceParts, String)] = [
      (.field, "heading"), (.strength, "teslameter"), (.heading, "heading"), (.heading, "swing"),
      (.acceleration, "level"), (.acceleration, "motion"), (.position, "location"), (.alongProbe, "teslameter"),
      (.alongProbe, "teslameter --turns"),
    ]
    var commands: [String] = []
    for (part, command) in all where contains(part) && !commands.contains(command) { commands.append(command) }
    // Without a field there is no north, and yaw begins at 0.
    if contains([.acceleration, .rotation]), !contains(.field) { commands.append("attitude --frame arbitrary") }
    if commands.isEmpty { return "no command reads that alone" }
    return commands.map { "lodestone \($0)" }.listed(joined: "or") + " can read it"
  }
}
