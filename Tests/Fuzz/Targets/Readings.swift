import Calibration
import Drivers
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
    if reader.flag() {
      var settings = Compass.Settings()
      settings.orientation = reader.choice(Orientation.allCases)
      settings.pointing = reader.choice(Pointing.allCases) ?? .auto
      settings.smoothing = reader.flag() ? reader.number(0...10) : nil
      run(Compass(settings, profile: profile, mounting: mounting), earth, profile, mounting, &reader, samples)
    } else {
      var settings = Teslameter.Settings()
      settings.zeroSeconds = reader.number(0...3)
      run(Teslameter(settings, profile: profile, mounting: mounting), earth, profile, mounting, &reader, samples)
    }
  }

  private static func run<Tool: Instrument>(
    _ instrument: Tool, _ earth: EarthReference?, _ profile: Profile?, _ mounting: Mounting,
    _ reader: inout InputReader, _ samples: [Sample]
  ) {
    var instrument = instrument
    let frame = DeviceFrame(profile, mounting: mounting)
    var facts = StreamFacts(device: reader.flag() ? "a \"b\", c=\\\n\u{202E}" : "board")
    facts.unixStart = reader.flag() ? reader.anyDouble() : nil
    var writers = Formats.all.filter { $0.suits(Tool.Reading.schema) }.map { $0.init(Tool.Reading.schema, facts) }
    var row = Row(Tool.Reading.schema)
    var text = TextBuffer()
    instrument.follow(earth)
    for sample in samples {
      guard let reading = instrument.read(frame.read(sample)) else { continue }
      while instrument.nextNotice() != nil {}
      row.take(reading)
      for index in writers.indices {
        text.removeAll()
        writers[index].append(row, to: &text)
        check(text)
      }
    }
    _ = instrument.end()
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
    let isOdd = reader.flag()
    var scales = UnitInference().conclude()
    scales.field.microtesla = 1
    var assembler = SampleAssembler(scales: scales, keepsTime: reader.flag())
    var samples: [Sample] = []
    for number in 0..<Int(reader.byte()) where !reader.isAtEnd {
      let message = message(&reader, isOdd: isOdd, number: number)
      if let sample = assembler.sample(of: message, arrival: Double(number) * 0.02) { samples.append(sample) }
      if reader.byte() == 255 { assembler.noteGap() }
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
    return Profile(
      imported: correction, fieldStrength: reader.number(20...70), device: "fuzz", created: 0, form: "px4")
  }
}
