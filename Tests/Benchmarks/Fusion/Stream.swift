import Calibration
import Glibc
import Instruments
import LodestoneCore
import Navigation
import Support

/// A way to carry a simulated board that was calibrated by a sweep of its own: how far headings and up are from the
/// truth.
struct Stream: Sendable {
  var name: String
  /// Samples a second, in the sweep too.
  var rate = 50.0
  /// The field is this many seconds older than the rate beside it, in the sweep too.
  var fieldLag = 0.0
  /// By how much the gyroscope's zero has moved since the sweep, in °/s.
  var movedZero = 0.0
  /// The field of a magnet that was put on the board since, in µT.
  var addedIron = 0.0
  /// When that was put on, in seconds: only lines after that count.
  var ironTime = 0.0
  /// Losses and repetitions of the samples.
  var fault: @Sendable (inout [Ride.Moment], inout RandomNumbers) -> Void = { _, _ in }
  /// How it moves, on a board of these settings.
  var moments: @Sendable (Stream, VirtualBreakout.Settings, inout RandomNumbers) -> [Ride.Moment]

  /// A ride.
  init(
    name: String, rate: Double = 50, fieldLag: Double = 0, movedZero: Double = 0, addedIron: Double = 0,
    ironTime: Double = 0,
    fault: @escaping @Sendable (inout [Ride.Moment], inout RandomNumbers) -> Void = { _, _ in },
    ride: @escaping @Sendable (inout RandomNumbers) -> Ride
  ) {
    (self.name, self.rate, self.fieldLag, self.movedZero, self.fault) = (name, rate, fieldLag, movedZero, fault)
    (self.addedIron, self.ironTime) = (addedIron, ironTime)
    moments = { stream, board, random in
      var ride = ride(&random)
      ride.fieldLag = stream.fieldLag
      return ride.moments(board, seed: board.seed * 1000)
    }
  }

  /// A motion of the simulator's own.
  init(name: String, seconds: Double, change: @escaping @Sendable (inout VirtualBreakout.Settings) -> Void) {
    self.name = name
    moments = { _, board, _ in
      var board = board
      board.seed += 500
      change(&board)
      var breakout = VirtualBreakout(board)
      return (0..<Int(seconds * board.rate)).map { _ in
        let (sample, truth) = breakout.next()
        return Ride.Moment(
          sample: sample, heading: truth.heading.degrees, attitude: Quaternion(truth.attitude))
      }
    }
  }

  /// The results of a row: ours, and VQF's with its defaults on the same calibrated samples.
  struct Outcome {
    var ours = Score()
    var vqf = Score()
    var accused = 0
  }

  static let header = """
    stream                heading incl.  median   95 %    says  holds  figure   said/95 %  VQF: heading incl.  accused
    """

  func line(seeds: ClosedRange<UInt64>) -> String {
    var sum = Outcome()
    for seed in seeds {
      let outcome = run(seed)
      sum.ours.add(outcome.ours)
      sum.vqf.add(outcome.vqf)
      sum.accused += outcome.accused
    }
    let (ours, vqf) = (sum.ours, sum.vqf)
    return padded(name, 24) + fixed(ours.heading, 2, 5) + fixed(ours.inclination, 2, 7) + fixed(ours.median, 2, 8)
      + fixed(ours.large, 2, 7) + fixed(ours.stated, 1, 8) + fixed(100 * ours.holds, 1, 7)
      + fixed(100 * ours.withFigure, 1, 8) + fixed(ours.stated / ours.large, 2, 12) + fixed(vqf.heading, 2, 14)
      + fixed(vqf.inclination, 2, 6) + "\(sum.accused)".leftPadded(9)
  }

  /// The board of a seed.
  private func board(_ seed: UInt64) -> VirtualBreakout.Settings {
    var board = VirtualBreakout.Settings()
    (board.motion, board.seed, board.sensor, board.gyroscopeBias) = (.figureEight, seed, seed + 50, 1.5)
    board.rate = rate
    return board
  }

