import LodestoneCore

/// Numbers with names before them, as the examples of most libraries and people's own sketches print them:
/// `mx:1,my:2,mz:3`, `X: -18.00  Y: 33.00  Z: -42.00  uT`, `Accel X: 0.25 m/s^2  Y: …`, `Mag (uT): (-12.9, 15.7, -43.5)`,
/// `Magnetometer: X=-0.13 Y=0.16 Z=-0.43 gauss`, `(-12.92, 15.70, -43.49)`.
///
/// `:` and `=` are alike, and brackets are as good as none. A unit stands in the name, behind a number, or once at the end. A
/// sensor's name holds until the next one, also over lines, so axes and sensors may come on lines of their own; a message
/// goes from one name to its return. Of two fields in a message the one with a unit is taken. A heading is the device's own
/// where the stream has no field. Lines without numbers of interest count for nothing.
struct LabelledLines: LineReading, CycleJoining {
  static let name = "labels"
  static let proof = WireProof.signature

  var framer = LineFramer()
  var cycle = MessageCycle()
  private var labels = LabelTable()
  /// Axes that wait for the others of their quantity.
  private var values = RoleValues()
  /// The quantity whose axes bare x, y, z are.
  private var sensor = CSVColumns.Role.field
  private var units = Units()
  /// A field with a unit has been read: one without is another statement of it.
  private var fieldHasUnit = false
  private var hasField = false
  /// Seconds in one unit of the time; 0 while neither its label nor its steps have told.
  private var timeScale = 0.0
  /// Messages whose time has no unit yet.
  private var waiting = WaitingRows()

  /// Units as they were said last.
  private struct Units: Sendable {
    var field: FieldUnit?
    var acceleration: AccelerationUnit?
    var rotationRate: RotationRateUnit?

    mutating func take(_ label: LineLabel, of quantity: UInt8) {
      switch quantity {
      case CSVColumns.Role.field: field = label.fieldUnit ?? field
      case CSVColumns.Role.acceleration: acceleration = label.accelerationUnit ?? acceleration
      case CSVColumns.Role.rotationRate: rotationRate = label.rotationRateUnit ?? rotationRate
      default: break
      }
    }
  }

  /// What a line has said so far.
  private struct Line {
    var index = 0
    /// The label that numbers belong to now, and how many it has had.
    var label: LineLabel?
    var count = 0
    /// Where words begin that may become a label.
    var words: Int?
    /// Numbers of a triple or of angles.
    var numbers = Vector3.zero
    /// The quantity of the last number, for a unit behind it.
    var last: UInt8?
    var heading: Double?
    var isAttitude = false
    /// A sensor has been named: its axes are no other's, whatever the unit.
    var isNamed = false
    /// `g` behind bare axes: gauss, or gravities where they are as long as one.
    var mayBeGravities = false
    var ownAngles: Vector3?
    var isMalformed = false
    /// The line has said something that later lines need, so that it must not be read twice.
    var isRemembered = false
    /// Quantities that have been told whole; bits by their first role.
    var whole: UInt16 = 0
  }

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning {
    guard Self.mayBeLabelled(line) else { return Self.isRule(line) ? .other : .rejected(.unrecognized) }
    var state = Line()
    let isTuple = line[0] == UInt8(ascii: "(") || line[0] == UInt8(ascii: "[")
    if isTuple { state.label = labels.label(line, 0..<0).asField }
    let before = (values, sensor, units)
    units.field = nil
    while state.index < line.count, !state.isMalformed { step(line, &state) }
    nameOther(&state)
    endTriple(&state)
    if state.isMalformed {
      (values, sensor, units) = before
      return .rejected(.malformed)
    }
    let meaning = conclude(state)
    if case .other = meaning, state.isRemembered { return .part }
    return meaning
  }

