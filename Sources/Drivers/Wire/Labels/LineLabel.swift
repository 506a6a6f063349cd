import LodestoneCore

/// The meaning of a label in a line of text: `Accel X`, `Mag (uT)`, `my_g`, `Heading (degrees)`; or a word behind a
/// number, as a unit. Labels are interpreted as the columns of a table are.
struct LineLabel: Sendable {
  /// The meaning of the label's numbers.
  enum Meaning: Equatable, Sendable {
    /// One axis of what was named last, or of the field.
    case axis(UInt8)
    /// One number: a role of `CSVColumns`.
    case value(UInt8)
    /// Three numbers, one after the other, from this role on.
    case triple(UInt8)
    /// The device's own heading, in degrees.
    case heading
    /// The device's own heading, in radians.
    case radians
    /// The device's own heading from true north, in degrees.
    case trueHeading
    /// Degrees of what was named before: of a heading that has come in radians already.
    case degrees
    /// Heading, pitch and roll, in degrees.
    case orientation
    /// Marks a line of a BNO055's attitude: its x is a heading.
    case attitudeMark
    /// The fourth number of a quaternion: its x is no heading.
    case quaternionMark
    /// Nanoseconds past the second that was told before, as ROS prints them.
    case nanoseconds
    /// Words between a name and its number: `'Field X': Sending state 12.3 µT` of an ESPHome log.
    case filler
    /// Nothing of interest.
    case nothing
  }

  var meaning: Meaning
  /// Units as they would be for each quantity; nil where the words are none.
  var fieldUnit: FieldUnit?
  var accelerationUnit: AccelerationUnit?
  var rotationRateUnit: RotationRateUnit?
  /// Seconds in one unit of a time, where the words say it.
  var timeScale: Double?
  /// The roles of three more numbers behind a triple's, and of three more behind those: `a/g/m` names three sensors.
  private var second, third: UInt8?
  /// The words that tell its sensor from others of the kind; empty where it is the only one.
  var source = ColumnWord()
  /// The words are one for a sensor, behind which a number tells which it is.
  private(set) var mayBeNumbered = false
  /// The words name the x of something that is not read: `Linear Acceleration - x`.
  private(set) var beginsOtherAxes = false
  /// The words tell how the numbers that come are stated, and no sensor.
  private(set) var isStatement = false
  /// Whether its number may tell which of several sensors a line is of.
  private(set) var tellsSensor = false
  /// Whether it is `t`, a time or a temperature.
  private(set) var isShort = false
  /// Whether it is a time that counts samples.
  private(set) var isIndex = false
  /// `G` and no more: a gyroscope, or the unit of something.
  private(set) var isLetterG = false
  /// A letter alone that names an acceleration and a field, or two boards.
  enum Letter: Sendable { case a, b }
  private(set) var letter: Letter?
  /// Whether it is the angle beside which a `y` is a yaw.
  private(set) var isPitch = false
  /// The name says that the numbers behind it are of a calibration.
  private(set) var isCalibration = false
  /// The last letter is a small one, as that of `mg` is and that of `mG` is not.
  private(set) var endsSmall = false
  /// Whether it says that a heading is in degrees.
  private(set) var isInDegrees = false
  /// Whether it is an angle that may be a heading, and as well a course, the bearing of a target or an attitude's yaw:
  /// `Bearing`, `Yaw`.
  private(set) var mayBeHeading = false
  /// The quantity, by its first role, that a unit alone is of: before its numbers it names them, `mG: -129, 157, -435`,
  /// and behind them it does not.
  private(set) var namedByUnit: UInt8?
  /// Whether it is a compass, whose one number is a heading and whose three are a field.
  private(set) var isCompass = false
  /// Whether its numbers are counts that have been multiplied by something.
  private(set) var isScaled = false
  /// Whether it is a word for a sensor of any kind, and no more.
  private var isSensorAlone = false
  /// The words name numbers that were worked out of many: offsets, ranges and the like.
  private(set) var isDerived = false
  /// The word is `field`, and no more.
  private(set) var isFieldAlone = false
  /// The words name something else with axes: `orientation`, or `elsewhere`; nil where they do not.
  var otherSensor: UInt8?

  /// The role that stands for a sensor whose x is a heading, and y and z the other angles.
  static let orientation: UInt8 = 100
  /// The role that stands for a sensor whose axes are of no interest.
  static let elsewhere: UInt8 = 101

