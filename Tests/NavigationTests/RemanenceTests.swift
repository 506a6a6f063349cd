import Calibration
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// Iron that keeps a part of a magnet's field once the magnet is away, and a zero-point that was taken beside one.
@Suite struct RemanenceTests {
  private static let earth = Vector3(0, 20, -45)

  /// The notices beside those of zero-points, of a sensor that a magnet is brought to after 10 s and taken from after
  /// 20 s.
  private static func notices(
    seed: UInt64, strength: Double, left: (Double) -> Vector3
  ) -> [Remanence] {
    var (meter, random) = (Teslameter(), RandomNumbers(seed: seed))
    var notices: [Remanence] = []
    var reading = FieldReading()
    for time in (0..<3000).map({ Double($0) / 50 }) {
      var field = earth + Vector3(random.normal(), random.normal(), random.normal()) * 0.3
      if (10..<20).contains(time) { field += Vector3(0.6, 0, 0.8) * strength }
      if time >= 20 { field += left(time) }
      _ = meter.read(
        DeviceSample(time: time, field: Correction.none.apply(to: MagneticField(microtesla: field))), into: &reading)
      while let notice = meter.nextNotice() {
        if case .remanence(let remanence) = notice { notices.append(remanence) }
      }
    }
    return notices
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func whatStaysIsToldOnce(seed: UInt64) throws {
    let told = Self.notices(seed: seed, strength: 1500) { _ in Vector3(0, 3, 0) }
    #expect(told.count == 1)
    let remanence = try #require(told.first)
    #expect(abs(remanence.left - 3) < 0.4 && abs(remanence.strongest - 1500) < 3, "\(remanence)")
  }

  /// Nothing is left, a weak magnet was there before, or one goes away farther and farther.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func nothingElseIs(seed: UInt64) {
    #expect(Self.notices(seed: seed, strength: 1500) { _ in .zero }.isEmpty)
    #expect(Self.notices(seed: seed, strength: 100) { _ in Vector3(0, 3, 0) }.isEmpty)
    #expect(Self.notices(seed: seed, strength: 1500) { Vector3(0, 60 - $0, 0) }.isEmpty)
  }

  @Test(arguments: [(Vector3(12, 8, -10), true), (Vector3(3, -2, -4), false), (Vector3(150, 0, 0), true)])
  func aMagnetNearTheZeroPointIsNoticed(_ magnet: Vector3, isOne: Bool) throws {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: Self.earth.length, inclination: 66,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    for known in [profile, nil] {
      var (meter, random, reading) = (Teslameter(profile: known), RandomNumbers(seed: 5), FieldReading())
      for index in 0..<150 {
        let field = Self.earth + magnet + Vector3(random.normal(), random.normal(), random.normal()) * 0.3
        _ = meter.read(
          DeviceSample(
            time: Double(index) / 50, field: Correction.none.apply(to: MagneticField(microtesla: field))),
          into: &reading)
      }
      guard case .zeroed(let zero) = meter.nextNotice() else {
        Issue.record("no zero-point")
        return
      }
      #expect((zero.missedStrength != nil) == (isOne && known != nil))
      #expect(zero.isStrong == (magnet.x > 100 && known == nil))
    }
  }
}
