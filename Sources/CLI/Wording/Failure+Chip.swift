import LodestoneCore
import Drivers

// The words for what chips and their buses report.

extension Failure {
  /// Words a chip that cannot be used.
  init(chip error: ChipError, of name: String) {
    switch error {
    case .bus(let error): self.init(bus: error, of: name)
    case .wrongIdentity(let chip, let address, let register, let expected, let read):
      let wanted = expected.map { hexadecimal($0) }.joined(separator: " or ")
      self.init(
        .noInput,
        "can't use \(name): no \(chip) at \(hexadecimal([address])), register \(hexadecimal([register])) reads "
          + "\(hexadecimal(read)) instead of \(wanted)",
        hint: "leave the chip out of the address to find what is there")
    case .notAccepted(let chip, let register, let written, let read):
      self.init(
        .badData,
        "can't use \(name): the \(chip) does not keep register \(hexadecimal([register])): "
          + "\(hexadecimal([written])) written, \(hexadecimal([read])) read",
        hint: "check its supply and wiring; the part may be damaged")
    case .implausible(let chip, let what, let read):
      self.init(
        .badData, "can't use \(name): the \(chip) reads \(what)\(read.isEmpty ? "" : ": \(hexadecimal(read))")",
        hint: "check its supply and wiring; the part may be damaged")
    case .timedOut(let chip, let what, let milliseconds):
      self.init(
        .inputOutput, "can't use \(name): waited \(Int(min(milliseconds, 1e9))) ms for \(what) from the \(chip)",
        hint: "check its supply and wiring")
    case .notOffered(let chip, let setting, let asked, let offered):
      self.init(
        .usage, "can't set the \(setting.words) of the \(chip) to \(asked) \(setting.unit)",
        hint: "it offers up to \(offered.last ?? 0) \(setting.unit)")
    }
  }

  /// Addresses of chips at which port expanders can be: what can't be told from one is asked nothing.
  private static let unasked = ["0x20", "0x21", "0x22", "0x23"]

  /// A hint at the chips on a bus that are not the one sought, and what they are not.
  static func hint(chips found: [String]) -> String {
    guard !found.isEmpty else { return "no chip answers: check its supply, SDA and SCL, and the pull-up resistors" }
    let drivers = found.map { chip in Chips.named(String(chip.prefix { $0 != "@" })) }
    let haveNoField = drivers.allSatisfy { $0.map { !$0.senses.contains(.field) } ?? false }
    guard haveNoField else { return "found \(found.listed)\(remedy(for: found))" }
    let isMPU = drivers.contains { $0?.aliases.contains("mpu9250") == true }
    return "found \(found.listed), no magnetometer"
      + (isMPU ? ": many a board sold as MPU-9250 carries a part without one" : "")
  }

  /// The way to a chip that was not asked, or has no driver.
  private static func remedy(for found: [String]) -> String {
    if let unasked = Self.unasked.first(where: { found.contains("an unknown chip at \($0)") }) {
      return ", not asked as that may switch a port expander's outputs: where it is a chip, name it, as in "
        + "rm3100@\(unasked)"
    }
    guard found.contains(where: { $0.hasSuffix("no driver yet") }) else { return "" }
    return ": read it with a sketch of its library that prints mx:12.3,my:-4.5,mz:38.1 in µT"
  }

  private init(bus error: BusError, of name: String) {
    let wiring = "check the chip's supply, SDA and SCL, and the pull-up resistors"
    switch error {
    case .addressNotAcknowledged(let address):
      self.init(.noInput, "can't use \(name): no chip answers at \(hexadecimal([address]))", hint: wiring)
    case .dataNotAcknowledged(let address):
      self.init(
        .inputOutput, "can't use \(name): the chip at \(hexadecimal([address])) stopped answering", hint: wiring)
    case .arbitrationLost:
      self.init(.inputOutput, "can't use \(name): another master uses the bus, or two lines touch", hint: wiring)
    case .busStuck:
      self.init(.inputOutput, "can't use \(name): SDA or SCL is held low and could not be freed", hint: wiring)
    case .timeout:
      self.init(.inputOutput, "can't use \(name): no answer in time", hint: "unplug it and plug it in again")
    case .disconnected: self.init(.gone, "\(name) has gone", hint: "plug it in again")
    case .unsupported(let what): self.init(.inputOutput, "can't use \(name): \(what)")
    case .protocolViolation(let what):
      self.init(.inputOutput, "can't use \(name): \(what)", hint: "unplug it and plug it in again")
    }
  }
}

/// `0x1c 0x3d`.
func hexadecimal(_ bytes: [UInt8]) -> String {
  guard !bytes.isEmpty else { return "nothing" }
  return bytes.map { "0x" + $0.hexadecimal }.joined(separator: " ")
}

extension ChipError.Setting {
  fileprivate var words: String {
    switch self {
    case .fieldRange, .accelerationRange, .rotationRange: "range"
    case .rate: "rate"
    }
  }

  fileprivate var unit: String {
    switch self {
    case .fieldRange: "µT"
    case .accelerationRange: "g"
    case .rotationRange: "deg/s"
    case .rate: "Hz"
    }
  }
}
