import Calibration
import LodestoneCore
import Glibc
import Navigation
import Testing

@Suite struct LevelTests {
  /// A board without a gyroscope whose up is this, after a while.
  private static func level(_ up: Vector3, _ level: inout Level, from: Double = 0) -> LevelReading? {
    var last: LevelReading?
    for step in 0..<200 {
      let sample = DeviceSample(
        time: from + Double(step) * 0.01, acceleration: Acceleration(g: up.direction ?? Vector3(0, 0, 1)))
      last = level.read(sample) ?? last
    }
    return last
  }

  @Test func tiltsAreRead() throws {
    var instrument = Level()
    let flat = try #require(Self.level(Vector3(0, 0, 1), &instrument))
    #expect(abs(flat.pitch) < 1e-6 && abs(flat.roll) < 1e-6 && flat.angle == nil)
    let steep = try #require(Self.level(Vector3(0, sin(0.3), cos(0.3)), &instrument, from: 10))
    #expect(abs(steep.pitch - Angle.degrees(0.3)) < 0.01)
    let rolled = try #require(Self.level(Vector3(-sin(0.2), 0, cos(0.2)), &instrument, from: 20))
    #expect(abs(rolled.roll - Angle.degrees(0.2)) < 0.01)
  }

  /// Angle = atan2(x, y) of up: 0 with the top edge up, 90 with the right edge, 270 with the left.
  @Test(arguments: [0.0, 90, 180, 270])
  func anUprightBoardHasAnAngle(_ expected: Double) throws {
    let up = Vector3(sin(Angle.radians(expected)), cos(Angle.radians(expected)), 0)
    var instrument = Level()
    let angle = try #require(Self.level(up, &instrument)?.angle)
    #expect(abs(Angle.shortestTurn(from: expected, to: angle)) < 0.01)
  }

  /// Accelerometers of boards have zeros of 40 mg and gains of 5 %: at rest they measure what they measure.
  @Test(arguments: [0.94, 0.96, 1.045, 1.08]) func aBoardAtRestDoesNotMove(_ length: Double) {
    var instrument = Level()
    let readings = (0..<300).compactMap { step in
      let force = Vector3(0.1, -0.2, 0.97).direction.map { $0 * (length + (step % 2 == 0 ? 0.004 : -0.004)) }
      return instrument.read(
        DeviceSample(time: Double(step) * 0.01, acceleration: Acceleration(g: force ?? Vector3(0, 0, 1))))
    }
    #expect(readings.count == 300 && readings.suffix(180).allSatisfy { !$0.isMoving })
  }

  /// An engine's vibration of 0.2 g, and a lift off the table, on an accelerometer that measures 1.045 g at rest.
  @Test func aBoardThatIsShakenMoves() throws {
    var instrument = Level()
    let readings = (0..<600).compactMap { step in
      let push = step < 300 ? 0 : step < 450 ? 0.2 * sin(Double(step) * 0.9) : step < 460 ? 0.15 : 0
      let force = Acceleration(g: Vector3(0, 0, 1.045 + push))
      return instrument.read(DeviceSample(time: Double(step) * 0.01, acceleration: force))
    }
    #expect(readings.count == 600 && readings[200..<300].allSatisfy { !$0.isMoving })
    #expect(readings[300..<450].count { $0.isMoving } > 120 && readings[451..<460].allSatisfy { $0.isMoving })
    #expect(try !#require(readings.last).isMoving)
  }

  @Test func zeroTakesThePresentTiltForLevel() throws {
    var instrument = Level()
    _ = Self.level(Vector3(0.05, 0.02, 1), &instrument)
    instrument.zero()
    let zeroed = try #require(Self.level(Vector3(0.05, 0.02, 1), &instrument, from: 10))
    #expect(abs(zeroed.pitch) < 1e-3 && abs(zeroed.roll) < 1e-3)
  }

  /// Face down and face up, upright either way, and on the right edge: what was taken for level reads 0, whatever its
  /// angles.
  @Test(arguments: [
    Vector3(0, 0, -1), Vector3(0.02, -0.03, -1), Vector3(0, 1, 0), Vector3(0, -1, 0.01), Vector3(1, 0, 0),
    Vector3(0.3, 0.6, -0.6),
  ])
  func anyAttitudeIsTakenForLevel(_ up: Vector3) throws {
    var settings = Level.Settings()
    settings.zeroesAtStart = true
    var instrument = Level(settings)
    var last: LevelReading?
    for step in 0..<200 {
      // A trembling board: its roll is 180° and −180° in turn where it lies face down.
      let tremor = Vector3(step % 2 == 0 ? 0.005 : -0.005, 0, 0)
      let force = Acceleration(g: (up.direction ?? up) + tremor)
      last = instrument.read(DeviceSample(time: Double(step) * 0.01, acceleration: force)) ?? last
    }
    let reading = try #require(last)
    #expect(abs(reading.pitch) < 0.5 && abs(reading.roll) < 0.5, "\(reading)")
  }

  /// Face down, the top edge raised by 5°, then what lies to the right lowered by 5°.
  @Test func aBoardThatLiesFaceDownIsALevelToo() throws {
    var instrument = Level()
    _ = Self.level(Vector3(0, 0, -1), &instrument)
    instrument.zero()
    let (s, c) = (sin(Angle.radians(5)), cos(Angle.radians(5)))
    let raised = try #require(Self.level(Vector3(0, s, -c), &instrument, from: 10))
    #expect(abs(raised.pitch - 5) < 0.01 && abs(raised.roll) < 0.01)
    let sideways = try #require(Self.level(Vector3(s, 0, -c), &instrument, from: 20))
    #expect(abs(sideways.pitch) < 0.01 && abs(sideways.roll - 5) < 0.01)
  }

