import LodestoneCore

/// The unit that stands behind a number without a name: it tells which quantity the number is of.
enum ColumnUnit: UInt8, Sendable {
  case microtesla = 1, nanotesla, picotesla, millitesla, gauss, milligauss, amperePerMetre, kiloamperePerMetre
  /// `g` and `mg`, which are gravities, and gauss where people write a small letter.
  case smallG, smallMilliG
  /// `G` and `mG`, which are gauss, and gravities where people write a capital one.
  case capitalG, capitalMilliG
  case metresPerSecondSquared, degreesPerSecond, millidegreesPerSecond, radiansPerSecond
  case seconds, milliseconds, microseconds, nanoseconds
  case celsius
  /// A unit of something that a sample does not have.
  case other

  /// The field's unit that it may be.
  var fieldUnit: FieldUnit? {
    switch self {
    case .microtesla: .microtesla
    case .nanotesla: .nanotesla
    case .picotesla: .picotesla
    case .amperePerMetre: .amperePerMetre
    case .kiloamperePerMetre: .kiloamperePerMetre
    case .millitesla: .millitesla
    case .gauss, .smallG, .capitalG: .gauss
    case .milligauss, .smallMilliG, .capitalMilliG: .milligauss
    default: nil
    }
  }

  /// The acceleration's unit that it may be.
  var accelerationUnit: AccelerationUnit? {
    switch self {
    case .smallG, .capitalG: .g
    case .smallMilliG, .capitalMilliG: .milligravity
    case .metresPerSecondSquared: .metresPerSecondSquared
    default: nil
    }
  }

  /// The rotation rate's unit that it is.
  var rotationRateUnit: RotationRateUnit? {
    switch self {
    case .degreesPerSecond: .degreesPerSecond
    case .millidegreesPerSecond: .millidegreesPerSecond
    case .radiansPerSecond: .radiansPerSecond
    default: nil
    }
  }

  /// Seconds in one of it, where it is a unit of time.
  var timeScale: Double? {
    switch self {
    case .seconds: 1
    case .milliseconds: 1e-3
    case .microseconds: 1e-6
    case .nanoseconds: 1e-9
    default: nil
    }
  }

  /// Gravities by their letter, and gauss by theirs.
  var isSmall: Bool { self == .smallG || self == .smallMilliG }
  var isCapital: Bool { self == .capitalG || self == .capitalMilliG }

  /// The unit that a word stands for; nil for any other word. Allocates nothing.
  init?(_ text: Span<UInt8>) {
    guard let last = text.indices.last, let found = Self.names[Self.word(of: text)] else { return nil }
    let isCapital = text[last].isCapital
    switch found {
    case .smallG where isCapital: self = .capitalG
    case .smallMilliG where isCapital: self = .capitalMilliG
    default: self = found
    }
  }

  /// The letters, digits and slashes of a unit, with µ as u, ° as deg and ² as 2.
  private static func word(of text: Span<UInt8>) -> ColumnWord {
    var (word, index) = (ColumnWord(), 0)
    while index < text.count {
      let byte = text[index]
      if byte.isLetter {
        word.append(byte | 0x20)
      } else if byte.isDigit || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") {
        word.append(byte)
      } else if let (other, length) = ColumnWord.sign(text, at: index) {
        word = word + other
        index &+= length &- 1
      }
      index &+= 1
    }
    return word
  }

  private static let names: WordTable<ColumnUnit> = {
    var table: [ColumnWord: ColumnUnit] = [:]
    for (word, unit) in ColumnName.fieldUnits {
      switch unit {
      case .microtesla: table[word] = .microtesla
      case .nanotesla: table[word] = .nanotesla
      case .picotesla: table[word] = .picotesla
      case .amperePerMetre: table[word] = .amperePerMetre
      case .kiloamperePerMetre: table[word] = .kiloamperePerMetre
      case .millitesla: table[word] = .millitesla
      case .gauss: table[word] = .gauss
      case .milligauss: table[word] = .milligauss
      case .tesla: break  // A `T` behind a number may be anything.
      }
    }
    for (word, unit) in ColumnName.accelerationUnits {
      switch unit {
      case .g: table[word] = .smallG
      case .milligravity: table[word] = .smallMilliG
      case .metresPerSecondSquared: table[word] = .metresPerSecondSquared
      }
    }
    for (word, unit) in ColumnName.rotationRateUnits {
      switch unit {
      case .degreesPerSecond: table[word] = .degreesPerSecond
      case .millidegreesPerSecond: table[word] = .millidegreesPerSecond
      case .radiansPerSecond: table[word] = .radiansPerSecond
      }
    }
    for (word, scale) in ColumnName.timeScales {
      switch scale {
      case 1: table[word] = .seconds
      case 1e-3: table[word] = .milliseconds
      case 1e-6: table[word] = .microseconds
      case 1e-9: table[word] = .nanoseconds
      default: break
      }
    }
    for word in ColumnName.celsius { table[word] = .celsius }
    let others: [ColumnWord] = [
      "deg", "degree", "degrees", "rad", "f", "degf", "k", "%", "rh", "%rh", "pa", "hpa", "kpa", "mbar", "m", "cm",
      "mm",
      "km", "ft", "v", "mv", "a", "ma", "w", "mw", "hz", "lx", "lux", "lsb", "m/s", "km/h",
    ]
    for word in others { table[word] = .other }
    return WordTable(table)
  }()
}
