import LodestoneCore

/// Reads lines of numbers with names before them, piece by piece: what each number is, and what holds for the lines after.
struct LabelReader: Sendable {
  /// The state that lines leave for those after them.
  struct Context: Equatable, Sendable {
    /// The quantity whose axes bare x, y, z are.
    var sensor = CSVColumns.Role.field
    /// It has been named: numbers in brackets on a line of their own are its axes.
    var isNamed = false
    /// Units as they were said last.
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

  /// The contents of a line so far.
  struct Line {
    fileprivate var index = 0
    /// The label that numbers belong to now, and how many it has had.
    fileprivate var label: LineLabel?
    fileprivate var count = 0
    /// A colon or the like stands between the label and its numbers.
    fileprivate var isMarked = false
    /// The sensor before the label named one.
    fileprivate var former: (sensor: UInt8, isNamed: Bool)?
    /// Where words begin that may become a label.
    fileprivate var words: Int?
    /// Numbers of a triple or of angles.
    fileprivate var triple = Vector3.zero
    /// The quantity of the last number, for a unit behind it.
    fileprivate var last: UInt8?
    /// A sensor has been named: its axes are no other's, whatever the unit.
    fileprivate var isNamed = false
    fileprivate(set) var heading: Double?
    fileprivate(set) var isAttitude = false
    /// `g` behind bare axes: gauss, or gravities where they are as long as one.
    fileprivate(set) var mayBeGravities = false
    fileprivate(set) var ownAngles: Vector3?
    fileprivate(set) var isMalformed = false
    /// The line has said something that later lines need, so that it must not be read twice.
    fileprivate(set) var isRemembered = false
    /// Quantities that have been told whole.
    fileprivate(set) var whole = WholeQuantities()
    /// Seconds in one unit of the time, where its name says so.
    fileprivate(set) var timeScale: Double?
    /// All its numbers, where they are asked for.
    fileprivate(set) var numbers: [LineForm.Number]?
  }

  private(set) var context = Context()
  /// Axes that wait for the others of their quantity, and a time.
  private(set) var values = RoleValues()
  private var labels = LabelTable()

  /// Reads a line; what it has told whole is among the values then.
  /// - Parameter isTraced: its numbers are asked for.
  mutating func read(_ line: Span<UInt8>, isTraced: Bool) -> Line {
    var state = Line()
    if isTraced { state.numbers = [] }
    if isOpening(line[0]), context.isNamed, context.sensor < LineLabel.orientation {
      state.label = labels.label(line, 0..<0).asTriple(of: context.sensor)
    }
    let before = (values, context)
    context.field = nil
    while state.index < line.count, !state.isMalformed { step(line, &state) }
    nameOther(&state)
    endTriple(&state, isLast: true)
    if state.isMalformed { (values, context) = before }
    return state
  }

  /// The values, out of which the quantities that were told whole and the time are taken.
  mutating func take(_ whole: WholeQuantities) -> RoleValues {
    defer {
      values.forget(whole.axes)
      values.forget(RoleValues.time)
    }
    return values
  }

  /// The three axes of a quantity; nil where one is missing.
  mutating func vector(from first: UInt8) -> Vector3? { values.vector(from: first) }

  /// Takes out the axes of a field that is none.
  mutating func forgetField() { values.forget(from: CSVColumns.Role.field) }

  /// A line was read the short way: what it says holds from now on.
  mutating func follow(_ context: Context) { self.context = context }

  // MARK: Pieces

