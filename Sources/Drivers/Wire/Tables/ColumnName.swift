import LodestoneCore

/// The name of one column, taken apart.
struct ColumnName {
  enum Quantity { case time, field, acceleration, rotationRate, temperature }

  var quantity: Quantity?
  var axis: UInt8?
  /// No word besides the axis and a unit.
  var isBare: Bool
  /// The rest of the name: the unit, in lower case, µ written u.
  private var unit: ColumnWord
  /// The name is an axis and nothing else.
  let isAxisAlone: Bool
  /// The unit is said to be an arbitrary one.
  let isArbitrary: Bool
  /// An acceleration that reads −1 g on the axis that points up, as Core Motion gives it and SensorLog for iPhones
  /// writes it (`accelerometerAccelerationX(G)`).
  let isReversed: Bool
  /// `t` and no more, a time or a temperature.
  let isShort: Bool
  /// The unit stands in brackets, beside words without a meaning here.
  private var hasOtherWords = false
  /// Whether nothing but the unit tells the quantity.
  private(set) var isOfUnit = false

  init(_ name: String) { self.init(name.utf8.span) }

  init(_ name: Span<UInt8>) {
    let plain = Self.topic(name) ?? Self.quotient(name)
    var all = plain.map { ColumnWord.words(of: $0.span) } ?? ColumnWord.words(of: name)
    if let (digit, axis) = Self.index(of: name), let place = all.lastIndex(of: digit), place > 0 { all[place] = axis }
    if let words = Self.ofROS(name, all) { all = words }
    // Core Location's compass, as SensorLog for iPhones names it: `locationHeadingX(µT)`.
    if all.starts(with: ["location", "heading"]) { all.removeFirst(2) }
    isReversed = all.first == "accelerometer" && all.dropFirst().first == "acceleration"
    // "a.u." is a unit that is not known, and no acceleration.
    let start = all.indices.dropLast().first { all[$0] == "a" && all[$0 + 1] == "u" }
    isArbitrary = start != nil
    if let start { all.removeSubrange(start...start + 1) }
    var parts = all.map { Part(word: $0, meaning: Self.vocabulary[$0]) }
    var quantity: Quantity?
    var axis: UInt8?
    // `GyX` is the x of a gyroscope, though `gy` alone is its y.
    if all.count > 1, parts[0].meaning?.short == nil || parts[1].meaning?.axis != nil,
      let found = Self.vocabulary[all[0] + all[1]]?.short
    {
      (quantity, axis) = found
      (parts[0].isLeft, parts[1].isLeft) = (false, false)
    } else if let found = parts.first?.meaning?.short {
      (quantity, axis) = found
      parts[0].isLeft = false
    } else if let index = parts.firstIndex(where: { $0.meaning?.axis != nil }) {
      axis = parts[index].meaning?.axis
      parts[index].isLeft = false
    }
    if quantity == nil { quantity = parts.lazy.compactMap { $0.meaning?.long }.first }
    // A `T` beside an axis is a tesla, not a time.
    let isTesla = axis != nil && parts.contains { $0.isLeft && $0.word == "t" }
    if isTesla, quantity == .time { quantity = .field }
    unit = ColumnWord()
    isBare = true
    for part in parts where part.isLeft && !part.isPassedOver(isTesla) {
      unit = unit + part.word
      isBare = false
    }
    if !isBare, !Self.isUnit(unit), Self.timeScales[unit] == nil, let inner = Self.unitInBrackets(name) {
      (unit, hasOtherWords) = (inner, true)
    }
    isShort = all == ["t"]
    isAxisAlone = parts.count == 1 && parts[0].meaning?.axis != nil
    if quantity == nil, axis != nil, unit != "g", Self.fieldUnits[unit] != nil { (quantity, isOfUnit) = (.field, true) }
    let isOfMagnetometer = parts.contains { $0.meaning?.isMagnetometer == true }
    if quantity == nil, axis != nil, isOfMagnetometer { quantity = .field }
    // `ms` alone is a time; a letter alone may be anything, and `min` is the least of something.
    let isUnitOfTime = parts.count == 1 && parts[0].meaning?.isTimeUnit == true
    if quantity == nil, isUnitOfTime, !Self.noTimesAlone.contains(unit) {
      quantity = .time
    }
    if quantity == .time, Self.celsius.contains(unit) { quantity = .temperature }  // `T [°C]`
    if quantity == .time, let own = all.first, unit.isEmpty { unit = Self.clockUnits[own] ?? ColumnWord() }
    let isDerived = parts.contains {
      $0.meaning?.isDerived == true && !(quantity == .time && ($0.word == "min" || $0.word == "cal"))
    }
    // Android's rotation vector is an attitude.
    let isAttitude = zip(all, all.dropFirst()).contains { $0 == "rotation" && $1 == "vector" }
    self.quantity = isDerived || isAttitude ? nil : quantity
    self.axis = axis
  }

