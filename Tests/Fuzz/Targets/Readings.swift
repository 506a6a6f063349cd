import Calibration
import Drivers
import Instruments
import LodestoneCore
import LodestoneOutput
import Navigation

/// Messages of a board, all the way to the lines of every format: put together, corrected and mounted, read by an
/// instrument, written. The input tells the set-up, then the messages; numbers may be anything.
enum ReadingsTarget: FuzzTarget {
  static let name = "readings"

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    let samples = samples(&reader)
    let profile = reader.flag() ? profile(&reader) : nil
    let mounting = reader.choice(["x,y,z", "-y,x,z", "z,-x,-y", "y,x,-z"]).flatMap { try? Mounting($0) } ?? .aligned
    var earth: EarthReference?
    if reader.flag() {
      earth = EarthReference(
        declination: Declination(degrees: reader.number(-180...180)), declinationUncertainty: reader.number(0...5),
        strength: reader.number(20...70), inclination: reader.number(-90...90))
    }
    let board = Board(profile: profile, mounting: mounting, earth: earth, samples: samples)
    let kind = reader.byte()
    switch kind >= 240 ? kind : kind % 5 {
    case 255: swing(&reader)
    case 240..<245:
      var settings = TurnMeter.Settings()
      settings.forwardAxis = reader.flag() ? Vector3(reader.number(-1...1), reader.number(-1...1), 1) : nil
      run(TurnMeter(settings, profile: profile, mounting: mounting), board, &reader)
    case 245..<250:
      var settings = AlternatingField.Settings()
      (settings.window, settings.fewest) = (reader.number(0.1...10), Int(reader.byte()))
      run(AlternatingField(settings, profile: profile, mounting: mounting), board, &reader)
    case 250..<255:
      var settings = Location.Settings()
      settings.origin = reader.flag() ? coordinate(&reader) : nil
      run(Location(settings, profile: profile, mounting: mounting), board, &reader)
    case 0:
      var settings = Teslameter.Settings()
      settings.zeroSeconds = reader.number(0...3)
      settings.smoothing = reader.flag() ? reader.number(0...10) : nil
      let teslameter = Teslameter(settings, profile: profile, mounting: mounting)
      run(teslameter, board, &reader)
      mark(teslameter, board)
    case 1:
      var settings = Level.Settings()
      settings.zeroesAtStart = reader.flag()
      run(Level(settings, profile: profile, mounting: mounting), board, &reader)
    case 2: run(Motion(profile: profile, mounting: mounting), board, &reader)
    case 3:
      var settings = Attitude.Settings()
      settings.frame = reader.choice(AttitudeFrame.allCases) ?? .magnetic
      run(Attitude(settings, profile: profile, mounting: mounting), board, &reader)
    default:
      var settings = Compass.Settings()
      settings.orientation = reader.choice(Orientation.allCases)
      settings.pointing = reader.choice(Pointing.allCases) ?? .auto
      settings.smoothing = reader.flag() ? reader.number(0...10) : nil
      var compass = Compass(settings, profile: profile, mounting: mounting)
      run(compass, board, &reader)
      if var other = profile {
        other.correction.hardIron += Vector3(5, 0, 0)
        compass.follow(other)
      }
      if let deviation = Deviation(coefficients: [1, -2, 3, 0.5, 0]) { compass.follow(deviation) }
      precondition(compass.carriedIron == .zero)
      run(compass, board, &reader)
    }
  }

  /// Samples for an instrument.
  private struct Board {
    let profile: Profile?
    let mounting: Mounting
    let earth: EarthReference?
    let samples: [Sample]
  }

  /// Marks each of its readings as that of a magnet at a distance.
  private static func mark(_ teslameter: Teslameter, _ board: Board) {
    var (teslameter, series) = (teslameter, DistanceSeries())
    let frame = DeviceFrame(board.profile, mounting: board.mounting)
    for sample in board.samples {
      guard let reading = teslameter.read(frame.read(sample)) else { continue }
      series.add(reading)
      _ = try? series.mark(at: 0.01 * Double(series.points.count + 1))
    }
    series.removeLast()
  }

  private static func run<Tool: Instrument>(_ instrument: Tool, _ board: Board, _ reader: inout InputReader) {
    var instrument = instrument
    let frame = DeviceFrame(board.profile, mounting: board.mounting)
    var facts = StreamFacts(
      device: reader.flag() ? "a \"b\", c=\\\n\u{202E}" : "board",
      unixStart: reader.flag() ? reader.flag() ? 1.7e9 : reader.anyDouble() : nil)
    facts.units = DisplayUnits(
      field: .unit(reader.choice(FieldUnit.shown) ?? .microtesla),
      distance: reader.choice(DistanceUnit.allCases) ?? .metre)
    var lines = Lines(Tool.Reading.schema, facts)
    var samples = Lines(SampleRecord.schema, facts)
    var recording = RecordingWriter()
    let metadata = RecordingWriter.Metadata(device: facts.device, unixStart: facts.unixStart)
    var text = TextBuffer()
    instrument.follow(board.earth)
    for sample in board.samples {
      samples.write(SampleRecord(sample))
      recording.append(sample, metadata: metadata, to: &text)
      guard let reading = instrument.read(frame.read(sample)) else { continue }
      while instrument.nextNotice() != nil {}
      lines.write(reading)
    }
    check(text)
    if Tool.readsPositions { read(&reader, with: &instrument, into: &lines) }
    lines.end()
    samples.end()
    _ = instrument.end()
  }

  /// The sentences of a receiver, moment by moment.
  private static func read<Tool: Instrument>(
    _ reader: inout InputReader, with instrument: inout Tool, into lines: inout Lines
  ) {
    var reading = Tool.Reading()
    var time = reader.anyDouble()
    while !reader.isAtEnd {
      let parts = reader.byte()
      time += reader.number(-1...30)
      var position = Position(
        parts & 1 == 0 ? coordinate(&reader) : nil, altitude: parts & 2 == 0 ? reader.anyDouble() : nil)
      position.time = time
      if parts & 4 == 0 { position.unixTime = parts & 8 == 0 ? 1.7e9 + time : reader.anyDouble() }
      if parts & 16 == 0 { position.seaLevelAltitude = reader.number(-500...9000) }
      if parts & 32 == 0 { (position.course, position.speed) = (reader.anyDouble(), reader.anyDouble()) }
      if parts & 64 == 0 { (position.climb, position.climbAccuracy) = (reader.anyDouble(), reader.anyDouble()) }
      if parts & 128 == 0 { position.horizontalAccuracy = reader.anyDouble() }
      if instrument.read(position, into: &reading) { lines.write(reading) }
      while instrument.nextNotice() != nil {}
    }
  }

  private static func coordinate(_ reader: inout InputReader) -> Coordinate? {
    Coordinate(latitude: reader.number(-90...90), longitude: reader.number(-180...180))
  }

  /// Headings of a compass beside what is right, and the deviation that they make.
  private static func swing(_ reader: inout InputReader) {
    var swing = Swing(window: reader.number(0...10))
    var (time, degrees) = (0.0, 0.0)
    while !reader.isAtEnd, swing.marks.count < 200 {
      time += reader.number(-0.5...2)
      degrees = reader.flag() ? reader.number(-1e6...1e6) : degrees + reader.number(-5...20)
      switch reader.byte() % 8 {
      case 0: swing.loseReference()
      case 1: _ = try? swing.mark(Heading(degrees: degrees), at: time)
      case 2...4: _ = swing.follow(Heading(degrees: degrees), at: time)
      default: swing.add(Heading(degrees: degrees), at: time)
      }
    }
    _ = swing.isComplete
    guard let deviation = try? Deviation(swing.marks) else { return }
    require(deviation.coefficients.allSatisfy { $0.isFinite }, "a coefficient that is not finite")
    require(deviation.table.allSatisfy { $0.deviation.isFinite }, "a deviation that is not finite")
  }

  /// Records in every format there is for them.
  private struct Lines: ~Copyable {
    private var writers: [any Format]
    private var row: Row

    init(_ schema: RecordSchema, _ facts: StreamFacts) {
      writers = Formats.all.filter { $0.suits(schema) }.map { $0.init(schema, facts) }
      for sentence in AttitudeSentence.allCases where NMEAFormat.suits(schema) {
        var facts = facts
        facts.attitudeSentence = sentence
        writers.append(NMEAFormat(schema, facts))
      }
      row = Row(schema)
      for writer in writers {
        var text = TextBuffer()
        writer.appendHeader(to: &text)
        check(text)
      }
    }

    mutating func write(_ record: some Record) {
      row.take(record)
      for index in writers.indices {
        var text = TextBuffer()
        writers[index].append(row, to: &text)
        check(text)
      }
    }

    mutating func end() {
      for index in writers.indices {
        var text = TextBuffer()
        writers[index].appendEnd(to: &text)
        check(text)
      }
    }
  }

  /// Whole lines without control characters.
  private static func check(_ text: borrowing TextBuffer) {
    let line = text.text
    require(line.isEmpty || line.hasSuffix("\n") || line.hasSuffix("\r\n"), "a line without its end")
    require(
      line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\r" },
      "a control character in a line")
    require(!line.contains("nan") && !line.contains("inf"), "a number that is none")
  }

  // MARK: From bytes

  private static func samples(_ reader: inout InputReader) -> [Sample] {
    let kind = reader.byte()
    if kind & 2 == 2 { return simulated(&reader) }
    let isOdd = kind & 1 == 1
    let step: Double = reader.choice([0.02, 0.02, 1, 5]) ?? 0.02
    var scales = UnitInference().conclude()
    scales.field.microtesla = 1
    var assembler = SampleAssembler(scales: scales, keepsTime: reader.flag())
    var samples: [Sample] = []
    for number in 0..<Int(reader.byte()) where !reader.isAtEnd {
      let message = message(&reader, isOdd: isOdd, number: number)
      if let sample = assembler.sample(of: message, arrival: Double(number) * step) { samples.append(sample) }
      if reader.byte() == 255 { assembler.noteGap() }
    }
    return samples
  }

  /// Of a board that is moved as boards are, and then a sample here and there is another.
  private static func simulated(_ reader: inout InputReader) -> [Sample] {
    var settings = VirtualBreakout.Settings()
    settings.motion = reader.choice(VirtualBreakout.Settings.Motion.allCases) ?? .walk
    settings.gestures = reader.choice(VirtualGesture.Choice.allCases) ?? .none
    settings.rate = reader.choice([50.0, 10, 5, 400]) ?? 50
    settings.seed = UInt64(reader.byte())
    settings.gyroscopeBias = reader.number(0...20)
    settings.gyroscopeScale = reader.number(-2...2)
    settings.strength = reader.number(0...4)
    settings.fieldStrength = reader.number(0...100)
    settings.hardIron = reader.number(0...100)
    settings.wildFraction = reader.number(0...0.2)
    settings.range = reader.number(20...5000)
    let parts = reader.byte()
    settings.hasAccelerometer = parts & 3 != 0
    settings.hasGyroscope = parts & 12 != 0
    settings.accelerometerIsReversed = parts & 16 != 0
    var board = VirtualBreakout(settings)
    var samples = (0..<Int(reader.word() % 1200)).map { _ in board.next().sample }
    while !reader.isAtEnd, !samples.isEmpty {
      let index = Int(reader.word()) % samples.count
      switch reader.byte() % 8 {
      case 0: samples[index].time = reader.anyDouble()
      case 1: samples[index].field = nil
      case 2: samples[index].rotationRate = nil
      case 3: samples[index].flags = Sample.Flags(rawValue: reader.byte())
      case 4: for later in index..<samples.count { samples[later].time += 1 + Double(reader.byte()) }
      case 5: for later in index..<samples.count { samples[later].rotationRate = samples[index].rotationRate }
      case 6: samples[index].acceleration = Acceleration(g: Vector3(reader.number(-8...8), 0, 1))
      default: return samples
      }
    }
    return samples
  }

  private static func message(_ reader: inout InputReader, isOdd: Bool, number: Int) -> WireMessage {
    func value(_ limit: Double, _ reader: inout InputReader) -> Double {
      isOdd ? reader.anyDouble() : reader.number(-limit...limit)
    }
    func vector(_ limit: Double, _ reader: inout InputReader) -> Vector3 {
      Vector3(value(limit, &reader), value(limit, &reader), value(limit, &reader))
    }
    let parts = reader.byte()
    var message = WireMessage()
    if parts & 1 == 0 {
      message.field = vector(100, &reader)
      message.fieldUnit = .microtesla
    } else if parts & 128 != 0 {
      message.alongProbe = value(1e4, &reader)
      message.fieldUnit = .microtesla
    }
    if parts & 2 == 0 {
      message.acceleration = vector(2, &reader)
      message.accelerationUnit = .g
    }
    if parts & 4 != 0 {
      message.rotationRate = vector(500, &reader)
      message.rotationRateUnit = .degreesPerSecond
    }
    if parts & 8 != 0 { message.time = value(1000, &reader) }
    if parts & 16 != 0 { message.temperature = value(100, &reader) }
    if parts & 32 != 0 {
      message.own = OwnHeading(
        magnetic: Heading(degrees: value(360, &reader)), trueNorth: Heading(degrees: value(360, &reader)),
        pitch: value(90, &reader), roll: value(180, &reader), rateOfTurn: value(100, &reader))
    }
    message.saturated = parts & 64 != 0
    return message
  }

  private static func profile(_ reader: inout InputReader) -> Profile {
    func vector(_ limit: Double, _ reader: inout InputReader) -> Vector3 {
      Vector3(reader.number(-limit...limit), reader.number(-limit...limit), reader.number(-limit...limit))
    }
    let correction = Correction(
      hardIron: vector(100, &reader),
      softIron: Matrix3(vector(1.5, &reader), vector(1.5, &reader), vector(1.5, &reader)))
    var profile = Profile(
      imported: correction, fieldStrength: reader.number(20...70), device: "fuzz", created: 0, form: "px4")
    profile.fieldLag = FieldLag(seconds: 0.03, deviation: 0.001)
    return profile
  }
}
