import LodestoneCore
import Testing

@testable import Navigation

/// What is seen of the errors of an attitude bounds what is said of them.
@Suite struct StatedErrorsTests {
  private static let slope = 2.0

  /// The variances after seconds in which forces lean, and the field is off, by so many degrees, to and fro.
  private static func variances(
    lean: SIMD2<Double>, azimuth: Double = 0, inclination: Double = 0, strength: Double = 0, noise: Double = 0,
    seconds: Double = 60
  ) -> StatedErrors.Variances {
    var errors = FusionErrors(biasDeviation: 0.001)
    errors.begin(tiltDeviation: Angle.radians(3))
    errors.begin(yawDeviation: Angle.radians(6))
    var stated = StatedErrors()
    stated.begin(caution: 1)
    let radian = Double.pi / 180
    for index in 0..<Int(seconds / 0.025) {
      let side = index % 80 < 40 ? 1.0 : -1
      stated.add(
        lean: lean * (side * radian), lasting: lean * (side * radian), expected: errors.tiltVariance, step: 0.025)
      stated.add(
        azimuth: azimuth * side * radian, off: (50 * strength * side * radian, 50 * inclination * side * radian),
        noise: noise, expected: (50, 50 / (1 + slope * slope).squareRoot(), slope), step: 0.025)
    }
    let variances = stated.variances(of: errors, leanCaution: 1, slope: slope)
    return StatedErrors.Variances(north: variances.north / radian / radian, tilt: variances.tilt / radian / radian)
  }

  /// A field that is off by 2 % after 20 s without any is one field: taken for all of those 20 s it was usual on the
  /// board, and made a deviation of 1.2° of 0.06°.
  @Test func aFieldAfterAGapCountsForOne() throws {
    func deviation(lost: Range<Double>) throws -> Double {
      var fusion = Fusion(reference: HeadingErrorModel.Reference(strength: 45, inclination: 63))
      for index in 0..<3500 {
        let time = Double(index) / 50
        let turn = Quaternion(angle: Angle.radians(20) * time, about: Vector3(0, 0, 1))
        let noise = (50..<50.04).contains(time) ? 1.02 : 1
        let field = turn.conjugate * Vector3(0, 20.43, -40.1) * noise
        fusion.add(
          time: time, field: lost.contains(time) ? nil : field, force: Vector3(0, 0, 1), rate: Vector3(0, 0, 20),
          fieldNoise: 0.3)
      }
      return try #require(fusion.estimate?.yawVariance).squareRoot()
    }
    let (whole, lost) = try (deviation(lost: 0..<0), deviation(lost: 30..<50))
    #expect(lost < 0.4 && whole < 0.1, "\(lost) for \(whole)")
  }

  @Test func nothingSeenIsNextToNothing() {
    let variances = Self.variances(lean: .zero)
    #expect(variances.north < 0.01 && variances.tilt < 0.01, "\(variances)")
  }

  /// The filter's own variances, of 6° and of 3° that the field turns by twice as much, and besides by what
  /// inclinations leave unseen and by what north follows of iron, are the most.
  @Test func whatIsSeenMakesNothingWider() {
    let variances = Self.variances(lean: SIMD2(20, 20), azimuth: 20, inclination: 20, strength: 20)
    #expect(abs(variances.north - 36 - 1.3225 * 36 - 3.94) < 0.1 && abs(variances.tilt - 9) < 0.1, "\(variances)")
  }

  /// Of a field that is off from the beginning north has followed the more, the shorter that is ago: 4 s of it.
  @Test(arguments: [(4.0, 49.2), (8, 24.6), (16, 12.3), (32, 6.2)])
  func northWasFoundByTheFirstFields(seconds: Double, followed: Double) {
    let caution = seconds > 20 ? 1.3225 : 1
    let variances = Self.variances(
      lean: SIMD2(20, 20), azimuth: 20, inclination: 20, strength: 20, seconds: seconds)
    #expect(abs(variances.north - 36 - caution * 36 - followed) < 0.3, "\(variances)")
  }

  /// Forces that lean about east by 2° lean up by no more than inclinations show.
  @Test func inclinationsShowALeanAboutEast() {
    let variances = Self.variances(lean: SIMD2(2, 0.2), inclination: 0.5)
    #expect(variances.north < 1 && variances.tilt < 0.3, "\(variances)")
  }

  /// Forces that lean about north, as in a boat that heads there, do so unseen by inclinations.
  @Test(arguments: [0.2, 2]) func inclinationsDoNotShowALeanAboutNorth(besides east: Double) {
    let variances = Self.variances(lean: SIMD2(east, 2), inclination: 0.5)
    #expect(variances.north > 10, "\(variances)")
  }

  /// The deviation of inclinations by iron, in degrees, after seconds of a field that is off by so many degrees.
  private static func iron(
    inclination: Double, strength: Double, expected: Double = 0, seconds: Double = 10
  ) -> Double? {
    var stated = StatedErrors()
    for _ in 0..<Int(seconds / 0.025) {
      let off = (50 * Angle.radians(strength), 50 * Angle.radians(inclination))
      stated.add(azimuth: 0, off: off, noise: 0, expected: (50, 20, slope), step: 0.025)
    }
    let up = Angle.radians(expected)
    return stated.inclinationVariance(expected: up * up).map { Angle.degrees($0.squareRoot()) }
  }

