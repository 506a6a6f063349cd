/// Attributes of sysfs that were changed for a while, and what they were: put back in reverse order when it goes.
final class AttributeChanges {
  private var before: [(path: String, text: String)] = []

  /// Changes an attribute, unless it is so already.
  func set(_ path: String, to text: String) throws(PortError) {
    let old = smallText(path) ?? ""
    guard old != text else { return }
    try SystemAttribute.write(text, to: path)
    // A signal must not end the program before they are put back.
    if before.isEmpty { Signals.hold() }
    before.append((path, old))
  }

  /// Puts everything back as it was. A device that has gone takes its attributes with it.
  func undo() {
    guard !before.isEmpty else { return }
    // Nothing written is nothing changed: an empty attribute takes an empty line.
    for change in before.reversed() {
      try? SystemAttribute.write(change.text.isEmpty ? "\n" : change.text, to: change.path)
    }
    before = []
    Signals.release()
  }

  deinit { undo() }
}
