import LodestoneCore

/// Reads lines of numbers with names before them, piece by piece: what each number is, and what holds afterwards.
struct LabelReader: Sendable {
  /// The meaning that lines have given to those that follow.
  var context = Context() { didSet { contextState &+= 1 } }
  /// Another number after each change of the context, never 0.
  private(set) var contextState: Int = 1
  /// Axes that wait for the others of their quantity, and a time.
  var values = RoleValues()
  /// The axis of each quantity that was told last; 3 before any.
  private(set) var lastAxes = SIMD4<UInt8>(repeating: 3)
  var axisUnits = AxisUnits()
  var labels = LabelTable()
  private(set) var owners = SensorOwners()
  var pair = LetterPair()
  private var commas = CommaWatch()
  /// Axes have come behind stamps (`>mx:12395:-12.9`): a number without one is a stamp whose value is lost.
  private var isStamped = false
  /// The times of day of lines without dates, past midnight.
  var clock = PeriodicClock()
  /// The cells that may tell which of several sensors lines are of.
  private(set) var origins = MessageOrigins()
  /// Numbers before the first name have been found to be no times.
  var ignoresNameless = false
  /// Another sensor of fields, which is passed over; nil where there is none.
  private(set) var otherField: String?

  /// Reads a line; what it has told whole is among the values then.
  /// - Parameter isTraced: its numbers are asked for.
  mutating func read(_ line: Span<UInt8>, isTraced: Bool) -> Line {
    var state = Line()
    if isTraced { state.numbers = [] }
    state.index = context.noteAutopilot(line)
    let isAwaited = awaits(line)
    if isOpening(line[0]) && context.isNamed || isAwaited, context.sensor < LineLabel.orientation {
      state.label = labels.label(line, 0..<0).asTriple(of: context.sensor)
    }
    let before = (values, context)
    if !isAwaited { (context.field, context.isScaled) = (nil, false) }
    while state.index < line.count, !state.isMalformed { step(line, &state) }
    if commas.shows() {
      (values, context) = before
      return read(line, isTraced: isTraced)
    }
    // `Status: None` is no title.
    if state.words == nil || state.label?.isDerived != true { nameOther(line, &state) }
    let isTitle = state.isMarked && state.count == 0
    context.awaitsNumbers = isTitle && state.label?.isTriple == true
    context.isTitled = isTitle && !context.awaitsNumbers
    endTriple(&state, isLast: true)
    forget(state.missing, &state)
    if !state.whole.isEmpty { context.timeRank = max(context.timeRank, state.timeRank) }
    context.followsDerived = state.hasDerived && context.fieldHasOtherName
    // A title holds for the axes below it, and what stands on their line for that alone.
    if state.namesDerived && state.hasAxes { context.endDerived() }
    if state.isMalformed { (values, context) = before }
    if state.whole.contains(CSVColumns.Role.field) {
      state.origin = origins.number(of: state.cell, isNamed: state.cellIsNamed)
    }
    if state.hasForeign, otherField == nil { otherField = Self.name(state.foreignName.map { line.bytes(in: $0) }) }
    return state
  }