  /// Text with letters and numbers, or a tuple, and not of a kind that has marks of its own.
  private static func mayBeLabelled(_ line: Span<UInt8>) -> Bool {
    switch line[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "!"), UInt8(ascii: "<"): return false
    default: break
    }
    var hasLetter = line[0] == UInt8(ascii: "(") || line[0] == UInt8(ascii: "[")
    for index in line.indices {
      let byte = line[index]
      guard byte >= 0x20 || byte == .tab, byte != 0x7F else { return false }
      if byte.isLetter { hasLetter = true }
    }
    return hasLetter
  }

  /// A row of dashes or the like, which parts what people read.
  private static func isRule(_ line: Span<UInt8>) -> Bool {
    line.indices.allSatisfy { index in
      switch line[index] {
      case .space, .tab, UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: "|"):
        true
      default: false
      }
    }
  }

  // MARK: A line, piece by piece

  private mutating func step(_ line: Span<UInt8>, _ state: inout Line) {
    let byte = line[state.index]
    if isNumber(line, state.index),
      state.words == nil || line[state.index - 1].isBlank || isOpening(line[state.index - 1])
    {
      if let words = state.words { beginLabel(line, words..<state.index, &state) }
      return takeNumber(line, &state)
    }
    if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
      if let words = state.words { beginLabel(line, words..<state.index, &state) }
      state.index += 1
    } else if byte.isLetter || byte >= 0x80 {
      takeWord(line, &state)
    } else {
      state.index += 1
    }
  }

  /// A digit, or a sign or point before one.
  private func isNumber(_ line: Span<UInt8>, _ index: Int) -> Bool {
    var index = index
    if line[index] == UInt8(ascii: "-") || line[index] == UInt8(ascii: "+") { index += 1 }
    if index < line.count, line[index] == UInt8(ascii: ".") { index += 1 }
    return index < line.count && line[index].isDigit
  }

  private func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=")
  }

  /// A word: the unit of the number before it, or the beginning of a name.
  private mutating func takeWord(_ line: Span<UInt8>, _ state: inout Line) {
    let start = state.index
    while state.index < line.count, !line[state.index].isBlank, !Self.ends(line[state.index]) { state.index += 1 }
    guard state.words == nil else { return }
    let isName = state.index < line.count && isOpening(line[state.index])
    if state.label?.meaning == .heading, state.count > 0, !isName {
      if line[start] | 0x20 == UInt8(ascii: "r") { state.heading = nil }  // radians: degrees may follow
      return
    }
    // The end of a sentence before the name, as in `Scaled. Acc (mg)`.
    if line[state.index - 1] == UInt8(ascii: "."), state.index < line.count, line[state.index].isBlank { return }
    if let quantity = state.last, !isName {
      let unit = labels.label(line, start..<state.index)
      if unit.isUnit(of: quantity) {
        units.take(unit, of: quantity)
        if !state.isNamed, unit.isUnit(of: CSVColumns.Role.acceleration) { state.mayBeGravities = true }
        return
      }
      if !state.isNamed, let other = unit.quantityOfUnit {
        move(quantity, to: other, &state)
        units.take(unit, of: other)
        return
      }
    }
    state.words = start
  }

  /// Bare axes turn out to be another quantity's, by the unit behind them.
  private mutating func move(_ quantity: UInt8, to other: UInt8, _ state: inout Line) {
    for axis in 0..<UInt8(3) {
      if let value = values[quantity + axis] { values.set(value, other + axis) }
    }
    values.forget(from: quantity)
    if state.whole >> UInt16(quantity) & 1 == 1 { state.whole ^= 1 << UInt16(quantity) | 1 << UInt16(other) }
    (sensor, state.last) = (other, other)
  }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
      UInt8(ascii: "]"), .comma, .semicolon:
      true
    default: false
    }
  }

  private mutating func beginLabel(_ line: Span<UInt8>, _ range: Range<Int>, _ state: inout Line) {
    nameOther(&state)
    endTriple(&state)
    state.words = nil
    var end = range.upperBound
    while end > range.lowerBound, line[end - 1].isBlank || isOpening(line[end - 1]) { end -= 1 }
    let label = labels.label(line, range.lowerBound..<end)
    if label.meaning == .attitudeMark { state.isAttitude = true }
    if let quantity = label.quantity {
      sensor = quantity
      state.isNamed = true
      units.take(label, of: quantity)
      state.isRemembered = true
    }
    (state.label, state.count, state.last) = (label, 0, nil)
  }

  /// The name before was that of another sensor, and no number followed: the axes that come are its own.
  private mutating func nameOther(_ state: inout Line) {
    guard let other = state.label?.otherSensor, state.count == 0 else { return }
    (sensor, state.isNamed, state.isRemembered) = (other, true, true)
  }

  /// A number belongs to the name before it.
  private mutating func takeNumber(_ line: Span<UInt8>, _ state: inout Line) {
    let start = state.index
    let isOne =
      switch state.label?.meaning {
      case .axis, .value, .heading: true
      default: false
      }
    guard var value = parseDecimal(line, from: &state.index) else {
      state.isMalformed = true
      return
    }
    // A comma right between digits is a decimal mark where a name has one number.
    if isOne, state.index + 1 < line.count, line[state.index] == .comma, line[state.index + 1].isDigit {
      var end = start
      if let whole = parseDecimal(line, from: &end, decimalMark: .comma), end > state.index {
        (value, state.index) = (whole, end)
      }
    }
    take(value, &state)
  }

  private mutating func take(_ value: Double, _ state: inout Line) {
    guard let label = state.label else { return }
    state.count += 1
    switch label.meaning {
    case .axis(0) where state.count == 1 && sensor == LineLabel.orientation:
      if (0...360).contains(value) { state.heading = value }
    case .axis where sensor >= LineLabel.orientation: break
    case .axis(let axis) where state.count == 1: put(value, sensor + axis, &state)
    case .value(let role) where state.count == 1:
      if label.quantity != nil {
        put(value, role, &state)
      } else {
        if role == CSVColumns.Role.time, let scale = label.timeScale { timeScale = scale }
        values.set(value, role)
        state.isRemembered = true
      }
    case .triple(let first):
      if state.count <= 3 { state.numbers[state.count - 1] = value }
      state.last = first
    case .orientation: if state.count <= 3 { state.numbers[state.count - 1] = value }
    case .heading where (0...360).contains(value): state.heading = value  // the last one: radians come before degrees
    default: break
    }
  }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    while waiting.isEmpty || waiting.holdsTimes, cycle.take(atEnd: atEnd, into: &message) {
      if timeScale == 0, waiting.hold(message, times: true) {
        if let scale = waiting.foundTimeScale { settle(timeScale: scale) }
      } else if waiting.isEmpty {
        message.time = message.time.map { $0 * timeScale }
        return true
      } else {
        waiting.ready(message)
      }
    }
    if atEnd, waiting.holdsTimes { settle(timeScale: waiting.foundTimeScale ?? 1) }
    return waiting.take(into: &message)
  }

  private(set) var timeIsAssumed = false

  private mutating func settle(timeScale: Double) {
    self.timeScale = timeScale
    timeIsAssumed = true
    waiting.release(timeScale: timeScale)
  }

  private mutating func put(_ value: Double, _ role: UInt8, _ state: inout Line) {
    let first = CSVColumns.Role.field + (role - CSVColumns.Role.field) / 3 * 3
    if values[role] != nil { values.forget(from: first) }  // it has come round without the others
    values.set(value, role)
    state.isRemembered = true
    state.last = first
    if values.isWhole(from: first) { state.whole |= 1 << UInt16(first) }
  }

  /// The name's numbers have all come.
  private mutating func endTriple(_ state: inout Line) {
    defer { state.count = 0 }
    guard state.count == 3 else { return }
    switch state.label?.meaning {
    case .triple(let first):
      for axis in 0..<3 { values.set(state.numbers[axis], first + UInt8(axis)) }
      state.whole |= 1 << UInt16(first)
    case .orientation: state.ownAngles = state.numbers
    default: break
    }
  }

  /// Lengths of a specific force in g that is about 1; the Earth's field in gauss is shorter.
  private static let gravity = 0.8...1.25

  // MARK: Messages

  private mutating func conclude(_ state: Line) -> LineMeaning {
    var isPart = false
    if state.isAttitude { return concludeAttitude() }
    if state.mayBeGravities, let field = values.vector(from: CSVColumns.Role.field), Self.gravity.contains(field.length)
    {
      var line = state
      line.mayBeGravities = false
      move(CSVColumns.Role.field, to: CSVColumns.Role.acceleration, &line)
      (units.acceleration, units.field) = (.g, nil)
      return conclude(line)
    }
    for first in [CSVColumns.Role.field, CSVColumns.Role.acceleration, CSVColumns.Role.rotationRate]
    where state.whole >> UInt16(first) & 1 == 1 {
      isPart = true
      let vector = values.vector(from: first)
      values.forget(from: first)
      add(first, vector)
    }
    if let time = values[CSVColumns.Role.time], isPart {
      cycle.add(5) { $0.time = time }
      values.forget(CSVColumns.Role.time)
    }
    let angles = state.ownAngles ?? state.heading.map { Vector3($0, .nan, .nan) }
    if !isPart, !hasField, let angles, (-360...360).contains(angles.x) {
      isPart = true
      cycle.add(4) {
        $0.own = OwnHeading(
          magnetic: Heading(degrees: angles.x), pitch: angles.y.isFinite ? angles.y : nil,
          roll: angles.z.isFinite ? angles.z : nil)
      }
    }
    return isPart ? .part : .other
  }

  /// Puts a quantity into the message; of the field, the statement with a unit.
  private mutating func add(_ first: UInt8, _ vector: Vector3?) {
    guard let vector else { return }
    let units = units
    switch first {
    case CSVColumns.Role.field:
      hasField = true
      if units.field != nil { fieldHasUnit = true }
      // The raw statement has a part of its own, so that the one with a unit joins it instead of beginning a message.
      let isSecond = fieldHasUnit && units.field == nil
      cycle.add(units.field == nil ? 0 : 1) {
        guard !isSecond else { return }
        $0.field = vector
        $0.fieldUnit = units.field
      }
    case CSVColumns.Role.acceleration:
      cycle.add(2) {
        $0.acceleration = vector
        $0.accelerationUnit = units.acceleration
      }
    default:
      cycle.add(3) {
        $0.rotationRate = vector
        $0.rotationRateUnit = units.rotationRate
      }
    }
  }

  /// The x, y, z of a BNO055's example are heading, roll and pitch.
  private mutating func concludeAttitude() -> LineMeaning {
    guard let angles = values.vector(from: CSVColumns.Role.field), (0...360).contains(angles.x) else { return .other }
    values.forget(from: CSVColumns.Role.field)
    cycle.add(4) { $0.own = OwnHeading(magnetic: Heading(degrees: angles.x)) }
    return .part
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let vectors: [([StaticString], Vector3?)] = [
      (["mx_uT:", "my_uT:", "mz_uT:"], message.microtesla), (["ax_g:", "ay_g:", "az_g:"], message.gravities),
      (["gx_dps:", "gy_dps:", "gz_dps:"], message.degreesPerSecond),
    ]
    var isFirst = true
    for (names, vector) in vectors {
      guard let vector else { continue }
      for (axis, name) in names.enumerated() {
        if !isFirst { bytes.append(.comma) }
        isFirst = false
        bytes.append(text: name)
        bytes.append(vector[axis], decimals: 6)
      }
    }
    bytes.append(text: "\r\n")
  }
}

extension LineLabel {
  /// Three numbers in brackets without a name are a field.
  fileprivate var asField: LineLabel {
    var copy = self
    copy.meaning = .triple(CSVColumns.Role.field)
    return copy
  }
}
