import LodestoneCore
import Drivers

/// Whether a chip's numbers live: noise changes them, and no field is exactly zero on three axes for long. Neither is
/// asked of a chip whose noise hides below one count.
struct ChipLife {
  enum Verdict: Equatable {
    case alive
    case restart
    case dead(count: Int)
  }

  private(set) var isSuspect = false
  private(set) var isDead = false
  private var count = 0
  private var zeros = 0
  private static let mostZeros = 10
  /// A chip that was set up again gets as many measurements as this to show life.
  private static let patience = 20

  /// - Parameters:
  ///   - isFrozen: it has been the same for longer than noise allows.
  ///   - isNoisy: the chip's noise is larger than one count.
  mutating func verdict(on measurement: Measurement, isFrozen: Bool, isNoisy: Bool) -> Verdict {
    zeros = isNoisy && measurement.field?.microtesla == .zero ? zeros + 1 : 0
    guard isFrozen || zeros >= Self.mostZeros else {
      if !isSuspect { return .alive }
      // `Sampling` began anew with the restart: equal numbers are counted here.
      return continued(measurement)
    }
    if !isSuspect {
      (isSuspect, count, suspected) = (true, max(zeros, 1), measurement)
      zeros = 0
      return .restart
    }
    return died()
  }

  private mutating func died() -> Verdict {
    isDead = true
    return .dead(count: count)
  }

  private var suspected = Measurement()

  private mutating func continued(_ measurement: Measurement) -> Verdict {
    guard measurement.field == suspected.field else {
      isSuspect = false
      return .alive
    }
    count += 1
    return count >= Self.patience ? died() : .alive
  }

  static func words(_ measurement: Measurement) -> String {
    guard let field = measurement.field?.microtesla else { return "nothing" }
    return "(\(field.x), \(field.y), \(field.z)) µT"
  }
}