  private static let otherSensors: WordTable<UInt8> = {
    var table: [ColumnWord: UInt8] = [:]
    for word: ColumnWord in ["orient", "orientation", "euler"] { table[word] = orientation }
    // DFRobot's BNO055 example shortens linear acceleration, gravity, Euler angles and quaternion.
    let others: [ColumnWord] = [
      "gravity", "linear", "quaternion", "quat", "angle", "angles", "velocity", "position", "force", "lia", "grv",
      "eul", "qua",
    ]
    for word in others { table[word] = elsewhere }
    return WordTable(table)
  }()

  /// Words that tell that a heading is not the one measured now, in degrees from magnetic north.
  private static let otherHeadings: WordTable<Void> = {
    let words: [ColumnWord] = [
      "target", "desired", "wanted", "goal", "set", "setpoint", "next", "last", "old", "previous", "start", "initial",
      "error", "err", "rate", "change", "delta", "diff", "difference", "offset", "accuracy", "std", "rad", "radian",
      "radians", "true", "gps", "course",
    ]
    return WordTable(Dictionary(words.map { ($0, ()) }) { first, _ in first })
  }()

  /// Other names for a heading; `magneticBearing` is Sensor Logger's.
  private static let headings: [[ColumnWord]] = [["hdg"], ["north"], ["angle", "full"], ["magnetic", "bearing"]]

  /// Names for angles that a sketch may call its heading.
  static let angles: Set<ColumnWord> = [
    "bearing", "azimuth", "yaw", "course", "direction", "angle", "head", "dir", "kurs", "richtung", "himmelsrichtung",
    "cap", "rumbo", "rumo", "direccion", "direcao", "direzione", "rotta", "koers", "richting", "azymut", "azimut",
  ]

  /// Names for radians.
  private static let radians: Set<ColumnWord> = ["rad", "radian", "radians"]

  /// A name for degrees, as the examples of several compass libraries misspell it, too.
  static let degrees: [ColumnWord] = ["deg", "degree", "degrees", "degress"]

  /// The word begins the name of a heading that is not measured, as in `Heading: 40.3 Target heading: 90`.
  static func beginsOtherHeading(_ word: Span<UInt8>) -> Bool {
    ColumnWord.words(of: word).first.map { otherHeadings[$0] != nil } ?? false
  }

  /// The label of a text, which may name three axes: `Mag X,Y,Z`.
  static func of(_ text: Span<UInt8>) -> LineLabel {
    func words(_ text: Span<UInt8>) -> [ColumnWord] { ColumnWord.words(of: text) }
    if let sensor = sensorOfAxes(text) ?? sensorBeforeUnit(text) {
      var label = LineLabel(sensor.span)
      label.isAxesAlone = words(sensor.span) == ["mag"] && !words(text).contains("mag")
      return label
    }
    for (axes, sensor) in namedAxes where words(text) == axes { return LineLabel(sensor.utf8.span) }
    return LineLabel(text)
  }

  /// Three axes of one sensor that stand before all of its numbers: `MX, MY, MZ = -0.13, 0.16, -0.43 Gauss`.
  private static let namedAxes: [(axes: [ColumnWord], sensor: String)] = [
    (["mx", "my", "mz"], "mag"), (["bx", "by", "bz"], "mag"), (["ax", "ay", "az"], "acc"),
    (["gx", "gy", "gz"], "gyro"),
  ]

