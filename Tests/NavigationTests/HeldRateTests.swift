import LodestoneCore
import Instruments
import Testing

@testable import Navigation

/// Rates that come again to the last digit.
@Suite struct HeldRateTests {
  /// Whether a rate is held in each of the samples, 50 a second, of a gyroscope's rates and forces by their index.
  private static func held(_ count: Int, _ sample: (Int, inout RandomNumbers) -> (rate: Vector3, force: Vector3))
    -> [Bool]
  {
    var (held, random) = (HeldRate(), RandomNumbers(seed: 4))
    var before: (value: Vector3, time: Double)?
    return (0..<count).map { index in
      let (time, now) = (Double(index) * 0.02, sample(index, &random))
      held.add(now.rate, attitude: .identity, before: before)
      _ = held.isFound(force: now.force, field: nil, attitude: .identity, bias: .zero, at: time)
      before = (now.rate, time)
      return held.isHeld
    }
  }

  private static func noise(_ size: Double, _ random: inout RandomNumbers) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal()) * size
  }

  /// Nothing from the hundredth sample on, of a board that is shaken on.
  @Test func oneThatStandsStillWhileForcesChangeIsFound() {
    let held = Self.held(200) { index, random in
      (index < 100 ? Self.noise(0.6, &random) : .zero, Vector3(0, 0, 1) + Self.noise(0.2, &random))
    }
    #expect(!held[..<105].contains(true) && held[108...].allSatisfy { $0 })
  }

  /// A board that is put down with a bump, by a gyroscope of coarse numbers: soon nothing moves, and its rate of nothing
  /// is right.
  @Test func aBoardAtRestIsBelieved() {
    let held = Self.held(300) { index, random in
      let force = Vector3(0, 0, 1) + Self.noise(index < 110 ? 0.2 : 0.005, &random)
      return (index < 100 ? Self.noise(0.6, &random) : .zero, force)
    }
    #expect(held.contains(true) && !held[165...].contains(true))
  }

  /// A gyroscope that measures five times a second repeats each rate nine times: they are as good as they were.
  @Test func oneThatMeasuresSeldomIsBelieved() {
    var rate = Vector3.zero
    let held = Self.held(2000) { index, random in
      if index % 10 == 0 { rate = Self.noise(0.6, &random) }
      return (rate, Vector3(0, 0, 1) + Self.noise(0.2, &random))
    }
    #expect(!held.contains(true))
  }

  /// A steady slow turn that reads the same, beside none before.
  @Test func aSlowTurnIsBelieved() {
    let held = Self.held(300) { index, random in
      (index < 100 ? Self.noise(0.01, &random) : Vector3(0, 0, 0.1), Vector3(0, 0, 1) + Self.noise(0.2, &random))
    }
    #expect(!held.contains(true))
  }
}
