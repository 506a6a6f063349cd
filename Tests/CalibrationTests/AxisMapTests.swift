import LodestoneCore
import Testing

@testable import Calibration

/// Pairs of field and up, 25° apart (the field dips 65°), with the field seen through other axes.
@Suite struct AxisMapTests {
  private static func pairs(seenThrough axes: Matrix3) -> [DirectionPair] {
    (0..<60).compactMap { index in
      let turn = Vector3(Double(index % 7) - 3, Double(index % 5) - 2, Double(index % 11) - 5) * 0.5
      let attitude = Matrix3(rotation: turn)
      let field = attitude * Vector3(0, 0.42261826, -0.90630779)
      return DirectionPair(field: axes.transposed * field, up: attitude * Vector3(0, 0, 1))
    }
  }

  @Test func identityStays() throws {
    let found = try #require(AxisMap.found(Self.pairs(seenThrough: .identity), inclination: nil))
    #expect(found.matrix == .identity)
    #expect(found.name == "+x,+y,+z")
    #expect((found.spreadDegrees ?? 9) < 0.01)
    #expect((found.confidence ?? 0) > 0.9)
    #expect(!found.signIsAmbiguous)
  }

  /// MPU-9250 (InvenSense RM-MPU-9250A, orientation of axes).
  @Test func exchangedAxes() throws {
    let map = try Mounting("y,x,-z").matrix
    let found = try #require(AxisMap.found(Self.pairs(seenThrough: map), inclination: nil))
    #expect(found.matrix == map)
    #expect(found.name == "+y,+x,-z")
    #expect(found.handedness == 1)
  }

  @Test func thePlaceSettlesTheSign() throws {
    let map = try Mounting("-x,y,z").matrix
    let north = try #require(AxisMap.found(Self.pairs(seenThrough: map), inclination: 65))
    #expect(north.matrix == map)
    #expect(north.basis == .place)
    let south = try #require(AxisMap.found(Self.pairs(seenThrough: map), inclination: -65))
    #expect(south.matrix == map * -1)
  }

  @Test func aReversedAccelerometerIsNoMirror() throws {
    let pairs = Self.pairs(seenThrough: .identity).map { DirectionPair(field: $0.field, up: -$0.up) }
    let found = try #require(AxisMap.found(pairs, inclination: 65))
    #expect(found.matrix == .identity)
    #expect(found.accelerometerIsReversed)
  }

  /// In one attitude every map keeps the angle: the axes stay as they come.
  @Test func oneAttitudeTellsNothing() throws {
    let pair = DirectionPair(field: Vector3(0, 0.42261826, -0.90630779), up: Vector3(0, 0, 1))
    let found = try #require(AxisMap.found([DirectionPair](repeating: pair, count: 50), inclination: nil))
    #expect(found.matrix == .identity)
  }

  @Test func noPairsProveNothing() {
    #expect(AxisMap.found([], inclination: 60) == nil)
  }
}
