import Calibration
import LodestoneCore
import Instruments
import Navigation
import Support
import Testing

/// Claims of a teslameter while things happen that are no magnet, and whether what it states of a magnet holds. The
/// benchmark runs the same scenes over more seeds.
@Suite struct FieldSceneTests {
  private struct Shares {
    /// Lines that claim a field without a warning.
    var claims = 0.0
    /// Lines whose uncertainty, or bound, holds.
    var holds = 0.0
    var warned = 0.0
    /// Lines that say the zero-point has drifted.
    var drifting = 0.0
    var runs = 0
    var peaks = 0
  }

  private static let profile = Profile(
    device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: 65,
    quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))

  /// - Parameter fieldEvery: only every so many-th sample has a field.
  private static func shares(fieldEvery: Int = 1, _ change: (inout FieldScene) -> Void) throws -> Shares {
    var scene = FieldScene()
    change(&scene)
    var (shares, lines) = (Shares(), 0.0)
    for seed in 1...12 {
      var settings = Teslameter.Settings()
      settings.gainUncertainty = 0
      var meter = Teslameter(settings, profile: profile)
      var last: FieldReading?
      for (index, whole) in scene.samples(seed: UInt64(seed)).enumerated() {
        var sample = whole
        if index % fieldEvery > 0 { sample.field = nil }
        guard let reading = meter.read(sample), scene.magnet == 0 || sample.time > 5.2 else { continue }
        last = reading
        lines += 1
        let isWarned = !reading.flags.isDisjoint(with: [.turned, .drifting, .alternating])
        if isWarned { shares.warned += 1 }
        if reading.flags.contains(.drifting) { shares.drifting += 1 }
        if !reading.flags.contains(.belowNoise), !isWarned { shares.claims += 1 }
        let magnitude = try #require(reading.magnitude)
        let isHeld = reading.atMost.map { scene.magnet <= $0 }
        if isHeld ?? (abs(magnitude - scene.magnet) <= reading.uncertainty ?? 0) { shares.holds += 1 }
      }
      guard let last else { continue }
      shares.runs += 1
      if last.peak != nil { shares.peaks += 1 }
    }
    try #require(lines > 10_000)
    shares.claims /= lines
    shares.holds /= lines
    shares.warned /= lines
    shares.drifting /= lines
    return shares
  }

  /// Rates of which one in two hundred is garbled turn no sensor, neither at rest nor turned by hand: half of the lines
  /// claimed fields of up to 50 µT.
  @Test(arguments: [0.0, 70]) func garbledRatesAreNoField(turn: Double) {
    var scene = FieldScene()
    (scene.hasAccelerometer, scene.hasGyroscope, scene.turn.degrees) = (true, true, turn)
    var (lines, claims) = (0.0, 0.0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var (meter, random) = (Teslameter(profile: Self.profile), RandomNumbers(seed: seed + 90))
      for var sample in scene.samples(seed: seed) {
        if random.uniform() < 0.005, var rate = sample.rotationRate?.degreesPerSecond {
          rate[Int(random.uniform() * 3)] = 1000 * random.uniform() - 500
          sample.rotationRate = RotationRate(degreesPerSecond: rate)
        }
        guard let reading = meter.read(sample) else { continue }
        lines += 1
        if reading.flags.isDisjoint(with: [.belowNoise, .turned]) { claims += 1 }
      }
    }
    #expect(claims < 0.07 * lines, "\(claims / lines)")
  }

  /// A turn that is no faster than what a gyroscope may drift by, after a rest: it is none of its drift, and the field
  /// that it turns is the place's.
  @Test(arguments: [0.8, 1.2, 1.6]) func aSlowTurnIsNoField(rate: Double) {
    var scene = FieldScene()
    (scene.hasAccelerometer, scene.hasGyroscope) = (true, true)
    (scene.turnSeconds, scene.turn.degrees) = (40, 40 * rate)
    var (lines, claims) = (0.0, 0.0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var meter = Teslameter(profile: Self.profile)
      for sample in scene.samples(seed: seed) {
        guard let reading = meter.read(sample), sample.time > 10 else { continue }
        lines += 1
        if reading.flags.isDisjoint(with: [.belowNoise, .turned]) { claims += 1 }
      }
    }
    #expect(claims < 0.07 * lines, "\(claims / lines)")
  }

  /// A bus that stops for three seconds in a turn, or at rest before one that it does not see: a program prints its
  /// last samples again. More than half of the lines claimed fields of up to 30 µT.
  @Test(arguments: [10.3, 9]) func samplesThatComeAgainAreNoField(from begin: Double) {
    var scene = FieldScene()
    (scene.hasAccelerometer, scene.hasGyroscope, scene.turn.degrees) = (true, true, 70)
    var (lines, claims) = (0.0, 0.0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var (meter, stopped) = (Teslameter(profile: Self.profile), DeviceSample?.none)
      for sample in scene.samples(seed: seed) {
        if !(begin..<begin + 3).contains(sample.time) { stopped = nil } else if stopped == nil { stopped = sample }
        var printed = stopped ?? sample
        printed.time = sample.time
        guard let reading = meter.read(printed) else { continue }
        lines += 1
        if reading.flags.isDisjoint(with: [.belowNoise, .turned]) { claims += 1 }
      }
    }
    #expect(claims < 0.07 * lines, "\(claims / lines)")
  }

  /// Coarse numbers that stay as they are, as long as the sensor lies still, lose no zero-point.
  @Test func coarseSamplesAtRestAreNoStandstill() {
    var scene = FieldScene()
    (scene.hasAccelerometer, scene.hasGyroscope, scene.white, scene.step) = (true, true, 0.01, 0.3)
    var (meter, lines, turned) = (Teslameter(profile: Self.profile), 0, 0)
    for var sample in scene.samples(seed: 3) {
      sample.acceleration = Acceleration(g: Vector3(0, 0, 1))
      sample.rotationRate = RotationRate(degreesPerSecond: Vector3(0.5, 0, 0))
      guard let reading = meter.read(sample) else { continue }
      lines += 1
      if reading.flags.contains(.turned) { turned += 1 }
    }
    #expect(lines > 2900 && turned == 0, "\(turned)")
  }

  @Test func noiseIsNotClaimed() throws {
    let white = try Self.shares { _ in }
    #expect(white.claims < 0.07 && white.peaks <= 2 && white.warned < 0.05)
    #expect(
      try Self.shares {
        $0.white = 0.05
        $0.step = 0.6
      }.claims < 0.07)
    #expect(
      try Self.shares {
        $0.white = 0.02
        $0.pink = 0.3
      }.claims < 0.07)
  }

  /// A hand that takes seconds to bring a magnet makes no drift: to zero again, as the words for that ask for, would
  /// take the magnet for nothing.
  @Test(arguments: [4, 7, 10] as [Double], [0.05, 0.3])
  func aMagnetThatComesSlowlyIsNoDrift(_ approach: Double, _ noise: Double) {
    var scene = FieldScene()
    (scene.approach, scene.white, scene.magnet, scene.duration) = (approach, noise, 30, 25 + approach)
    var (lines, drifting, holds) = (0.0, 0.0, 0.0)
    for seed in 21...32 {
      var settings = Teslameter.Settings()
      settings.gainUncertainty = 0
      var meter = Teslameter(settings, profile: Self.profile)
      for sample in scene.samples(seed: UInt64(seed)) {
        guard let reading = meter.read(sample), sample.time > 5 + approach else { continue }
        lines += 1
        if reading.flags.contains(.drifting) { drifting += 1 }
        if let magnitude = reading.magnitude, abs(magnitude - 30) <= reading.uncertainty ?? 0 { holds += 1 }
      }
    }
    #expect(lines > 10_000 && drifting < 0.05 * lines && holds > 0.93 * lines, "\(drifting / lines) \(holds / lines)")
  }

  @Test func driftIsNotClaimed() throws {
    let drift = try Self.shares { $0.drift = 0.05 }
    #expect(drift.claims < 0.07 && drift.warned > 0.3)
  }

  /// A chip that something warms: what is stated of a magnet, or of none, holds, and the drift is told.
  @Test(arguments: [0.05, 0.1, 0.3], [0.0, 50])
  func whatIsStatedHoldsBesideADrift(_ drift: Double, _ magnet: Double) throws {
    let found = try Self.shares { ($0.drift, $0.magnet) = (drift, magnet) }
    #expect(found.holds > 0.95, "\(found)")
    if magnet == 0 || drift > 0.2 { #expect(found.drifting > 0.6, "\(found)") }
  }

  /// A magnet hardly stronger than the noise is none that drifts: readings in which it happens not to stand out teach
  /// nothing.
  @Test func aWeakMagnetIsNoDrift() throws {
    let found = try Self.shares { ($0.white, $0.magnet) = (1, 5) }
    #expect(found.drifting < 0.1 && found.holds > 0.93, "\(found)")
  }

  @Test(arguments: [40.0, 48, 75, 100, 100.3])
  func humIsNotClaimed(rate: Double) throws {
    let hum = try Self.shares {
      $0.rate = rate
      $0.hum.amplitude = 2
    }
    #expect(hum.claims < 0.07 && hum.warned > 0.8)
  }

  @Test func aTurnedBoardIsNotAMagnet() throws {
    let yaw = Vector3(0, 0, 1)
    #expect(try Self.shares { $0.turn = (yaw, 10) }.claims < 0.07)
    let followed = try Self.shares {
      $0.turn = (yaw, 8)
      ($0.hasAccelerometer, $0.hasGyroscope) = (true, true)
    }
    #expect(followed.claims < 0.07 && followed.warned < 0.05)
    let tilted = try Self.shares {
      $0.turn = (Vector3(1, 0, 0), 2.5)
      $0.hasAccelerometer = true
    }
    #expect(tilted.claims < 0.07)
  }

  /// A gyroscope carries the place's field round: a hand may turn the sensor as it likes.
  @Test(arguments: [Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0.6, 0, 0.8)], [30.0, 90, 170])
  func aGyroscopeFollowsAnyTurn(axis: Vector3, degrees: Double) throws {
    let nothing = try Self.shares {
      $0.turn = (axis, degrees)
      ($0.hasAccelerometer, $0.hasGyroscope) = (true, true)
    }
    #expect(nothing.claims < 0.07 && nothing.warned < 0.05)
    let magnet = try Self.shares {
      $0.turn = (axis, degrees)
      $0.magnet = 40
      ($0.hasAccelerometer, $0.hasGyroscope) = (true, true)
    }
    #expect(magnet.claims > 0.9 && magnet.holds > 0.93)
  }

  /// So slow that gyroscope and force alone would take it for rest: the field tells.
  @Test(arguments: [Vector3(0, 0, 1), Vector3(0.6, 0, 0.8)], [false, true])
  func aSlowTurnIsNotARest(axis: Vector3, hasAccelerometer: Bool) throws {
    let nothing = try Self.shares {
      ($0.turn, $0.turnSeconds) = ((axis, 60), 20)
      ($0.hasAccelerometer, $0.hasGyroscope) = (hasAccelerometer, true)
    }
    #expect(nothing.claims < 0.07 && nothing.warned < 0.05, "\(nothing)")
  }

  @Test func aTurnIsFollowedBetweenFieldsAndWithoutAnAccelerometer() throws {
    let seldom = try Self.shares(fieldEvery: 4) {
      ($0.rate, $0.turn) = (200, (Vector3(0.6, 0, 0.8), 90))
      ($0.hasAccelerometer, $0.hasGyroscope) = (true, true)
    }
    #expect(seldom.claims < 0.07 && seldom.warned < 0.05)
    let alone = try Self.shares {
      $0.turn = (Vector3(0.6, 0, 0.8), 90)
      $0.hasGyroscope = true
    }
    #expect(alone.claims < 0.07 && alone.warned < 0.05)
  }

  @Test(arguments: [0.5, 1, 3, 13, 100])
  func whatIsStatedOfAMagnetHolds(strength: Double) throws {
    let found = try Self.shares { $0.magnet = strength }
    #expect(found.holds > 0.93)
    if strength >= 13 { #expect(found.claims > 0.9 && found.peaks == found.runs) }
  }

  // MARK: Zero-points

  private static func sample(_ time: Double, _ field: Vector3, _ flags: Sample.Flags = []) -> DeviceSample {
    DeviceSample(time: time, field: Correction.none.apply(to: MagneticField(microtesla: field)), flags: flags)
  }

  @Test func aFailedZeroKeepsTheOldOne() throws {
    var meter = Teslameter()
    for step in 0...110 { _ = meter.read(Self.sample(Double(step) / 50, Vector3(10, 20, 0.1 * Double(step % 3)))) }
    guard case .measuring(let before) = meter.phase else {
      Issue.record("no zero-point")
      return
    }
    _ = meter.nextNotice()
    meter.zero()
    for step in 111...300 { _ = meter.read(Self.sample(Double(step) / 50, Vector3(Double(step), 20, 0))) }
    #expect(meter.nextNotice() != nil)
    guard case .measuring(let after) = meter.phase else {
      Issue.record("the old zero-point is gone")
      return
    }
    #expect(after == before)
  }

  @Test func aZeroBesideASaturatingFieldIsRefusedAtOnce() {
    var meter = Teslameter()
    #expect(meter.read(Self.sample(0, Vector3(1, 2, 3))) == nil && meter.nextNotice() == nil)
    #expect(meter.read(Self.sample(0.02, Vector3(1, 2, 400), .saturated)) == nil)
    #expect(meter.nextNotice() == .zeroRefused(.saturated, isFinal: false))
    // Not again with every sample.
    #expect(meter.read(Self.sample(0.04, Vector3(1, 2, 400), .saturated)) == nil && meter.nextNotice() == nil)
  }

  /// A board that is carried about refuses a zero-point every two seconds: that is told once, and again where the
  /// reason is another one or the user asks.
  @Test func aRefusalIsToldOnce() {
    var meter = Teslameter()
    var told: [InstrumentNotice] = []
    func isMoving(_ notice: InstrumentNotice) -> Bool {
      guard case .zeroRefused(.moving, isFinal: false) = notice else { return false }
      return true
    }
    for step in 0...4000 {
      _ = meter.read(Self.sample(Double(step) / 50, Vector3(Double(step), 20, 0)))
      if let notice = meter.nextNotice() { told.append(notice) }
      if step == 1000 { _ = meter.read(Self.sample(20.01, Vector3(1, 2, 400), .saturated)) }
      if step == 3000 { meter.zero() }
    }
    #expect(told.map(isMoving) == [true, false, true, true])
  }

  @Test func aSaturatedFieldIsABound() throws {
    var meter = FieldMeter(
      zero: ZeroPoint(field: .zero, noise: Vector3(0.1, 0.1, 0.1), samples: 100, up: nil), gainUncertainty: 0)
    let reading = meter.read(time: 1, field: Vector3(0, 0, 302), force: nil, flags: .saturated)
    #expect(reading.magnitude == nil && reading.peak == nil)
    let bound = try #require(reading.atLeast)
    #expect(bound < 302 && bound > 301.7 && reading.peakAtLeast == bound && reading.flags == .saturated)
    let after = meter.read(time: 2, field: Vector3(0, 0, 40), force: nil, flags: [])
    #expect(after.magnitude.map { abs($0 - 40) < 0.1 } == true && after.peakAtLeast == bound && after.peak == nil)
  }

  /// Of chips whose gains scatter by 5 %, 95 in 100 that have just reached their end feel more than the bound.
  @Test func theBoundOfAnUnsureGainHolds() throws {
    var random = RandomNumbers(seed: 5)
    var held = 0
    for _ in 0..<2000 {
      var meter = FieldMeter(
        zero: ZeroPoint(field: .zero, noise: Vector3(0.1, 0.1, 0.1), samples: 100, up: nil), gainUncertainty: 0.05)
      let truth = 302 / (1 + 0.05 * random.normal())
      let reading = meter.read(time: 1, field: Vector3(0, 0, 302), force: nil, flags: .saturated)
      if try truth >= #require(reading.atLeast) { held += 1 }
    }
    #expect((0.93...0.98).contains(Double(held) / 2000), "\(held)")
  }

  /// A gain that is known to 3 % of a calibration, as its covariance has it, instead of a data sheet's 5 %.
  @Test func theGainComesFromTheCalibration() {
    var profile = Self.profile
    #expect(FieldMeter.gainUncertainty(of: profile) == 0.05)
    profile.covariance = (0..<14).map { row in (0..<14).map { (4..<7).contains(row) && (4..<7).contains($0) ? 9e-4 : 0 }
    }
    #expect(abs(FieldMeter.gainUncertainty(of: profile) - 0.03) < 1e-12)
  }

  @Test func smoothingMakesTheUncertaintySmaller() throws {
    let zero = ZeroPoint(field: .zero, noise: Vector3(0.3, 0.3, 0.3), samples: 10_000, up: nil)
    var bare = FieldMeter(zero: zero, gainUncertainty: 0)
    var smooth = FieldMeter(zero: zero, gainUncertainty: 0, smoothing: 2)
    var random = FieldScene().samples(seed: 3).makeIterator()
    var (a, b): (FieldReading?, FieldReading?)
    for _ in 0..<100 {
      guard let sample = random.next(), let field = sample.field?.field.microtesla else { break }
      a = bare.read(time: sample.time, field: field, force: nil, flags: [])
      b = smooth.read(time: sample.time, field: field, force: nil, flags: [])
    }
    #expect(try #require(b?.uncertainty) < 0.5 * #require(a?.uncertainty))
  }
}
