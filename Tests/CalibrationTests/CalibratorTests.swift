import Calibration
import LodestoneCore
import Instruments
import Testing

/// Sweeps of known boards. Wide margins here; the benchmark prints the figures over many seeds.
@Suite struct CalibratorTests {
  private static func fitted(
    _ sweep: SimulatedSweep, place: CalibrationSettings.Place? = nil
  ) throws -> (result: CalibrationResult, error: Double) {
    var settings = CalibrationSettings()
    settings.place = place
    let outcome = Calibrator(settings: settings).fit(sweep.samples)
    #expect(outcome.refusal == nil)
    let result = try #require(outcome.result)
    return (result, sweep.headingError(result.correction, force: result.forceCorrection))
  }

  /// A place whose field is not the one that was measured: of another hemisphere, of the equator, or beside the pole.
  @Test(arguments: [(26.1, -59.4), (31.0, -30.2), (56, 78.0)]) func aPlaceThatContradictsIsTold(
    _ strength: Double, _ inclination: Double
  ) throws {
    let place = CalibrationSettings.Place(fieldStrength: strength, inclination: inclination)
    let (result, _) = try Self.fitted(SimulatedSweep(seed: 3), place: place)
    let told = result.warnings.compactMap { warning -> (place: CalibrationSettings.Place, Double, Double)? in
      guard case .placeDisagrees(let place, let strength?, let inclination?) = warning else { return nil }
      return (place, strength, inclination)
    }
    let (its, measured, dip) = try #require(told.first)
    #expect(its == place && abs(measured - 49.3) < 4 && abs(abs(dip) - 65) < 2, "\(measured) \(dip)")
    #expect(result.quality.warnings.contains { $0.contains("was measured: check --at, and the unit") })
  }

  @Test func itsOwnPlaceIsNotDoubted() throws {
    let place = CalibrationSettings.Place(fieldStrength: 49.3, inclination: 65)
    for seed in 1...4 as ClosedRange<UInt64> {
      #expect(try Self.fitted(SimulatedSweep(seed: seed), place: place).result.warnings == [])
    }
  }

  /// A board that was never tilted by more than 60°, and held still eight ways: a third of the sphere is enough beside
  /// rests that settle the rotation.
  @Test(arguments: [2, 3] as [UInt64]) func aCapIsEnoughBesideRests(_ seed: UInt64) throws {
    let sweep = SimulatedSweep(seed: seed) { $0.hasGyroscope = false }
    let outcome = Calibrator().fit(sweep.samples.filter { ($0.acceleration?.g.z ?? 0) > 0.55 })
    let result = try #require(outcome.result)
    #expect(result.quality.coveragePercent < 40)
    #expect(outcome.refusal == nil && result.quality.kind == .full)
    let predicted = try #require(result.quality.headingErrorDegrees)
    #expect(sweep.headingError(result.correction, force: result.forceCorrection) < 1.5 * predicted)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func restsGiveTheRotation(_ seed: UInt64) throws {
    let (result, error) = try Self.fitted(SimulatedSweep(seed: seed))
    #expect(error < 0.5)
    #expect(result.quality.kind == .full)
    #expect(result.quality.misalignment == .solved)
    #expect(result.quality.verdict == .good)
    #expect(result.quality.rests >= 8)
    #expect(error < 3 * (result.quality.headingErrorDegrees ?? 0))
    #expect(abs((result.inclination ?? 0) - 65) < 1)
    #expect(abs(result.noise - 0.3) < 0.1)
  }

  @Test func aPersonWhoStandsStillDoesAsWell() throws {
    let (_, error) = try Self.fitted(SimulatedSweep { $0.turnsAbout = false })
    #expect(error < 0.6)
  }

  @Test func disturbedStretchesAreCutOutAndReported() throws {
    let sweep = SimulatedSweep(seed: 4) {
      $0.disturbances = [.init(field: Vector3(9, 9, 8), from: 12, to: 16)]
    }
    let (result, error) = try Self.fitted(sweep)
    #expect(error < 0.5)
    let covered = result.quality.ignored.reduce(0) { $0 + max(0, min($1.to, 16) - max($1.from, 12)) }
    #expect(covered > 3)
    #expect((result.quality.ignored.compactMap { $0.excess }.max() ?? 0) > 8)
  }

  @Test func wildSamplesChangeNothing() throws {
    let (result, error) = try Self.fitted(SimulatedSweep(seed: 5) { $0.wildFraction = 0.02 })
    #expect(error < 0.5)
    #expect(result.quality.kind == .full)
  }