  /// The meaning of the bytes of a label or of a unit.
  private init(_ label: Span<UInt8>) {
    let sensor = LabelSource(label)
    let text = sensor.rest.span
    let name = ColumnName(text)
    let words = ColumnWord.words(of: text)
    fieldUnit = name.fieldUnit
    accelerationUnit = name.accelerationUnit
    rotationRateUnit = name.rotationRateUnit
    timeScale = name.quantity == .time ? name.timeScale : nil
    if name.axis == nil, name.quantity == nil { otherSensor = words.lazy.compactMap { Self.otherSensors[$0] }.first }
    if words.contains("heading") || Self.headings.contains(words) {
      meaning = Self.heading(words)
    } else if words.count == 1, let word = words.first, Self.degrees.contains(word) {
      meaning = .degrees
    } else if words.first == "orientation" {
      meaning = .orientation
    } else if words == ["sys"] {
      meaning = .attitudeMark
    } else if words == ["w"] {
      meaning = .quaternionMark
    } else if words == ["nanosec"] || words == ["nsecs"] {
      meaning = .nanoseconds
    } else if words == ["sending", "state"] {
      meaning = .filler
    } else if let axis = name.axis, name.isAxisWithUnit {
      meaning = Self.axis(axis, with: name)
    } else if let role = name.role {
      meaning = .value(role)
    } else if let axis = name.axis, name.quantity == nil, name.isBare {
      meaning = .axis(axis)
    } else {
      let sensors = Self.sensors(text)
      meaning = sensors.first.map { .triple($0) } ?? Self.triple(name, words)
      (second, third) = (sensors.dropFirst().first, sensors.dropFirst(2).first)
    }
    isInDegrees = words.contains { Self.degrees.contains($0) }
    takeLastUnit(words)
    isDerived = meaning == .nothing && name.axis == nil && words.contains { ColumnName.isDerived($0) }
    if isDerived, otherSensor == nil { otherSensor = Self.elsewhere }
    if meaning == .nothing, words.count == 1 { namedByUnit = Self.quantity(ofUnit: text) }
    mayBeHeading = meaning == .degrees || meaning == .nothing && words.contains { Self.angles.contains($0) }
    // `rostopic echo` of a lone number, and what prints as it does.
    if words == ["data"] || words == ["ros", "data"] { mayBeHeading = true }
    isScaled = words == ["scaled"]
    isFieldAlone = words == ["field"]
    isIndex = name.isIndex
    noteLetters(words, text)
    // `Compass changed: 40.3 (degrees)` is monitor-sensor's.
    isCompass =
      words.first == "compass" && words.dropFirst().allSatisfy { Self.degrees.contains($0) || $0 == "changed" }
    if meaning == .nothing, name.axis == 0 { beginsOtherAxes = true }
    if meaning == .nothing, !isDerived, LabelSource.areOfStatement(words) {
      isStatement = true
      // A single letter, and `mg`, may be another quantity's.
      if let unit = words.last, unit != "g", unit != "mg", unit != "t" { fieldUnit = ColumnName.fieldUnits[unit] }
    }
    source = sensor.word
    tellsSensor = meaning == .nothing && MessageOrigins.areNamed(by: words)
    isSensorAlone = meaning == .nothing && words.count == 1 && words.allSatisfy { LabelSource.sensors.contains($0) }
    if case .triple = meaning { mayBeNumbered = true }
    if let last = words.last, LabelSource.sensors.contains(last) { mayBeNumbered = true }
    if let quantity = sensor.quantity { take(chipOf: quantity, isAlone: sensor.isAlone) }
  }

  /// Takes note of words that mean little alone.
  private mutating func noteLetters(_ words: [ColumnWord], _ text: Span<UInt8>) {
    isShort = words == ["t"]
    isLetterG = meaning == .nothing && words == ["g"]
    if case .triple = meaning { letter = words == ["a"] ? .a : words == ["b"] ? .b : nil }
    isPitch = meaning == .nothing && (words == ["p"] || words == ["pitch"])
    isCalibration = meaning == .nothing && words.contains("calibration")
    endsSmall = text.indices.last { text[$0].isLetter }.map { !text[$0].isCapital } ?? false
  }

  /// Takes the unit at the end of a sensor's name, whatever words stand before it: `Magnetometer Data in µTesla`.
  /// Wolfgang Ewald's examples call accelerations g-values.
  private mutating func takeLastUnit(_ words: [ColumnWord]) {
    if meaning == .nothing, words == ["g", "values"] {
      (meaning, accelerationUnit) = (.triple(CSVColumns.Role.acceleration), .g)
    }
    guard case .triple(let first) = meaning, words.count > 1, let last = words.last else { return }
    switch first {
    case CSVColumns.Role.field: fieldUnit = fieldUnit ?? ColumnName.fieldUnits[last]
    case CSVColumns.Role.acceleration: accelerationUnit = accelerationUnit ?? ColumnName.accelerationUnits[last]
    default: rotationRateUnit = rotationRateUnit ?? ColumnName.rotationRateUnits[last]
    }
  }

  /// A heading by its words: the one measured now, from one of the norths, or nothing.
  private static func heading(_ words: [ColumnWord]) -> Meaning {
    let others = words.filter { otherHeadings[$0] != nil }
    if others.isEmpty { return .heading }
    if others == ["true"] { return .trueHeading }
    return others.allSatisfy { radians.contains($0) } ? .radians : .nothing
  }

  /// The number of one sensor among several, before what it measures: `CH1,…`, `sensor 2: …`.
  var tellsOneSensor: Bool { isSensorAlone && !source.isEmpty && source.rank == 0 }

  /// Three axes without the name of a sensor, as `(x y z)`, are those of one that has been named.
  private(set) var isAxesAlone = false

  /// The axes of a chip are those of what it measures, where the words say no more.
  private mutating func take(chipOf quantity: UInt8, isAlone: Bool) {
    switch meaning {
    case .axis where quantity == Self.elsewhere: otherSensor = quantity
    case .axis(let axis): meaning = .value(quantity + axis)
    case .nothing where isAlone && quantity == Self.elsewhere: otherSensor = quantity
    case .nothing where isAlone: meaning = .triple(quantity)
    default: break
    }
  }

