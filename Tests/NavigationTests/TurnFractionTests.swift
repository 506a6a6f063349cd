import Glibc
import Instruments
import LodestoneCore
import Navigation
import Testing

/// A magnet that is seen at the same few places of its turn again and again.
@Suite struct TurnFractionTests {
  private static func meter(_ turns: [Double], noise: Double) -> TurnReading? {
    var (random, meter, last) = (RandomNumbers(seed: 5), TurnMeter(), TurnReading?.none)
    for (step, turn) in (turns + [Double](repeating: turns.last ?? 0, count: 60)).enumerated() {
      let phase = 2 * .pi * (turn + 0.03)
      let field = Vector3(
        20 + 30 * cos(phase) + noise * random.normal(), 30 * sin(phase) - 10 + noise * random.normal(), -40)
      let sample = Sample(time: Double(step) * 0.05, field: MagneticField(microtesla: field))
      if let reading = meter.read(DeviceFrame().read(sample)) { last = reading }
    }
    return last
  }

  /// From sample to sample by an exact fraction of a turn, each way, and whole turns in the end: with noise the last
  /// may not be over yet.
  @Test(arguments: [3, 4, 5, 6, 7, 8], [0.0, 0.3])
  func exactFractionsAreCounted(_ parts: Int, _ noise: Double) throws {
    for sense in [1.0, -1] {
      let turns = (0...40 * parts).map { sense * Double($0) / Double(parts) }
      let reading = try #require(Self.meter(turns, noise: noise))
      #expect((noise > 0 ? 39...40 : 40...40).contains(reading.forward) && reading.backward == 0, "\(reading)")
      #expect(abs(reading.turns - 40) < 0.1, "\(reading)")
    }
  }

  /// The same with half a second at each place.
  @Test(arguments: [3, 4, 5]) func placesWhereItStandsAreCounted(_ parts: Int) throws {
    let turns = (0...30 * parts * 10).map { Double($0 / 10) / Double(parts) }
    let reading = try #require(Self.meter(turns, noise: 0.3))
    #expect(reading.forward == 30 && reading.backward == 0, "\(reading)")
  }

  /// By a half from sample to sample: it may as well be one and a half, or none and a field that alternates.
  @Test func halvesAreNotCounted() throws {
    let reading = try #require(Self.meter((0...400).map { Double($0) / 2 }, noise: 0.3))
    #expect(reading.forward == 0)
  }
}
