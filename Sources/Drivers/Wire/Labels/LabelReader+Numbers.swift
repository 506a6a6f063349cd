import LodestoneCore

/// Numbers whose names leave open what they are.
extension LabelReader {
  /// A line was read the short way: what it says holds from now on.
  mutating func follow(_ context: Context) { self.context = context }

  /// The three axes of a quantity; nil where one is missing.
  mutating func vector(from first: UInt8) -> Vector3? { values.vector(from: first) }

  /// Takes out the axes of a field that is none.
  mutating func forgetField() { values.forget(from: CSVColumns.Role.field) }

  /// The label of a word that may be a unit; nil for the name of an axis with its quantity.
  mutating func unit(_ line: Span<UInt8>, _ word: Range<Int>) -> LineLabel? {
    let label = labels.label(line, word)
    return label.isFirstAxis == nil ? label : nil
  }

  /// A digit behind the word for a sensor tells which of several it is: `Mag 2: X`, `Sensor 1 X`.
  mutating func takeOrdinal(_ line: Span<UInt8>, _ state: inout Line) -> Bool {
    guard let label = state.label, label.mayBeNumbered, label.source.isEmpty, state.count == 0, !state.isMarked,
      line[state.index].isDigit
    else { return false }
    var next = state.index + 1
    while next < line.count, line[next].isBlank { next += 1 }
    guard next < line.count, isOpening(line[next]) || next > state.index + 1 && line[next] | 0x20 == UInt8(ascii: "x")
    else { return false }
    let digit = line[state.index]
    state.label?.source.append(digit)
    if let source = state.label?.source { context.source = source }
    if let quantity = label.quantity { _ = isOwn(quantity, &state) }
    state.sensorName = state.sensorName.map { $0.lowerBound..<state.index + 1 }
    state.index += 1
    return true
  }

  /// The label of words, by what has come before them.
  mutating func understand(_ line: Span<UInt8>, _ words: Range<Int>) -> LineLabel {
    var label = isSlip(line, words) ? labels.label("magY".utf8.span, 0..<4) : label(line, words)
    if let named = label.namedByUnit, isColoned(line, words.upperBound) { label = label.asTriple(of: named) }
    if label.isAxesAlone, context.awaitsNumbers, context.sensor < LineLabel.orientation {
      label = label.asTriple(of: context.sensor)
    }
    label = nameLetter(label)
    return label.byItsUnit(in: context.sensor, isNamed: context.isNamed)
  }

  /// `maxY` between `magX` and `magZ` is a slip of the pen in asukiaaa's example for the MPU-9250.
  private func isSlip(_ line: Span<UInt8>, _ words: Range<Int>) -> Bool {
    line.holds("maxY", in: words) && values[CSVColumns.Role.field] != nil && values[CSVColumns.Role.field + 1] == nil
  }

  /// The label of a letter by what has come before. `G` names the gyroscope of a board that has told its accelerations,
  /// and what is not known of any other; `A` beside `B` may be a board.
  mutating func nameLetter(_ label: LineLabel) -> LineLabel {
    if label.letter == nil, label.isTriple || label.isLetterG { pair.noteOther() }
    if label.isLetterG {
      return owners.isWhole(CSVColumns.Role.acceleration)
        ? label.asTriple(of: CSVColumns.Role.rotationRate) : label.asOther
    }
    return label.letter == .a && pair.areBoards == true ? label.asTriple(of: CSVColumns.Role.field, source: "a") : label
  }

  /// Looks whether the three numbers behind `A` or `B` are those of two boards: the quantity that they are of.
  mutating func weighLetter(_ label: LineLabel, _ first: UInt8, _ state: inout Line) -> UInt8 {
    guard pair.areBoards == nil, let letter = label.letter, !label.isUnit(of: first) else { return first }
    switch letter {
    case .a:
      pair.note(a: state.triple)
      state.numbers = nil
      guard pair.areBoards == true else { return first }
      (context.sensor, context.source) = (CSVColumns.Role.field, "a")
      return CSVColumns.Role.field
    case .b:
      pair.note(b: state.triple)
      state.hasOtherBoard = pair.areBoards == true
      if state.hasOtherBoard { state.whole.remove(CSVColumns.Role.acceleration) }
      return first
    }
  }