  private mutating func step(_ line: Span<UInt8>, _ state: inout Line) {
    let byte = line[state.index]
    if isNumber(line, state.index),
      state.words == nil || line[state.index - 1].isBlank || isOpening(line[state.index - 1])
        || endsName(line[state.index - 1])
    {
      if let words = state.words { beginLabel(line, words..<state.index, &state) }
      return takeNumber(line, &state)
    }
    if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
      if let words = state.words { beginLabel(line, words..<state.index, &state) }
      if state.count == 0 { state.isMarked = true }
      state.index += 1
      if byte == UInt8(ascii: "=") { skipText(line, &state) }
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
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: "="): true
    default: false
    }
  }

  /// Passes over a value that is a word or stands between quotes: `level=info msg="a field" mx=1`.
  private func skipText(_ line: Span<UInt8>, _ state: inout Line) {
    guard state.index < line.count, line[state.index].isLetter || line[state.index] == .quote else { return }
    let isQuoted = line[state.index] == .quote
    var end = state.index + 1
    while end < line.count, isQuoted ? line[end] != .quote : !line[end].isBlank && !Self.ends(line[end]) { end += 1 }
    if isQuoted || end == line.count || !isOpening(line[end]) { state.index = min(end + 1, line.count) }
  }

  /// The marks that part a name from its number in a table without a header: `MAG,-12.9,15.7,-43.5`.
  private func endsName(_ byte: UInt8) -> Bool { byte == .comma || byte == .semicolon }

  /// A word: the unit of the number before it, or the beginning of a name.
  private mutating func takeWord(_ line: Span<UInt8>, _ state: inout Line) {
    let start = state.index
    while state.index < line.count, !line[state.index].isBlank, !Self.ends(line[state.index]) { state.index += 1 }
    guard state.words == nil else { return }
    let isName = state.index < line.count && isOpening(line[state.index])
    if state.label?.meaning == .heading, state.count > 0, !isName {
      let isRadians = line[start] | 0x20 == UInt8(ascii: "r")
      // Degrees may follow.
      if isRadians, state.count == 1 { (state.heading, state.count) = (nil, 0) }
      if isRadians || !LineLabel.beginsOtherHeading(line.extracting(start..<state.index)) { return }
    }
    // The end of a sentence before the name, as in `Scaled. Acc (mg)`.
    if line[state.index - 1] == UInt8(ascii: "."), state.index < line.count, line[state.index].isBlank { return }
    if let quantity = state.last, !isName {
      let unit = labels.label(line, start..<state.index)
      if unit.isUnit(of: quantity) {
        context.take(unit, of: quantity)
        if !state.isNamed, unit.isUnit(of: CSVColumns.Role.acceleration) { state.mayBeGravities = true }
        return
      }
      if !state.isNamed, let other = unit.quantityOfUnit {
        move(quantity, to: other, &state)
        context.take(unit, of: other)
        return
      }
    }
    state.words = start
  }

  /// Bare axes are gravities, and not gauss, as their length shows.
  mutating func takeGravities(_ state: inout Line) {
    state.mayBeGravities = false
    move(CSVColumns.Role.field, to: CSVColumns.Role.acceleration, &state)
    (context.acceleration, context.field) = (.g, nil)
  }

  /// Bare axes turn out to be another quantity's, by the unit behind them.
  private mutating func move(_ quantity: UInt8, to other: UInt8, _ state: inout Line) {
    for axis in 0..<UInt8(3) {
      if let value = values[quantity + axis] { values.set(value, other + axis) }
    }
    values.forget(from: quantity)
    if state.whole.contains(quantity) {
      state.whole.remove(quantity)
      state.whole.insert(other)
    }
    (context.sensor, state.last, state.numbers) = (other, other, nil)
  }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), .comma, .semicolon:
      true
    default: false
    }
  }

  private mutating func beginLabel(_ line: Span<UInt8>, _ range: Range<Int>, _ state: inout Line) {
    nameOther(&state)
    endTriple(&state)
    state.words = nil
    var end = range.upperBound
    while end > range.lowerBound, line[end - 1].isBlank || isOpening(line[end - 1]) || endsName(line[end - 1]) {
      end -= 1
    }
    let label = label(line, range.lowerBound..<end)
    if label.meaning == .filler, state.label != nil { return }
    if label.meaning == .attitudeMark { state.isAttitude = true }
    if label.meaning == .quaternionMark, context.sensor == LineLabel.orientation {
      (state.heading, context.sensor) = (nil, LineLabel.elsewhere)
    }
    state.isMarked = false
    if let quantity = label.quantity {
      if case .triple = label.meaning { state.former = (context.sensor, context.isNamed) }
      (context.sensor, context.isNamed, state.isNamed) = (quantity, true, true)
      context.take(label, of: quantity)
      state.isRemembered = true
    }
    (state.label, state.count, state.last) = (label, 0, nil)
  }

  /// The meaning of words. Those that mean nothing together may begin with the unit of the number before them, or with the
  /// type of what its brackets hold: `12 ms x 1.2`, `vector3(x=1.2`.
  private mutating func label(_ line: Span<UInt8>, _ words: Range<Int>) -> LineLabel {
    let label = labels.label(line, words)
    guard label.meaning == .nothing, label.otherSensor == nil,
      let inner = words.last(where: { isOpening(line[$0]) }) ?? endOfUnit(line, words)
    else { return label }
    return labels.label(line, inner + 1..<words.upperBound)
  }

  /// Where words go on behind the unit of a number that stands before them; nil where they begin with none.
  private func endOfUnit(_ line: Span<UInt8>, _ words: Range<Int>) -> Int? {
    var start = words.lowerBound
    while start > 0, line[start - 1].isBlank { start -= 1 }
    guard start > 0, line[start - 1].isDigit, let end = words.first(where: { line[$0].isBlank }),
      ColumnUnit(line.extracting(words.lowerBound..<end)) != nil
    else { return nil }
    return end
  }

  /// The name before was that of another sensor, and no number followed: the axes that come are its own.
  private mutating func nameOther(_ state: inout Line) {
    guard let other = state.label?.otherSensor, state.count == 0 else { return }
    (context.sensor, context.isNamed, state.isNamed, state.isRemembered) = (other, true, true, true)
  }

  // MARK: Numbers

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
    var range = start..<state.index
    if isOne, isOfSensor(state.label), let next = numberBehindStamp(line, state.index) {
      values.set(value, CSVColumns.Role.time)
      if line[0] == UInt8(ascii: ">") { state.timeScale = 1e-3 }
      state.numbers?.append(LineForm.Number(range: range, role: CSVColumns.Role.time))
      (value, range) = next
      state.index = range.upperBound
    }
    let role = take(value, &state)
    state.numbers?.append(LineForm.Number(range: range, role: role))
  }

  /// One axis, and no time or heading.
  private func isOfSensor(_ label: LineLabel?) -> Bool {
    if case .axis = label?.meaning { return true }
    return label?.quantity != nil
  }

  /// The value behind a stamp, as Teleplot has it in milliseconds: `>mx:12395:-12.9`; nil where there is no stamp.
  private func numberBehindStamp(_ line: Span<UInt8>, _ index: Int) -> (Double, Range<Int>)? {
    guard index + 1 < line.count, line[index] == UInt8(ascii: ":"), isNumber(line, index + 1) else { return nil }
    var end = index + 1
    return parseDecimal(line, from: &end).map { ($0, index + 1..<end) }
  }

  /// Puts a number where its name says, and tells where that is.
  private mutating func take(_ value: Double, _ state: inout Line) -> UInt8 {
    if state.count == 3, let next = state.label?.following {
      endTriple(&state)
      state.label = next
    }
    guard let label = state.label else { return CSVColumns.Role.ignored }
    state.count += 1
    switch label.meaning {
    case .axis(0) where state.count == 1 && context.sensor == LineLabel.orientation && state.isNamed:
      if (0...360).contains(value) { state.heading = value }
    case .axis where context.sensor >= LineLabel.orientation: break
    case .axis(let axis) where state.count == 1:
      put(value, context.sensor + axis, &state)
      return context.sensor + axis
    case .value(let role) where state.count == 1:
      if label.quantity != nil {
        put(value, role, &state)
      } else {
        if role == CSVColumns.Role.time, let scale = label.timeScale { state.timeScale = scale }
        values.set(value, role)
        state.isRemembered = true
      }
      return role
    case .triple(let first):
      state.last = first
      guard state.count <= 3 else { break }
      state.triple[state.count - 1] = value
      return first + UInt8(state.count - 1)
    case .orientation: if state.count <= 3 { state.triple[state.count - 1] = value }
    case .heading where state.count == 1 && (0...360).contains(value): state.heading = value
    default: break
    }
    return CSVColumns.Role.ignored
  }

  private mutating func put(_ value: Double, _ role: UInt8, _ state: inout Line) {
    let first = CSVColumns.Role.field + (role - CSVColumns.Role.field) / 3 * 3
    if values[role] != nil { values.forget(from: first) }  // it has come round without the others
    values.set(value, role)
    state.isRemembered = true
    state.last = first
    if values.isWhole(from: first) { state.whole.insert(first) }
  }

  /// The name's numbers have all come. With fewer than three it was that of a value and named no sensor: `a: 129` is an
  /// azimuth, and `Mag: 48.2` a length.
  private mutating func endTriple(_ state: inout Line, isLast: Bool = false) {
    defer { (state.count, state.former) = (0, nil) }
    if (1...2).contains(state.count), isLast || state.isMarked, let former = state.former {
      (context.sensor, context.isNamed, state.isNamed) = (former.sensor, former.isNamed, false)
    }
    guard state.count == 3 else { return }
    switch state.label?.meaning {
    case .triple(let first):
      for axis in 0..<3 { values.set(state.triple[axis], first + UInt8(axis)) }
      state.whole.insert(first)
    case .orientation: state.ownAngles = state.triple
    default: break
    }
  }
}

extension LineLabel {
  /// Three numbers in brackets are those of the sensor that a line before has named.
  fileprivate func asTriple(of sensor: UInt8) -> LineLabel {
    var copy = self
    copy.meaning = .triple(sensor)
    return copy
  }
}
