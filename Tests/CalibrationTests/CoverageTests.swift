import LodestoneCore
import Testing

@testable import Calibration

@Suite struct CoverageTests {
  @Test func everyCellContainsItsMiddle() {
    for (index, centre) in DirectionCells.centres.enumerated() {
      #expect(DirectionCells.index(of: centre) == index)
      #expect(abs(centre.length - 1) < 1e-12)
    }
    #expect(Set(DirectionCells.centres).count == 96)
  }

  @Test func directionsSpreadEvenlyFillIt() {
    let golden = 2.399963229728653
    var coverage = Coverage()
    for step in 0..<2000 {
      let z = 1 - (Double(step) + 0.5) / 1000
      let radius = (1 - z * z).squareRoot()
      let around = Matrix3(rotation: Vector3(0, 0, golden * Double(step))) * Vector3(1, 0, 0)
      coverage.add(Vector3(around.x * radius, around.y * radius, z))
    }
    #expect(coverage.percent == 100)
    #expect(coverage.missing.isEmpty)
  }

  @Test func aHalfSphereIsAHalf() {
    let coverage = Coverage(DirectionCells.centres.filter { $0.z > 0 })
    #expect(coverage.percent == 50)
    #expect(coverage.missing.allSatisfy { $0.z < 0 })
    #expect(coverage.met.count == 48)
  }

  @Test func whatHasNoDirectionIsNotCounted() {
    #expect(Coverage([.zero, Vector3(.nan, 1, 1), Vector3(.infinity, 0, 0)]).percent == 0)
  }

  @Test func thinningKeepsAllDirections() {
    let crowd = [Vector3](repeating: Vector3(0, 0, 48), count: 5000)
    let sphere = DirectionCells.centres.flatMap { [Vector3](repeating: $0 * 48, count: 5) }
    let kept = (crowd + sphere).spread(over: 300, centre: .zero)
    #expect(kept.count <= 400)
    #expect(Coverage(kept).percent == 100)
  }
}
