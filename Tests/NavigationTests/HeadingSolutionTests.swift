import Calibration
import Glibc
import LodestoneCore
import Navigation
import Testing

/// Vienna: 48.6 µT, dip 64°. Attitudes are worked by hand: a device turned so that its top points to a compass
/// direction sees the field's north component along its axes.
@Suite struct HeadingSolutionTests {
  /// The top edge of a board that stands upright points nowhere, exactly or by a tenth of a degree; at 89° it does.
  @Test(arguments: [false, true])
  func anEdgeThatPointsUpHasNoHeading(_ isCalibrated: Bool) throws {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48.3,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    for (pitch, hasHeading) in [(90.0, false), (89.9, false), (89, true), (-90, false), (80, true)] {
      var settings = Compass.Settings()
      (settings.orientation, settings.pointing) = (.portrait, .top)
      var compass = Compass(settings, profile: isCalibrated ? profile : nil)
      // The top edge to magnetic north, raised: 20 µT to the north, 44 µT down.
      let (s, c) = (sin(Angle.radians(pitch)), cos(Angle.radians(pitch)))
      let field = MagneticField(microtesla: 0, 20 * c - 44 * s, -20 * s - 44 * c)
      let sample = Sample(time: 0, field: field, acceleration: Acceleration(g: Vector3(0, s, c)))
      let read = compass.read(DeviceFrame(isCalibrated ? profile : nil).read(sample))
      let reading = try #require(read)
      #expect((reading.magneticHeading != nil) == hasHeading, "\(pitch)")
      #expect((reading.accuracy != nil) == hasHeading, "\(pitch)")
      if let heading = reading.magneticHeading { #expect(abs(Angle.shortestTurn(from: 0, to: heading.degrees)) < 1) }
    }
  }

  /// One message whose acceleration was lost, `ax,nan,az`: the board was taken to be level for it, and the heading leapt
  /// by 14°.
  @Test func aLostAccelerationIsThatOfTheMessageBefore() throws {
    var (frame, compass) = (DeviceFrame(), Compass())
    let up = Vector3(sin(Angle.radians(7)), 0, cos(Angle.radians(7)))
    let field = MagneticField(microtesla: -44 * up.x, 20, -44 * up.z)
    for number in 0..<40 {
      let isLost = number % 9 == 4
      var sample = Sample(
        time: Double(number) / 10, field: field, acceleration: isLost ? nil : Acceleration(g: up))
      var (device, reading) = (DeviceSample(), HeadingReading(time: 0))
      frame.read(&sample, into: &device)
      #expect(compass.read(device, into: &reading))
      let heading = try #require(reading.magneticHeading).degrees
      #expect(abs(Angle.shortestTurn(from: 0, to: heading)) < 0.5 && reading.roll != nil, "\(number): \(heading)")
    }
  }

  private static let north = 21.3
  private static let down = 43.7

  private func solution(_ field: Vector3, up: Vector3) throws -> HeadingSolution {
    try #require(HeadingSolution(field: Correction.none.apply(to: MagneticField(microtesla: field)), up: up))
  }

  @Test(
    arguments: [
      (Vector3(0, 21.3, -43.7), 0.0),  // top to north
      (Vector3(-21.3, 0, -43.7), 90),  // top to east: north is to the left
      (Vector3(0, -21.3, -43.7), 180),
      (Vector3(21.3, 0, -43.7), 270),  // top to west: north is to the right
    ] as [(Vector3, Double)])
  func levelDevice(_ field: Vector3, _ expected: Double) throws {
    // How long the vector is that points up does not matter.
    let heading = try #require(try solution(field, up: Vector3(0, 0, 1.3)).heading(of: Vector3(0, 1, 0)))
    #expect(abs(Angle.shortestTurn(from: expected, to: heading.degrees)) < 1e-9)
  }

  /// Held upright, back to the east: −z east, top up, so x (right of the user who looks east) is south.
  @Test func uprightDeviceReadsAlongItsBack() throws {
    let field = Vector3(-Self.north, -Self.down, 0)
    let up = Vector3(0, 1, 0)
    var pointing = PointingTracker(.auto)
    let axis = pointing.axis(screenTop: Vector3(0, 1, 0), up: up)
    let heading = try #require(try solution(field, up: up).heading(of: axis.forward))
    #expect(abs(heading.degrees - 90) < 1e-9)
    #expect(abs(axis.pitch(up: up).degrees) < 1e-9)
    #expect(abs(axis.roll(up: up).degrees) < 1e-9)
  }

  @Test func inclinationIsPositiveDown() throws {
    let dip = try #require(try solution(Vector3(0, Self.north, -Self.down), up: Vector3(0, 0, 1)).inclination).degrees
    #expect(abs(dip - 64.02) < 0.05)  // atan(43.7 / 21.3)
  }

  @Test func verticalFieldHasNoHeading() throws {
    let vertical = try solution(Vector3(0, 0, -50), up: Vector3(0, 0, 1))
    #expect(vertical.heading(of: Vector3(0, 1, 0)) == nil)
    #expect(vertical.inclination?.degrees == 90)
  }

  @Test func nothingFollowsFromNothing() throws {
    #expect(HeadingSolution(field: Correction.none.apply(to: MagneticField(microtesla: 0, 20, -40)), up: .zero) == nil)
    #expect(try solution(.zero, up: Vector3(0, 0, 1)).inclination == nil)
    #expect(try solution(.zero, up: Vector3(0, 0, 1)).heading(of: Vector3(0, 1, 0)) == nil)
  }

  @Test(
    arguments: [
      (Vector3(0, 0.5, 0.866_025_403_784_438_6), 30.0, 0.0),  // top edge up
      (Vector3(-0.5, 0, 0.866_025_403_784_438_6), 0.0, 30.0),  // right edge down
    ] as [(Vector3, Double, Double)])
  func pitchAndRoll(_ up: Vector3, _ pitch: Double, _ roll: Double) {
    let axis = HeadingAxis.top(Vector3(0, 1, 0))
    #expect(abs(axis.pitch(up: up).degrees - pitch) < 1e-9)
    #expect(abs(axis.roll(up: up).degrees - roll) < 1e-9)
  }
}
