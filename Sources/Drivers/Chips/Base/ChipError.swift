/// The reason why a chip cannot be used, with what was read from it.
public enum ChipError: Error, Equatable, Sendable {
  /// The transfer itself failed.
  case bus(BusError)
  /// Another chip, no chip, or a dead one: the identity registers hold something else.
  case wrongIdentity(chip: String, address: UInt8, register: UInt8, expected: [[UInt8]], read: [UInt8])
  /// A configuration register does not keep what is written to it.
  case notAccepted(chip: String, register: UInt8, written: UInt8, read: UInt8)
  /// Factory values that no working part has.
  case implausible(chip: String, what: String, read: [UInt8])
  /// A bit that must come did not come in time.
  case timedOut(chip: String, waitingFor: String, milliseconds: Double)
  /// The chip has no such range or rate.
  case notOffered(chip: String, setting: Setting, asked: Double, offered: [Double])

  /// A setting a chip may refuse, with its unit.
  public enum Setting: String, Sendable {
    /// The range of the field in µT.
    case fieldRange
    /// The range of the acceleration in g.
    case accelerationRange
    /// The range of the rotation rate in degrees per second.
    case rotationRange
    /// The rate in Hz.
    case rate
  }

  /// Whether nobody is at the address, or somebody who does not know the register.
  public var isNotAcknowledged: Bool {
    switch self {
    case .bus(.addressNotAcknowledged), .bus(.dataNotAcknowledged): true
    default: false
    }
  }
}
