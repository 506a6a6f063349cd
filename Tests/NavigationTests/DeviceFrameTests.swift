import Calibration
import Instruments
import LodestoneCore
import Navigation
import Testing

/// One stage corrects and mounts; a heading does not depend on how the chip sits in the device.
@Suite struct DeviceFrameTests {
  private static let mounts = ["x,y,z", "-y,x,z", "x,-z,y", "-x,-y,z", "y,x,z"]

  private static func profile() -> Profile {
    var profile = Profile(
      device: "board", created: 0,
      correction: Correction(
        hardIron: Vector3(120, -40, 15),
        softIron: Matrix3(Vector3(1.1, 0.05, 0), Vector3(0, 0.9, 0.02), Vector3(0.03, 0, 1))),
      fieldStrength: 48, inclination: 65,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    profile.quality.headingErrorDegrees = 1
    return profile
  }

  /// The raw sample of a chip that sits so in a device, whose field and force are these in the device frame.
  private static func raw(_ field: Vector3, _ force: Vector3, in mounting: Mounting, _ correction: Correction) throws
    -> Sample
  {
    let back = mounting.matrix.transposed
    let inverse = try #require(correction.softIron.inverse)
    return Sample(
      time: 1, field: MagneticField(microtesla: inverse * (back * field) + correction.hardIron),
      acceleration: Acceleration(g: back * force), rotationRate: RotationRate(degreesPerSecond: back * Vector3(1, 2, 3))
    )
  }

  /// A field of 20.3 µT north and 43.5 µT down, seen by a level device whose top points east.
  @Test(arguments: mounts)
  func theDeviceFrameHoldsForEachMounting(_ mount: String) throws {
    let (mounting, profile) = (try Mounting(mount), Self.profile())
    let (field, force) = (Vector3(-20.3, 0, -43.5), Vector3(0, 0, 1))
    let sample = try Self.raw(field, force, in: mounting, profile.correction)
    let device = DeviceFrame(profile, mounting: mounting).read(sample)
    #expect((try #require(device.field).field.microtesla - field).length < 1e-9)
    #expect((try #require(device.acceleration).g - force).length < 1e-9)
    #expect((try #require(device.rotationRate).degreesPerSecond - Vector3(1, 2, 3)).length < 1e-9)
    var compass = Compass(profile: profile, mounting: mounting)
    let read = compass.read(device)
    let reading = try #require(read)
    #expect(abs(try #require(reading.magneticHeading).degrees - 90) < 1e-9)
    #expect(abs(try #require(reading.inclination) - 64.98) < 0.01)
  }

  /// A laser 3° beside the chip's x, in an instrument whose top that is: with the laser level and to the east, the top
  /// is.
  @Test func theTopIsWhereTheLaserPoints() throws {
    var profile = Self.profile()
    let laser = try #require(Vector3(1, 0.03, -0.045).direction)
    profile.laser = LaserAxis(along: laser, deviation: 0.1)
    let mounting = try Mounting("-y,x,z")
    let chip = try Mounting(matrix: mounting.matrix * Quaternion(from: laser, to: Vector3(1, 0, 0)).matrix)
    let sample = try Self.raw(Vector3(-20.3, 0, -43.5), Vector3(0, 0, 1), in: chip, profile.correction)
    #expect(abs(try #require(sample.acceleration).g.dot(laser)) < 1e-9)
    let device = DeviceFrame(profile, mounting: mounting).read(sample)
    #expect((try #require(device.acceleration).g - Vector3(0, 0, 1)).length < 1e-9)
    #expect((try #require(device.rotationRate).degreesPerSecond - Vector3(1, 2, 3)).length < 1e-9)
    var compass = Compass(profile: profile, mounting: mounting)
    let read = compass.read(device)
    #expect(abs(try #require(read?.magneticHeading).degrees - 90) < 1e-9)
  }

  /// The covariance lies in the chip's axes: asked in the device frame, it says what it says there.
  @Test(arguments: mounts)
  func theErrorModelIsTurnedWithTheMounting(_ mount: String) throws {
    let mounting = try Mounting(mount)
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    var breakout = VirtualBreakout(settings)
    let result = try #require(Calibrator().fit((0..<1500).map { _ in breakout.next().sample }).result)
    let profile = Profile(result, device: "board", created: 0)
    let (inChip, inDevice) = (HeadingErrorModel(profile), HeadingErrorModel(profile, mounting: mounting))
    let raw = MagneticField(microtesla: Vector3(12, 16.4, -43.5) + result.correction.hardIron)
    let (chipUp, chipAxis) = (Vector3(0.1, 0.05, 0.99), Vector3(0.6, 0.8, 0))
    let chip = try #require(HeadingSolution(field: DeviceFrame(profile).field(of: raw), up: chipUp))
    let device = try #require(
      HeadingSolution(
        field: DeviceFrame(profile, mounting: mounting).field(of: raw), up: mounting.matrix * chipUp))
    let expected = try #require(inChip.accuracy(of: chip, along: chipAxis, tilt: 0.01).degrees)
    let told = try #require(inDevice.accuracy(of: device, along: mounting.matrix * chipAxis, tilt: 0.01).degrees)
    #expect(abs(told - expected) < 1e-9)
  }

  @Test func whatIsNotMeasuredStaysAbsent() {
    let device = DeviceFrame(Self.profile()).read(Sample(time: 2, temperature: 21, flags: .gap))
    #expect(device.field == nil && device.acceleration == nil && device.rotationRate == nil)
    #expect(device.time == 2 && device.temperature == 21 && device.flags == .gap)
  }

  /// (0, 0, −1) g face up becomes specific force.
  @Test func aReversedAccelerometerIsTurned() {
    let frame = DeviceFrame(accelerometerIsReversed: true)
    #expect(frame.read(Sample(time: 0, acceleration: Acceleration(g: Vector3(0, 0, -1)))).acceleration?.g.z == 1)
  }
}