  /// The sweep's result; fields of a lagging board are those of the sweep a while ago.
  private func profile(_ settings: VirtualBreakout.Settings) -> Profile? {
    var sweep = VirtualBreakout(settings)
    var samples = (0..<Int(62 * rate)).map { _ in sweep.next().sample }
    let late = Int((fieldLag * rate).rounded())
    if late > 0 {
      for index in stride(from: samples.count - 1, through: late, by: -1) {
        samples[index].field = samples[index - late].field
      }
    }
    return Calibrator().fit(samples).result.map { Profile($0, device: "board", created: 0) }
  }

  private func run(_ seed: UInt64) -> Outcome {
    var settings = board(seed)
    guard let profile = profile(settings) else { return Outcome() }
    if movedZero > 0 {
      var random = RandomNumbers(seed: seed + 9)
      let zero = VirtualBreakout(settings).sensor.gyroscopeBias
      let way = Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(0, 0, 1)
      settings.gyroscopeBiasVector = zero + way * movedZero
    }
    var random = RandomNumbers(seed: seed * 100 + 7)
    var moments = moments(self, settings, &random)
    if addedIron > 0 { add(iron: seed, to: &moments) }
    fault(&moments, &random)
    return measure(moments, profile)
  }

  /// Puts a magnet on the board that points anywhere.
  private func add(iron seed: UInt64, to moments: inout [Ride.Moment]) {
    var random = RandomNumbers(seed: seed + 19)
    let way = Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(1, 0, 0)
    for index in moments.indices {
      guard moments[index].sample.time >= ironTime else {
        moments[index].counts = false
        continue
      }
      moments[index].sample.field = moments[index].sample.field.map {
        MagneticField(microtesla: $0.microtesla + way * addedIron)
      }
    }
  }

  private func measure(_ moments: [Ride.Moment], _ profile: Profile) -> Outcome {
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    var compass = Compass(settings, profile: profile)
    let frame = DeviceFrame(profile)
    var vqf = VQF(step: 1 / rate)
    var outcome = Outcome()
    for moment in moments {
      let sample = frame.read(moment.sample)
      let reading = compass.read(sample)
      if let rate = sample.rotationRate?.degreesPerSecond, let force = sample.acceleration?.g {
        vqf.add(rate: rate * (.pi / 180), force: force * 9.80665, field: sample.field?.field.microtesla)
      }
      if case .gyroscope = compass.nextNotice() { outcome.accused += 1 }
      guard let reading, moment.counts, moment.sample.time > 5 else { continue }
      if let heading = reading.magneticHeading {
        outcome.ours.add(
          off: Angle.shortestTurn(from: moment.heading, to: heading.degrees),
          inclination: inclination(reading, moment.attitude), figure: reading.accuracy)
      }
      let (top, up) = (vqf.attitude * Vector3(0, 1, 0), vqf.attitude.conjugate * Vector3(0, 0, 1))
      let trueUp = moment.attitude.conjugate * Vector3(0, 0, 1)
      outcome.vqf.add(
        off: Angle.shortestTurn(from: moment.heading, to: Angle.degrees(atan2(top.x, top.y))),
        inclination: Angle.degrees(up.angle(to: trueUp)))
    }
    return outcome
  }

  /// How far the up of a reading's pitch and roll is off, in degrees.
  private func inclination(_ reading: HeadingReading, _ truth: Quaternion) -> Double {
    guard let pitch = reading.pitch, let roll = reading.roll else { return 0 }
    let (p, r) = (Angle.radians(pitch), Angle.radians(roll))
    let up = Vector3(-sin(r) * cos(p), sin(p), cos(r) * cos(p))
    return Angle.degrees(up.angle(to: truth.conjugate * Vector3(0, 0, 1)))
  }
}

extension Quaternion {
  /// The rotation of a matrix.
  init(_ m: Matrix3) {
    let w = (max(0, 1 + m.row0.x + m.row1.y + m.row2.z)).squareRoot() / 2
    let (x, y, z) = (m.row2.y - m.row1.z, m.row0.z - m.row2.x, m.row1.x - m.row0.y)
    self = Quaternion(w: w, v: Vector3(x, y, z) / max(4 * w, 1e-6)).normalized
  }
}

extension String {
  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
