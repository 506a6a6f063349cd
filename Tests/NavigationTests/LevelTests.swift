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

  @Test func zeroTakesThePresentTiltForLevel() throws {
    var instrument = Level()
    _ = Self.level(Vector3(0.05, 0.02, 1), &instrument)
    instrument.zero()
    let zeroed = try #require(Self.level(Vector3(0.05, 0.02, 1), &instrument, from: 10))
    #expect(abs(zeroed.pitch) < 1e-3 && abs(zeroed.roll) < 1e-3)
  }

  /// A table tilted by +2° and a board that reads +1° too much: 3°, and −1° turned about.
  @Test func twoPositionsTellBoardAndTableApart() {
    let found = Level.TwoPositions(first: (3, 0.5), second: (-1, 0.5))
    #expect(found.board.pitch == 1 && found.surface.pitch == 2)
    #expect(found.board.roll == 0.5 && found.surface.roll == 0)
  }

  @Test func nothingIsReadOfNothing() {
    var instrument = Level()
    #expect(instrument.read(DeviceSample(time: 0)) == nil)
    #expect(instrument.read(DeviceSample(time: 1, acceleration: Acceleration(g: Vector3(.nan, 0, 1)))) == nil)
    #expect(instrument.takeSecondPosition() == nil)
  }
}