  /// Without rests the rotation cannot be known; its likely size is part of the prediction, and it is said.
  @Test func withoutRestsTheUnknownRotationIsSaid() throws {
    let aligned = SimulatedSweep(seed: 6) {
      $0.rests = 0
      $0.misalignment = 0
      $0.hasGyroscope = false
    }
    let (result, error) = try Self.fitted(aligned)
    #expect(error < 0.6)
    #expect(result.quality.kind == .normOnly)
    #expect(result.quality.misalignment == .unknown)
    #expect(result.quality.verdict == .fair)
    #expect((result.quality.headingErrorDegrees ?? 0) > 1.5)
    #expect((result.quality.headingErrorAlignedDegrees ?? 180) < 0.5)
    #expect(
      result.warnings.contains { warning in
        if case .misalignmentUnknown(0, 8, _) = warning { true } else { false }
      })
  }

  /// A gyroscope tells that rotation of a sweep of any length, also where it is far from what ordinary boards have.
  @Test(arguments: [2, 5.0]) func withoutRestsAGyroscopeTellsTheRotation(_ misalignment: Double) throws {
    for seed in 41...43 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed, seconds: 40) {
        ($0.rests, $0.misalignment, $0.gyroscopeBias) = (0, misalignment, 1)
      }
      let (result, error) = try Self.fitted(sweep)
      #expect(result.quality.kind == .full && result.quality.method == .gyroscope)
      #expect(error < 1 && error < 1.5 * (result.quality.headingErrorDegrees ?? 0))
    }
  }

  @Test(arguments: [(-80.0, 60.0), (-30, 35), (0, 30), (80, 58)])
  func holdsFromPoleToPole(_ inclination: Double, _ strength: Double) throws {
    let sweep = SimulatedSweep(seed: 7) {
      $0.inclination = inclination
      $0.fieldStrength = strength
    }
    let (result, error) = try Self.fitted(sweep)
    #expect(error < (abs(inclination) > 75 ? 1.5 : 0.5))
    #expect(error < 3 * (result.quality.headingErrorDegrees ?? 0))
    #expect(abs((result.inclination ?? 99) - inclination) < 1)
  }

  @Test(arguments: ["x,-y,-z", "y,x,-z", "-z,x,-y", "-x,y,z"])
  func findsTheAxes(_ axes: String) throws {
    let mounting = try Mounting(axes)
    let sweep = SimulatedSweep(seed: 8) { $0.axes = mounting }
    let (result, error) = try Self.fitted(
      sweep, place: CalibrationSettings.Place(fieldStrength: 48, inclination: 65))
    #expect(error < 0.5)
    #expect(result.axes.matrix == sweep.settings.axes.matrix)
    #expect(result.axes.basis == .place)
    #expect((result.axes.confidence ?? 0) > 0.5)
  }

  /// A left-handed chip is taken for one where the other sign would make the field dip upwards; the doubt is said.
  @Test func leftHandedChipWithoutAPlace() throws {
    let mounting = try Mounting("-x,y,z")
    let sweep = SimulatedSweep(seed: 9) { $0.axes = mounting }
    let (result, error) = try Self.fitted(sweep)
    #expect(error < 0.5)
    #expect(result.axes.name == "-x,+y,+z")
    #expect(result.axes.handedness == -1)
    #expect(result.warnings.contains(.axesSignAssumed(map: "-x,+y,+z")) && result.signIsAssumed)
    // Field and force alone are as well those of an accelerometer with a wrong sign.
    #expect(result.warnings.contains { $0.text.contains("If headings fall as the board turns to the right") })
  }

  @Test func reversedAccelerometerIsSaid() throws {
    let sweep = SimulatedSweep(seed: 10) { $0.accelerometerIsReversed = true }
    let place = CalibrationSettings.Place(fieldStrength: 48, inclination: 65)
    let (result, error) = try Self.fitted(sweep, place: place)
    #expect(error < 0.5)
    #expect(result.warnings.contains(.accelerometerReversed))
    #expect(abs((result.inclination ?? 0) - 65) < 1)
    let (unplaced, _) = try Self.fitted(sweep)
    #expect(
      unplaced.warnings.contains { warning in
        if case .inclinationNegative = warning { true } else { false }
      })
    // With that open no verdict is good, and the profile says so to every command; a refinement learns nothing of it.
    #expect(unplaced.signIsAssumed && unplaced.quality.verdict == .fair && !result.signIsAssumed)
    let profile = Profile(unplaced, device: "board", created: 0)
    #expect(profile.signIsAssumed)
    var settings = CalibrationSettings()
    settings.earlier = EarlierCalibration(profile)
    let refined = Calibrator(settings: settings).fit(sweep.samples).result
    #expect(refined?.signIsAssumed != false && refined?.quality.verdict != .good)
  }

  @Test func aLevelTurnIsLabelledLevel() throws {
    let sweep = SimulatedSweep(seed: 11, seconds: 30) {
      $0.motion = .spin
      $0.misalignment = 0
    }
    let outcome = Calibrator().fit(sweep.samples)
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil)
    #expect(result.quality.kind == .level)
    #expect(result.quality.tiltLimitDegrees == 5)
    #expect(result.warnings.contains(.levelOnly(tiltDegrees: 5)))
    #expect(sweep.headingError(result.correction, tilts: [0, 5]) < 1.2)
    #expect(result.inclination.map { abs($0 - 65) < 10 } == true)
  }

  /// What the fit takes for granted of the dip is nothing it has found. Such a sweep is saved only by force.
  @Test(arguments: [nil, CalibrationSettings.Place(fieldStrength: 48, inclination: 65)])
  func aLevelTurnWithoutGravityHasNoInclination(_ place: CalibrationSettings.Place?) throws {
    let sweep = SimulatedSweep(seed: 11, seconds: 30) {
      $0.motion = .spin
      $0.misalignment = 0
    }
    let samples = sweep.samples.map { sample in
      var blind = sample
      blind.acceleration = nil
      return blind
    }
    var settings = CalibrationSettings()
    settings.place = place
    let result = try #require(Calibrator(settings: settings).fit(samples).result)
    #expect(result.quality.kind == .level)
    #expect(result.inclination == nil)
    #expect(result.warnings.contains(.noAccelerometer))
  }

  @Test func countsAreScaledToTheEarthsField() throws {
    let sweep = SimulatedSweep(seed: 12)
    var settings = CalibrationSettings()
    settings.unitIsKnown = false
    let counts = sweep.samples.map { sample in
      var scaled = sample
      scaled.field = sample.field.map { MagneticField(microtesla: $0.microtesla * 12) }
      return scaled
    }
    let result = try #require(Calibrator(settings: settings).fit(counts).result)
    let inMicrotesla = Correction(
      hardIron: result.correction.hardIron / 12, softIron: result.correction.softIron * 12)
    #expect(sweep.headingError(inMicrotesla) < 0.5)
    #expect((20...70).contains(result.fieldStrength))
    #expect(abs(result.noise - 3.6) < 1.2)
    let variance = try #require(
      CorrectionCovariance(
        parameters: result.parameters, covariance: result.covariance, correction: result.correction
      )?.headingVariance(field: Vector3(0, 20, -43), up: Vector3(0, 0, 1)))
    #expect(Angle.degrees(variance.squareRoot()) < 1)
  }

  /// Wild samples where the field comes from one side only: together they have leverage.
  @Test func wildSamplesOnOneSide() throws {
    let sweep = SimulatedSweep(seed: 230, seconds: 46) {
      $0.turnsAbout = false
      $0.inclination = 12
      $0.wildFraction = 0.03
      $0.misalignment = 0
      $0.rests = 12
    }
    let outcome = Calibrator().fit(sweep.samples)
    let result = try #require(outcome.result)
    #expect(sweep.headingError(result.correction) < 2)
  }

  /// Stamps that repeat but for the last digits, as of a clock that stands still: no time is told by them.
  @Test(arguments: [0, 1e-300, 1e-12, 1e-7])
  func timeStepsOfNoLengthDoNoHarm(_ step: Double) {
    var samples = SimulatedSweep(seed: 15).samples
    for index in samples.indices { samples[index].time = Double(index) * step }
    let outcome = Calibrator().fit(samples)
    #expect(outcome.result != nil)
    var level = SimulatedSweep(seed: 16, seconds: 30) { $0.motion = .spin }.samples
    for index in level.indices { level[index].time = Double(index) * step }
    #expect(Calibrator().fit(level).result?.quality.kind == .level)
  }

  @Test func theSameSweepGivesTheSameCalibration() {
    let sweep = SimulatedSweep(seed: 13)
    #expect(Calibrator().fit(sweep.samples).result == Calibrator().fit(sweep.samples).result)
  }
}