  /// Takes a word in the place of a number, as in `mx:nan` and `(None, None, None)`: the quantity that it is an axis of
  /// is absent; false for any other word.
  mutating func takeMissing(_ line: Span<UInt8>, _ word: Range<Int>, _ state: inout Line) -> Bool {
    guard let label = state.label, MissingNumber.isWord(line.extracting(word)), !isColoned(line, word.upperBound),
      !isEqualled(line, word.upperBound)
    else { return false }
    switch label.meaning {
    case .triple, .orientation, .nothing: guard state.count < 3 || label.following != nil else { return false }
    default: guard state.count == 0 else { return false }
    }
    state.numbers = nil
    switch label.meaning {
    case .value where label.quantity == nil, .radians, .nanoseconds: state.count += 1
    default: _ = take(.nan, &state)
    }
    if let first = state.last { state.missing.insert(first) }
    return true
  }

  /// Takes out quantities of which an axis is missing, and a number before a name that no quantity followed whole.
  mutating func forget(_ missing: WholeQuantities, _ state: inout Line) {
    if state.timeIsNameless, state.whole.isEmpty { values.forget(RoleValues.time) }
    for first in missing {
      values.forget(from: first)
      state.whole.remove(first)
    }
  }

  /// Takes a time of day, perhaps behind its date, which is no number of any name: `time=2026-05-04T14:02:00.1Z`,
  /// `[14:02:00] Mag …`. Under the name of a time it is that, where it tells more than whole seconds; `compile time
  /// 12:49:57` is none. False where no clock begins.
  mutating func takeClock(_ line: Span<UInt8>, _ state: inout Line) -> Bool {
    guard let end = ClockText.end(in: line, from: state.index) else { return false }
    let text = line.extracting(state.index..<end)
    (state.index, state.numbers) = (end, nil)
    guard state.label?.meaning == .value(CSVColumns.Role.time), let label = state.label else { return true }
    if state.count == 0, text.isExact, let seconds = ClockText(text)?.seconds {
      _ = put(clock.unwrapped(clock: seconds), CSVColumns.Role.time, of: label, &state)
      (state.timeScale, state.timeMayBeTemperature) = (1, false)
    }
    state.count += 1
    return true
  }

  /// A number at the end of a line, behind those with names, is a time where it is as long as the milli-, micro- or
  /// nanoseconds since 1970: `mag,host=pi x=-12.9,y=15.7,z=-43.5 1764230400000000000`, as InfluxDB has it. Nil for any
  /// other.
  mutating func takeDate(
    _ value: Double, _ line: Span<UInt8>, _ range: Range<Int>, _ state: inout Line
  ) -> UInt8? {
    guard state.count > 0, state.hasAxes, let scale = Self.dateScales[range.count],
      range.allSatisfy({ line[$0].isDigit }), (range.upperBound..<line.count).allSatisfy({ line[$0].isBlank })
    else { return nil }
    values.set(value, CSVColumns.Role.time)
    state.timeScale = scale
    return CSVColumns.Role.time
  }

