import Glibc
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Lodestone
import Navigation

/// `teslameter --ac` and `teslameter --spectrum`: what alternates in the field, window by window.
struct AlternatingMode {
  private let run: InstrumentRun<AlternatingField>
  private let window: Double
  private let fewest: Int
  private let format: String
  private let unit: FieldDisplayUnit

  init(_ command: TeslameterCommand) throws {
    var settings = AlternatingField.Settings()
    settings.window = command.window ?? (command.spectrum ? 10 : settings.window)
    if command.window != nil { settings.fewest = FieldSpectrum.fewest }
    (window, fewest) = (settings.window, settings.fewest)
    format = command.formatOption.format ?? "text"
    unit = command.unitOption.shown
    run = try InstrumentRun<AlternatingField>(
      settings, command.deviceOptions, command.calibrationOptions, format: command.formatOption,
      publish: command.publishOptions, stream: command.streamOptions,
      unit: command.unitOption)
  }

  /// A line a window.
  func stream() throws {
    try run.finish {
      sayWait()
      var isTold = false
      return try refusingNothing {
        try run.writeLines(
          always: { _ in
            if !isTold { sayLimits() }
            isTold = true
            return false
          })
      }
    }
  }

  /// The lines of the spectrum, window by window.
  func streamSpectra(count limit: Int?) throws {
    run.session.attachment.rate = run.rate
    try run.finish {
      sayWait()
      if format == "csv" { try run.output.append(Array((Self.header(unit) + "\n").utf8).span) }
      return try refusingNothing {
        var count = 0
        let end = try run.session.run { event in
          switch event {
          case .reading:
            try run.publisher?.publish(run.session.reading)
            guard let spectrum = run.session.instrument.spectrum else { break }
            if count == 0 { sayLimits() }
            try run.output.append(Array(text(spectrum, run.session.reading).utf8).span)
            count += 1
            return count == limit ? .stop : .goOn
          case .notice(let notice): run.notices.say(notice)
          default: break
          }
          return .goOn
        }
        return (end, count)
      }
    }
  }

  /// Says when the first line comes, where that takes longer than a user waits without a word.
  private func sayWait() {
    guard run.session.stream.isLive, window > 3 else { return }
    run.notices.say("the first line comes after a window of \(window.exactText()) s")
  }

  /// Says of the first window where it is not as it was asked for, or tells less than it seems to.
  private func sayLimits() {
    guard let spectrum = run.session.instrument.spectrum else { return }
    if spectrum.samplesPerMeasurement > 1 {
      run.notices.say(
        "the sensor measures \(spectrum.rate.text(decimals: 1)) times a second, and each value is sent "
          + "\(spectrum.samplesPerMeasurement.text(decimals: 1)) times: frequencies show up to "
          + "\(spectrum.nyquist.text(decimals: 1)) Hz")
    }
    let seconds = 1 / spectrum.resolution
    if seconds < 0.9 * window {
      run.notices.say(
        "a window takes \(AlternatingField.mostSamples) samples at most, \(seconds.text(decimals: 1)) s at this rate")
    }
    let hidden = spectrum.hiddenMains.map { "\(Int($0))" }
    if !hidden.isEmpty {
      run.notices.say(
        "at \(spectrum.rate.text(decimals: 1)) samples a second the hum of \(hidden.joined(separator: " and ")) Hz mains "
          + "looks like a field that changes slowly, and no line shows it: near mains wiring use --rate 45")
    }
    if !spectrum.tellsLines {
      run.notices.say("too few samples in a window to tell a line from noise: take a longer --window")
    }
  }

  /// Reads the stream to its end, which has to have said something.
  private func refusingNothing(_ read: () throws -> (end: StreamLoop.End, count: Int)) throws -> StreamLoop.End {
    do {
      let (end, count) = try read()
      try refuseNothing(count, at: end)
      return end
    } catch SessionError.noReadings(_, _, isFieldZero: false) {
      try refuseNothing(0, at: .streamEnded)
      return .streamEnded
    }
  }

  /// A recording that is shorter than a window says nothing; its user should know why.
  private func refuseNothing(_ count: Int, at end: StreamLoop.End) throws {
    guard count == 0, end == .streamEnded || end == .durationReached else { return }
    throw Failure(
      .badData, "nothing to say: less than a window of \(window.exactText()) s and \(fewest) samples of the field came",
      hint: "record for longer, or take a shorter window, as in --window \((window / 5).exactText())")
  }

