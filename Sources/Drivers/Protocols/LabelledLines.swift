import LodestoneCore

/// Numbers with names before them, as the examples of most libraries and people's own sketches print them:
/// `mx:1,my:2,mz:3`, `X: -18.00  Y: 33.00  Z: -42.00  uT`, `Accel X: 0.25 m/s^2  Y: …`, `Mag (uT): (-12.9, 15.7,
/// -43.5)`, `Magnetometer: X=-0.13 Y=0.16 Z=-0.43 gauss`, `a/g/m: 16 163 16384 3 -2 10 186 -41 -264`. Brackets without
/// a name are the sensor's that a line before has named; where none has, they are a table's.
///
/// `:` and `=` are alike, and brackets are as good as none. A unit stands in the name, behind a number, or once at the
/// end. A sensor's name holds until the next one, also over lines, so axes and sensors may come on lines of their own;
/// a message goes from one name to its return. Of two fields in a message the one with a unit is taken. A heading is
/// the device's own where the stream has no field. Lines without numbers of interest count for nothing.
struct LabelledLines: LineReading, TimedCycleJoining {
  static let name = "labels"
  static let endsAlike = true
  static let proof = WireProof.signature

  var framer = LineFramer()
  var cycle = MessageCycle()
  private var reader = LabelReader()
  /// A field with a unit, or a scaled one, has been read: one without is another statement of it.
  private var fieldIsStated = false
  /// Fields without since the last such one, and how many in a row say that none comes any more.
  private var unstatedCount = 0
  private static let mostUnstated = 32
  /// The number of them behind which one statement alone is none.
  private static let manyUnstated = 8
  private var hasField = false
  /// A name has said that it is one.
  private var fieldIsNamed = false
  /// Numbers of an array that have come on lines of their own; 3 where none is awaited.
  private var memberCount = 3
  private var angleOrder = AngleOrder()
  private var headingUnit = HeadingUnit()
  /// A heading has come in degrees.
  private var hasDegrees = false
  /// The last line of an angle that may be a heading, and how many have come.
  private var (angle, angleCount) = ([UInt8](), 0)
  /// The last line of what was worked out of many numbers, and how many have come.
  private var (derived, derivedCount) = ([UInt8](), 0)
  /// A line has told something.
  private var hasSaid = false
  /// The first frame of ROS whose axes are not known.
  private var frameName: [UInt8]?
  /// Lines with the marks of a BNO055's attitude have told an x that is no heading: the sketch prints another vector.
  private var marksAreOfVectors = false
  var times = LineTimes()
  private var forms = LineForms<Known>()

  /// The contents of a line of a known form besides its numbers, which are whole quantities and a time.
  private struct Known: LineMeaning {
    /// The context before the line, and the one after it.
    let before, after: LabelReader.Context
    let changesContext: Bool
    /// Seconds in one unit of the time, where its name says so.
    let timeScale: Double?
    /// The quantities of the message.
    let whole: WholeQuantities
    /// Their parts of a message, and that of a time, one bit each.
    let parts: UInt32
    let hasTime: Bool
    /// The number of the cell that may tell its sensor.
    let origin: UInt8

    @inline(__always)
    func holds(in context: borrowing LabelReader.Context) -> Bool { before == context }
  }

  init() {}

  var timeIsAssumed: Bool { times.isAssumed }

  var openTimeScale: Double? { times.openScale }

  var fieldNaming: FieldNaming { hasField && !fieldIsNamed ? .axes : .unsaid }

  var otherCompass: String? { reader.otherField }

  var unknownFrame: String? { hasSaid ? frameName?.harmlessText : nil }

  var doubt: WireFault? {
    if let doubt = headingUnit.doubt { return doubt }
    guard !hasSaid else { return nil }
    if derivedCount > 1 { return .derived(derived.prefix(64).harmlessText) }
    guard angleCount > 1 else { return nil }
    return .loneAngles(angle.prefix(48).harmlessText)
  }

