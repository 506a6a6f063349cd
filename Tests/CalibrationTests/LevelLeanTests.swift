import Calibration
import Glibc
import LodestoneCore
import Testing

/// Level turns in a vehicle, where the force leans inwards, and in a hand, where it does not.
@Suite struct LevelLeanTests {
  /// A board in a vehicle that goes round clockwise: an ordinary one, level, in a field of 48 µT that dips by 65°.
  private struct Round {
    /// Seconds of a circle, circles, and seconds that it stands before and after.
    var (period, circles, standing) = (20.0, 3.0, 0.0)
    /// Metres per second; 0 for a board that is turned on the spot.
    var speed = 2.5
    /// By how much the chip mixes up into its x axis, as a soft iron does.
    var skew = 0.01
    /// By how much its rate goes up and down, as a share of it.
    var uneven = 0.0
    /// Degrees by which a hand holds it otherwise while it stands.
    var tilt = 0.0

    private static let rate = 25.0

    var samples: [Sample] {
      let (down, north) = (48 * sin(Angle.radians(65)), 48 * cos(Angle.radians(65)))
      let turning = 2 * .pi / period
      let all = circles * period + 2 * standing
      return (0..<Int(all * Self.rate)).map { index in
        let time = Double(index) / Self.rate
        let isTurning = time >= standing && time < standing + circles * period
        let turned = min(max(time - standing, 0), circles * period)
        let angle = turning * (turned + uneven * sin(0.9 * turned) / 0.9)
        // Small waves, so that the circle is not without any width.
        let (pitch, roll) = (0.01 * sin(2.3 * time), 0.01 * sin(1.7 * time) + (isTurning ? 0 : Angle.radians(tilt)))
        let (ahead, aside) = (north * cos(angle), -north * sin(angle))
        let field = Vector3(aside + roll * down, ahead - pitch * down, -down + roll * aside - pitch * ahead)
        // Inwards, to the right of the board, by ω v.
        let push = isTurning ? turning * (1 + uneven * cos(0.9 * turned)) * speed / 9.81 : 0
        let force = Vector3(push - roll, pitch, 1)
        let noise = Vector3(Self.noise(index, 1), Self.noise(index, 2), Self.noise(index, 3))
        let bent = Vector3(field.x + skew * field.z, field.y, field.z + skew * field.x)
        let raw = bent + Vector3(12, -8, 20) + noise * 0.3
        var sample = Sample(time: time, field: MagneticField(microtesla: raw))
        sample.acceleration = Acceleration(g: force + noise * 0.003)
        return sample
      }
    }

    /// Noise of deviation one, the same each time.
    private static func noise(_ index: Int, _ axis: Int) -> Double {
      let seed = Double(index * 7 + axis * 131) * 12.9898
      let (a, b) = (fraction(sin(seed) * 43758.5453), fraction(sin(seed + 4.7) * 24634.6345))
      return (-2 * log(max(a, 1e-9))).squareRoot() * cos(2 * .pi * b)
    }

    private static func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
  }

  private static func outcome(_ change: (inout Round) -> Void) -> CalibrationOutcome {
    var round = Round()
    change(&round)
    return Calibrator().fit(round.samples)
  }

  private static func predicted(_ outcome: CalibrationOutcome) -> Double {
    outcome.result?.quality.headingErrorDegrees ?? 180
  }

  /// 17 km/h and 15 s a circle lean the force by 11°: a constant error of 8.5 µT of the hard iron, 25° at the worst
  /// heading and 17° on average.
  @Test func aQuickCircleIsNotBelieved() {
    let outcome = Self.outcome { ($0.period, $0.speed) = (15, 4.6) }
    guard case .leaning(let degrees, let error) = outcome.refusal else {
      Issue.record("\(String(describing: outcome.refusal))")
      return
    }
    #expect(abs(degrees - 11.1) < 1.2)
    #expect(error > 7)
  }

  /// 12 s a circle at 15 km/h: by 12.5°.
  @Test func theQuickerTheLess() {
    let outcome = Self.outcome { ($0.period, $0.speed) = (12, 4.2) }
    #expect(outcome.refusal != nil && Self.predicted(outcome) > 12)
  }

  /// A slow circle, and a board that is turned on the spot, however quickly.
  @Test(arguments: [(90, 2.5), (180, 1), (8, 0), (15, 0), (20, 0)] as [(Double, Double)])
  func aSlowCircleAndATurnOnTheSpotDo(_ period: Double, _ speed: Double) {
    let outcome = Self.outcome { ($0.period, $0.speed, $0.circles) = (period, speed, 2) }
    #expect(outcome.refusal == nil)
    #expect(Self.predicted(outcome) < 3)
  }

  /// A skew of 20 % tilts the circle as a vehicle's lean would. A board that stands still before tells them apart:
  /// there up is what it is in the turn.
  @Test func standingStillSettlesIt() {
    let open = Self.outcome { ($0.period, $0.speed, $0.skew) = (12, 0, 0.2) }
    let settled = Self.outcome { ($0.period, $0.speed, $0.skew, $0.standing) = (12, 0, 0.2, 2) }
    #expect(settled.refusal == nil)
    #expect(Self.predicted(settled) < Self.predicted(open) - 0.5)
  }

  /// A vehicle that never stands shows its lean where it does not go round quite evenly; a board that is turned on the
  /// spot shows that it leans alike at any rate.
  @Test func theRateOfTheTurnPartsThem() {
    let vehicle = Self.outcome { ($0.speed, $0.uneven) = (3, 0.1) }
    #expect(vehicle.refusal != nil && Self.predicted(vehicle) > 3, "\(Self.predicted(vehicle))")
    for period in [10.0, 15, 20, 30] {
      let hand = Self.outcome { ($0.period, $0.speed, $0.uneven) = (period, 0, 0.2) }
      let even = Self.outcome { ($0.period, $0.speed) = (period, 0) }
      #expect(hand.refusal == nil && Self.predicted(hand) < Self.predicted(even) + 0.02)
    }
  }

  private static func isUnsettled(_ outcome: CalibrationOutcome) -> Bool {
    outcome.result?.warnings.contains { if case .curveUnsettled = $0 { true } else { false } } ?? false
  }

  /// Nothing tells a vehicle that goes round evenly all the time from a turntable: what its curve would do is said, and
  /// is in the prediction as far as level turns are likely to be a vehicle's.
  @Test func aVehicleThatNeverStandsIsNotRuledOut() {
    let (vehicle, table) = (Self.outcome { $0.speed = 3 }, Self.outcome { $0.speed = 0 })
    #expect(Self.isUnsettled(vehicle) && Self.isUnsettled(table))
    #expect(table.refusal == nil && (1.9...3).contains(Self.predicted(table)), "\(Self.predicted(table))")
    let slow = Self.outcome { ($0.period, $0.speed, $0.circles) = (120, 0, 2) }
    #expect(slow.refusal == nil && Self.predicted(slow) < Self.predicted(table))
    let standing = Self.outcome { ($0.speed, $0.standing) = (0, 4) }
    #expect(!Self.isUnsettled(standing) && Self.predicted(standing) < Self.predicted(table))
  }

  /// A vehicle that stands still before it goes round shows how far its force leans.
  @Test func aVehicleThatStandsShowsTheLean() {
    let outcome = Self.outcome { ($0.standing, $0.skew) = (3, -0.05) }
    #expect(outcome.refusal != nil && Self.predicted(outcome) > 5)
  }
}
