import LodestoneCore

/// Finds an accelerometer whose scale is wrong: at rest a force is 1 g long. An LSM6DSO32 that is taken for an LSM6DSO
/// reads 0.5 g, as its identity is the same and its ranges are twice as large.
struct ForceWatch {
  private var held = Vector3.zero
  private var since = Double.infinity
  private var isTold = false

  /// Seconds of rest after which a length is believed.
  private static let span = 2.0
  /// The largest change of a force at rest, in g.
  private static let change = 0.05
  /// The lengths at rest, in g, that offsets and gains of a working part explain.
  private static let usual = 0.8...1.25

  /// Takes a force in g at a time in seconds.
  /// - Returns: its length at rest in g, once, where that is not gravity's; nil otherwise.
  mutating func length(of force: Vector3, at time: Double) -> Double? {
    guard !isTold else { return nil }
    guard since.isFinite, (force - held).squaredLength <= Self.change * Self.change else {
      (held, since) = (force, time)
      return nil
    }
    guard time - since >= Self.span else { return nil }
    let length = held.length
    guard !Self.usual.contains(length) else { return nil }
    isTold = true
    return length
  }
}
