import Glibc
import LodestoneCore
import Navigation
import Testing

/// The step of a field's numbers: 48 µT at an inclination of 65°, a board that is turned on a table.
@Suite struct CoarseFieldTests {
  /// The steps that are told.
  private func told(_ degrees: Double = 3, _ write: (Double) -> Double) -> [Double] {
    var (watch, told) = (CoarseField(), [Double]())
    for number in 0..<400 {
      let angle = Double(number) * degrees * .pi / 180
      let field = Vector3(write(-20.3 * sin(angle)), write(20.3 * cos(angle)), write(-43.5))
      var sample = Sample(time: Double(number) / 10, field: MagneticField(microtesla: field))
      if watch.see(&sample), let news = watch.nextNews() { told.append(news) }
    }
    return told
  }

  /// mT with two decimals, 7 µT to a count, and the 98 µT of a TLV493D beside iron.
  @Test(arguments: [(10.0, 1.0), (7, 1), (98, 5)]) func coarseStepsAreTold(step: Double, gain: Double) throws {
    let steps = told { ($0 * gain / step).rounded() * step }
    let found = try #require(steps.first)
    #expect(steps.count == 1 && abs(found - step) < 0.01)
  }

  /// Whole µT, tenths of mG, and a board that turns fast.
  @Test func fineStepsAreNot() {
    #expect(told { $0.rounded() }.isEmpty && told { ($0 * 3).rounded() / 3 }.isEmpty)
    #expect(told { $0 }.isEmpty && told(45) { $0 }.isEmpty)
  }
}
