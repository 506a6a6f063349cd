import Glibc
import Lodestone
import LodestoneCore
import Navigation

/// `teslameter --distance`: a magnet's dipole moment, and how deep the sensor sits in its case, from magnitudes at
/// typed distances from the case to the middle of the magnet.
final class DistanceMode {
  private let command: TeslameterCommand
  private let run: InstrumentRun<Teslameter>
  private var typed = TypedLines()
  private var series = DistanceSeries()

  /// Millimetres in a metre, and the farthest distance that can be meant.
  private static let millimetres = 1000.0
  private static let farthest = 100.0

  init(_ command: TeslameterCommand) throws {
    self.command = command
    var settings = DistanceSeries.teslameter
    if let seconds = command.zeroSeconds { settings.zeroSeconds = seconds }
    run = try InstrumentRun<Teslameter>(
      settings, command.deviceOptions, command.calibrationOptions, format: command.formatOption,
      publish: command.publishOptions, stream: command.streamOptions, unit: command.unitOption)
    run.session.attachment.rate = run.rate
    guard run.session.stream.isLive else {
      throw Failure(.usage, "a series of distances needs a live device", hint: "give a port, usb: or sim:")
    }
  }

  /// Zero-point, distances, answer.
  func measure() throws {
    let keyboard = Keyboard()
    run.session.loop.companions.append(keyboard)
    run.notices.say("zero-point: keep the sensor still and the magnet away")
    try run.finish {
      let end = try collect(keyboard)
      // Ctrl-C takes nothing away of a series that makes an answer.
      guard end != .interrupted || !series.points.isEmpty else { return end }
      do {
        try run.output.append(Array(try answer().utf8).span)
        if end == .interrupted { run.notices.say("stopped; the answer is by \(series.points.count) distances") }
      } catch let failure as Failure where end == .interrupted {
        run.notices.say("stopped without an answer: \(failure.message)")
      }
      return try run.session.loop.drain(after: end)
    }
  }

  /// Takes distances until the last one was typed.
  private func collect(_ keyboard: Keyboard) throws -> StreamLoop.End {
    try run.session.run { [self] event in
      switch event {
      case .reading:
        guard !run.session.reading.flags.contains(.oneAxis) else { throw Self.oneAxis }
        series.add(run.session.reading)
      case .notice(let notice): say(notice)
      case .turn:
        guard let bytes = keyboard.take() else { return .goOn }
        let (lines, isLast) = typed.take(bytes)
        for line in lines where take(line) == .stop { return .stop }
        return isLast ? .stop : .goOn
      default: break
      }
      return .goOn
    }
  }

  private static var oneAxis: Failure {
    Failure(
      .badData, "a probe of one axis does not tell how strong a field is, and --distance needs that",
      hint: "lodestone teslameter without --distance shows the field along it")
  }

  private func say(_ notice: Notice) {
    run.notices.say(notice)
    guard case .instrument(.zeroed) = notice else { return }
    run.notices.say(
      "bring the magnet's pole to the sensor; type the distance from the case to the middle of the magnet in mm; "
        + "q ends, - takes back")
  }

  private func take(_ line: String) -> StreamLoop.Verdict {
    if line.isEmpty || line == "q" { return .stop }
    if line == "-" {
      let isEmpty = series.removeLast() == nil
      run.notices.say(isEmpty ? "there is nothing to take back" : "taken back; \(series.points.count) left")
      return .goOn
    }
    guard let metres = Self.metres(line) else {
      run.notices.say("'\(line.harmless)' is not a distance: type millimetres, as in 50, or 5cm")
      return .goOn
    }
    guard let point = mark(at: metres) else { return .goOn }
    let unit = command.unitOption.shown
    let uncertainty = point.uncertainty(under: run.session.profile)
    let decimals = unit.decimals(uncertainty: uncertainty)
    run.notices.say(
      "\((metres * Self.millimetres).exactText()) mm: \((point.magnitude / unit.microtesla).text(decimals: decimals)) "
        + "\(unit.symbol) ±\((uncertainty / unit.microtesla).text(decimals: decimals)); "
        + "\(series.points.count) so far")
    return .goOn
  }

  /// Takes the field of the last second at a distance; nil, and said why, where there is none.
  private func mark(at metres: Double) -> MagnetDistance.Point? {
    do throws(DistanceSeries.Problem) {
      return try series.mark(at: metres)
    } catch {
      switch error {
      case .noReading: run.notices.say("there is no zero-point yet")
      case .saturated: run.notices.say("not taken: the sensor is at the end of its range. Go farther away")
      case .belowNoise: run.notices.say("not taken: the magnet does not stand out of the noise. Come nearer")
      case .moving: run.notices.say("not taken: the field moved meanwhile. Hold still for a second")
      }
      return nil
    }
  }

  /// `50`, `50mm`, `5cm` or `0.05m`.
  private static func metres(_ text: String) -> Double? {
    let units = [("mm", 0.001), ("cm", 0.01), ("m", 1.0)]
    let (suffix, size) = units.first { text.hasSuffix($0.0) } ?? ("", 0.001)
    guard let value = Double(decimal: Array(text.utf8.dropLast(suffix.utf8.count)).span), value >= 0 else { return nil }
    let metres = value * size
    return metres <= farthest ? metres : nil
  }

  // MARK: The answer

  private func answer() throws -> String {
    let found: MagnetDistance
    do throws(MagnetDistance.Refusal) {
      found = try MagnetDistance(series.points)
    } catch {
      throw Failure(error)
    }
    let (moment, depth) = found.halfWidths(under: run.session.profile)
    guard command.formatOption.format != "json" else {
      func rounded(_ value: Double) -> JSONValue { .number((value * 1e7).rounded() / 1e7) }
      return JSONValue.members(
        ("moment_Am2", rounded(found.moment)), ("moment_uncertainty_Am2", rounded(moment)),
        ("depth_m", rounded(found.depth)), ("depth_uncertainty_m", rounded(depth)),
        ("residual", rounded(found.residual)), ("distances", .integer(series.points.count))
      ).line
    }
    let decimals = max(0, min(6, 1 - max(moment, 1e-6).decimalExponent))
    return """
      dipole moment   \(found.moment.text(decimals: decimals)) A·m² ±\(moment.text(decimals: decimals))
      sensor's depth  \((found.depth * Self.millimetres).text(decimals: 1)) mm \
      ±\((depth * Self.millimetres).text(decimals: 1))
      the law of a dipole is kept within \((100 * found.residual).text(decimals: 1)) %

      """
  }
}

extension Failure {
  /// Words a series that is no dipole's.
  init(_ refusal: MagnetDistance.Refusal) {
    switch refusal {
    case .tooFew(let count):
      self.init(
        .badData, "no dipole moment: \(count) distances are too few",
        hint: "take \(MagnetDistance.fewestPoints) or more, the farthest at twice the nearest")
    case .notADipole:
      self.init(
        .badData, "no dipole moment: the field does not fall with the distance as a magnet's does",
        hint: "move along the magnet's axis, from twice its length on, and keep iron away")
    }
  }
}
