import ArgumentParser
import Calibration
import Core
import Glibc
import Instruments
import Navigation
import Output
import Ports

/// `lodestone teslameter`: fields of magnets, wires and strays, with the Earth's subtracted.
struct TeslameterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "teslameter", abstract: "Measure a field with the Earth's subtracted.",
    discussion: """
      First the zero-point: keep the sensor still and the magnet away. Then the difference to it is shown. From a \
      recording, its first seconds are the zero-point.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var calibrationOptions: CalibrationOptions
  @OptionGroup var streamOptions: StreamOptions

  @Option(help: ArgumentHelp("Seconds to average the zero-point over.", valueName: "seconds"))
  var zeroSeconds = 2.0

  @Option(help: "nT, uT, mT, G or mG.")
  var unit: FieldUnit = .microtesla

  @Option(help: "text, json or csv; in a terminal, a screen when none is given.")
  var format: String?

  @Option(help: ArgumentHelp("Write the zero-point and the peak to this file in the end.", valueName: "file"))
  var jsonSummary: String?

  func validate() throws {
    let names = FieldFormats.all.map { $0.name }
    if let format, !names.contains(format) { throw ValidationError("--format \(format): there are \(names.listed)") }
    if !(zeroSeconds > 0 && zeroSeconds <= 600) {
      throw ValidationError("--zero-seconds \(zeroSeconds): not in 0 to 600 s")
    }
  }

  func run() throws {
    let unitOfColumns = deviceOptions.columns == nil ? nil : unit.rawValue
    let stream = try deviceOptions.open(unit: unitOfColumns, autoRange: true)
    let profile = try calibrationOptions.load(for: stream)
    let session = FieldSession(
      correction: profile?.correction ?? .none, mounting: deviceOptions.mount,
      gainUncertainty: Teslameter.gainTolerance, zeroSeconds: zeroSeconds)
    let output = try streamOptions.openOutput(isLive: stream.isLive)
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    if format == nil, streamOptions.output == nil, stream.isLive, LiveScreen.isPossible {
      var screen = try TeslameterScreenRun(session, loop: loop, unit: unit)
      try finish(screen.run())
    } else {
      var lines = TeslameterLinesRun(session, loop: loop, unit: unit, format: format ?? "text", options: streamOptions)
      try finish(lines.run())
      if let jsonSummary { try lines.writeSummary(to: jsonSummary) }
    }
  }
}

/// The teslameter in a pipe: the zero-point on standard error, then a line a reading.
struct TeslameterLinesRun {
  private var session: FieldSession
  private let loop: StreamLoop
  private let unit: FieldUnit
  private var format: any FieldFormat
  private let options: StreamOptions
  private let notices: Notices
  private var refusals = 0
  private var count = 0
  private var zero: ZeroPoint?
  private var last: FieldReading?

  /// A live zero-point is tried so often before it is given up.
  private static let tries = 5

  init(_ session: FieldSession, loop: StreamLoop, unit: FieldUnit, format: String, options: StreamOptions) {
    self.session = session
    self.loop = loop
    self.unit = unit
    self.format = (FieldFormats.all.first { $0.name == format } ?? TextFields.self).init(unit: unit)
    self.options = options
    notices = Notices(options)
  }

  mutating func run() throws -> StreamLoop.End {
    var text = TextBuffer(capacity: 1024)
    format.appendHeader(to: &text)
    if loop.stream.isLive { notices.say("zero-point: keep the sensor still and the magnet away") }
    let end = try loop.run { event in
      switch event {
      case .sample: return try take(loop.sample, &text)
      case .notice(let notice): notices.say(notice)
      default: break
      }
      return .goOn
    }
    if zero == nil, end == .streamEnded || end == .durationReached {
      throw Failure(.badData, "no zero-point: the stream ended before it was averaged", hint: "try --zero-seconds 1")
    }
    return end
  }

  private mutating func take(_ sample: Sample, _ text: inout TextBuffer) throws -> StreamLoop.Verdict {
    switch session.take(sample) {
    case .refused(let refusal):
      refusals += 1
      guard loop.stream.isLive, refusals < Self.tries else { throw Failure(refusal, unit: unit) }
      notices.say("\(Failure(refusal, unit: unit).message); trying again")
    case .zeroed(let zero):
      self.zero = zero
      notices.say(zero.words(in: unit))
    case .reading(let reading):
      last = reading
      format.append(reading, to: &text)
      try loop.output.append(text)
      text.removeAll()
      count += 1
      return count == options.count ? .stop : .goOn
    default: break
    }
    return .goOn
  }

  /// Writes what a program wants to know in the end.
  func writeSummary(to path: String) throws {
    guard let zero else { return }
    var text = TextBuffer()
    text.append("{\"zero_x_uT\":")
    text.append(zero.field.x, decimals: 4)
    text.append(",\"zero_y_uT\":")
    text.append(zero.field.y, decimals: 4)
    text.append(",\"zero_z_uT\":")
    text.append(zero.field.z, decimals: 4)
    text.append(",\"zero_noise_uT\":")
    text.append(zero.noise.length, decimals: 4)
    text.append(",\"zero_samples\":")
    text.append(zero.samples)
    text.append(",\"readings\":")
    text.append(count)
    text.append(",\"peak_uT\":")
    text.append(last?.peak, decimals: 4, absent: "null")
    text.append(",\"minimum_uT\":")
    text.append(last?.minimum, decimals: 4, absent: "null")
    text.append("}\n")
    try write(text.text, to: path)
  }
}

extension ZeroPoint {
  /// How strong, how steady.
  func words(in unit: FieldUnit) -> String {
    var text = TextBuffer()
    text.append("zero-point ")
    text.append(field.length / unit.microtesla, decimals: unit.decimals)
    text.append(" ")
    text.append(text: unit.symbol)
    text.append(" (x ")
    text.append(field.x / unit.microtesla, decimals: unit.decimals)
    text.append(", y ")
    text.append(field.y / unit.microtesla, decimals: unit.decimals)
    text.append(", z ")
    text.append(field.z / unit.microtesla, decimals: unit.decimals)
    text.append("), steady to ")
    text.append(noise.length / unit.microtesla, decimals: unit.decimals)
    text.append(" ")
    text.append(text: unit.symbol)
    text.append(" over ")
    text.append(samples)
    text.append(" samples")
    return text.text
  }
}

extension Failure {
  /// Words a zero-point that was refused.
  init(_ refusal: ZeroPoint.Refusal, unit: FieldUnit) {
    let still = "keep the sensor still and magnets away while the zero-point is taken"
    switch refusal {
    case .tooFewSamples(let count):
      self.init(.badData, "no zero-point: only \(count) samples", hint: "take longer with --zero-seconds")
    case .moving(let wander, let noise):
      var text = TextBuffer()
      text.append("no zero-point: the field moves by ")
      text.append(wander / unit.microtesla, decimals: unit.decimals)
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" where noise explains ")
      text.append(noise / unit.microtesla, decimals: unit.decimals)
      self.init(.badData, text.text, hint: still)
    case .saturated: self.init(.badData, "no zero-point: the sensor is at the end of its range", hint: still)
    }
  }
}
