import ArgumentParser

/// `--rate`: samples a second, of all sensors or of each.
struct SensorRates: Equatable {
  /// The rate of the magnetometer in Hz, and of all sensors where `motion` is nil; nil for the rate the device has.
  var field: Double?
  /// The rate of the accelerometer and gyroscope in Hz, the faster of the two that were asked for; nil for the field's.
  var motion: Double?
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
