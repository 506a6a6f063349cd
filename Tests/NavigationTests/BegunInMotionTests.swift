import Glibc
import Instruments
import LodestoneCore
import Testing

@testable import Navigation

/// Attitudes without a calibration of a board whose samples begin while it is shaken.
@Suite struct BegunInMotionTests {
  /// Root mean squares in degrees from 3 s on, the lines after 2 s without an attitude, and those within what is
  /// stated.
  private struct Lines {
    var heading = 0.0
    var inclination = 0.0
    var absent = 0
    var within = 0.0
  }

  /// Shaken by hand to and fro at 1.7 Hz, up and down by 1.5 g and across by 1 g, from any phase of that.
  private static func shaken(bias: Vector3, seconds: Double = 15) -> Lines {
    var (lines, count) = (Lines(), 0.0)
    let truth = Quaternion(angle: 0.7, about: Vector3(0, 0, 1)) * Quaternion(angle: 0.4, about: Vector3(1, 0, 0))
    let back = truth.conjugate
    for phase in 0..<8 {
      var random = RandomNumbers(seed: UInt64(phase))
      func noise(_ size: Double) -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * size }
      var tracker = AttitudeTracker(profile: nil)
      for index in 0..<Int(seconds * 100) {
        let time = Double(index) / 100
        let turn = 2 * Double.pi * (1.7 * time + Double(phase) / 8)
        let force = Vector3(cos(turn), 0.5 * sin(0.6 * turn), 1 + 1.5 * sin(turn))
        tracker.add(
          time: time, field: back * Vector3(0, 20, -40) + noise(0.3), force: back * force + noise(0.01),
          rate: bias + noise(0.1), flags: [])
        guard time > 2 else { continue }
        guard let estimate = tracker.estimate else {
          lines.absent += 1
          continue
        }
        guard time > 3 else { continue }
        let off = estimate.attitude * back
        let heading = Angle.degrees(2 * atan2(abs(off.v.z), abs(off.w)))
        let inclination = Angle.degrees(2 * acos(min(1, hypot(off.w, off.v.z))))
        lines.heading += heading * heading
        lines.inclination += inclination * inclination
        if heading < 1.96 * (estimate.yawVariance ?? 0).squareRoot() { lines.within += 1 }
        count += 1
      }
    }
    lines.heading = (lines.heading / count).squareRoot()
    lines.inclination = (lines.inclination / count).squareRoot()
    lines.within /= count
    return lines
  }

  /// After a gap a board that is shaken finds up from some seconds of force, and north in the same window: no line
  /// between has none, or that of another up.
  @Test func northIsFoundWithUpAfterAGap() {
    var fusion = Fusion(reference: HeadingErrorModel.Reference(strength: 45, inclination: 63))
    var (withNorth, without) = (0, 0)
    for index in 0..<500 where index < 250 || index >= 300 {
      let time = Double(index) / 50
      let turn = 2 * Double.pi * 1.9 * time
      fusion.add(
        time: time, field: Vector3(0.1 * sin(3 * time), 20, -40),
        force: Vector3(0, 0.3 * sin(turn), 1 + 0.4 * cos(turn)), rate: .zero, fieldNoise: 0.3)
      guard index >= 300, let estimate = fusion.estimate else { continue }
      if estimate.yawVariance != nil {
        withNorth += 1
      } else if withNorth > 0 {
        without += 1
      }
    }
    #expect(withNorth > 180 && without == 0, "\(withNorth) \(without)")
  }

  /// A force that points down for a moment is no attitude that is lost: the fusion began again and again for 8 s.
  @Test func aForceThatPointsDownForAMomentLosesNoAttitude() {
    let lines = Self.shaken(bias: Vector3(0.2, -0.3, 0.1))
    #expect(lines.absent == 0 && lines.heading < 3 && lines.inclination < 2 && lines.within > 0.93, "\(lines)")
  }

  /// Two and three degrees a second off, and nobody measured it.
  @Test func aLargeZeroIsLearnt() {
    let lines = Self.shaken(bias: Vector3(2, -3, 2), seconds: 30)
    #expect(lines.absent == 0 && lines.heading < 4 && lines.inclination < 4 && lines.within > 0.93, "\(lines)")
  }

  /// A raw chip may read 20°/s at rest: a board that lies still before it is turned shows it, and its gyroscope is
  /// sound.
  @Test(
    arguments: [
      Vector3(0.5, -0.5, 0.5), Vector3(4, -4, 4), Vector3(10, -10, 10), Vector3(15, 5, -15), Vector3(20, -18, 12),
    ], [2.0, 5])
  func aBoardThatLiesStillAtFirstShowsItsZero(bias: Vector3, rest: Double) {
    var (count, within, largest) = (0.0, 0.0, 0.0)
    for phase in 0..<4 {
      var random = RandomNumbers(seed: UInt64(phase))
      func noise(_ size: Double) -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * size }
      var tracker = AttitudeTracker(profile: nil)
      var attitude = Quaternion(angle: 0.4, about: Vector3(1, 0, 0))
      for index in 0..<2000 {
        let time = Double(index) / 100
        let turning = max(0, time - rest)
        let rate =
          turning == 0
          ? .zero : Vector3(40 * cos(2 * turning), 60 * cos(1.3 * turning + Double(phase)), 50 * sin(0.7 * turning))
        attitude = (attitude * Quaternion(rotation: rate * (.pi / 18_000))).normalized
        let back = attitude.conjugate
        let force = Vector3(0.1 * sin(9 * turning), 0.1 * sin(7 * turning), 1 + 0.1 * sin(5 * turning))
        tracker.add(
          time: time, field: back * Vector3(0, 20, -40) + noise(0.3), force: back * force + noise(0.01),
          rate: rate + bias + noise(0.1), flags: [])
        #expect(tracker.fault == nil)
        guard time > 2, let estimate = tracker.estimate else { continue }
        let off = estimate.attitude * back
        let heading = Angle.degrees(2 * atan2(abs(off.v.z), abs(off.w)))
        largest = max(largest, Angle.degrees(2 * acos(min(1, hypot(off.w, off.v.z)))))
        if heading < 1.96 * (estimate.yawVariance ?? 0).squareRoot() { within += 1 }
        count += 1
      }
    }
    #expect(count > 7000 && largest < 15 && within > 0.93 * count, "\(largest)° off, \(within) of \(count) within")
  }

  /// What was assumed of a gyroscope comes again where its bias was not as large as it seemed.
  @Test func whatWasAssumedComesAgain() {
    var errors = FusionErrors(biasDeviation: 0.02)
    errors.begin(tiltDeviation: 0.3)
    for index in 0..<400 {
      errors.age(by: 0.025, attitude: .identity, turn: .zero, bias: 0)
      _ = errors.learn(lean: index % 2, off: 0, noise: 4)
    }
    let before = errors
    for _ in 0..<60 { _ = errors.expect(bias: Vector3(0.1, 0, 0)) }
    #expect(errors.bias.row0.x > 2 * before.bias.row0.x && errors.bias.row2.z > 10 * before.bias.row2.z)
    for _ in 0..<60 { _ = errors.expect(bias: .zero) }
    #expect(abs(errors.bias.row0.x / before.bias.row0.x - 1) < 0.01)
    #expect(abs(errors.tiltVariance / before.tiltVariance - 1) < 0.01)
  }

  /// A gyroscope that shows next to nothing of the bias that it might have is one of most, about the axes that show
  /// nothing too.
  @Test(arguments: [(0.0, true), (0.003, true), (0.1, false)]) func aSmallBiasIsTheUsualOne(bias: Double, isUsual: Bool)
  {
    var errors = FusionErrors(biasDeviation: 0.07, usual: 0.02)
    for axis in 0..<2 { _ = errors.learn(bias: axis, off: bias, noise: 1e-6) }
    for _ in 0..<40 { _ = errors.expect(bias: Vector3(bias, 0, 0)) }
    #expect((errors.biasDeviation.z < 0.022) == isUsual && errors.biasDeviation.z > 0.0199)
  }

  /// Iron on a board that nobody calibrated turns the field as the board is turned at once: no gyroscope is off by
  /// that.
  @Test func ironThatTurnsAtOnceIsNoZero() {
    var (squares, count) = (0.0, 0.0)
    for phase in 0..<8 {
      var random = RandomNumbers(seed: UInt64(phase))
      func noise(_ size: Double) -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * size }
      var tracker = AttitudeTracker(profile: nil)
      var attitude = Quaternion(angle: Double(phase), about: Vector3(0, 0, 1))
      for index in 0..<2000 {
        let time = Double(index) / 100
        let rate = Vector3(40 * sin(2 * time), 60 * sin(1.3 * time + Double(phase)), 50 * cos(0.7 * time))
        attitude = (attitude * Quaternion(rotation: rate * (.pi / 18_000))).normalized
        let back = attitude.conjugate
        let force = Vector3(0.1 * sin(9 * time), 0.1 * sin(7 * time), 1 + 0.1 * sin(5 * time))
        tracker.add(
          time: time, field: back * Vector3(0, 20, -40) + Vector3(8, 8, 8) + noise(0.3),
          force: back * force + noise(0.01), rate: rate + noise(0.1), flags: [])
        guard time > 3, let estimate = tracker.estimate else { continue }
        let off = estimate.attitude * back
        let heading = Angle.degrees(2 * atan2(abs(off.v.z), abs(off.w)))
        squares += heading * heading
        count += 1
      }
    }
    let heading = (squares / count).squareRoot()
    #expect(count > 13_000 && heading < 10, "\(heading)°")
  }

  /// A board that is found at rest again, as after a gap, has the bias that was learned.
  @Test func whatWasLearnedOfTheZeroStays() {
    var errors = FusionErrors(biasDeviation: 0.07)
    errors.begin(bias: Vector3(0.2, 0, 0), least: 0.02)
    #expect(errors.bias.row0.x > 0.04)
    for axis in 0..<3 { _ = errors.learn(bias: axis, off: 0, noise: 1e-6) }
    let learned = errors.bias
    errors.begin(bias: Vector3(0.2, 0, 0), least: 0.02)
    #expect(errors.bias.row0.x == learned.row0.x && learned.row0.x < 1e-5)
  }
}