  /// A number alone before the first name of a line may be its time, with the unit behind it or without: `12395 Mag:
  /// …`, `12395 ms, X: …`. A time that has a name says more. False where it is none.
  /// - Parameter isCell: as text it may tell a sensor, and is no number of the line's form.
  mutating func takeNameless(
    _ value: Double, _ line: Span<UInt8>, _ range: Range<Int>, _ state: inout Line, isCell: Bool = false
  ) -> Bool {
    let isClosed = range.upperBound < line.count && line[range.upperBound] == UInt8(ascii: "]")
    guard !ignoresNameless, state.labelRange == nil, state.label == nil || isClosed, context.timeRank == 0,
      state.count == 0, line[range.lowerBound].isDigit,
      (0..<range.lowerBound).allSatisfy({ line[$0].isBlank || isOpening(line[$0]) })
    else { return false }
    func isMark(_ index: Int) -> Bool { line[index].isBlank || ",;:|])>-".utf8.contains(line[index]) }
    var next = range.upperBound
    while next < line.count, isMark(next) { next += 1 }
    var end = next
    while end < line.count, line[end].isLetter { end += 1 }
    guard next < end else { return false }
    if end < line.count, isMark(end), line[end] != UInt8(ascii: ":"), let unit = ColumnUnit(line.extracting(next..<end))
    {
      guard let scale = unit.timeScale else { return false }
      (state.timeScale, state.index) = (scale, end)
    } else if next == range.upperBound {
      return false
    }
    values.set(value, CSVColumns.Role.time)
    state.timeIsNameless = true
    if !isCell { state.numbers?.append(LineForm.Number(range: range, role: CSVColumns.Role.time)) }
    return true
  }

  /// The fraction of a number whose sign stands behind its point, and its end, as Zephyr's two parts of a value come out
  /// of `%d.%06d`: `0.-130127`, `-12.-920000`. Nil for any other. A sign takes one of the six places, so five digits
  /// are millionths, too.
  func signedFraction(_ line: Span<UInt8>, of whole: Double, _ index: Int) -> (value: Double, end: Int)? {
    let sign = line.holds(".", at: index) ? index + 1 : index
    guard whole <= 0, line.holds(".-", at: sign - 1) else { return nil }
    var (value, end) = (0.0, sign + 1)
    while end < line.count, line[end].isDigit {
      value = value * 10 + Double(line[end] - UInt8(ascii: "0"))
      end += 1
    }
    let isAlone = end == line.count || !line.holds(".", at: end)
    return (5...6).contains(end - sign - 1) && isAlone ? (value * 1e-6, end) : nil
  }

  /// The number whose thousands are parted, where one begins at `start`; no later line is of its form.
  func grouped(_ line: Span<UInt8>, _ start: Int, _ state: inout Line, isInList: Bool) -> Double? {
    var end = start
    guard state.index < line.count, !line[state.index].isLetter,
      let value = GroupedNumber.parse(line, from: &end, isInList: isInList), end > state.index
    else { return nil }
    (state.index, state.numbers) = (end, nil)
    return value
  }

  /// Puts a time or a temperature where it belongs. Of several names for a time the one that says most is taken: beside
  /// `millis`, `T` is a temperature.
  mutating func put(_ value: Double, _ role: UInt8, of label: LineLabel, _ state: inout Line) -> UInt8 {
    if role == CSVColumns.Role.time {
      let rank: UInt8 = label.isIndex ? 0 : label.isShort ? 1 : 2
      guard rank >= max(context.timeRank, state.timeRank), !label.isShort || !context.shortIsTemperature else {
        return CSVColumns.Role.ignored
      }
      if state.timeIsNameless { state.numbers = nil }
      (state.timeRank, state.timeIsNameless) = (rank, false)
      state.timeMayBeTemperature = label.isShort
      state.timeScale = label.timeScale ?? state.timeScale
    }
    values.set(value, role)
    state.isRemembered = true
    return role
  }

  /// Takes the word behind a `T`'s number that makes it a temperature: `T: 24.5 C`, `T=24.5 deg C`; false for any
  /// other.
  mutating func takeTemperatureUnit(_ line: Span<UInt8>, _ start: Int, _ state: inout Line) -> Bool {
    guard state.label?.isShort == true, state.count == 1 else { return false }
    let isOfDegrees = line.holds("deg", at: start) || line.holds("°", at: start)
    guard isOfDegrees || ColumnUnit(line.extracting(start..<state.index)) == .celsius else { return false }
    // `deg C`
    if isOfDegrees, state.index + 1 < line.count, line[state.index] == .space,
      line[state.index + 1] == UInt8(ascii: "C")
    {
      state.index += 2
    }
    if state.timeMayBeTemperature { values.forget(RoleValues.time) }
    context.shortIsTemperature = true
    if state.timeRank == 1 { state.timeRank = 0 }
    if context.timeRank == 1 { context.timeRank = 0 }
    (state.timeMayBeTemperature, state.numbers) = (false, nil)
    return true
  }

