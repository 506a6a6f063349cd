import LodestoneCore

/// The name of one column, taken apart.
struct ColumnName {
  enum Quantity { case time, field, acceleration, rotationRate, temperature }

  var quantity: Quantity?
  var axis: UInt8?
  /// No word besides the axis and a unit.
  var isBare: Bool
  /// What is left of the name: the unit, in lower case, µ written u.
  private var unit: String
  /// The name is an axis and nothing else.
  let isAxisAlone: Bool

  init(_ name: String) {
    let all = Self.words(of: name)
    var words = all
    var quantity: Quantity?
    var axis: UInt8?
    if let found = Self.short[all.first ?? ""] {
      (quantity, axis) = found
      words.removeFirst()
    } else if all.count > 1, let found = Self.short[all[0] + all[1]] {
      (quantity, axis) = found
      words.removeFirst(2)
    } else if let index = words.firstIndex(where: { Self.axes[$0] != nil }) {
      axis = Self.axes[words.remove(at: index)]
    }
    if quantity == nil { quantity = all.lazy.compactMap { Self.long[$0] }.first }
    // A `T` beside an axis is a tesla, not a time.
    let isTesla = axis != nil && words.contains("t")
    if isTesla, quantity == .time { quantity = .field }
    words.removeAll {
      Self.fillers.contains($0) || (Self.long[$0] != nil && Self.timeScales[$0] == nil && !(isTesla && $0 == "t"))
    }
    unit = words.joined()
    isBare = words.isEmpty
    isAxisAlone = all.count == 1 && Self.axes[all[0]] != nil
    if quantity == nil, axis != nil, unit != "g", Self.fieldUnits[unit] != nil { quantity = .field }
    if quantity == .time, let own = all.first, unit.isEmpty { unit = Self.clockUnits[own] ?? "" }
    self.quantity = all.contains { Self.derived.contains($0) } ? nil : quantity
    self.axis = axis
  }

  func taken(as quantity: Quantity) -> ColumnName {
    var copy = self
    copy.quantity = quantity
    return copy
  }

  var role: UInt8? {
    switch quantity {
    case .time: axis == nil ? CSVColumns.Role.time : nil
    case .temperature: axis == nil ? CSVColumns.Role.temperature : nil
    case .field: axis.map { CSVColumns.Role.field + $0 }
    case .acceleration: axis.map { CSVColumns.Role.acceleration + $0 }
    case .rotationRate: axis.map { CSVColumns.Role.rotationRate + $0 }
    case nil: nil
    }
  }

  /// The unit of the field; millitesla for tesla, of which `microtesla` tells the size.
  var fieldUnit: FieldUnit? { Self.fieldUnits[unit] ?? (unit == "t" || unit == "tesla" ? .millitesla : nil) }
  /// µT in one unit of the field.
  var microtesla: Double? { Self.fieldUnits[unit]?.microtesla ?? (fieldUnit == nil ? nil : 1e6) }
  /// Nothing is left of the name that is neither quantity, axis nor unit.
  var isUnderstood: Bool {
    switch quantity {
    case .field: unit.isEmpty || fieldUnit != nil
    case .acceleration: unit.isEmpty || accelerationUnit != nil
    case .rotationRate: unit.isEmpty || rotationRateUnit != nil
    case .time: unit.isEmpty || timeScale != nil || isIndex
    case .temperature, nil: true
    }
  }
  var accelerationUnit: AccelerationUnit? { Self.accelerationUnits[unit] }
  var rotationRateUnit: RotationRateUnit? { Self.rotationRateUnits[unit] }
  var timeScale: Double? { Self.timeScales[unit] }
  var isIndex: Bool { unit == "index" }