  /// The values, out of which the quantities that were told whole and the time are taken.
  mutating func take(_ whole: WholeQuantities) -> RoleValues {
    if whole.contains(CSVColumns.Role.field) { axisUnits.align(&values, to: context.field) }
    defer {
      values.forget(whole.axes)
      values.forget(RoleValues.time)
    }
    return values
  }

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
    if line.holds("::", at: state.index), state.index + 2 < line.count, line[state.index + 2].isLetter {
      // `lsm303::main`, where a program names the place that a line was printed from.
      while state.index < line.count, !line[state.index].isBlank { state.index += 1 }
      state.words = nil
    } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
      if let words = state.words { beginLabel(line, words..<state.index, &state) }
      if state.count == 0 { state.isMarked = true }
      state.index += 1
      if byte == UInt8(ascii: "=") { skipText(line, &state) }
    } else if state.words == nil, isAxisBeforeNumber(line, state.index) {
      beginLabel(line, state.index..<state.index + 1, &state)
      state.index += 1
    } else if byte.isLetter || byte >= 0x80 {
      takeWord(line, &state)
    } else {
      state.index += 1
    }
  }

  /// A word: the unit of the number before it, or the beginning of a name.
  private mutating func takeWord(_ line: Span<UInt8>, _ state: inout Line) {
    let start = state.index
    if state.words == nil, let end = NumPyText.end(ofTypeAt: start, in: line) { return state.index = end }
    while state.index < line.count, !line[state.index].isBlank, !Self.ends(line[state.index]) { state.index += 1 }
    guard state.words == nil, !takeMissing(line, start..<state.index, &state) else { return }
    let isName =
      state.index < line.count && isOpening(line[state.index]) || isLetterBeforeMark(line, start..<state.index)
      || start > 0 && "([".utf8.contains(line[start - 1]) && isColoned(line, state.index)
      || state.index == start + 1 && "xyz".utf8.contains(line[start] | 0x20)
    if state.label?.meaning == .heading, state.count > 0, !isName, !isEqualled(line, state.index) {
      let isRadians = line[start] | 0x20 == UInt8(ascii: "r")
      // `degrees`, or their sign.
      if line[start] | 0x20 == UInt8(ascii: "d") || line[start] >= 0x80 { state.takeDegrees(line, before: start) }
      // Degrees may follow.
      if isRadians, state.count == 1 { (state.radians, state.heading, state.count) = (state.heading, nil, 0) }
      if isRadians || !LineLabel.beginsOtherHeading(line.extracting(start..<state.index)) { return }
    }
    // The end of a sentence before the name, as in `Scaled. Acc (mg)`, and no short form of a name, as in `Acc. X`.
    if line[state.index - 1] == UInt8(ascii: "."), state.index < line.count, line[state.index].isBlank,
      !ColumnName.isOfQuantity(ColumnWord(line.extracting(start..<state.index - 1)))
    {
      return
    }
    if !isName, takeTemperatureUnit(line, start, &state) || takeTesla(line, start, &state) { return }
    // `my_uT` is the next name.
    if let quantity = state.last, !isName, let unit = unit(line, start..<state.index) {
      if unit.isUnit(of: quantity) {
        if state.isForeign { return }
        context.take(unit, of: quantity)
        if quantity == CSVColumns.Role.field, let axis = state.lastAxis, let own = unit.fieldUnit,
          axisUnits.take(own, of: axis)
        {
          state.numbers = nil  // what the line says is more than its form
        }
        state.last = nil
        if !state.isNamed { state.noteGravities(unit) }
        return
      }
      if !state.isNamed, !state.isForeign, let other = unit.quantityOfUnit {
        move(quantity, to: other, &state)
        context.take(unit, of: other)
        state.noteGravities(unit)
        return
      }
    }
    state.words = start
  }

  private mutating func beginLabel(_ line: Span<UInt8>, _ range: Range<Int>, _ state: inout Line) {
    nameOther(line, &state)
    endTriple(&state)
    state.words = nil
    var end = range.upperBound
    while end > range.lowerBound, line[end - 1].isBlank || isOpening(line[end - 1]) || endsName(line[end - 1]) {
      end -= 1
    }
    var label = understand(line, range.lowerBound..<end)
    if label.isPitch { notePitch(&state) }
    if label.meaning == .filler, state.label != nil { return }
    if label.meaning == .attitudeMark { state.isAttitude = true }
    // Half of what each axis has spanned, in sketches that look for hard iron: `Hard offset: (…) Field: (…)`.
    if label.isFieldAlone, state.hasDerived || context.followsDerived { label.meaning = .nothing }
    state.noteDerived(label)
    if label.source.isEmpty, let first = label.firstQuantity(after: context.sensor) { context.begin(first) }
    if label.meaning == .quaternionMark, context.sensor == LineLabel.orientation {
      (state.heading, context.sensor) = (nil, LineLabel.elsewhere)
    }
    state.isMarked = false
    switch label.meaning {
    case .axis(1), .axis(2): break
    default: state.axesAreOthers = label.beginsOtherAxes
    }
    let goesOn = label.isFirstAxis == false && label.source.isEmpty && state.goesOn(label, context.source)
    if !label.source.isEmpty || label.mayBeNumbered || label.quantity != nil && !state.hasOuter && !goesOn {
      state.sensorName = range.lowerBound..<end
    }
    if let quantity = label.quantity {
      if case .triple = label.meaning { state.former = (context.sensor, context.isNamed, context.source) }
      context.name(quantity)
      context.noteName(label, of: quantity)
      (state.isNamed, state.restIsOther) = (true, false)
      state.toldAsTriple &= ~(1 << UInt16(quantity))
      // The sensor that stands before an x is that of the other axes: `LIS3MDL mx: 1 my: 2 mz: 3`.
      if !label.source.isEmpty {
        context.source = label.source
        state.noteCopy(label, of: quantity)
      } else if !goesOn {
        // Axes with a unit are not raw, though the title above them is one of raw numbers.
        let outer = context.outer.rank == 2 && label.isUnit(of: quantity) ? ColumnWord() : context.outer
        context.source = state.copy(of: quantity, label) ?? outer
      }
      if label.isFirstAxis != nil { state.isOfOneSensor = !label.source.isEmpty || goesOn }
      // One that is not read is told of once its numbers have come.
      if isOwn(quantity, &state, isTold: false) { context.take(label, of: quantity) }
      state.isRemembered = true
    } else if label.meaning == .axis(0), label.source.isEmpty {
      context.leaveNamedAxes()
      if label.isUnit(of: context.sensor) { context.take(label, of: context.sensor) }
    } else if case .axis = label.meaning, label.source.isEmpty, label.isUnit(of: context.sensor) {
      context.take(label, of: context.sensor)
    } else if case .axis = label.meaning, !label.source.isEmpty {
      context.source = label.source
      if let other = label.otherSensor {
        context.name(other)
        state.isNamed = true
      }
    }
    (state.label, state.labelRange, state.count, state.last) = (label, range.lowerBound..<end, 0, nil)
    state.lastAxis = nil
  }

  /// The name before was that of a sensor, and no number followed: the axes that come are its own.
  private mutating func nameOther(_ line: Span<UInt8>, _ state: inout Line) {
    guard let label = state.label, state.count == 0 else { return }
    if label.isCalibration { state.isOfCalibration = true }
    if label.isStatement {
      context.take(label, of: CSVColumns.Role.field)
    } else if label.meaning == .nothing, label.source.isEmpty, !state.hasAxes, let range = state.labelRange {
      state.cell += line.bytes(in: range)
    }
    // `Mag: X:36 Y:-8 Z:-2 µT Metadata: X:1377 …`
    if label.meaning == .nothing, context.field != nil, state.whole.contains(CSVColumns.Role.field) {
      state.restIsOther = true
    }
    if !label.source.isEmpty || label.quantity != nil && !state.hasOuter {
      context.announce(label.source)
      state.hasOuter = !label.source.isEmpty
    }
    guard let other = label.otherSensor else { return }
    context.name(other, isDerived: label.isDerived)
    (state.isNamed, state.isRemembered) = (true, true)
  }

  // MARK: Numbers

  /// Axes of a quantity are of the sensor that is read, or, as long as none has told all three, of one that may be.
  mutating func isOwn(_ first: UInt8, _ state: inout Line, isTold: Bool = true) -> Bool {
    state.isForeign = false
    if owners.holds(first, context.source) { return true }
    guard owners.pass(first, to: context.source) else {
      state.isForeign = true
      if isTold, first == CSVColumns.Role.field, context.source.rank == 0 {
        (state.hasForeign, state.foreignName) = (true, state.sensorName)
      }
      return false
    }
    values.forget(from: first)
    return true
  }

  /// A number belongs to the name before it.
  private mutating func takeNumber(_ line: Span<UInt8>, _ state: inout Line) {
    if takeClock(line, &state) || takeOrdinal(line, &state) || takeCell(line, &state) { return }
    let start = state.index
    let isOne =
      switch state.label?.meaning {
      case .axis, .value, .heading, .degrees, .radians, .trueHeading: true
      default: false
      }
    guard var value = parseDecimal(line, from: &state.index) else { return state.isMalformed = true }
    if let fraction = signedFraction(line, of: value, state.index) {
      (value, state.index, state.numbers) = (value - fraction.value, fraction.end, nil)
    } else if isSignApart(line, start..<state.index) {
      return state.isMalformed = true
    } else if let whole = grouped(line, start, &state, isInList: !isOne) {
      value = whole
    } else if isOne, state.index + 1 < line.count, line[state.index] == .comma, line[state.index + 1].isDigit {
      // A comma right between digits is a decimal mark where a name has one number.
      var end = start
      if let whole = parseDecimal(line, from: &end, decimalMark: .comma), end > state.index {
        (value, state.index) = (commas.value(whole, line.extracting(start..<end)), end)
      }
    }
    if state.count == 0, isOfSensor(state.label) { commas.note(line.extracting(start..<state.index)) }
    var range = start..<state.index
    if isOne, isOfSensor(state.label), let next = numberBehindStamp(line, state.index) {
      values.set(value, CSVColumns.Role.time)
      if line[0] == UInt8(ascii: ">") { state.timeScale = 1e-3 }
      state.numbers?.append(LineForm.Number(range: range, role: CSVColumns.Role.time))
      (value, range, isStamped) = (next.0, next.1, true)
      state.index = range.upperBound
    } else if isStamped, line[0] == UInt8(ascii: ">"), isOne, isOfSensor(state.label) {
      return state.isMalformed = true
    }
    if takeNameless(value, line, range, &state) { return }
    let isAngle = isAngle(state.label, line, state.index)
    let role = isAngle ? state.passOver() : takeDate(value, line, range, &state) ?? take(value, &state)
    state.numbers?.append(LineForm.Number(range: range, role: role))
  }

  /// Puts a number where its name says, and tells where that is.
  mutating func take(_ value: Double, _ state: inout Line) -> UInt8 {
    if state.count == 3, let next = state.label?.following {
      endTriple(&state)
      state.label = next
    }
    guard let label = state.label else { return CSVColumns.Role.ignored }
    if state.count == 3, label.isTriple, state.triple.measures(value) { return CSVColumns.Role.ignored }
    state.count += 1
    switch label.meaning {
    case .axis(0) where state.count == 1 && context.sensor == LineLabel.orientation && state.isNamed:
      if (0...360).contains(value) { (state.heading, state.isInDegrees) = (value, true) }
    case .axis where isPassedOver(label, state):
      if state.namesDerived { state.hasAxes = true }
    case .axis(let axis) where state.count == 1:
      if !context.isNamed { context.bare = context.sensor }
      return put(value, context.sensor + axis, &state)
    case .value(let role) where state.count == 1:
      guard let quantity = label.quantity else { return put(value, role, of: label, &state) }
      if quantity == CSVColumns.Role.field { state.hasNamedField = true }
      return put(value, role, &state)
    case .triple(let first):
      (state.last, state.hasAxes) = (first, true)
      guard state.count <= 3, isOwn(first, &state, isTold: state.count > 2), !state.repeats(label, first) else { break }
      state.triple[state.count - 1] = value
      return first + UInt8(state.count - 1)
    case .orientation: if state.count <= 3 { state.triple[state.count - 1] = value }
    case .heading where state.count == 1: state.takeHeading(value, label)
    case .trueHeading where state.count == 1 && Line.headings.contains(value): state.trueHeading = value
    case .radians where state.count == 1: state.radians = value
    case .degrees where state.count == 1 && (state.heading ?? state.radians) != nil && Line.headings.contains(value):
      (state.heading, state.isInDegrees) = (value, true)
    case .nanoseconds where state.count == 1:
      state.isRemembered = true
      if let seconds = values[CSVColumns.Role.time] { values.set(seconds + value * 1e-9, CSVColumns.Role.time) }
    case .nothing where label.tellsOneSensor:
      state.last = CSVColumns.Role.field
      if state.count <= 3 { state.triple[state.count - 1] = value }
    default: break
    }
    return CSVColumns.Role.ignored
  }

  /// Takes an axis, and tells its role; `ignored` for one of a sensor that is not read.
  private mutating func put(_ value: Double, _ role: UInt8, _ state: inout Line) -> UInt8 {
    let first = CSVColumns.Role.field + (role - CSVColumns.Role.field) / 3 * 3
    (state.last, state.isRemembered, state.hasAxes) = (first, true, true)
    guard isOwn(first, &state) else { return CSVColumns.Role.ignored }
    state.lastAxis = role - first
    if first == CSVColumns.Role.field { axisUnits.begin(role - first) }
    if values[role] != nil || goesRound(to: role - first, of: first, state) {
      values.forget(from: first)  // it has come round without the others
      state.goesRound = true
    }
    lastAxes[SensorOwners.place(first)] = role - first
    values.set(value, role)
    state.put |= 1 << UInt16(role)
    if values.isWhole(from: first) { conclude(first, &state) }
    return role
  }

  /// The name's numbers have all come. With fewer than three it was that of a value and named no sensor: `a: 129` is an
  /// azimuth, and `Mag: 48.2` a length.
  private mutating func endTriple(_ state: inout Line, isLast: Bool = false) {
    defer { (state.count, state.former) = (0, nil) }
    if (1...2).contains(state.count), isLast || state.isMarked, let former = state.former {
      (context.sensor, context.isNamed, context.source) = former
      state.isNamed = false
    }
    if state.count == 1, state.label?.isCompass == true, Line.headings.contains(state.triple.x) {
      state.heading = state.triple.x
    }
    guard state.count == 3, let label = state.label else { return }
    switch label.meaning {
    case .triple(let first):
      if !state.repeats(label, first) { takeTriple(of: weighLetter(label, first, &state), &state) }
      state.toldAsTriple |= 1 << UInt16(first)
      if let bare = context.bare, bare != first, let former = state.former {
        (context.sensor, context.isNamed, context.source) = (bare, false, former.source)
      }
    case .nothing where label.tellsOneSensor && !state.hasAxes:
      context.source = label.source
      takeTriple(of: CSVColumns.Role.field, &state)
    case .orientation: state.ownAngles = state.triple
    default: break
    }
  }

  private mutating func takeTriple(of first: UInt8, _ state: inout Line) {
    guard isOwn(first, &state) else { return }
    for axis in 0..<3 { values.set(state.triple[axis], first + UInt8(axis)) }
    if first == CSVColumns.Role.field { state.hasNamedField = true }
    conclude(first, &state)
  }

  /// Concludes a quantity whose axes are all there.
  private mutating func conclude(_ first: UInt8, _ state: inout Line) {
    if first == CSVColumns.Role.field, state.label?.isFieldAlone == false { context.fieldHasOtherName = true }
    if owners.noteWhole(first) { state.whole.insert(first) } else { values.forget(from: first) }
  }
}
