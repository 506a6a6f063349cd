import LodestoneCore

/// JSON objects: `{"mx":-18.0,"my":33.0,"mz":-42.0,"ax":0,"ay":0,"az":9.81}`, or with the axes in objects or arrays
/// (`{"mag":{"x":…}}`, `{"mag":[…]}`). Each stands on its line, behind words such as the topic that a broker's client
/// prints, or several in an array, be it one of an object that says nothing of them
/// (`{"device":"a","samples":[{…},{…}]}`). Keys are understood as the columns of a table are. `"flags":["saturated"]`
/// says that an axis is at the end of the sensor's range. Sensors may come on lines of their own, those of a moment
/// make one message, and may be named beside their numbers (`{"sensor":"mag","data":[…]}`). A heading that another
/// lodestone has written (`WrittenReading`) is the device's own, and so is a `heading` where no field is. A key that
/// names one field and its unit (`probe_uT`) is that of a probe of one axis, where no field is.
struct JSONLines: LineReading, TimedCycleJoining {
  static let name = "json"
  static let proof = WireProof.signature

  var framer = ObjectFramer()
  var cycle = MessageCycle()
  private var keys = KeyTable()
  /// Values from lines of their own, which wait for the next field.
  private var causes = CauseValues()
  var times = LineTimes()
  private var forms = LineForms<Known>()
  /// A field has come: a heading on a line of its own is worked out of it by the board, and is left out.
  private var hasField = false
  private var headingUnit = HeadingUnit()
  /// The times of day of lines without dates, past midnight.
  private var clock = PeriodicClock()

  /// The units that a line of a known form states, and whose they are.
  private struct Known: Equatable, LineMeaning {
    var fieldUnit: FieldUnit?
    var accelerationUnit: AccelerationUnit?
    var rotationRateUnit: RotationRateUnit?
    /// The number of the cell that may tell its sensor.
    var origin: UInt8
    /// The axes of the numbers.
    var axes: WireAxes

    /// The units and the origin of a message whose numbers were along other axes.
    init(_ message: borrowing WireMessage, axes: WireAxes) {
      self.axes = axes
      origin = message.origin
      fieldUnit = message.fieldUnit
      accelerationUnit = message.accelerationUnit
      rotationRateUnit = message.rotationRateUnit
    }

    func holds(in context: Void) -> Bool { true }

    /// Puts the numbers into an empty message; false where a quantity lacks an axis.
    @inline(__always)
    func fill(_ message: inout WireMessage, from values: inout RoleValues, _ times: borrowing LineTimes) -> Bool {
      message.fieldUnit = fieldUnit
      message.accelerationUnit = accelerationUnit
      message.rotationRateUnit = rotationRateUnit
      message.origin = origin
      if let time = values[CSVColumns.Role.time] { times.put(time, into: &message) }
      let isWhole = values.fill(&message)
      if axes != .rightForwardUp { message.turn(from: axes) }
      return isWhole
    }
  }

  init() {}

  var timeIsAssumed: Bool { times.isAssumed }

  var openTimeScale: Double? { times.openScale }

  var fieldNaming: FieldNaming { keys.fieldNaming }

  var otherCompass: String? { keys.otherField }

  /// The first frame of ROS whose axes are not known.
  private var frameName: [UInt8]?
  var unknownFrame: String? { frameName?.harmlessText }

  /// The beginning of the last object of an angle that may be a heading, where none has said more.
  private var angle: [UInt8] = []

  var doubt: WireFault? {
    if let doubt = headingUnit.doubt { return doubt }
    return angle.isEmpty || hasField ? nil : .loneAngles(angle.harmlessText)
  }

  private var axes = NamedAxes()
  private var movesense = MovesenseObject()
  private var cells = MessageOrigins()
  var origins: MessageOrigins? { cells }