  var origins: MessageOrigins? { reader.origins }

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    var values = RoleValues()
    while !framer.isDropping, reader.values.roles == 0 {
      if !(cycle.isEmpty && times.isEmpty), takeJoined(atEnd: false, into: &message) { return .message }
      guard
        let place = forms.read(
          bytes, from: &position, into: &values, in: reader.context, state: reader.contextState)
      else { break }
      if forms[place].changesContext { reader.follow(forms[place].after) }
      if let scale = forms[place].timeScale { times.tell(scale: scale) }
      if isMessage(place) {
        if !fieldIsStated { unstatedCount &+= 1 }
        message.clear()
        fill(&message, with: forms[place].whole, of: &values)
        message.origin = forms[place].origin
        return .message
      }
      cycle.begin(forms[place].parts & ~Self.time)
      add(forms[place].whole, of: &values, from: forms[place].origin)
    }
    return nextLine(in: bytes, from: &position, into: &message)
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if let words = ZephyrChannel.words(line) ?? RIOTReading.words(line) ?? ROSBlock.words(line)
      ?? PrometheusSample.words(line) ?? IIOAttribute.words(line) ?? EntityRow.words(line) ?? member(line)
    {
      return take(words.span, isKept: false)
    }
    guard Self.mayBeLabelled(line) || reader.awaits(line) else {
      if Self.isDashed(line) { cycle.endFirst() }
      let isPassedOver = Self.isRule(line) || reader.context.isTitled && TableLine.mayBeNumbers(line)
      return isPassedOver ? .other : .rejected(.unrecognized)
    }
    return take(line, isKept: true)
  }

  /// The next of three numbers on lines of their own under a sensor's name, with its axis, as ROS prints an array
  /// (`magnetometer_ga:`, `- 0.21`); nil for any other line.
  private mutating func member(_ line: Span<UInt8>) -> [UInt8]? {
    guard line.count > 2, line.holds("- "), reader.isNumber(line, 2) else {
      memberCount = 3
      return nil
    }
    if reader.context.awaitsNumbers { memberCount = 0 }
    guard memberCount < 3 else { return nil }
    defer { memberCount += 1 }
    return [UInt8(ascii: "x") + UInt8(memberCount), UInt8(ascii: ":")] + line.bytes(in: 2..<line.count)
  }

  /// Takes a line of names and numbers.
  /// - Parameter isKept: it came as it is: its form may come again.
  private mutating func take(_ line: Span<UInt8>, isKept: Bool) -> WireMeaning {
    noteFrame(of: line)
    reader.ignoresNameless = times.areNone
    let before = reader.context
    var state = reader.read(line, isTraced: isKept && reader.values.roles == 0 && forms.isTried())
    if state.goesRound { cycle.endFirst() }
    if state.hasOtherBoard { cycle.damage() }
    if let scale = state.timeScale { times.tell(scale: scale) }
    if state.timeMayBeTemperature { times.doubt() }
    if state.timeIsNameless || state.timeRank > 0 { times.note(isNameless: state.timeIsNameless) }
    // Quantities of a moment that wait for it are whole without the missing one.
    let isVain = !state.missing.isEmpty && state.whole.isEmpty && cycle.isEmpty
    if state.isMalformed || isVain { return .rejected(.malformed) }
    learn(line, state, before)
    let meaning = conclude(&state)
    if case .other = meaning {
      if !hasSaid, line.indices.contains(where: { line[$0].isDigit }) {
        if state.hasDerived { (derived, derivedCount) = (line.bytes(in: 0..<line.count), derivedCount + 1) }
        if state.label?.mayBeHeading == true { (angle, angleCount) = (line.bytes(in: 0..<line.count), angleCount + 1) }
      }
    } else {
      hasSaid = true
    }
    if case .other = meaning, state.isRemembered { return .part }
    return meaning
  }

  /// Takes the axes of the frame that a line of ROS names: they hold for the numbers that follow.
  private mutating func noteFrame(of line: Span<UInt8>) {
    guard let frame = ROSFrame(in: line) else { return }
    var context = reader.context
    context.axes = frame.axes ?? .rightForwardUp
    reader.follow(context)
    if frameName == nil { frameName = frame.unknownName(in: line) }
  }

  /// Keeps the form of a line whose numbers are whole quantities and a time: what such lines say depends on nothing
  /// else.
  private mutating func learn(_ line: Span<UInt8>, _ state: LabelReader.Line, _ before: LabelReader.Context) {
    guard let numbers = state.numbers, !state.whole.isEmpty, !state.isAttitude, !state.mayBeGravities,
      let form = LineForm(line, numbers), reader.values.roles == form.roles & ~RoleValues.temperature,
      reader.values.roles & ~RoleValues.time == state.whole.axes
    else { return }
    let hasTime = form.roles & RoleValues.time != 0
    let parts = parts(of: state.whole) | (hasTime ? Self.time : 0)
    let known = Known(
      before: before, after: reader.context, changesContext: before != reader.context, timeScale: state.timeScale,
      whole: state.whole, parts: parts, hasTime: hasTime, origin: state.origin)
    forms.learn(form, known, in: before)
  }

  // MARK: Messages

  /// Lengths of a specific force in g that is about 1; the Earth's field in gauss is shorter.
  private static let gravity = 0.8...1.25

  private mutating func conclude(_ state: inout LabelReader.Line) -> WireMeaning {
    if state.isAttitude, !state.hasNamedField, !marksAreOfVectors, let own = concludeAttitude() { return own }
    if state.mayBeGravities, let field = reader.vector(from: CSVColumns.Role.field),
      Self.gravity.contains(field.length * reader.unitOfGravities.gravities)
    {
      reader.takeGravities(&state)
    }
    if !state.whole.isEmpty {
      var values = reader.take(state.whole)
      cycle.begin(parts(of: state.whole))
      add(state.whole, of: &values, from: state.origin)
      return .part
    }
    return concludeHeadings(state)
  }

  /// Headings of the device's own, where the stream has no field: those from the two norths are one, and one in radians
  /// is the same as one in degrees, where there is one.
  private mutating func concludeHeadings(_ state: borrowing LabelReader.Line) -> WireMeaning {
    guard !hasField else { return .other }
    let isTold = state.isInDegrees
    let headingIsTrue = reader.context.headingIsTrue
    if let past = state.pastHeading { headingUnit.note(past: past) }
    var heading = headingIsTrue ? nil : state.heading.flatMap { headingUnit.degrees($0, isTold: isTold) }
    if heading != nil { hasDegrees = true }
    if state.heading == nil, !hasDegrees { heading = state.radians.map { Angle.degrees($0) } }
    let angles = state.ownAngles.map { angleOrder.sorted($0) } ?? heading.map { Vector3($0, .nan, .nan) }
    var isPart = false
    if let angles, (-360...360).contains(angles.x) {
      isPart = true
      cycle.add(4) {
        var own = $0.own ?? OwnHeading()
        own.magnetic = Heading(degrees: angles.x)
        own.pitch = angles.y.isFinite ? angles.y : nil
        own.roll = angles.z.isFinite ? angles.z : nil
        $0.own = own
      }
    }
    if let north = headingIsTrue ? state.heading : state.trueHeading {
      isPart = true
      cycle.add(6) {
        var own = $0.own ?? OwnHeading()
        own.trueNorth = Heading(degrees: north)
        $0.own = own
      }
    }
    return isPart ? .part : .other
  }

  /// The part of a message that a quantity is, by its first role. A field without a unit has a part of its own, so that
  /// a statement with one, or of scaled numbers, joins it instead of beginning a message.
  @inline(__always)
  private mutating func part(_ first: UInt8) -> Int {
    switch first {
    case CSVColumns.Role.field: reader.context.fieldIsStated ? 1 : 0
    case CSVColumns.Role.acceleration: 2
    default: 3
    }
  }

  private static let timePart = 5

  /// The part of the time as one bit.
  private static let time: UInt32 = 1 << UInt32(timePart)

  /// The parts of quantities that a line tells, one bit each.
  private mutating func parts(of whole: WholeQuantities) -> UInt32 {
    var parts: UInt32 = 0
    for first in whole { parts |= 1 << UInt32(part(first)) }
    return parts
  }

  /// No accelerometer reads so many g: they are counts beside a statement with a unit, which holds from the line
  /// before.
  private static let strongestShock = 400.0

  /// Adds whole quantities, and the time that came with them; of the field, the statement with a unit.
  private mutating func add(_ whole: WholeQuantities, of values: inout RoleValues, from origin: UInt8) {
    for first in whole {
      guard let vector = values.vector(from: first) else { continue }
      let context = reader.context
      if first == CSVColumns.Role.field {
        hasField = true
        fieldIsNamed = fieldIsNamed || context.isNamed
        if !isOfStatement(context.fieldIsStated) {
          cycle.add(part(first)) { _ in }
          continue
        }
      }
      if first == CSVColumns.Role.acceleration, let unit = context.acceleration,
        vector.length * unit.gravities > Self.strongestShock
      {
        continue
      }
      cycle.add(part(first)) {
        Self.put(vector, first, context, into: &$0)
        if first == CSVColumns.Role.field { $0.origin = origin }
      }
    }
    if let time = values[CSVColumns.Role.time] { cycle.add(Self.timePart) { $0.time = time } }
  }

  /// Takes note whether a field comes with a unit, and tells whether it is one of the statement that is read. The first
  /// that does so behind many without is damaged, as a letter that was added to a number.
  private mutating func isOfStatement(_ isStated: Bool) -> Bool {
    defer { unstatedCount = isStated ? 0 : unstatedCount + 1 }
    if isStated {
      fieldIsStated = fieldIsStated || unstatedCount < Self.manyUnstated
      return fieldIsStated
    }
    fieldIsStated = fieldIsStated && unstatedCount + 1 < Self.mostUnstated
    return !fieldIsStated
  }

  /// Whether a line of the form at a place holds all quantities of the repeating cycle, and so is a message by itself.
  /// It changes nothing, but a function that may change a large value is not given a copy of it; so the others that are
  /// asked for each line.
  @inline(__always)
  private mutating func isMessage(_ place: Int) -> Bool {
    guard forms[place].hasTime ? times.areKnown : times.isEmpty else { return false }
    if forms[place].whole.contains(CSVColumns.Role.field),
      !hasField || fieldIsStated && !forms[place].after.fieldIsStated
    {
      return false
    }
    return cycle.isWhole(forms[place].parts)
  }

  /// Puts whole quantities and the time into an empty message.
  @inline(__always)
  private mutating func fill(_ message: inout WireMessage, with whole: WholeQuantities, of values: inout RoleValues) {
    for first in whole {
      if let vector = values.vector(from: first) { Self.put(vector, first, reader.context, into: &message) }
    }
    if let time = values[CSVColumns.Role.time] { times.put(time, into: &message) }
  }

  /// Puts a quantity into a message, with its unit.
  @inline(__always)
  private static func put(
    _ vector: Vector3, _ first: UInt8, _ context: LabelReader.Context, into message: inout WireMessage
  ) {
    if let autopilot = context.autopilot { return autopilot.put(vector, first, into: &message) }
    let vector = context.axes.sampled(vector)
    switch first {
    case CSVColumns.Role.field:
      message.field = vector
      message.fieldUnit = context.field
    case CSVColumns.Role.acceleration:
      message.acceleration = vector
      message.accelerationUnit = context.acceleration
    default:
      message.rotationRate = vector
      message.rotationRateUnit = context.rotationRate
    }
  }

  /// The x, y, z of a BNO055's example are heading, roll and pitch, unless x is below zero: nil then, as a sketch whose
  /// vector was changed to that of the magnetometer prints the same marks.
  private mutating func concludeAttitude() -> WireMeaning? {
    guard let angles = reader.vector(from: CSVColumns.Role.field) else { return .other }
    guard angles.x >= 0 else {
      marksAreOfVectors = true
      return nil
    }
    guard angles.x <= 360 else { return .other }
    reader.forgetField()
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
