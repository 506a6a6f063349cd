import LodestoneCore
import Testing

@testable import Calibration

/// Errors of a correction carried to heading, against hand-worked cases at 48 µT and a dip of 60° (B_h = 24 µT).
@Suite struct HeadingErrorTests {
  private static let field = Vector3(0, 24, -41.5692193817)

  private static func covariance(_ set: (inout [Double]) -> Void) throws -> CorrectionCovariance {
    var elements = [Double](repeating: 0, count: 196)
    set(&elements)
    let parameters = Parameters()
    return try #require(
      CorrectionCovariance(
        parameters: Array(parameters.values.prefix(14)), covariance: elements,
        correction: parameters.correction(axes: .identity)))
  }

  /// A hard iron of e across the horizontal field turns north by e/B_h.
  @Test func hardIron() throws {
    let x = try Self.covariance { $0[0] = 1 }
    #expect(abs((x.headingVariance(field: Self.field, up: Vector3(0, 0, 1)) ?? 0) - 1 / 576) < 1e-9)
    let y = try Self.covariance { $0[15] = 1 }
    #expect(abs(y.headingVariance(field: Self.field, up: Vector3(0, 0, 1)) ?? 1) < 1e-12)
  }

  /// A rotation τ about north turns it by τ tan(dip), one about the vertical by τ.
  @Test func rotation() throws {
    let aboutNorth = try Self.covariance { $0[12 * 15] = 0.01 * 0.01 }
    let expected = 0.01 * 0.01 * 3.0
    #expect(abs((aboutNorth.headingVariance(field: Self.field, up: Vector3(0, 0, 1)) ?? 0) - expected) < 1e-8)
    let aboutUp = try Self.covariance { $0[13 * 15] = 0.01 * 0.01 }
    #expect(abs((aboutUp.headingVariance(field: Self.field, up: Vector3(0, 0, 1)) ?? 0) - 0.0001) < 1e-9)
  }

  /// A common gain turns nothing.
  @Test func gain() throws {
    let common = try Self.covariance { elements in
      for row in 4..<7 { for column in 4..<7 { elements[row * 14 + column] = 0.01 } }
    }
    #expect((common.headingVariance(field: Self.field, up: Vector3(0, 0, 1)) ?? 1) < 1e-12)
  }

  /// An isotropic hard-iron error of e µT is e/B_h at every heading and tilt.
  @Test func overAllAttitudes() throws {
    let hardIron = try Self.covariance { elements in for axis in 0..<3 { elements[axis * 15] = 0.25 } }
    let grid = AttitudeGrid(strength: 48, angle: Angle.radians(150), tilts: [0, 30])
    let errors = grid.errors(hardIron)
    let expected = Angle.degrees(0.5 / 24)
    #expect(abs(errors.overall - expected) < 1e-9)
    #expect(abs(errors.level - expected) < 1e-9)
    #expect(abs(errors.worst - expected) < 1e-9)
  }

  @Test func aVerticalFieldHasNoHeading() throws {
    let any = try Self.covariance { $0[0] = 1 }
    #expect(any.headingVariance(field: Vector3(0, 0, -48), up: Vector3(0, 0, 1)) == nil)
  }

  @Test func sizesMustAgree() {
    let correction = Correction.none
    #expect(CorrectionCovariance(parameters: [1, 2], covariance: [1], correction: correction) == nil)
    #expect(
      CorrectionCovariance(
        parameters: Array(Parameters().values.prefix(14)), covariance: [Double](repeating: 0, count: 195),
        correction: correction) == nil)
  }
}
