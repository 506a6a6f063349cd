import LodestoneCore
import Testing

@testable import Navigation

/// How much of a field is taken to be not the Earth's.
@Suite struct FieldDisturbanceTests {
  /// A board that was carried by iron, as in a lift, and stands in a clean field again: what was usual on the way is no
  /// error of its calibration, by which a field as it should be would be off.
  @Test func aCleanFieldIsNoDisturbanceAfterIron() {
    var disturbance = FieldDisturbance(
      Fusion.Settings(), reference: HeadingErrorModel.Reference(strength: 50, inclination: 65))
    func take(strength: Double, isCarried: Bool, seconds: Double) -> FieldDisturbance.Effect {
      var effect = FieldDisturbance.Effect(variance: 0, lasting: 0)
      for _ in 0..<Int(seconds / 0.025) {
        effect = disturbance.add(
          strength: strength, inclination: Angle.radians(65), noise: 0, turned: 0, lean: 0, step: 0.025,
          isCarried: isCarried, travels: false)
      }
      return effect
    }
    #expect(take(strength: 65, isCarried: true, seconds: 20).variance < 0.1)
    _ = take(strength: 50, isCarried: true, seconds: 5)
    #expect(take(strength: 50, isCarried: false, seconds: 60).variance.squareRoot() < 0.05)
    #expect(take(strength: 65, isCarried: false, seconds: 20).variance.squareRoot() > 0.5)
    #expect(take(strength: 35, isCarried: false, seconds: 20).variance.squareRoot() > 0.5)
  }
}
