import LodestoneCore
import Glibc
import Navigation
import Testing

@Suite struct OrientationTests {
  private func orientation(up: Vector3) -> Orientation {
    var tracker = OrientationTracker()
    tracker.update(up: up)
    return tracker.orientation
  }

  @Test(arguments: [
    (Vector3(0, 1, 0), Orientation.portrait), (Vector3(0, -1, 0), .portraitUpsideDown),
    (Vector3(1, 0, 0), .landscapeLeft), (Vector3(-1, 0, 0), .landscapeRight), (Vector3(0, 0, 1), .faceUp),
    (Vector3(0, 0, -1), .faceDown),
  ])
  func standstill(_ up: Vector3, _ expected: Orientation) { #expect(orientation(up: up) == expected) }

  @Test func staysOnItsSideOfABorder() {
    var tracker = OrientationTracker()
    for degrees in [0.0, 30, 44, 46, 48, 44] {
      tracker.update(up: Vector3(sin(Angle.radians(degrees)), cos(Angle.radians(degrees)), 0))
      #expect(tracker.orientation == .portrait)
    }
    tracker.update(up: Vector3(sin(Angle.radians(60)), cos(Angle.radians(60)), 0))
    #expect(tracker.orientation == .landscapeLeft)
    tracker.update(up: Vector3(sin(Angle.radians(44)), cos(Angle.radians(44)), 0))
    #expect(tracker.orientation == .landscapeLeft)
  }

  @Test func lyingFlatKeepsTheLastUprightOne() {
    var tracker = OrientationTracker()
    #expect(tracker.upright == .portrait)
    tracker.update(up: Vector3(1, 0, 0))
    tracker.update(up: Vector3(0.1, 0, 0.99))
    #expect(tracker.orientation == .faceUp)
    #expect(tracker.upright == .landscapeLeft)
  }

  /// Level and facing north: the top of the screen in landscape-left is +x, 90° clockwise of +y.
  @Test(
    arguments: [
      (Orientation.portrait, 0.0), (.landscapeLeft, 90), (.portraitUpsideDown, 180), (.landscapeRight, 270),
    ] as [(Orientation, Double)])
  func headingFollowsTheScreen(_ orientation: Orientation, _ expected: Double) throws {
    var settings = Compass.Settings()
    settings.orientation = orientation
    var compass = Compass(settings)
    let level = Acceleration(g: Vector3(0, 0, 1))
    let reading = compass.read(
      DeviceFrame().read(Sample(time: 0, field: MagneticField(microtesla: 0, 20, -40), acceleration: level)))
    let heading = try #require(reading?.magneticHeading)
    #expect(abs(Angle.shortestTurn(from: expected, to: heading.degrees)) < 1e-9)
  }
}
