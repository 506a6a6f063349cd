import ArgumentParser
import Lodestone
import Calibration
import LodestoneCore
import Glibc
import Instruments
import Navigation
import LodestoneOutput
import LodestoneTerminal

/// `lodestone teslameter`: fields of magnets, wires and strays, with the Earth's subtracted.
struct TeslameterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "teslameter", abstract: "Measure a field with the Earth's subtracted.",
    discussion: """
      Examples:
        lodestone teslameter                     the only device attached
        lodestone teslameter ttyACM0 --unit mT   a magnet
        lodestone teslameter --spectrum          what alternates, mains hum named
        lodestone teslameter --distance          a magnet's dipole moment
        lodestone teslameter ttyACM0 --columns t,probe --unit mT   a Hall probe
        lodestone teslameter --turns --per-turn 0.5L --turns-file water.json   a water meter

      First the zero-point: keep the sensor still and the magnet away. Then the difference to it is shown. From a \
      recording, its first seconds are the zero-point.

      A probe of one axis: the reading is the field along it, with its sign, as dx; dy, dz and the magnitude are absent, \
      and the flag one-axis says so. Its column is known by a header as in Magnetic Field (mT) or B (mT), or named: \
      --columns t,probe --unit mT.

      What alternates needs no zero-point: --ac streams its root mean square, --spectrum names its frequencies up to half \
      the sampling rate. --distance asks for a magnet's distances and tells its dipole moment.

      --turns counts the turns of a magnet, from 0.01 to 0.45 of the sampling rate: whole turns forward (as the first \
      one) and backward, their sum with its fraction, and turns a minute. Where one axis alone sees the magnet, the \
      direction cannot be told. --turns-file keeps the counts over restarts; --per-turn adds a volume.

      At a rate within a thousandth of the mains frequency, or of a whole part of it (50, 25, 20, 10 Hz), hum looks like \
      a field that changes slowly, and the two cannot be told apart: near mains wiring use --rate 45.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @OptionGroup var streamOptions: StreamOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds to average the zero-point over, eight samples at least. (default: 2)", valueName: "seconds"))
  var zeroSeconds: Double?

  @Option(parsing: .unconditional, help: ArgumentHelp("Time constant that smooths the field.", valueName: "seconds"))
  var smooth: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far the sensor may be turned since the zero-point, without a gyroscope to tell: the ± includes it.",
      valueName: "degrees"))
  var stillTo: Double?

  @Option(help: UnitOption.help)
  var unit: FieldDisplayUnit?
  var unitOption: UnitOption { UnitOption(unit: unit) }

  @Flag(help: "Stream what alternates instead: root mean square and strongest line, window by window.")
  var ac = false

  @Flag(help: "Show what alternates: the lines of the spectrum, window by window.")
  var spectrum = false

  @Flag(help: "Find a magnet's dipole moment from typed distances to its middle.")
  var distance = false

  @Flag(help: "Count the turns of a magnet: of a water or gas meter, an anemometer, a wheel.")
  var turns = false

  @Option(
    help: ArgumentHelp("Go on from the counts in this file, and keep them there.", valueName: "file"),
    completion: .file())
  var turnsFile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What passes in a turn, as in 0.5L or 0.001m3: volumes are written, too.", valueName: "volume"))
  var perTurn: PerTurn?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds of a window. (default: 1, for a spectrum 10)", valueName: "seconds"))
  var window: Double?

  @OptionGroup var formatOption: FormatOption<FieldReading>
  @OptionGroup var eventOptions: EventOptions<FieldReading>
  @OptionGroup var publishOptions: PublishOptions<FieldReading>

  @Option(
    help: ArgumentHelp("Write the zero-point and the peak to this file on exit.", valueName: "file"),
    completion: .file())
  var jsonSummary: String?

  func validate() throws {
    try validateModes()
    try OutputFile.checkBesides("--turns-file", turnsFile)
    try OutputFile.checkBesides("--json-summary", jsonSummary)
    try OptionRange.check("--zero-seconds", zeroSeconds, to: 600, " s")
    try OptionRange.check("--smooth", smooth, to: 3600, " s")
    try OptionRange.check("--still-to", stillTo, in: 0...45, "°")
    try OptionRange.check("--window", window, to: 3600, " s")
    if distance, unitOption.unit == .counts {
      throw ValidationError("--unit counts: a dipole moment needs a field's strength")
    }
    if turns, let unit = unitOption.unit, unit != .counts, deviceOptions.input.columns == nil {
      throw ValidationError("--unit \(unit.name) is for fields: turns are counted")
    }
    try validateFormat()
  }

  /// Checks that there is one mode, and that no option is another mode's.
  private func validateModes() throws {
    if [ac, spectrum, distance, turns].filter({ $0 }).count > 1 {
      throw ValidationError("--ac, --spectrum, --distance and --turns are different things: choose one")
    }
    try eventOptions.check()
    let alternates = ac || spectrum
    if alternates || distance || turns {
      try refuse(
        ("--smooth", smooth != nil), ("--still-to", stillTo != nil), ("--json-summary", jsonSummary != nil),
        ("--on", !eventOptions.on.isEmpty), ("--events", eventOptions.events), as: "for fields against a zero-point")
    }
    if alternates || turns {
      try refuse(("--zero-seconds", zeroSeconds != nil), as: "for what is measured against a zero-point")
    }
    if !alternates { try refuse(("--window", window != nil), as: "for --ac and --spectrum") }
    if !turns { try refuse(("--turns-file", turnsFile != nil), ("--per-turn", perTurn != nil), as: "for --turns") }
    if distance {
      try refuse(
        ("--count", streamOptions.count != nil), ("--publish", !publishOptions.publish.isEmpty),
        as: "for readings: --distance gives one answer")
    }
  }

  /// Refuses the options that were given, with what they are for.
  private func refuse(_ options: (name: String, isGiven: Bool)..., as purpose: String) throws(ValidationError) {
    let given = options.filter { $0.isGiven }.map { $0.name }
    if !given.isEmpty { throw ValidationError("\(given.listed) \(given.count == 1 ? "is" : "are") \(purpose)") }
  }

  /// Checks that the mode can be written in the format.
  private func validateFormat() throws {
    let format = formatOption.format
    if let format, distance, !["text", "json"].contains(format) {
      throw ValidationError("--format \(format): a dipole moment is written as text or json")
    }
    if let format, spectrum, !["text", "csv", "json"].contains(format) {
      throw ValidationError("--format \(format): a spectrum is written as text, csv or json")
    }
    if let format, unitOption.unit == .counts, format == IAGA2002Format.name {
      throw ValidationError("--format \(format) is in nT: counts have no place in it")
    }
    _ = try formatOption.kind(
      for: ac || spectrum ? AlternatingReading.schema : turns ? TurnReading.schema : FieldReading.schema)
  }

  func run() throws {
    if spectrum { return try AlternatingMode(self).streamSpectra(count: streamOptions.count) }
    if ac { return try AlternatingMode(self).stream() }
    if distance { return try DistanceMode(self).measure() }
    if turns { return try TurnsMode(self).run() }
    var settings = Teslameter.Settings()
    if let zeroSeconds { settings.zeroSeconds = zeroSeconds }
    settings.smoothing = smooth
    settings.stillTo = stillTo
    let run = try InstrumentRun<Teslameter>(
      settings, deviceOptions, calibrationOptions, format: formatOption, publish: publishOptions,
      stream: streamOptions, unit: unitOption, triggers: eventOptions.triggers)
    var summary = try jsonSummary.map { try OutputFile(path: $0, .json) }
    try run.finish {
      let (end, count) = try measure(run)
      if let jsonSummary, case .measuring(let zero) = run.session.instrument.phase {
        try summary?.finish(with: self.summary(zero, count > 0 ? run.session.reading : nil, count: count))
        if end == .interrupted { run.notices.say("stopped; the summary of \(count) readings is in \(jsonSummary)") }
      }
      return end
    }
  }

  /// Measures until something ends it. Returns what, and how many readings there were.
  private func measure(_ run: InstrumentRun<Teslameter>) throws -> (end: StreamLoop.End, count: Int) {
    let programs = try run.programs(eventOptions, unit: unitOption.shown.microtesla)
    guard run.showsScreen, !eventOptions.events else { return try writeLines(run, programs) }
    var state = TeslameterState()
    state.unit = run.facts.units.field
    state.includesTurns = stillTo != nil
    return try run.screen(state, programs)
  }

  /// A live zero-point is tried so often before it is given up.
  private static let tries = 5

  private func writeLines(
    _ run: InstrumentRun<Teslameter>, _ programs: EventPrograms<FieldReading>
  ) throws -> (end: StreamLoop.End, count: Int) {
    let session = run.session
    session.instrument.tries = session.stream.isLive ? Self.tries : 1
    if session.stream.isLive { run.notices.say("zero-point: keep the sensor still and the magnet away") }
    do {
      return try run.writeLines(programs)
    } catch SessionError.noZeroPoint(let refusal) {
      throw Failure(refusal, unit: unitOption.shown)
    }
  }

  /// The summary for a program, as a line of JSON.
  private func summary(_ zero: ZeroPoint, _ last: FieldReading?, count: Int) -> String {
    let unit = unitOption.unit == .counts ? FieldDisplayUnit.counts : .microtesla
    return JSONValue.object(zero.summary(last, count: count, in: unit)).line
  }
}

extension ZeroPoint {
  /// The summary for a program, at the end: the zero-point, the number of readings, and their peak.
  func summary(
    _ last: FieldReading?, count: Int, in unit: FieldDisplayUnit = .microtesla
  ) -> [JSONValue.Member] {
    let fields: [(String, Double?)] = [
      ("zero_x", field.x), ("zero_y", field.y), ("zero_z", field.z), ("zero_noise", noise.length),
    ]
    let peaks: [(String, Double?)] = [
      ("peak", last?.peak), ("peak_uncertainty", last?.peakUncertainty), ("peak_at_least", last?.peakAtLeast),
      ("minimum", last?.minimum),
    ]
    func members(_ values: [(String, Double?)]) -> [JSONValue.Member] {
      values.map { name, microtesla in
        let value = microtesla.flatMap { $0.isFinite ? $0 / unit.microtesla : nil }
        return JSONValue.Member(key: "\(name)_\(unit.name)", value: .rounded(value, decimals: 4))
      }
    }
    let counts = [("zero_samples", samples), ("readings", count)].map {
      JSONValue.Member(key: $0.0, value: .integer($0.1))
    }
    return members(fields) + counts + members(peaks)
  }
}

extension JSONValue {
  /// A number with no more than this number of decimals, or null where it is absent.
  static func rounded(_ value: Double?, decimals: Int) -> JSONValue {
    orNull(value.flatMap { Double(LodestoneCore.number($0, decimals)) })
  }
}

extension ZeroPoint {
  /// The strength, or the field along a probe.
  private func appendField(in unit: FieldDisplayUnit, to text: inout TextBuffer) {
    text.append("zero-point ")
    text.append((isOfProbe ? field.x : field.length) / unit.microtesla, decimals: unit.decimals)
    text.append(" ")
    text.append(text: unit.symbol)
    guard !isOfProbe else { return text.append(" along the probe, which has one axis, ") }
    text.append(" (x ")
    text.append(field.x / unit.microtesla, decimals: unit.decimals)
    text.append(", y ")
    text.append(field.y / unit.microtesla, decimals: unit.decimals)
    text.append(", z ")
    text.append(field.z / unit.microtesla, decimals: unit.decimals)
    text.append("), ")
  }

  /// The strength of the zero-point, and its noise.
  func words(in unit: FieldDisplayUnit) -> String {
    var text = TextBuffer()
    appendField(in: unit, to: &text)
    if noise == .zero {
      text.append("the same in all ")
    } else {
      // Noise too small to be shown is rounded up to one in the last digit.
      text.append("stable within ")
      text.append(max(noise.length / unit.microtesla, pow(10, -Double(unit.decimals))), decimals: unit.decimals)
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" over ")
    }
    text.append(samples)
    text.append(" samples")
    if let degree = turnField {
      text.append("; no gyroscope tells a turn of the sensor, which looks like a field, ")
      text.append(degree / unit.microtesla, decimals: unit.decimals(uncertainty: degree))
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" for 1° at most: fix it, or give --still-to")
    }
    if let expected = missedStrength {
      text.append("; the calibration's field is ")
      text.append(expected / unit.microtesla, decimals: unit.decimals)
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(": is a magnet or iron near? It is subtracted, too")
    }
    if isStrong, unit != .counts {
      text.append("; the Earth's field is ")
      text.append(MagneticField.earthStrength.upperBound / unit.microtesla, decimals: unit.decimals(uncertainty: 1))
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" at most: the rest is the sensor's offset, or a magnet or iron near. It is subtracted, too")
    }
    if alternating > 0 {
      text.append("; the field alternates by ±")
      text.append(alternating / unit.microtesla, decimals: unit.decimals(uncertainty: alternating))
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" (mains hum?)")
    }
    return text.text
  }
}

extension Failure {
  /// Words a zero-point that was refused.
  init(_ refusal: ZeroPoint.Refusal, unit: FieldDisplayUnit) {
    let still = "keep the sensor still and magnets away while the zero-point is taken"
    switch refusal {
    case .tooFewSamples(let count):
      self.init(
        .badData, "no zero-point: only \(count) \(count == 1 ? "sample" : "samples")",
        hint: "it takes \(ZeroPointCollector.fewestSamples); a recording without times needs its rate: FILE?rate=50")
    case .moving(let wander, let noise):
      var text = TextBuffer()
      text.append("no zero-point: the field moves by ")
      text.append(wander / unit.microtesla, decimals: unit.decimals)
      text.append(" ")
      text.append(text: unit.symbol)
      text.append(" where noise explains ")
      text.append(noise / unit.microtesla, decimals: unit.decimals)
      self.init(.badData, text.text, hint: "\(still); smoothed numbers take longer: --zero-seconds 20")
    case .ended:
      self.init(
        .badData, "no zero-point: the stream ended before it was averaged",
        hint: "record for longer, or average for less time, as in --zero-seconds 1")
    case .saturated: self.init(.badData, "no zero-point: the sensor is at the end of its range", hint: still)
    case .oneAxis(let setting):
      let (name, hint) =
        switch setting {
        case .calibration: ("a calibration", "leave it out: --profile none")
        case .mounting: ("--mount", "leave it out: the reading is along the probe, however that is held")
        case .stillTo: ("--still-to", "leave it out, and keep the probe fixed")
        }
      self.init(.badData, "a probe of one axis, and \(name) is for three", hint: hint)
    }
  }
}
