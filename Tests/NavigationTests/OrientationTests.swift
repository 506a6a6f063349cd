import LodestoneCore
import Glibc
import Navigation
import Testing

@Suite struct OrientationTests {
  private func orientation(up: Vector3) -> Orientation {
    var tracker = OrientationTracker()
    tracker.update(up: up, at: 0)
    return tracker.orientation
  }

  @Test(arguments: [
    (Vector3(0, 1, 0), Orientation.portrait), (Vector3(0, -1, 0), .portraitUpsideDown),
    (Vector3(1, 0, 0), .landscapeLeft), (Vector3(-1, 0, 0), .landscapeRight), (Vector3(0, 0, 1), .faceUp),
    (Vector3(0, 0, -1), .faceDown),
  ])
  func standstill(_ up: Vector3, _ expected: Orientation) { #expect(orientation(up: up) == expected) }

  /// The orientation of a device after a second with each of these upward directions, 50 times a second.
  private func held(_ ups: [Vector3], each seconds: Double = 1) -> [OrientationTracker] {
    var tracker = OrientationTracker()
    var time = 0.0
    return ups.map { up in
      for _ in 0..<Int(50 * seconds) {
        time += 0.02
        tracker.update(up: up, at: time)
      }
      return tracker
    }
  }

  /// Turned in the plane of the screen, the right edge going up.
  private func turned(_ degrees: Double) -> Vector3 {
    Vector3(sin(Angle.radians(degrees)), cos(Angle.radians(degrees)), 0)
  }

  @Test func staysOnItsSideOfABorder() {
    let orientations = held([0, 30, 44, 46, 48, 44, 60, 44].map(turned)).map { $0.orientation }
    #expect(orientations == .init(repeating: .portrait, count: 6) + [.landscapeLeft, .landscapeLeft])
  }

  @Test func lyingFlatKeepsTheLastUprightOne() throws {
    #expect(OrientationTracker().upright == .portrait)
    let tracker = try #require(held([Vector3(1, 0, 0), Vector3(0.1, 0, 0.99)]).last)
    #expect(tracker.orientation == .faceUp)
    #expect(tracker.upright == .landscapeLeft)
  }

  /// An axis is left after half a second in another orientation: not by a sample, not by pushes that go to and fro, and
  /// not where time stands still.
  @Test func aPushDoesNotTurnTheAxis() {
    let (portrait, landscape) = (turned(0), turned(90))
    #expect(held([portrait, landscape, portrait, landscape], each: 0.4).allSatisfy { $0.upright == .portrait })
    #expect(held([portrait, landscape], each: 0.6).last?.upright == .landscapeLeft)
    var tracker = OrientationTracker()
    for up in [portrait] + [Vector3](repeating: landscape, count: 100) { tracker.update(up: up, at: 3) }
    #expect(tracker.upright == .portrait)
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
