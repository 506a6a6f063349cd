import LodestoneCore
import Testing

@testable import LodestoneTerminal

@Suite struct DirectionGlobeTests {
  /// The inverse projection covers the sphere once: unit vectors, the disc's middle straight ahead, its rim sideways.
  @Test func projectionIsOntoTheSphere() {
    #expect(DirectionGlobe.direction(0, 0, front: true) == Vector3(0, 0, 1))
    #expect(DirectionGlobe.direction(0, 0, front: false) == Vector3(0, 0, -1))
    #expect((DirectionGlobe.direction(1, 0, front: true) - Vector3(1, 0, 0)).length < 1e-12)
    #expect((DirectionGlobe.direction(-1, 0, front: false) - Vector3(1, 0, 0)).length < 1e-12)
    #expect((DirectionGlobe.direction(0, 1, front: false) - Vector3(0, 1, 0)).length < 1e-12)
    for x in stride(from: -0.7, through: 0.7, by: 0.1) {
      for y in stride(from: -0.7, through: 0.7, by: 0.1) {
        #expect(abs(DirectionGlobe.direction(x, y, front: true).length - 1) < 1e-12)
      }
    }
  }

  @Test func markStandsWhereTheFieldPoints() {
    func mark(_ direction: Vector3) -> (Int, Int)? {
      var canvas = Canvas(width: 42, height: 11)
      DirectionGlobe(met: [], missing: [], current: direction).draw(on: &canvas, in: canvas.region)
      for row in 0..<11 { for column in 0..<42 where canvas[column, row]?.scalar == "◆" { return (column, row) } }
      return nil
    }
    #expect(mark(Vector3(0, 0, 1)).map { $0 == (10, 5) } == true)
    #expect(mark(Vector3(0, 0, -1)).map { $0 == (32, 5) } == true)
    #expect(mark(Vector3(1, 0, 0.01)).map { $0 == (19, 5) } == true)
    #expect(mark(Vector3(1, 0, -0.01)).map { $0 == (22, 5) } == true)
    #expect(mark(Vector3(0, 1, 0.01)).map { $0 == (10, 0) } == true)
    #expect(mark(.zero) == nil)
  }

  /// The search against a look at every direction.
  @Test func nearestDirectionIsTheNearestOfAll() {
    let directions = ScreenSamples.directions(150)
    func isMet(_ v: Vector3) -> Bool { v.x * v.y + 0.3 * v.z > 0.1 }
    let nearest = NearestDirection(met: directions.filter(isMet), missing: directions.filter { !isMet($0) })
    for place in ScreenSamples.directions(997) {
      let found = directions.max { $0.dot(place) < $1.dot(place) }
      #expect(nearest.isCovered(at: place) == found.map(isMet))
    }
    #expect(!NearestDirection(met: [], missing: []).isCovered(at: Vector3(0, 0, 1)))
    #expect(!NearestDirection(met: [.zero], missing: []).isCovered(at: Vector3(0, 0, 1)))
  }
}