  /// The sensors of `a/g/m`, `acc/gyro/mag` and their like, by their first roles; empty for any other label.
  private static func sensors(_ text: Span<UInt8>) -> [UInt8] {
    let parts = text.bytes(in: 0..<text.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return [] }
    let sensors = parts.compactMap { part -> UInt8? in
      let words = ColumnWord.words(of: Array(part).span)
      // Alone it is a unit.
      if words == ["g"] { return CSVColumns.Role.rotationRate }
      guard words.count == 1, case .triple(let first) = triple(ColumnName(Array(part).span), words) else { return nil }
      return first
    }
    return sensors.count == parts.count && Set(sensors).count == sensors.count ? sensors : []
  }

  /// The label of the three numbers behind those of this one; nil where it names one sensor.
  var following: LineLabel? {
    guard let second else { return nil }
    var copy = self
    (copy.meaning, copy.second, copy.third) = (.triple(second), third, nil)
    return copy
  }

  /// The label as the name of what is not read.
  var asOther: LineLabel {
    var copy = self
    (copy.otherSensor, copy.isStatement) = (Self.elsewhere, false)
    return copy
  }

  /// Three numbers in brackets are those of the sensor that a line before has named.
  func asTriple(of sensor: UInt8, source: ColumnWord? = nil) -> LineLabel {
    var copy = self
    copy.source = source ?? copy.source
    (copy.meaning, copy.isStatement) = (.triple(sensor), false)
    return copy
  }

  /// A sensor's name without an axis.
  private static func triple(_ name: ColumnName, _ words: [ColumnWord]) -> Meaning {
    guard name.axis == nil else { return .nothing }
    switch name.quantity {
    case .field: return .triple(CSVColumns.Role.field)
    case .acceleration: return .triple(CSVColumns.Role.acceleration)
    case .rotationRate: return .triple(CSVColumns.Role.rotationRate)
    case .time, .temperature: return .nothing
    case nil: return words == ["raw"] || words == ["scaled"] ? .triple(CSVColumns.Role.field) : .nothing
    }
  }

  /// The words are a unit of this quantity.
  func isUnit(of quantity: UInt8) -> Bool {
    switch quantity {
    case CSVColumns.Role.field: fieldUnit != nil
    case CSVColumns.Role.acceleration: accelerationUnit != nil
    default: rotationRateUnit != nil
    }
  }

  /// The quantity that the words are a unit of; nil for other words.
  var quantityOfUnit: UInt8? {
    [CSVColumns.Role.field, CSVColumns.Role.acceleration, CSVColumns.Role.rotationRate].first { isUnit(of: $0) }
  }

  /// Three numbers belong to it.
  var isTriple: Bool {
    if case .triple = meaning { return true }
    return false
  }

  /// The three axes that a meaning belongs to.
  var quantity: UInt8? {
    switch meaning {
    case .triple(let first): first
    case .value(let role): CSVColumns.Role.first(ofAxis: role)
    default: nil
    }
  }

  /// The quantity whose first axis, or all of them, it names, where bare axes are those of a sensor; nil for any other.
  func firstQuantity(after sensor: UInt8) -> UInt8? {
    switch meaning {
    case .axis(0): sensor
    case .triple(let first): first
    case .value(let role): isFirstAxis == true ? role : nil
    default: nil
    }
  }

  /// Whether it names the first axis of its quantity; nil for a name that is no axis with its quantity.
  var isFirstAxis: Bool? {
    if case .value(let role) = meaning { return quantity.map { $0 == role } }
    return nil
  }
}

/// The labels of a stream, each understood once and then looked up where it was the last time, for boards repeat the
/// same labels in the same order.
struct LabelTable: Sendable {
  private struct Entry: Sendable {
    var text: [UInt8]
    var label: LineLabel
  }

  /// Labels past this many are understood anew each time: a stream of words has no end of them.
  private static let limit = 128
  private var entries: [Entry] = []
  private var place = 0

  /// The label of a part of a line.
  mutating func label(_ line: Span<UInt8>, _ range: Range<Int>) -> LineLabel {
    if place < entries.count, line.holds(entries[place].text, in: range) { return found(place) }
    if let index = entries.firstIndex(where: { line.holds($0.text, in: range) }) { return found(index) }
    let label = LineLabel.of(line.extracting(range))
    if entries.count < Self.limit {
      place = entries.count
      entries.append(Entry(text: line.bytes(in: range), label: label))
    }
    return label
  }

  private mutating func found(_ index: Int) -> LineLabel {
    place = index + 1 == entries.count ? 0 : index + 1
    return entries[index].label
  }
}
