import Glibc

/// The trigger that makes a buffered device measure (Documentation/ABI/testing/sysfs-bus-iio of Linux).
struct IIOTrigger {
  /// Whether the trigger was there before us, and has a pace of its own.
  var isForeign: Bool
  /// Its pace in samples a second, where it tells.
  var rate: Double?

  /// The trigger in force; where there is none, one is chosen: a driver that needs one usually brings one, with its own
  /// name in it. Nil for a driver that needs none.
  init?(_ folder: String, _ roots: SystemRoots, noting changes: AttributeChanges) throws(PortError) {
    let attribute = folder + "/trigger/current_trigger"
    guard let current = smallText(attribute) else { return nil }
    let parent = roots.sys + "/bus/iio/devices"
    let triggers = folderContents(parent).filter { $0.hasPrefix("trigger") }.compactMap { entry in
      smallText("\(parent)/\(entry)/name").map { (name: $0, folder: "\(parent)/\(entry)") }
    }
    let own = smallText(folder + "/name") ?? ""
    guard current.isEmpty else {
      isForeign = own.isEmpty || !current.hasPrefix(own)
      rate = triggers.first { $0.name == current }.flatMap { IIOAttribute.rate($0.folder + "/sampling_frequency") }
      return
    }
    guard let chosen = triggers.first(where: { $0.name.hasPrefix(own) }) ?? triggers.first else {
      throw .system(path: attribute, SystemError("trigger", code: ENOTSUP))
    }
    try changes.set(attribute, to: chosen.name)
    isForeign = !chosen.name.hasPrefix(own)
    rate = isForeign ? IIOAttribute.rate(chosen.folder + "/sampling_frequency") : nil
  }
}
