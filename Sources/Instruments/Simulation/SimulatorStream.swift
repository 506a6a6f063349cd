import Calibration
import Drivers
import LodestoneCore
import LodestonePorts

/// `sim:` — the built-in virtual breakout.
enum SimulatorScheme: AddressScheme {
  static let scheme: String? = "sim"
  static let example = "sim:?motion=figure-eight&rate=100&seed=7"
  static let hasSensorRates = true

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    var query = address.query.map { ($0.name, $0.value) }
    let speed = query.last { $0.0 == "speed" }?.1
    if let speed, speed != "max" {
      throw .badAddress(address.text, .badValue(option: "speed", value: speed, expected: "max"))
    }
    let isFast = speed != nil
    query.removeAll { $0.0 == "speed" }
    if !query.contains(where: { $0.0 == "motion" }) { query.append(("motion", "hand")) }
    if let rate = options.rate, !query.contains(where: { $0.0 == "rate" }) { query.append(("rate", rate.exactText())) }
    var settings: VirtualBreakout.Settings
    do throws(VirtualBreakout.Settings.Problem) {
      settings = try VirtualBreakout.Settings(query: query)
    } catch {
      throw .badAddress(address.text, BadAddress(error))
    }
    if let rate = options.motionRate, !(0.1...10_000).contains(rate) {
      throw .badAddress(
        address.text, .badValue(option: "rate", value: rate.exactText(), expected: "0.1 to 10000 a second"))
    }
    let field = settings.rate
    settings.rate = max(field, options.motionRate ?? 0)
    let sensors = SimulatorStream.Turns(of: settings.rate, field: field, motion: options.motionRate ?? settings.rate)
    return try SimulatorStream(
      settings, sensors, isFast: isFast, truthFile: options.truthFile, tellsHeadings: options.simulatesOwnHeadings)
  }
}

extension BadAddress {
  init(_ problem: VirtualBreakout.Settings.Problem) {
    switch problem {
    case .unknownKey(let key, let allowed): self = .unknownOption(key, allowed: allowed + ["speed"])
    case .badValue(let key, let value, let expected): self = .badValue(option: key, value: value, expected: expected)
    }
  }
}

/// The virtual breakout in real time, or as fast as it is asked.
final class SimulatorStream: SampleStream {
  let descriptor: Int32? = nil
  let isLive: Bool
  let identity: String
  let unixStart: Double? = WallClock.unixTime
  var wakeTime: MonotonicTime? { due }

  private var breakout: VirtualBreakout
  private var pending: (sample: Sample, truth: VirtualBreakout.Truth)
  private var pace = Pace()
  private var due: MonotonicTime?
  private var truth: TruthFile?
  private let tellsHeadings: Bool
  private let turns: Turns
  private var count = 0

  /// The turns of the sensors, where they have rates of their own: which samples have a field, and which a motion.
  struct Turns {
    private let field, motion: Int

    /// - `rate`: of all samples, in Hz.
    /// - `field`: how often there is a field, in Hz.
    /// - `motion`: how often there is an acceleration and a rotation rate, in Hz.
    init(of rate: Double, field: Double, motion: Double) {
      self.field = max(1, Int((rate / field).rounded()))
      self.motion = max(1, Int((rate / motion).rounded()))
    }

    /// Takes from a sample what is not its turn.
    func thin(_ sample: inout Sample, number: Int) {
      if number % field != 0 { sample.field = nil }
      if number % motion != 0 { (sample.acceleration, sample.rotationRate) = (nil, nil) }
    }
  }

  init(
    _ settings: VirtualBreakout.Settings, _ turns: Turns, isFast: Bool, truthFile: String?, tellsHeadings: Bool = false
  ) throws(StreamError) {
    self.tellsHeadings = tellsHeadings
    self.turns = turns
    breakout = VirtualBreakout(settings)
    isLive = !isFast
    identity = "sim-\(settings.sensor)"
    pending = breakout.next()
    truth = try truthFile.map { path throws(StreamError) in try TruthFile(path: path) }
  }

  var isEndless: Bool { true }

  var builtInProfile: Profile? {
    breakout.settings.isCalibrated ? breakout.profile(device: identity, created: WallClock.unixSeconds) : nil
  }

  func seek(_ causes: CauseNames) {
    breakout.currentPlace = causes.place(of: "current_A")
    breakout.tellCurrent(in: &pending.sample)
  }

  func follow(_ request: HandRequest) { breakout.follow(request) }

  func next() throws(StreamError) -> StreamEvent {
    if isLive {
      let due = due ?? pace.due(pending.sample.time)
      guard due <= MonotonicTime.now else {
        self.due = due
        return .waiting
      }
    }
    let now = pending
    pending = breakout.next()
    due = isLive ? pace.due(pending.sample.time) : nil
    try truth?.append(now.truth)
    var sample = now.sample
    turns.thin(&sample, number: count)
    count += 1
    if tellsHeadings { sample.own = OwnHeading(now.truth) }
    return .sample(sample)
  }
}

extension OwnHeading {
  /// The heading and attitude of a board that computes them itself, and flawlessly.
  fileprivate init(_ truth: VirtualBreakout.Truth) {
    self.init(magnetic: truth.heading, trueNorth: truth.trueHeading, pitch: truth.pitch, roll: truth.roll)
  }
}