  // MARK: Words

  private static func header(_ unit: FieldDisplayUnit) -> String {
    let amplitudes = ["amplitude", "amplitude_minor", "amplitude_uncertainty"].map { "\($0)_\(unit.name)" }
    return "time_s,frequency_hz,frequency_uncertainty_hz,\(amplitudes.joined(separator: ",")),name"
  }

  private func text(_ spectrum: FieldSpectrum, _ reading: AlternatingReading) -> String {
    let lines = reading.isSaturated ? [] : spectrum.lines.filter { $0.isSignificant }
    switch format {
    case "json": return object(spectrum, reading, lines).line
    case "csv":
      return lines.map { line in
        let numbers = [
          reading.time.text(decimals: 6), line.frequency.text(decimals: Self.decimals(line)),
          line.frequencyUncertainty?.text(decimals: Self.decimals(line)) ?? "", field(line.amplitude),
          field(line.minorAmplitude), line.amplitudeUncertainty.map { field($0) } ?? "",
        ]
        return numbers.joined(separator: ",") + ",\(line.words.map { "\"\($0)\"" } ?? "")\n"
      }.joined()
    default: return words(spectrum, reading, lines)
    }
  }

  private func field(_ microtesla: Double) -> String { (microtesla / unit.microtesla).text(decimals: unit.decimals) }

  private func words(_ spectrum: FieldSpectrum, _ reading: AlternatingReading, _ lines: [SpectralLine]) -> String {
    var text = "at \(reading.time.text(decimals: 1)) s: \(spectrum.rate.text(decimals: 1)) samples a second show up to "
    text += "\(spectrum.nyquist.text(decimals: 1)) Hz, \(spectrum.resolution.text(decimals: 2)) Hz apart"
    guard !reading.isSaturated else { return text + "; saturated, nothing can be said\n" }
    text += reading.rms.map { "; \(field($0)) \(unit.symbol) RMS\n" } ?? "\n"
    if lines.isEmpty { text += "  no line above the noise\n" }
    for line in lines {
      let decimals = Self.decimals(line)
      let off = line.frequencyUncertainty.map { " ±\($0.text(decimals: decimals))" } ?? ""
      text += "  \(padded(line.frequency.text(decimals: decimals), 8))\(off) Hz  \(padded(field(line.amplitude), 10))"
      text += line.amplitudeUncertainty.map { " ±\(field($0))" } ?? ""
      text += " \(unit.symbol), \(field(line.minorAmplitude)) across"
      text += line.words.map { "   \($0)\n" } ?? "\n"
    }
    return text
  }

  /// Decimals that show two digits of the frequency's ±, in hertz.
  private static func decimals(_ line: SpectralLine) -> Int {
    guard let uncertainty = line.frequencyUncertainty, uncertainty > 0 else { return 3 }
    return max(2, min(7, 1 - uncertainty.decimalExponent))
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  private func object(_ spectrum: FieldSpectrum, _ reading: AlternatingReading, _ lines: [SpectralLine]) -> JSONValue {
    func rounded(_ value: Double?) -> JSONValue { .rounded(value, decimals: 4) }
    func field(_ microtesla: Double?) -> JSONValue {
      .rounded(microtesla.map { $0 / unit.microtesla }, decimals: unit.decimals + 1)
    }
    let entries = lines.map { line in
      JSONValue.members(
        ("frequency_hz", .rounded(line.frequency, decimals: Self.decimals(line))),
        ("frequency_uncertainty_hz", .rounded(line.frequencyUncertainty, decimals: Self.decimals(line))),
        ("amplitude_\(unit.name)", field(line.amplitude)),
        ("amplitude_minor_\(unit.name)", field(line.minorAmplitude)),
        ("amplitude_uncertainty_\(unit.name)", field(line.amplitudeUncertainty)),
        ("name", line.words.map { .string($0) } ?? .null))
    }
    return .members(
      ("time_s", .rounded(reading.time, decimals: 6)), ("rate_hz", rounded(spectrum.rate)),
      ("nyquist_hz", rounded(spectrum.nyquist)), ("resolution_hz", rounded(spectrum.resolution)),
      ("rms_\(unit.name)", field(reading.rms)), ("lines", .array(entries)))
  }
}