  /// A field that was off may be off by iron that stays, in inclination alone too; an error of up explains some of
  /// that.
  @Test func upIsNotDrawnToIron() throws {
    #expect(Self.iron(inclination: 0, strength: 0, seconds: 4) == nil)
    #expect(try #require(Self.iron(inclination: 0, strength: 0)) == 0)
    #expect(try #require(Self.iron(inclination: 0, strength: 2)) > 3)
    #expect(try #require(Self.iron(inclination: 2, strength: 0)) > 4)
    #expect(try #require(Self.iron(inclination: 2, strength: 0, expected: 3)) == 0)
  }

  /// Errors seen while an attitude is found again after a gap are soon forgotten; without a gap they are remembered.
  @Test func whatIsSeenAfterAGapIsSoonForgotten() {
    func north(after gap: (inout StatedErrors) -> Void) -> Double {
      var errors = FusionErrors(biasDeviation: 0.001)
      errors.begin(tiltDeviation: Angle.radians(3))
      errors.begin(yawDeviation: Angle.radians(6))
      var stated = StatedErrors()
      let field = (strength: 50.0, horizontal: 50 / (1 + Self.slope * Self.slope).squareRoot(), slope: Self.slope)
      for index in 0..<1400 {
        if index == 1200 { gap(&stated) }
        stated.add(lean: .zero, lasting: .zero, expected: errors.tiltVariance, step: 0.025)
        let off = Angle.radians(index >= 1200 && index < 1220 ? 5 : 0)
        stated.add(azimuth: off, off: (0, 50 * off), noise: 0, expected: field, step: 0.025)
      }
      return Angle.degrees(stated.variances(of: errors, leanCaution: 1, slope: Self.slope).north.squareRoot())
    }
    let (long, short, none) = (north { $0.restart() }, north { $0.bridge() }, north { _ in })
    #expect(long < 0.3 && short < 0.3 && none > 1, "\(long), \(short), \(none)")
  }

  /// A mean force that leans just after a gap is up's, which is still being found, and no push that comes again; one
  /// that leans later is.
  @Test func aLeanAfterAGapIsNoPush() {
    func isPushed(at time: Double) -> Bool {
      var stated = StatedErrors()
      for index in 0..<1600 {
        if index == 1200 { stated.bridge() }
        let isLeaning = Double(index - 1200) * 0.025 >= time && Double(index - 1200) * 0.025 < time + 1
        stated.add(lean: isLeaning ? SIMD2(0.3, 0) : .zero, lasting: .zero, expected: 0.001, step: 0.025)
      }
      return stated.isPushed
    }
    #expect(!isPushed(at: 0) && isPushed(at: 3))
  }

  /// What the field is off by otherwise counts, and what its noise is does not.
  @Test func theFieldsOwnErrorsCount() {
    #expect(Self.variances(lean: .zero, azimuth: 3).north > 0.7)
    #expect(Self.variances(lean: .zero, strength: 3).north > 1.5)
    #expect(Self.variances(lean: .zero, inclination: 3).north > 1.5)
    #expect(Self.variances(lean: .zero, azimuth: 0.5, strength: 0.2, noise: 100).north < 0.01)
  }

  /// North is let go where it is carried past iron, so that it soon comes back: it errs no more for that.
  @Test func whatTheFilterAllowsForIsStatedByLess() {
    let settings = Fusion.Settings()
    #expect(abs(settings.caution(wandering: 0) - settings.caution) < 1e-12)
    #expect(abs(settings.caution(wandering: settings.yawWander) - settings.carriedCaution) < 1e-12)
    let most = settings.yawWander(isCarried: false, seen: 5)
    #expect(settings.caution(wandering: most) < 0.8 * settings.caution)
  }

  /// A field that is turned by iron turns north, and leaves the gyroscope's bias and what is known of it as they were.
  @Test func aFieldThatIsTurnedTellsNothingOfTheBias() {
    var errors = FusionErrors(biasDeviation: 0.005)
    errors.begin(tiltDeviation: 0.02)
    errors.begin(yawDeviation: 0.05)
    for _ in 0..<400 { errors.age(by: 0.025, attitude: .identity, turn: Vector3(0, 0, 1e-5), bias: 0) }
    let before = errors
    let change = errors.learn(azimuth: 0.2, slope: Self.slope, noise: 0.01, tellsBias: false)
    #expect(change.turn.z > 0.02 && change.bias == .zero)
    #expect(errors.bias == before.bias && errors.yawVariance < before.yawVariance)
    let told = errors.learn(azimuth: 0.2, slope: Self.slope, noise: 0.01)
    #expect(told.bias.z != 0 && errors.bias.row2.z < before.bias.row2.z)
  }
}