  mutating func seek(_ causes: CauseNames) {
    keys.causes = causes
    forms = LineForms()
  }

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    var values = RoleValues()
    if times.isEmpty, causes.isEmpty, cycle.isEmpty, !framer.isDropping,
      let place = forms.read(bytes, from: &position, into: &values, in: ())
    {
      message.clear()
      _ = forms[place].fill(&message, from: &values, times)
      return .message
    }
    return nextLine(in: bytes, from: &position, into: &message)
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized) }
    var scanner = JSONScanner()
    var values = RoleValues()
    var reading = Reading()
    var trace = forms.isTried() ? Trace() : nil
    var object = Object(behind: framer.words)
    var (place, told) = (0, UInt16(0))
    var phone = PhoneObject(line)
    var sensor = phone.sensor
    keys.around = object.cell.isEmpty ? [] : Self.sensorWords(object.cell)
    while var item = scanner.next(in: line) {
      switch object.takeWord(item, line) {
      case .unread: break
      case .read: continue
      case .other: return .other
      }
      if Self.takeUnit(item, of: sensor, line, into: &message) { continue }
      if let word = Self.sensor(item, line) { sensor = word }
      let isPlain = phone.place(&item, line)
      if let sensor = sensor.flatMap({ Self.isOf($0, item, line) ? $0 : nil }) ?? Self.sensorAround(item, line) {
        item.parent = sensor
      }
      let isKnown = isPlain && keys.find(item, line, &place) && !Self.isOfFormer(keys.role, item, line, &told)
      let isCell = isPlain && keys.tellsSensor && !cells.areCounts
      if isCell, let text = item.string ?? item.number.map({ _ in scanner.numberStart..<scanner.position }) {
        object.addCell(line.bytes(in: text))
      }
      // The cell that tells the sensor is part of the form of a line.
      if let number = item.number, !isCell {
        let role = isKnown ? keys.role : CSVColumns.Role.ignored
        trace?.add(number, role, at: scanner.numberStart..<scanner.position)
      }
      guard isKnown, !line.holds("fix_time_s", in: item.key) else {
        reading.take(item, line)
        continue
      }
      if let number = item.value(in: line) {
        keys.take(number, &values, &message, &times)
      } else if let text = item.string, keys.role == CSVColumns.Role.time {
        guard readClock(line.extracting(text), into: &message) else { return .rejected(.malformed) }
      }
    }
    let isEmpty = values.roles & ~RoleValues.time == 0 && !reading.written.isHeading && reading.board == nil
    if let elements = scanner.elements, isEmpty { return enter(elements, line) }
    if phone.isOfOneAxis, scanner.isComplete, !axes.complete(&values) { return .part }
    guard scanner.isComplete, values.fill(&message) else { return .rejected(.malformed) }
    return finish(line, at: values[CSVColumns.Role.time], &object, &reading, &trace, &message)
  }

  /// Makes a message of what the items of a line have told. What is large is handed on where it stands: a copy of it
  /// costs as much as reading some items.
  @inline(__always)
  private mutating func finish(
    _ line: Span<UInt8>, at time: Double?, _ object: inout Object, _ reading: inout Reading, _ trace: inout Trace?,
    _ message: inout WireMessage
  ) -> WireMeaning {
    message.saturated = object.isSaturated
    object.autopilot?.turn(&message)
    let axes = object.frame?.axes ?? .rightForwardUp
    message.turn(from: axes)
    if message.field != nil { message.origin = cells.number(of: object.cell, isNamed: object.cellIsNamed) }
    takeHeading(of: &reading, into: &message)
    if message.field != nil { hasField = true }
    let isEmpty = message.field == nil && message.acceleration == nil && message.rotationRate == nil
    if isEmpty && message.own == nil { return finishEmpty(line, &reading, &message) }
    if frameName == nil { frameName = object.frame?.unknownName(in: line) }
    if message.causes.isEmpty, !causes.isEmpty { (message.causes, causes) = (causes, CauseValues()) }
    if !isWhole(message) {
      join(message, at: time ?? message.time)
      return .part
    }
    if times.hold(message) { return .part }
    if let trace, framer.words.isEmpty { learn(line, trace, message, axes) }
    return .message
  }

  /// Takes the device's own heading: the one of another lodestone, or of a board that sends no field.
  @inline(__always)
  private mutating func takeHeading(of reading: inout Reading, into message: inout WireMessage) {
    if reading.written.isHeading {
      message.field = nil
      message.own = reading.written.own
    } else if message.field == nil, !hasField, let board = reading.board {
      guard LabelReader.Line.headings.contains(board.heading) else { return headingUnit.note(past: board.heading) }
      let heading = headingUnit.degrees(board.heading, isTold: board.isInDegrees)
      message.own = heading.map { OwnHeading(magnetic: Heading(degrees: $0)) }
    }
  }

  /// Takes what else a line may tell that has neither a quantity of a sensor nor a heading: a position, a probe's
  /// field, causes.
  private mutating func finishEmpty(
    _ line: Span<UInt8>, _ reading: inout Reading, _ message: inout WireMessage
  ) -> WireMeaning {
    message.position = reading.written.position
    if message.position != nil { return .message }
    if !hasField, Self.readProbe(line, into: &message) { return times.hold(message) ? .part : .message }
    if !message.causes.isEmpty { causes = message.causes }
    if reading.mayBeHeading { angle = line.bytes(in: 0..<min(line.count, 48)) }
    return .other
  }

  /// The words of an object that tell of the whole of it.
  private struct Object {
    private(set) var isSaturated = false
    private(set) var autopilot: AutopilotMessage?
    private(set) var frame: ROSFrame?
    /// The words that may tell the sensor, and whether they are a name.
    private(set) var cell: [UInt8]
    private(set) var cellIsNamed: Bool

    /// An object behind these words on its line.
    @inline(__always)
    init(behind words: [UInt8]) { (cell, cellIsNamed) = (words, !words.isEmpty) }

    /// The use of a word.
    enum Word { case unread, read, other }

    /// Takes a word that tells of the whole object: other where it is a message that is not read.
    @inline(__always)
    mutating func takeWord(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Word {
      guard let word = item.string else { return .unread }
      if line.holds("flags", in: item.parent), line.holds("saturated", in: word) {
        isSaturated = true
        return .read
      }
      if line.holds("mavpackettype", in: item.key) {
        guard let packet = AutopilotMessage(named: line.extracting(word)) else { return .other }
        (autopilot, cell, cellIsNamed) = (packet, line.bytes(in: word), true)
        return .read
      }
      if line.holds("frame_id", in: item.key) { frame = ROSFrame(line, word) }
      return .unread
    }

    /// Adds a cell that tells the sensor.
    mutating func addCell(_ text: [UInt8]) {
      cell += [.space] + text
      cellIsNamed = true
    }
  }

  /// Goes on with the objects in an array, as lines of their own. Those of one sensor are left out: they have come
  /// without those of the others at their moments.
  private mutating func enter(_ elements: JSONScanner.Elements, _ line: Span<UInt8>) -> WireMeaning {
    if let messages = movesense.messages(line) {
      for message in messages { times.append(message) }
      hasField = hasField || messages.contains { $0.field != nil }
      return .part
    }
    let isOfSensor = ColumnName(line.extracting(elements.parent)).quantity != nil
    framer.enter(at: elements.start, isMuted: isOfSensor)
    return isOfSensor ? .rejected(.malformed) : .part
  }

  /// Takes the time of a clock, where it tells more than whole seconds: lines of one second would be the same moment.
  /// False for text that is none.
  private mutating func readClock(_ text: Span<UInt8>, into message: inout WireMessage) -> Bool {
    guard let seconds = ClockText(text)?.seconds else { return false }
    guard text.isExact else { return true }
    times.tell(scale: 1)
    message.time = clock.unwrapped(clock: seconds)
    return true
  }

  // MARK: Sensors on lines of their own

  /// The message says all of a moment: lines have more than one sensor, a heading, or the sensors of every line.
  private mutating func isWhole(_ message: borrowing WireMessage) -> Bool {
    if message.own != nil { return true }
    let hasField = message.field != nil
    let parts: UInt32 =
      (message.acceleration == nil ? 0 : 1) | (message.rotationRate == nil ? 0 : 2) | (hasField ? 4 : 0)
    if hasField, parts != 4, cycle.isEmpty { return true }
    return cycle.isWhole(parts)
  }

  /// Adds a line's sensors to those of the lines before.
  private mutating func join(_ message: borrowing WireMessage, at time: Double?) {
    if let acceleration = message.acceleration {
      let unit = message.accelerationUnit
      cycle.add(0) { ($0.acceleration, $0.accelerationUnit, $0.time) = (acceleration, unit, time) }
    }
    if let rate = message.rotationRate {
      let unit = message.rotationRateUnit
      cycle.add(1) { ($0.rotationRate, $0.rotationRateUnit, $0.time) = (rate, unit, time) }
    }
    guard let field = message.field else { return }
    let (unit, causes, isSaturated, temperature, origin) = (
      message.fieldUnit, message.causes, message.saturated, message.temperature, message.origin
    )
    cycle.add(2) {
      ($0.field, $0.fieldUnit, $0.time) = (field, unit, time)
      ($0.causes, $0.saturated, $0.temperature) = (causes, isSaturated, temperature)
      $0.origin = origin
    }
  }

  /// The numbers of a line as they stand.
  private struct Trace {
    private(set) var numbers: [LineForm.Number] = []
    private(set) var values = RoleValues()

    mutating func add(_ number: Double, _ role: UInt8, at range: Range<Int>) {
      numbers.append(LineForm.Number(range: range, role: role))
      values.set(number, role)
    }
  }

  /// Keeps the form of a line that says nothing but its numbers, each as it stands.
  private mutating func learn(_ line: Span<UInt8>, _ trace: Trace, _ message: WireMessage, _ axes: WireAxes) {
    let known = Known(message, axes: axes)
    var (values, again) = (trace.values, WireMessage())
    guard let form = LineForm(line, trace.numbers), known.fill(&again, from: &values, times), again == message
    else { return }
    forms.learn(form, known, in: ())
  }

  /// A closing brace proves that an object is whole.
  mutating func readLast(_ line: Span<UInt8>) -> WireEvent? {
    switch read(line) {
    case .message(let message): return .message(message)
    case nil: return nil
    default: break
    }
    return .rejected(.truncated, byteCount: line.count)
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    let start = bytes.count
    func put(_ name: StaticString, _ value: Double, _ bytes: inout [UInt8]) {
      if bytes.count > start { bytes.append(.comma) }
      bytes.append(.quote)
      bytes.append(text: name)
      bytes.append(text: "\":")
      bytes.append(value, decimals: 6)
    }
    func put(_ names: [StaticString], _ vector: Vector3?, _ bytes: inout [UInt8]) {
      guard let vector else { return }
      for (axis, name) in names.enumerated() { put(name, vector[axis], &bytes) }
    }
    if let time = message.time { put("time_s", time, &bytes) }
    put(["mx_uT", "my_uT", "mz_uT"], message.microtesla, &bytes)
    put(["ax_g", "ay_g", "az_g"], message.gravities, &bytes)
    put(["gx_dps", "gy_dps", "gz_dps"], message.degreesPerSecond, &bytes)
    if let temperature = message.temperature { put("temperature_C", temperature, &bytes) }
    if message.saturated {
      if bytes.count > start { bytes.append(.comma) }
      bytes.append(text: "\"flags\":[\"saturated\"]")
    }
    bytes.append(text: "}\n")
  }
}
