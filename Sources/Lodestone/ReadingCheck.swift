import LodestoneCore
import Navigation

/// A watch over what comes of a recording: one that gave no reading, or whose field is zero throughout, ends with an
/// error.
struct ReadingCheck {
  private var sampleCount = 0
  private var hasField = false
  private var hasTilt = false
  /// Whether an instrument has given a reading.
  var hasReading = false

  /// Takes note of a sample, by its raw field.
  /// - Parameter tellsTilt: the device has told how it is tilted beside its heading.
  @inline(__always)
  mutating func take(_ field: MagneticField?, tellsTilt: @autoclosure () -> Bool) {
    sampleCount &+= 1
    if !hasTilt { hasTilt = tellsTilt() }
    if !hasField, let field { hasField = field.microtesla != .zero }
  }

  /// The problem with what came, by the parts of the device; nil where there is none.
  /// - Parameters:
  ///   - isAttitude: an attitude is wanted, and nothing else.
  ///   - time: of the last sample.
  func problem(_ parts: PartsWatch, isAttitude: Bool, at time: Double) -> SessionError? {
    guard sampleCount > 0 else { return nil }
    let isFieldZero =
      parts.seen.contains(.field) && !parts.seen.contains(.heading)
      && !parts.needed.isDisjoint(with: [.field, .strength])
      && parts.needed.isSubset(of: [.field, .strength, .alongProbe, .heading])
      && !hasField
    // It takes an attitude that the device tells, or rotation rates to make one: a heading alone is no attitude.
    let ownAttitude: DeviceParts = hasTilt ? .heading : []
    if isAttitude || (!hasReading && parts.needed.contains(.rotation)),
      parts.seen.isDisjoint(with: ownAttitude.union(.rotation))
    {
      return .nothingOfUse(tells: parts.seen, needs: .rotation)
    }
    if !hasReading, parts.needed.contains(.rotation), let missing = parts.seen.missingForAttitude {
      return .nothingOfUse(tells: parts.seen, needs: missing)
    }
    guard isFieldZero || !hasReading else { return nil }
    return .noReadings(samples: sampleCount, seconds: parts.seconds(until: time), isFieldZero: isFieldZero)
  }
}
