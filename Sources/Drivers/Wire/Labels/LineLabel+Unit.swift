import LodestoneCore

/// Names of which a unit is all, or half.
extension LineLabel {
  /// The quantity of three numbers that stand behind their unit alone, by its first role: `mG: -129, 157, -435`, and
  /// `[mg]:` and `[mdps]:` of ST's examples. `mg` is an acceleration's, and `mG` a field's. Nil for other text.
  static func quantity(ofUnit text: Span<UInt8>) -> UInt8? {
    var letters = text.bytes(in: 0..<text.count)[...]
    let isMark: (UInt8) -> Bool = { "[]() ".utf8.contains($0) }
    letters = letters.drop(while: isMark)
    while let last = letters.last, isMark(last) { letters.removeLast() }
    let unit = Array(letters)
    guard unitsAlone.contains(ColumnWord.words(of: unit.span).reduce(ColumnWord()) { $0 + $1 }) else { return nil }
    switch ColumnUnit(unit.span) {
    case .smallMilliG, .metresPerSecondSquared: return CSVColumns.Role.acceleration
    case .degreesPerSecond, .millidegreesPerSecond, .radiansPerSecond: return CSVColumns.Role.rotationRate
    case let unit?: return unit.fieldUnit.map { _ in CSVColumns.Role.field }
    case nil: return nil
    }
  }

  /// An axis with a unit: of the quantity that the unit is of, or of what was named last where it may be of two.
  static func axis(_ axis: UInt8, with name: ColumnName) -> Meaning {
    switch (name.fieldUnit, name.accelerationUnit, name.rotationRateUnit) {
    case (nil, .some, _): .value(CSVColumns.Role.acceleration + axis)
    case (.some, nil, _): .value(CSVColumns.Role.field + axis)
    case (nil, nil, _): .value(CSVColumns.Role.rotationRate + axis)
    default: .axis(axis)
    }
  }

  /// `X (mg)` behind no sensor's name: `g` and `mg` are an acceleration's, `G` and `mG` a field's.
  func byItsUnit(in sensor: UInt8, isNamed: Bool) -> LineLabel {
    guard case .axis(let axis) = meaning, fieldUnit != nil, accelerationUnit != nil,
      !isNamed || sensor < Self.orientation && !isUnit(of: sensor)
    else { return self }
    var copy = self
    copy.meaning = .value((endsSmall ? CSVColumns.Role.acceleration : CSVColumns.Role.field) + axis)
    return copy
  }

  private static let unitsAlone: Set<ColumnWord> = [
    "mg", "ut", "nt", "mt", "gauss", "mgauss", "milligauss", "utesla", "microtesla", "microteslas", "mdps", "dps",
    "deg/s", "rad/s", "m/s2",
  ]

  /// The rest of a text in which `x`, `y` and `z` follow one another, or `mag` where nothing is left; nil for other
  /// text.
  static func sensorOfAxes(_ text: Span<UInt8>) -> [UInt8]? {
    var axes: [Int] = []
    for index in text.indices where text[index].isLetter {
      let isAxis = (text[index] | 0x20) == UInt8(ascii: "x") + UInt8(axes.count)
      if isAxis { axes.append(index) } else { axes = [] }
      guard axes.count == 3 else { continue }
      guard axes[0] == 0 || !text[axes[0] - 1].isLetter, index + 1 == text.count || !text[index + 1].isLetter else {
        return nil
      }
      let sensor = text.bytes(in: 0..<axes[0]) + text.bytes(in: index + 1..<text.count)
      return sensor.contains { $0.isLetter } ? sensor : Array("mag".utf8) + sensor
    }
    return nil
  }

  /// A text in which a stroke parts a sensor from its unit, with a blank in its place: `LSM303AGR [mag/mgauss]`, as the
  /// examples of ST's boards print it. Nil for other text.
  static func sensorBeforeUnit(_ text: Span<UInt8>) -> [UInt8]? {
    let bytes = text.bytes(in: 0..<text.count)
    guard let stroke = bytes.firstIndex(of: UInt8(ascii: "/")), bytes.lastIndex(of: UInt8(ascii: "/")) == stroke else {
      return nil
    }
    let before = Array(bytes[..<stroke].reversed().prefix { $0.isLetter }.reversed())
    let after = Array(bytes[(stroke + 1)...].prefix { $0.isLetter })
    guard before.count > 2, after.count > 1, ColumnName.isOfQuantity(ColumnWord(before.span)),
      ColumnName.isUnit(ColumnWord(after.span))
    else { return nil }
    var parted = bytes
    parted[stroke] = .space
    return parted
  }
}
