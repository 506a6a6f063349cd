import Calibration
import Instruments
import LodestoneCore

/// Calibrations of the other ways: positions held, one that refines another, causes, a known heading, and what ordinary
/// motion teaches. The input tells the board and how it was moved, and then what happens to single samples.
enum WaysTarget: FuzzTarget {
  static let name = "ways"

  private enum Way: CaseIterable {
    case held, touchUp, causes, facing, learning
  }

  /// A board that was calibrated once, for all inputs.
  private static let known: Profile? = {
    var settings = board(7)
    settings.motion = .figureEight
    var breakout = VirtualBreakout(settings)
    let sweep = (0..<1200).map { _ in breakout.next().sample }
    return Calibrator().fit(sweep).result.map { Profile($0, device: "fuzz", created: 0) }
  }()

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    let way = reader.choice(Way.allCases) ?? .held
    var settings = CalibrationSettings()
    if reader.flag() {
      settings.place = .init(fieldStrength: reader.number(20...70), inclination: reader.number(-90...90))
    }
    var samples = way == .held ? stations(&reader) : moved(&reader)
    if way == .causes { addCauses(to: &samples, &reader, &settings) }
    while !reader.isAtEnd, !samples.isEmpty { SweepsTarget.damage(&samples, &reader) }
    switch way {
    case .learning: return learn(samples)
    case .held: settings.isHeld = samples.count % 2 == 0
    case .touchUp: settings.earlier = known.flatMap { EarlierCalibration($0) }
    case .facing:
      settings.facing = KnownHeading(magneticDegrees: Double(samples.count % 360))
      settings.facingFrom = known.flatMap { EarlierCalibration($0) }
    case .causes: break
    }
    let outcome = Calibrator(settings: settings).fit(samples)
    SweepsTarget.check(outcome)
    if way == .causes { takeOff(outcome.result?.causes ?? [], from: samples) }
  }

  /// Takes off what was found, and a cause that comes late, early or with the field; the last third has no values.
  private static func takeOff(_ found: [Cause], from samples: [Sample]) {
    let lag = Double(samples.count % 3 - 1) * 0.2
    let other = Cause(name: "cause0", slope: Vector3(0.5, 0, 0), deviation: 0.1, range: 5...20, lag: lag)
    for causes in [found, [other]] {
      guard var removal = CauseRemoval(causes) else { continue }
      for (index, sample) in samples.enumerated() where sample.time.isFinite {
        var sample = sample
        if index * 3 > samples.count * 2 { sample.causes = CauseValues() }
        require(causes.values(in: sample).count == causes.count, "values of other causes")
        require(removal.remove(from: &sample) >= 0, "an accuracy that is none")
        while removal.nextFault() != nil {}
      }
    }
  }

  private static func learn(_ samples: [Sample]) {
    guard let known, var learner = HardIronLearner(known) else { return require(false, "the known board is none") }
    for sample in samples {
      guard let finding = learner.add(sample) else { continue }
      require(finding.headingError >= 0 && finding.distance >= 0, "an accuracy that is none")
      require(finding.profile.correction.hardIron.isFinite, "a hard iron that is not finite")
    }
  }

  private static func board(_ seed: UInt64) -> VirtualBreakout.Settings {
    var settings = VirtualBreakout.Settings()
    (settings.seed, settings.sensor, settings.rate) = (seed, 11, 20)
    return settings
  }

  /// The known board in motion, with iron that has moved since.
  private static func moved(_ reader: inout InputReader) -> [Sample] {
    var settings = board(UInt64(reader.byte()))
    settings.motion = reader.choice(VirtualBreakout.Settings.Motion.allCases) ?? .walk
    settings.swing = reader.number(0...90)
    settings.noise = reader.number(0...3)
    settings.hasGyroscope = reader.byte() % 4 != 0
    settings.gyroscopeBias = reader.number(0...5)
    let iron = Vector3(reader.number(-40...40), reader.number(-40...40), reader.number(-40...40))
    var breakout = VirtualBreakout(settings)
    return (0..<Int(reader.number(0...800))).map { _ in
      var sample = breakout.next().sample
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + iron) }
      return sample
    }
  }

  /// Positions, each held for a second, of an instrument whose offset may move from the first to the last.
  private static func stations(_ reader: inout InputReader) -> [Sample] {
    let (count, rows) = (Int(reader.number(1...28)), 8)
    let drift = Vector3(reader.number(-9...9), reader.number(-9...9), reader.number(-9...9)) * reader.number(0...1)
    let noise = reader.number(0...1)
    let isLeftHanded = reader.flag()
    var samples: [Sample] = []
    for station in 0..<count {
      let turn = Vector3(reader.number(-3...3), reader.number(-3...3), reader.number(-3...3))
      let attitude = Matrix3(rotation: turn)
      for row in 0..<rows {
        let shake = Double((station * 5 + row * 3) % 7 - 3) * noise / 3
        var field = attitude * Vector3(0, 20, -43) + Vector3(12, -30 + shake, 8) + drift * (Double(station) / 12)
        if isLeftHanded { field = Vector3(field.y, field.x, field.z) }
        var sample = Sample(time: Double(station) * 1.5 + Double(row) * 0.1)
        sample.field = MagneticField(microtesla: field)
        sample.acceleration = Acceleration(g: attitude * Vector3(0, 0, 1) + Vector3(0.02, -0.01, 0.003 * shake))
        samples.append(sample)
      }
    }
    return samples
  }

  /// Causes that go with time, in steps or along, each with a field of its own.
  private static func addCauses(
    to samples: inout [Sample], _ reader: inout InputReader, _ settings: inout CalibrationSettings
  ) {
    for place in 0..<(1 + Int(reader.byte()) % CauseValues.limit) {
      settings.causes.append(SoughtCause("cause\(place)", range: reader.flag() ? nil : 0...reader.number(1...30)))
      let slope = Vector3(reader.number(-1...1), reader.number(-1...1), reader.number(-1...1))
      let (period, isStepped) = (1 + Int(reader.byte()), reader.flag())
      for index in samples.indices {
        let phase = Double(index % period) / Double(period)
        let value = 30 * (isStepped ? phase.rounded() : phase)
        samples[index].causes[place] = value
        samples[index].field = samples[index].field.map { MagneticField(microtesla: $0.microtesla + slope * value) }
      }
    }
  }
}
