import Calibration
import Instruments
import LodestoneCore

/// Sweeps, through the calibrator, at once and live. The input tells how a board was held and what is wrong with it,
/// and then what happens to single samples; or it is the samples themselves.
enum SweepsTarget: FuzzTarget {
  static let name = "sweeps"
  private static let mostSamples = 400
  /// Of a board of one sample in two seconds, each makes a fit of its own.
  private static let mostLive = 200

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    var settings = CalibrationSettings()
    settings.findsAxes = reader.flag()
    settings.unitIsKnown = reader.flag()
    if !settings.unitIsKnown { settings.countsPerMicrotesla = 10 }
    if reader.flag() {
      settings.place = .init(fieldStrength: reader.number(20...70), inclination: reader.number(-90...90))
    }
    let mode = reader.byte()
    let isLive = mode % 4 == 0
    settings.isHeld = mode >= 192
    let samples = reader.flag() ? bare(&reader) : swept(&reader)
    check(Calibrator(settings: settings).fit(samples))
    guard isLive else { return }
    var collector = GuidedCalibration(settings: settings)
    for sample in samples.prefix(mostLive) { collector.add(sample) }
    check(collector.finished())
  }

  /// A board in a hand, and then its samples damaged one by one.
  private static func swept(_ reader: inout InputReader) -> [Sample] {
    var settings = VirtualBreakout.Settings()
    settings.motion = reader.choice(VirtualBreakout.Settings.Motion.allCases) ?? .walk
    settings.rate = reader.choice([5.0, 10, 50, 0.5, 1000]) ?? 50
    settings.seed = UInt64(reader.byte())
    settings.sensor = UInt64(reader.byte())
    settings.noise = reader.number(0...5)
    settings.hardIron = reader.number(0...2000)
    settings.softIron = reader.number(0...0.3)
    settings.misalignment = reader.number(0...180)
    settings.fieldStrength = reader.number(0...200)
    settings.inclination = reader.number(-90...90)
    settings.hasAccelerometer = reader.flag()
    settings.accelerometerIsReversed = reader.flag()
    settings.accelerometerNoise = reader.number(0...0.3)
    settings.range = reader.number(10...5000)
    var board = VirtualBreakout(settings)
    let count = Int(reader.number(0...Double(mostSamples)))
    var samples = (0..<count).map { _ in board.next().sample }
    while !reader.isAtEnd, !samples.isEmpty { damage(&samples, &reader) }
    return samples
  }

  static func damage(_ samples: inout [Sample], _ reader: inout InputReader) {
    let index = Int(reader.word()) % samples.count
    let kind = reader.byte()
    switch kind % 8 {
    case 0: samples[index].time = reader.anyDouble()
    case 1: samples[index].field = MagneticField(microtesla: vector(&reader))
    case 2: samples[index].acceleration = Acceleration(g: vector(&reader))
    case 3: samples[index].field = nil
    case 4: samples[index].flags = Sample.Flags(rawValue: reader.byte())
    case 5: for later in index..<samples.count { samples[later].time = samples[index].time }
    case 6 where kind >= 128: drift(&samples, from: index, &reader)
    case 6: for later in index..<samples.count { samples[later].field = samples[index].field }
    default:
      let step = reader.number(-100...100)
      for later in index..<samples.count { samples[later].time += step }
    }
  }

  /// Iron that moves while the board is turned, at once or little by little, in µT.
  private static func drift(_ samples: inout [Sample], from first: Int, _ reader: inout InputReader) {
    let (x, y, z) = (reader.number(-20...20), reader.number(-20...20), reader.number(-20...20))
    let isStep = reader.flag()
    for later in first..<samples.count {
      guard let field = samples[later].field?.microtesla else { continue }
      let share = isStep ? 1 : Double(later - first) / Double(samples.count - first)
      samples[later].field = MagneticField(microtesla: field + Vector3(x, y, z) * share)
    }
  }

  /// Samples with nothing behind them.
  private static func bare(_ reader: inout InputReader) -> [Sample] {
    var samples: [Sample] = []
    let scale: Double = reader.choice([0.01, 1.0, 1e-9, 1e6]) ?? 1
    while !reader.isAtEnd, samples.count < mostSamples {
      var sample = Sample(time: Double(samples.count) * 0.02)
      sample.field = MagneticField(microtesla: counts(&reader) * scale)
      sample.acceleration = Acceleration(g: counts(&reader) * 1e-4)
      samples.append(sample)
    }
    return samples
  }

  private static func counts(_ reader: inout InputReader) -> Vector3 {
    func count() -> Double { Double(Int16(bitPattern: reader.word())) }
    return Vector3(count(), count(), count())
  }

  private static func vector(_ reader: inout InputReader) -> Vector3 {
    Vector3(reader.anyDouble(), reader.anyDouble(), reader.anyDouble())
  }

  /// A calibration that was found can be kept, and read again.
  static func check(_ outcome: CalibrationOutcome) {
    guard let result = outcome.result else { return }
    require(result.covariance.allSatisfy { $0.isFinite }, "a covariance that is not finite")
    let profile = Profile(result, device: "fuzz", created: 0)
    do {
      _ = try Profile(json: try profile.json())
    } catch {
      require(false, "a calibration that cannot be kept: \(error)")
    }
  }
}
