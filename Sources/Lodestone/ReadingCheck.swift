import LodestoneCore
import Navigation

/// Whether what a device tells comes to anything: a recording of which no reading came, or whose field is none, has to say so.
struct ReadingCheck {
  private var sampleCount = 0
  private var hasField = false
  /// An instrument has given a reading.
  var hasReading = false

  /// Takes note of a sample, by its raw field.
  @inline(__always)
  mutating func take(_ field: MagneticField?) {
    sampleCount &+= 1
    if !hasField, let field { hasField = field.microtesla != .zero }
  }

  /// The problem with what came, by the parts of the device; nil where there is none.
  func problem(_ parts: PartsWatch) -> SessionError? {
    guard sampleCount > 0 else { return nil }
    let isFieldZero =
      parts.seen.contains(.field) && !parts.seen.contains(.heading)
      && !parts.needed.isDisjoint(with: [.field, .strength])
      && parts.needed.isSubset(of: [.field, .strength, .heading])
      && !hasField
    // An attitude of its own, or one that rotation rates make, and nothing else will do.
    if !hasReading, parts.needed.contains(.rotation), parts.seen.isDisjoint(with: [.rotation, .heading]) {
      return .nothingOfUse(tells: parts.seen, needs: .rotation)
    }
    return isFieldZero || !hasReading ? .noReadings(samples: sampleCount, isFieldZero: isFieldZero) : nil
  }
}
