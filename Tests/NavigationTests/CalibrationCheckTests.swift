import Calibration
import LodestoneCore
import Navigation
import Testing

/// Fields of known strength and direction against a profile of 48 µT that corrects nothing.
@Suite struct CalibrationCheckTests {
  private static let axes = (0..<2).flatMap { _ in
    [Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0, -1)]
  }

  private static func findings(
    _ fields: [Vector3], up: Vector3? = nil, turning: Double = 0, noise: Double? = nil, inclination: Double? = nil
  ) -> CalibrationCheck.Findings? {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: inclination, noise: noise,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    let frame = DeviceFrame(profile)
    var compass = Compass(profile: profile)
    var check = CalibrationCheck(profile)
    for (index, field) in fields.enumerated() {
      var sample = Sample(time: Double(index) / 50)
      sample.field = MagneticField(microtesla: field)
      let turn = Matrix3(rotation: Vector3(Angle.radians(turning * sample.time), 0, 0))
      sample.acceleration = up.map { Acceleration(g: turn * $0) }
      let device = frame.read(sample)
      if let reading = compass.read(device) { check.add(device, reading) }
    }
    return check.findings
  }

  @Test func fewSamplesAreNoFinding() {
    #expect(Self.findings([]) == nil)
    #expect(Self.findings(Array(Self.axes.prefix(9))) == nil && Self.findings(Array(Self.axes.prefix(10))) != nil)
  }

  @Test func theFieldAsItWasFits() throws {
    let found = try #require(Self.findings(Self.axes.map { $0 * 48 }))
    #expect(found.fits && found.wasTurned)
    #expect(found.samples == 12 && abs(found.strength - 48) < 1e-9 && found.spreadShare < 1e-9)
  }

  /// 50.4 µT is 5 % more than 48 µT, 49.44 µT is 3 %.
  @Test func aStrongerFieldDoesNotFit() throws {
    let strong = try #require(Self.findings(Self.axes.map { $0 * 50.4 }))
    #expect(!strong.fits && abs(strong.strengthShare - 0.05) < 1e-9)
    #expect(Self.findings(Self.axes.map { $0 * 49.44 })?.fits == true)
  }

  /// Hard iron of 4.8 µT along x adds to one end of the axis and takes from the other: lengths of 52.8 and 43.2 µT, and
  /// √(48² + 4.8²) = 48.239 µT four times. Their standard deviation is 5.78 % of 48 µT, their mean only 0.33 % off.
  @Test func addedHardIronShowsInTheSpread() throws {
    let found = try #require(Self.findings(Self.axes.map { $0 * 48 + Vector3(4.8, 0, 0) }))
    #expect(abs(found.strengthShare - 0.0033) < 1e-4)
    #expect(abs(found.spreadShare - 0.0578) < 1e-4)
    #expect(!found.fits)
  }

  /// Alternating ±2.4 µT is a standard deviation of 2.4 µT: 5 % of 48 µT, unless the sensor is known to be so noisy.
  @Test func noiseIsNoSpread() throws {
    let fields = (0..<200).map { Vector3(0, 0, $0 % 2 == 0 ? -50.4 : -45.6) }
    #expect(Self.findings(fields)?.fits == false)
    let noisy = try #require(Self.findings(fields, noise: 2.4))
    #expect(noisy.fits && noisy.spreadShare < 1e-9 && !noisy.wasTurned)
  }

  /// A field of 48 µT that points straight down under a level board has an inclination of 90°.
  @Test func anotherInclinationDoesNotFit() throws {
    let down = [Vector3](repeating: Vector3(0.48, 0, -48), count: 100)
    let found = try #require(Self.findings(down, up: Vector3(0, 0, 1), inclination: 85))
    #expect(!found.fits && abs((found.inclinationDegrees ?? 0) - 4.43) < 0.01)
    #expect(Self.findings(down, up: Vector3(0, 0, 1), inclination: 88)?.fits == true)
    // For less than half a second, nobody knows whether it rests.
    #expect(try #require(Self.findings(Array(down.prefix(20)), up: Vector3(0, 0, 1))).inclination == nil)
    // A force of 1.2 g is a hand in motion.
    #expect(try #require(Self.findings(down, up: Vector3(0, 0, 1.2), inclination: 85)).inclination == nil)
  }
  /// A force that turns by 60° a second is always 1 g, and never that of a device at rest.
  @Test func motionSaysNothingOfTheInclination() throws {
    let fields = [Vector3](repeating: Vector3(0, 20, -43), count: 200)
    let found = try #require(Self.findings(fields, up: Vector3(0, 0, 1), turning: 60, inclination: 65))
    #expect(found.inclination == nil && found.inclinationDegrees == nil)
    #expect(try #require(Self.findings(fields, up: Vector3(0, 0, 1), inclination: 65)).inclination != nil)
  }
}