  /// A pitch stands beside a `y` that no x came before: it is a yaw.
  mutating func notePitch(_ state: inout Line) {
    state.hasPitch = true
    let role = context.sensor + 1
    guard context.sensor < LineLabel.orientation, values[context.sensor] == nil, values[role] != nil else { return }
    values.forget(1 << UInt16(role))
    state.numbers = state.numbers?.map { number in
      var number = number
      if number.role == role { number.role = CSVColumns.Role.ignored }
      return number
    }
  }

  /// A `T` right behind a number of the field, or one that no number follows, is its unit.
  mutating func takeTesla(_ line: Span<UInt8>, _ start: Int, _ state: inout Line) -> Bool {
    guard state.last == CSVColumns.Role.field, state.index == start + 1, line[start] == UInt8(ascii: "T") else {
      return false
    }
    var next = state.index
    while next < line.count, line[next].isBlank { next += 1 }
    if next < line.count,
      isOpening(line[next]) || next > state.index && !line[start - 1].isDigit && isNumber(line, next)
    {
      return false
    }
    context.field = .tesla
    if let axis = state.lastAxis, axisUnits.take(.tesla, of: axis) { state.numbers = nil }
    return true
  }

  /// The number of an axis of the field or of an acceleration is in degrees, which an angle beside it is in: `Y:
  /// 338.7°`.
  func isAngle(_ label: LineLabel?, _ line: Span<UInt8>, _ end: Int) -> Bool {
    guard case .axis? = label?.meaning, context.sensor < CSVColumns.Role.rotationRate, line.holds("°", at: end) else {
      return false
    }
    return !line.holds("/", at: end + 2)
  }

  /// An axis is of no interest: its sensor is none of ours, or its three numbers came behind its name, or it is a yaw
  /// or of a calibration.
  func isPassedOver(_ label: LineLabel, _ state: borrowing Line) -> Bool {
    if context.sensor >= LineLabel.orientation || state.axesAreOthers || state.isOfCalibration || state.restIsOther {
      return true
    }
    if state.toldAsTriple >> UInt16(context.sensor) & 1 == 1 { return true }
    guard label.meaning == .axis(1) else { return false }
    return state.hasPitch && values[context.sensor] == nil
      || state.whole.contains(context.sensor) && values.isWhole(from: context.sensor)
  }

  /// Whether a quantity goes on to its next moment, from z to x, or from x to z where the axes come in that order, and
  /// holds what lines before have told of the last one: one of them was cut off or is lost.
  func goesRound(to axis: UInt8, of first: UInt8, _ state: borrowing Line) -> Bool {
    let waiting = (values.roles & ~state.put) >> UInt16(first)
    switch (lastAxes[SensorOwners.place(first)], axis) {
    case (2, 0): return waiting & 0b110 != 0
    case (0, 2): return waiting & 0b010 != 0
    default: return false
    }
  }

  /// The unit of accelerations that has the letters of the field's: `g`, or `mg`.
  var unitOfGravities: AccelerationUnit { context.field == .milligauss ? .milligravity : .g }

  /// Bare axes are gravities, and not gauss, as their length shows.
  mutating func takeGravities(_ state: inout Line) {
    let unit = unitOfGravities
    state.mayBeGravities = false
    move(CSVColumns.Role.field, to: CSVColumns.Role.acceleration, &state)
    (context.acceleration, context.field) = (unit, nil)
  }

  /// Bare axes turn out to be another quantity's, by the unit behind them.
  mutating func move(_ quantity: UInt8, to other: UInt8, _ state: inout Line) {
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
}
