import LodestoneCore

extension VirtualBreakout.Settings {
  /// A problem with an address of the virtual breakout.
  public enum Problem: Error, Equatable, Sendable {
    /// No such setting.
    case unknownKey(String, allowed: [String])
    /// The value is not of the kind the setting takes.
    case badValue(key: String, value: String, expected: String)
  }

  /// The settings a query gives, `motion=figure-eight&rate=100&noise=0.4&seed=7`, the others as they are by default.
  public init(query: [(String, String)]) throws(Problem) {
    self.init()
    for (key, value) in query {
      guard let setting = Self.keys.first(where: { $0.name == key }) else {
        throw .unknownKey(key, allowed: Self.keys.map { $0.name })
      }
      guard setting.apply(value, &self) else {
        throw .badValue(key: key, value: value, expected: setting.expected)
      }
    }
  }

  private struct Key: Sendable {
    var name: String
    var expected: String
    var apply: @Sendable (String, inout VirtualBreakout.Settings) -> Bool
  }

  private static let keys: [Key] = [
    Key(name: "motion", expected: Motion.allCases.map { $0.rawValue }.joined(separator: ", ")) { text, settings in
      guard let motion = Motion(rawValue: text) else { return false }
      settings.motion = motion
      return true
    },
    number("rate", \.rate, 0.1...10000, "samples per second"),
    seed("seed", \.seed),
    seed("sensor", \.sensor),
    flag("calibrated", \.isCalibrated),
    number("noise", \.noise, 0...1000, "µT"),
    number("accel-noise", \.accelerometerNoise, 0...1, "g"),
    number("accel-offset", \.accelerometerOffset, 0...1, "g"),
    number("gyro-noise", \.gyroscopeNoise, 0...1000, "degrees per second"),
    Key(name: "gyro-bias", expected: "length in degrees per second, or x,y,z") { text, settings in
      if let length = finite(text) {
        guard (0...100).contains(length) else { return false }
        settings.gyroscopeBias = length
        return true
      }
      settings.gyroscopeBiasVector = vector(text)
      return settings.gyroscopeBiasVector != nil
    },
    number("gyro-scale", \.gyroscopeScale, -1000...1000, "a factor"),
    number("gyro-range", \.gyroscopeRange, 1...100_000, "degrees per second"),
    Key(name: "temperature", expected: "degrees Celsius, -100 to 300") { text, settings in
      guard let temperature = finite(text), (-100...300).contains(temperature) else { return false }
      settings.temperature = temperature
      return true
    },
    Key(name: "current", expected: "µT per ampere on x, or on x,y,z") { text, settings in
      settings.currentField = fieldOnX(text)
      return settings.currentField != nil
    },
    number("swing", \.swing, 0...170, "degrees"),
    number("push", \.push, 0...1, "g"),
    number("vibration", \.vibration, 0...2, "g"),
    Key(name: "gestures", expected: VirtualGesture.Choice.allCases.map { $0.rawValue }.joined(separator: ", ")) {
      text, settings in
      guard let choice = VirtualGesture.Choice(rawValue: text) else { return false }
      settings.gestures = choice
      return true
    },
    number("strength", \.strength, 0.1...8, "g"),
    flag("accel", \.hasAccelerometer),
    flag("gyro", \.hasGyroscope),
    flag("accel-reversed", \.accelerometerIsReversed),
    Key(name: "hard", expected: "length in µT, or x,y,z in µT") { text, settings in
      if let length = finite(text) {
        settings.hardIron = length
        return true
      }
      settings.hardIronVector = vector(text)
      return settings.hardIronVector != nil
    },
    number("soft", \.softIron, 0...0.2, "a share"),
    number("misalignment", \.misalignment, 0...30, "degrees"),
    Key(name: "axes", expected: "signed axes such as -y,x,z") { text, settings in
      guard let axes = try? Mounting(text) else { return false }
      settings.axes = axes
      return true
    },
    number("range", \.range, 1...1e9, "µT"),
    number("lever", \.leverArm, 0...50, "metres"),
    number("heading", \.heading, -360...360, "degrees"),
    number("pitch", \.pitch, -90...90, "degrees"),
    number("roll", \.roll, -180...180, "degrees"),
    number("turn", \.turnRate, -1000...1000, "degrees per second"),
    number("wobble", \.wobble, 0...90, "degrees"),
    Key(name: "rests", expected: "a whole number, 0 to 100") { text, settings in
      guard let count = Int(text), (0...100).contains(count) else { return false }
      settings.rests = count
      return true
    },
    flag("turning", \.turnsAbout),
    number("sway", \.sway, 0...1, "a share"),
    number("miss", \.miss, 0...45, "degrees"),
    number("laser", \.laserAngle, 0...20, "degrees"),
    number("tremor", \.tremor, 0...1, "g"),
    number("field", \.fieldStrength, 1...1000, "µT"),
    number("dip", \.inclination, -90...90, "degrees"),
    number("declination", \.declination, -180...180, "degrees"),
    Key(name: "disturbance", expected: "µT@from+seconds, such as 15@23+4 or 10,0,5@23+4") { text, settings in
      guard let disturbance = disturbance(text) else { return false }
      settings.disturbances.append(disturbance)
      return true
    },
    Key(name: "magnet", expected: "µT@seconds between approaches, such as 400@10 or 0,0,400@10") { text, settings in
      let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let peak = fieldOnX(parts[0]), let period = finite(parts[1]), period >= 1 else {
        return false
      }
      settings.magnet = Magnet(peak: peak, period: period)
      return true
    },
    number("wild", \.wildFraction, 0...1, "a share"),
    number("wild-size", \.wildSize, 0...1e6, "µT"),
  ]

  private static func number(
    _ name: String, _ path: any (WritableKeyPath<VirtualBreakout.Settings, Double> & Sendable),
    _ range: ClosedRange<Double>, _ unit: String
  ) -> Key {
    Key(name: name, expected: "\(unit), \(range.lowerBound.exactText()) to \(range.upperBound.exactText())") {
      text, settings in
      guard let value = finite(text), range.contains(value) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func seed(
    _ name: String, _ path: any (WritableKeyPath<VirtualBreakout.Settings, UInt64> & Sendable)
  ) -> Key {
    Key(name: name, expected: "a whole number, 0 or more") { text, settings in
      guard let value = UInt64(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func flag(
    _ name: String, _ path: any (WritableKeyPath<VirtualBreakout.Settings, Bool> & Sendable)
  ) -> Key {
    Key(name: name, expected: "yes or no") { text, settings in
      guard text == "yes" || text == "no" else { return false }
      settings[keyPath: path] = text == "yes"
      return true
    }
  }

  private static func finite(_ text: String) -> Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  private static func vector(_ text: String) -> Vector3? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { finite(String($0)) }
    return numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
  }

  private static func fieldOnX(_ text: String) -> Vector3? { finite(text).map { Vector3($0, 0, 0) } ?? vector(text) }

  private static func disturbance(_ text: String) -> Disturbance? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let field = fieldOnX(parts[0]) else { return nil }
    let times = parts[1].split(separator: "+", omittingEmptySubsequences: false).compactMap { finite(String($0)) }
    guard times.count == 2, times[1] > 0 else { return nil }
    return Disturbance(field: field, from: times[0], to: times[0] + times[1])
  }
}
