/// Units that stand apart from the words of a name.
extension ColumnName {
  /// The unit in the last brackets of a name, whatever its words are: `Latest: X magnetic field (mT)`, `Magnetic Field
  /// Strength - X (mT) Run #1`. Nil without one.
  static func unitInBrackets(_ name: Span<UInt8>) -> ColumnWord? {
    let ends: [(UInt8, UInt8)] = [(UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "["), UInt8(ascii: "]"))]
    for (open, close) in ends {
      guard let end = name.lastIndex(of: close), let start = name.extracting(0..<end).lastIndex(of: open) else {
        continue
      }
      let unit = joined(name.extracting(start + 1..<end))
      if isUnit(unit) || timeScales[unit] != nil { return unit }
    }
    return nil
  }

  /// A name with a blank in front of its unit, where that stands behind a stroke or an `in`, as in tables by ISO 80000
  /// and those of pupils: `t/s`, `Bx / mT`, `a_x/(m/s²)`, `B_x in mT`. Nil for any other.
  static func quotient(_ name: Span<UInt8>) -> [UInt8]? {
    guard let (end, start) = stroke(name), end > 0, start < name.count else { return nil }
    let unit = joined(name.extracting(start..<name.count))
    guard timeScales[unit] != nil || isUnit(unit) else { return nil }
    let quantity = ColumnName(name.extracting(0..<end))
    let isOfQuantity = quantity.quantity == .time ? timeScales[unit] != nil : quantity.axis != nil && isUnit(unit)
    guard isOfQuantity else { return nil }
    return name.bytes(in: 0..<end) + [.space] + name.bytes(in: start..<name.count)
  }

  /// The start of the first stroke or `in`, and its end.
  private static func stroke(_ name: Span<UInt8>) -> (end: Int, start: Int)? {
    for index in name.indices {
      if name[index] == UInt8(ascii: "/") { return (index, index + 1) }
      if name.holds(" in ", at: index) { return (index, index + 4) }
    }
    return nil
  }

  private static func joined(_ text: Span<UInt8>) -> ColumnWord {
    ColumnWord.words(of: text).reduce(ColumnWord()) { $0 + $1 }
  }

  /// The words of a column of a message of ROS with its unit, as `rostopic echo -p` and bagpy name it
  /// (`field.angular_velocity.x`, `linear_acceleration.x`): rad/s, and m/s² with gravity. A `field` before other
  /// vectors is no magnetic one. Nil for any other name. Source: sensor_msgs/Imu.msg and REP 103, "Units".
  static func ofROS(_ name: Span<UInt8>, _ words: [ColumnWord]) -> [ColumnWord]? {
    let start = name.holds("field.") ? 6 : 0
    let rest = Array(words.dropFirst(start > 0 ? 1 : 0))
    guard let first = rest.first, start > 0 || first == "angular" || first == "linear" else { return nil }
    if name.holds("angular_velocity.", at: start) { return rest + ["rad/s"] }
    if name.holds("linear_acceleration.", at: start) { return rest.dropFirst() + ["m/s2"] }
    return start > 0 && vectorsOfROS.contains(first) ? rest : nil
  }

  private static let vectorsOfROS: Set<ColumnWord> = [
    "orientation", "pose", "twist", "point", "position", "transform", "wrench", "velocity", "linear", "angular",
  ]
}