  /// The words of a topic whose last is an axis or a sensor, `board/mag/x`, `board/mag`; nil for other text, a list of
  /// sensors (`acc/gyro/mag`) among it.
  static func topic(_ text: Span<UInt8>) -> [UInt8]? {
    let words = text.bytes(in: 0..<text.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard words.count > 1, let first = words.first, let last = words.last, let letter = last.first else { return nil }
    let isAxis = (letter | 0x20) &- UInt8(ascii: "x") < 3 && !last.dropFirst().contains { $0.isLetter }
    let isSensor =
      last.count > 2 && isOfQuantity(ColumnWord(Array(last).span)) && !isOfQuantity(ColumnWord(Array(first).span))
    guard isAxis || isSensor else { return nil }
    return text.bytes(in: 0..<text.count).map { $0 == UInt8(ascii: "/") ? .space : $0 }
  }

  /// The axis that `[0]`, `[1]` or `[2]` at the end of a name, or before its unit, stands for (`magADC[0]`,
  /// `magnetometer_ga[2]`, `gyroADC[1] (deg/s)`), and the digit; nil without one.
  private static func index(of name: Span<UInt8>) -> (digit: ColumnWord, axis: ColumnWord)? {
    guard let open = name.lastIndex(of: UInt8(ascii: "[")), open > 0, open + 2 < name.count,
      name[open + 2] == UInt8(ascii: "]"), open + 3 == name.count || name[open + 3].isBlank
    else { return nil }
    switch name[open + 1] {
    case UInt8(ascii: "0"): return ("0", "x")
    case UInt8(ascii: "1"): return ("1", "y")
    case UInt8(ascii: "2"): return ("2", "z")
    default: return nil
    }
  }

  /// The columns with one kind of time at most: a clock knows more than `t` does, which may be a temperature, and that
  /// more than a count.
  static func withOneTime(_ columns: [ColumnName]) -> [ColumnName] {
    func rank(_ column: ColumnName) -> Int { column.isIndex ? 0 : column.isShort ? 1 : 2 }
    let most = columns.lazy.filter { $0.quantity == .time }.map(rank).max() ?? 0
    return columns.map { $0.quantity == .time && rank($0) < most ? $0.taken(as: nil) : $0 }
  }

  func taken(as quantity: Quantity?) -> ColumnName {
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

  var fieldUnit: FieldUnit? { Self.fieldUnits[unit] }
  /// Whether nothing is left of the name that is neither quantity, axis nor unit.
  var isUnderstood: Bool {
    guard !hasOtherWords else { return false }
    return switch quantity {
    case .field: unit.isEmpty || fieldUnit != nil || isCounts
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
  /// The numbers are a chip's counts, which have no unit.
  var isCounts: Bool { unit == "counts" }

  /// Whether it is nothing but an axis and a unit, which may be another quantity's: `X (mg)`.
  var isAxisWithUnit: Bool { axis != nil && (quantity == nil || isOfUnit) && !hasOtherWords && Self.isUnit(unit) }

  /// A word of the name.
  private struct Part {
    let word: ColumnWord
    let meaning: Meaning?
    /// Whether it has not been taken for the quantity or the axis yet.
    var isLeft = true

    /// Says nothing about the unit. A `T` that is a tesla does.
    func isPassedOver(_ isTesla: Bool) -> Bool {
      guard let meaning else { return false }
      return meaning.isFiller || meaning.isMagnetometer
        || meaning.long != nil && !meaning.isTimeUnit && !(isTesla && word == "t")
    }
  }

  /// The possible meanings of a word.
  private struct Meaning {
    var short: (Quantity, UInt8)?
    var axis: UInt8?
    var long: Quantity?
    var isTimeUnit = false
    var isFiller = false
    var isDerived = false
    var isMagnetometer = false
  }

  /// Every word that means something besides a unit: most words of a stream mean nothing, and are looked up once.
  private static let vocabulary: WordTable<Meaning> = {
    var words: [ColumnWord: Meaning] = [:]
    for (word, short) in short { words[word, default: Meaning()].short = short }
    for (word, axis) in axes { words[word, default: Meaning()].axis = axis }
    for (word, quantity) in long { words[word, default: Meaning()].long = quantity }
    for word in fillers { words[word, default: Meaning()].isFiller = true }
    for word in derived { words[word, default: Meaning()].isDerived = true }
    for word in magnetometers { words[word, default: Meaning()].isMagnetometer = true }
    for word in timeScales.keys { words[word, default: Meaning()].isTimeUnit = true }
    return WordTable(words)
  }()

  /// The word names a field, an acceleration or a rotation rate, or an axis of one.
  static func isOfQuantity(_ word: ColumnWord) -> Bool {
    guard let meaning = vocabulary[word], let quantity = meaning.short?.0 ?? meaning.long else { return false }
    return quantity != .time && quantity != .temperature
  }

  /// The word is the unit of a quantity.
  static func isUnit(_ word: ColumnWord) -> Bool {
    fieldUnits[word] != nil || accelerationUnits[word] != nil || rotationRateUnits[word] != nil
  }

  /// The word means something here.
  static func isKnown(_ word: ColumnWord) -> Bool { vocabulary[word] != nil || isUnit(word) }

  /// The word says that a number is worked out of what a sensor has measured, over some time or for good.
  static func isDerived(_ word: ColumnWord) -> Bool { vocabulary[word]?.isDerived == true }

  private static let axes: [ColumnWord: UInt8] = [
    "x": 0, "y": 1, "z": 2, "xraw": 0, "yraw": 1, "zraw": 2, "xnorm": 0, "ynorm": 1, "znorm": 2,
    "xnormalized": 0, "ynormalized": 1, "znormalized": 2, "xdata": 0, "ydata": 1, "zdata": 2,
  ]

  /// Words that hold quantity and axis in one.
  private static let short: [ColumnWord: (Quantity, UInt8)] = {
    var table: [ColumnWord: (Quantity, UInt8)] = [:]
    let stems: [(Quantity, [ColumnWord])] = [
      (.field, ["m", "b", "mag", "magn", "h"]), (.acceleration, ["a", "ac", "acc", "accel", "gf"]),
      (.rotationRate, ["g", "gy", "gyr", "gyro", "w"]),
    ]
    for (quantity, names) in stems {
      for name in names { for (axis, index) in axes { table[name + axis] = (quantity, index) } }
    }
    // `xmag`, as MAVLink and many sketches have it.
    let ends: [(Quantity, [ColumnWord])] = [
      (.field, ["mag"]), (.acceleration, ["acc", "accel"]), (.rotationRate, ["gyr", "gyro"]),
    ]
    for (quantity, names) in ends {
      for name in names { for (axis, index) in axes { table[axis + name] = (quantity, index) } }
    }
    return table
  }()

  private static let long: [ColumnWord: Quantity] = [
    "m": .field, "b": .field, "mag": .field, "magn": .field, "magnetic": .field, "magnetometer": .field, "gmr": .field,
    "compass": .field, "field": .field, "magneto": .field, "magnet": .field, "mags": .field, "geomagnetic": .field,
    "geomag": .field,
    "a": .acceleration, "acc": .acceleration, "accl": .acceleration, "accel": .acceleration,
    "acceleration": .acceleration, "accelerometer": .acceleration,
    "gyr": .rotationRate, "gyro": .rotationRate, "gyroscope": .rotationRate, "omega": .rotationRate,
    "rotation": .rotationRate, "angular": .rotationRate,
    "t": .time, "time": .time, "timestamp": .time, "ts": .time, "epoch": .time, "millis": .time, "micros": .time,
    "seconds": .time,
    "elapsed": .time, "uptime": .time, "datetime": .time, "index": .time, "sample": .time,
    "temperature": .temperature, "temp": .temperature, "therm": .temperature,
    // German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish and Czech.
    "zeit": .time, "temps": .time, "tiempo": .time, "tempo": .time, "tijd": .time, "czas": .time,
    "magnetfeld": .field, "flussdichte": .field, "champ": .field, "campo": .field, "veld": .field,
    "magneetveld": .field, "magnetfalt": .field, "magnetyczne": .field, "magneticke": .field, "magnetometre": .field,
    "magnetometro": .field, "magnetometr": .field,
    "beschleunigung": .acceleration, "beschl": .acceleration, "versnelling": .acceleration,
    "accelerometre": .acceleration, "aceleracion": .acceleration, "aceleracao": .acceleration,
    "acelerometro": .acceleration, "accelerazione": .acceleration, "accelerometro": .acceleration,
    "przyspieszenie": .acceleration, "akcelerometr": .acceleration, "zrychleni": .acceleration,
    "drehrate": .rotationRate, "giro": .rotationRate, "giroscopio": .rotationRate, "giroscope": .rotationRate,
    "gyrometre": .rotationRate, "gyroskop": .rotationRate, "giroscoop": .rotationRate,
  ]

  /// Chips that measure nothing but fields: objects of a hub's JSON bear their names.
  private static let magnetometers: Set<ColumnWord> = {
    let names = Chips.all.map { $0.name }
    let alone = Chips.all.filter { chip in
      chip.senses == .field && !names.contains { $0.hasPrefix(chip.name + "-") }
    }
    return Set(alone.flatMap { [$0.name] + $0.aliases }.flatMap { ColumnWord.words(of: $0.utf8.span) })
  }()

  /// Words that say no more about a quantity.
  private static let fillers: Set<ColumnWord> = [
    "field", "rate", "velocity", "raw", "uncalibrated", "sensor", "imu", "value", "axis", "is", "got", "adc", "smooth",
    "boot",
  ]

  /// Words that tell that a column is computed, not raw.
  private static let derived: Set<ColumnWord> = [
    "cal", "calibrated", "corrected", "linear", "lin", "user", "filtered", "bias", "biases", "offset", "offsets", "std",
    "var",
    "variance", "covariance", "scale", "scales", "sensitivity", "gain", "gains", "min", "max", "status",
    "minimum", "minimums", "maximum", "maximums", "absolute", "absolut", "absolu", "absoluto", "betrag", "norm",
    "total",
  ]

  /// Units that the very name of a time column carries.
  private static let clockUnits: [ColumnWord: ColumnWord] = ["index": "index", "sample": "index"]

  static let fieldUnits: [ColumnWord: FieldUnit] = [
    "ut": .microtesla, "utesla": .microtesla, "microtesla": .microtesla, "microteslas": .microtesla, "nt": .nanotesla,
    "nanotesla": .nanotesla,
    "mt": .millitesla, "millitesla": .millitesla, "g": .gauss, "gs": .gauss, "gauss": .gauss, "mg": .milligauss,
    "t": .tesla, "tesla": .tesla, "ga": .gauss,
    "mga": .milligauss, "mgs": .milligauss, "mgauss": .milligauss, "milligauss": .milligauss,
    // An oersted of H makes a gauss of B, and geophysicists call a nanotesla a gamma.
    "oe": .gauss, "oersted": .gauss, "moe": .milligauss, "gamma": .nanotesla, "gammas": .nanotesla, "pt": .picotesla,
    "picotesla": .picotesla, "a/m": .amperePerMetre, "ka/m": .kiloamperePerMetre,
  ]

  static let accelerationUnits: [ColumnWord: AccelerationUnit] = [
    "g": .g, "mg": .milligravity, "m/s2": .metresPerSecondSquared, "m/s/s": .metresPerSecondSquared,
    "ms2": .metresPerSecondSquared, "mps2": .metresPerSecondSquared, "mss": .metresPerSecondSquared,
    "m/sec2": .metresPerSecondSquared, "m/sec/sec": .metresPerSecondSquared,
  ]

  static let rotationRateUnits: [ColumnWord: RotationRateUnit] = [
    "dps": .degreesPerSecond, "deg/s": .degreesPerSecond, "degs": .degreesPerSecond, "degps": .degreesPerSecond,
    "degrees/s": .degreesPerSecond, "degree/s": .degreesPerSecond, "degs/s": .degreesPerSecond,
    "deg/sec": .degreesPerSecond, "degrees/sec": .degreesPerSecond,
    "mdps": .millidegreesPerSecond, "mdeg/s": .millidegreesPerSecond,
    "rad/s": .radiansPerSecond, "rads": .radiansPerSecond, "radps": .radiansPerSecond, "rps": .radiansPerSecond,
    "rads/s": .radiansPerSecond, "rad/sec": .radiansPerSecond, "rads/sec": .radiansPerSecond,
    "radians/s": .radiansPerSecond, "radians/sec": .radiansPerSecond,
  ]

  /// Degrees of a temperature.
  static let celsius: Set<ColumnWord> = ["c", "degc", "celsius"]

  /// Units of time that are no name of one, or of a part of it.
  private static let noTimesAlone: Set<ColumnWord> = ["s", "h", "hours", "min", "minutes", "fine"]

  static let timeScales: [ColumnWord: Double] = [
    // Xsens counts SampleTimeFine in tenths of milliseconds, unless its steps say more.
    "fine": TimeSteps.fine,
    "min": 60, "minutes": 60, "h": 3600, "hours": 3600,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "ms": 1e-3, "msec": 1e-3, "millis": 1e-3,
    "milliseconds": 1e-3, "us": 1e-6, "usec": 1e-6, "micros": 1e-6, "microseconds": 1e-6, "ns": 1e-9, "nsec": 1e-9,
    "nanoseconds": 1e-9,
  ]
}