  /// The words of a name in lower case: split at anything but letters, digits and /, and where a small letter is followed
  /// by a capital (`magX`, `accelerationY`).
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in name.unicodeScalars {
      let isSmall = ("a"..."z").contains(character), isCapital = ("A"..."Z").contains(character)
      let isMicro = character == "\u{B5}" || character == "\u{3BC}"
      let isDegree = character == "°"
      let belongs = isSmall || isCapital || isMicro || isDegree || ("0"..."9").contains(character) || character == "/"
      if !belongs || (isCapital && wasSmall && !word.hasSuffix("u") && word != "m" && word != "n") {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isMicro {
        word += "u"
      } else if isDegree {
        word += "deg"
      } else if belongs {
        word += String(character).lowercased()
      }
      wasSmall = isSmall || isMicro
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static let axes: [String: UInt8] = ["x": 0, "y": 1, "z": 2]

  /// Words that hold quantity and axis in one.
  private static let short: [String: (Quantity, UInt8)] = {
    var table: [String: (Quantity, UInt8)] = [:]
    let stems: [(Quantity, [String])] = [
      (.field, ["m", "b", "mag", "magn", "h"]), (.acceleration, ["a", "acc", "accel"]),
      (.rotationRate, ["g", "gyr", "gyro", "w"]),
    ]
    for (quantity, names) in stems {
      for name in names { for (axis, index) in axes { table[name + axis] = (quantity, index) } }
    }
    return table
  }()

  private static let long: [String: Quantity] = [
    "m": .field, "b": .field, "mag": .field, "magn": .field, "magnetic": .field, "magnetometer": .field, "gmr": .field,
    "compass": .field, "field": .field,
    "a": .acceleration, "acc": .acceleration, "accel": .acceleration, "acceleration": .acceleration,
    "accelerometer": .acceleration,
    "gyr": .rotationRate, "gyro": .rotationRate, "gyroscope": .rotationRate, "omega": .rotationRate,
    "rotation": .rotationRate, "angular": .rotationRate,
    "t": .time, "time": .time, "timestamp": .time, "ts": .time, "millis": .time, "micros": .time, "seconds": .time,
    "elapsed": .time, "index": .time, "sample": .time,
    "temperature": .temperature, "temp": .temperature, "therm": .temperature,
  ]

  /// Words that say no more about a quantity.
  private static let fillers: Set<String> = [
    "field", "rate", "velocity", "raw", "uncalibrated", "sensor", "imu", "value",
  ]

  /// Words that tell that a column is computed, not raw.
  private static let derived: Set<String> = [
    "cal", "calibrated", "corrected", "linear", "user", "filtered", "bias", "offset", "std", "var", "variance",
    "absolute", "norm", "total",
  ]

  /// Units that the very name of a time column carries.
  private static let clockUnits = ["index": "index", "sample": "index"]

  private static let fieldUnits: [String: FieldUnit] = [
    "ut": .microtesla, "microtesla": .microtesla, "microteslas": .microtesla, "nt": .nanotesla, "nanotesla": .nanotesla,
    "mt": .millitesla, "millitesla": .millitesla, "g": .gauss, "gs": .gauss, "gauss": .gauss, "mg": .milligauss,
    "mga": .milligauss, "mgauss": .milligauss, "milligauss": .milligauss,
  ]

  private static let accelerationUnits: [String: AccelerationUnit] = [
    "g": .g, "mg": .milligravity, "m/s2": .metresPerSecondSquared, "m/s/s": .metresPerSecondSquared,
    "ms2": .metresPerSecondSquared, "mps2": .metresPerSecondSquared, "mss": .metresPerSecondSquared,
  ]

  private static let rotationRateUnits: [String: RotationRateUnit] = [
    "dps": .degreesPerSecond, "deg/s": .degreesPerSecond, "degs": .degreesPerSecond, "degps": .degreesPerSecond,
    "rad/s": .radiansPerSecond, "rads": .radiansPerSecond, "radps": .radiansPerSecond, "rps": .radiansPerSecond,
  ]

  private static let timeScales: [String: Double] = [
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "ms": 1e-3, "msec": 1e-3, "millis": 1e-3,
    "milliseconds": 1e-3, "us": 1e-6, "usec": 1e-6, "micros": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nsec": 1e-9,
    "nanoseconds": 1e-9,
  ]
}
