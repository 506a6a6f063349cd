import ArgumentParser

/// `--rate`: samples a second, of all sensors or of each.
struct SensorRates: Equatable {
  /// Of the magnetometer, or of everything where `motion` is nil; in Hz. Nil for the device's own.
  var field: Double?
  /// Of the accelerometer and gyroscope, in Hz: they are one part with one rate, and the faster one wins.
  var motion: Double?

  /// One that no sensor can be asked for, in Hz.
  var impossible: Double? { [field, motion].compactMap { $0 }.first { !($0 > 0 && $0 <= 100_000) } }
}

extension SensorRates: ExpressibleByArgument {
  /// `50`, or `field=20,rotation=100`.
  init?(argument: String) {
    if let rate = Double(argument) {
      field = rate
      return
    }
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, let rate = Double(sides[1]) else { return nil }
      switch sides[0] {
      case "field" where field == nil: field = rate
      case "acceleration", "rotation": motion = max(rate, motion ?? 0)
      default: return nil
      }
    }
  }
}