  /// Up of a board at this pitch in degrees, lying on its back or on its face.
  private static func up(pitch: Double, isFaceDown: Bool) -> Vector3 {
    let angle = Angle.radians(pitch)
    return Vector3(0, sin(angle), isFaceDown ? -cos(angle) : cos(angle))
  }

  /// A table tilted by +2° and a board that reads +1° too much: 3°, and −1° turned about; face down too.
  @Test(arguments: [false, true])
  func twoPositionsTellBoardAndTableApart(_ isFaceDown: Bool) throws {
    let found = try #require(
      Level.TwoPositions(
        first: Self.up(pitch: 3, isFaceDown: isFaceDown), second: Self.up(pitch: -1, isFaceDown: isFaceDown)))
    #expect(abs(found.board.pitch - 1) < 1e-9 && abs(found.surface.pitch - 2) < 1e-9)
    #expect(abs(found.surface.roll) < 1e-9)
    #expect(abs(abs(found.board.roll) - (isFaceDown ? 180 : 0)) < 1e-9)
  }

  /// A second reading of a board that stayed where it was would take the table's tilt for the board's: the field tells,
  /// beside hard iron of many times its strength; without a field nothing does.
  @Test(arguments: [Vector3.zero, Vector3(300, -200, 100)])
  func aBoardThatWasNotTurnedIsFoundOut(_ hardIron: Vector3) {
    var (instrument, lone) = (Level(), Level())
    func read(north: Double, at time: Double) {
      let field = hardIron + Vector3(0, 20 * north, -43) + Vector3(0.3, -0.2, 0.4) * sin(time * 100)
      let force = Acceleration(g: Vector3(0, 0.05, 1))
      let sample = Sample(time: time, field: MagneticField(microtesla: field), acceleration: force)
      _ = instrument.read(DeviceFrame().read(sample))
      _ = lone.read(DeviceFrame().read(Sample(time: time, acceleration: force)))
    }
    read(north: 1, at: 0)
    instrument.takeFirstPosition()
    lone.takeFirstPosition()
    read(north: 1, at: 1)
    #expect(instrument.isTurned == false && lone.isTurned == nil)
    read(north: -1, at: 2)
    #expect(instrument.isTurned == true && instrument.takeSecondPosition() != nil)
  }

  @Test func nothingIsReadOfNothing() {
    var instrument = Level()
    #expect(instrument.read(DeviceSample(time: 0)) == nil)
    #expect(instrument.read(DeviceSample(time: 1, acceleration: Acceleration(g: Vector3(.nan, 0, 1)))) == nil)
    #expect(instrument.takeSecondPosition() == nil)
  }

  // MARK: Accuracy

  /// A profile of an accelerometer that was calibrated; nil for none.
  private static func profile(_ zeroDeviation: Vector3?) -> Profile {
    var profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: 65,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    profile.forceCorrection = ForceCorrection(zero: Vector3(0.01, 0, 0), gain: Vector3(1, 1, 1))
    profile.forceCorrection.zeroDeviation = zeroDeviation
    return profile
  }

  private static func accuracy(_ profile: Profile?, _ up: Vector3 = Vector3(0.1, 0.2, 1)) -> Double? {
    var instrument = Level(profile: profile)
    return level(up, &instrument)?.accuracy
  }

  /// Zeros of 50 mg lean an accelerometer that nobody calibrated by 2.9°; that of one calibrated is known.
  @Test func aTiltIsAsGoodAsTheAccelerometersZero() throws {
    #expect((2.8...3.2).contains(try #require(Self.accuracy(nil))))
    #expect((1.2...1.6).contains(try #require(Self.accuracy(Self.profile(nil)))))
    #expect((1.0...1.3).contains(try #require(Self.accuracy(Self.profile(Vector3(0.009, 0.002, 0.006))))))
    #expect((0.3...0.5).contains(try #require(Self.accuracy(Self.profile(Vector3(0.001, 0.001, 0.001))))))
  }

  /// Near the tilt that was taken for level the zero is off as much in both.
  @Test func aTiltAgainstAnotherIsBetter() throws {
    var instrument = Level()
    _ = Self.level(Vector3(0, 0.1, 1), &instrument)
    instrument.zero()
    let near = try #require(Self.level(Vector3(0, 0.1, 1), &instrument, from: 10)?.accuracy)
    let far = try #require(Self.level(Vector3(0, 1, 0.1), &instrument, from: 20)?.accuracy)
    #expect((0.3...0.6).contains(near) && (3.5...5).contains(far), "\(near) \(far)")
    instrument.clearZero()
    #expect((2.8...3.2).contains(try #require(Self.level(Vector3(0, 0.1, 1), &instrument, from: 30)?.accuracy)))
  }

  /// Without a gyroscope the force alone tells how far a board that is moved may be off: from the first line on.
  @Test func aBoardThatIsMovedIsLessSure() throws {
    var instrument = Level()
    let readings = (0..<600).compactMap { step in
      let force = Vector3(step < 300 ? 0 : 0.2 * sin(Double(step) * 0.05), 0, 1)
      return instrument.read(DeviceSample(time: Double(step) * 0.01, acceleration: Acceleration(g: force)))
    }
    #expect(readings.count == 600)
    #expect(readings[..<300].allSatisfy { (2.5...5).contains($0.accuracy ?? .infinity) })
    #expect(readings[360...].allSatisfy { (5.0...40).contains($0.accuracy ?? .infinity) })
  }
}
