import LodestoneCore
import Testing

@testable import Drivers

/// Times whose unit is not named, on a live stream: their pace against arrival decides.
@Suite struct TimePaceTests {
  /// The times of samples of a board that sends 20 lines a second, whose clock does this in one: after a burst of ten.
  private func times(_ pace: Double, isLive: Bool = true) -> (times: [Double], correction: TimeCorrection?) {
    var assembler = SampleAssembler(scales: UnitInference().conclude(), keepsTime: !isLive)
    assembler.timeIsAssumed = true
    var times: [Double] = []
    for number in 0..<200 {
      var message = WireMessage()
      (message.field, message.fieldUnit) = (Vector3(20, 0, 43), .microtesla)
      message.time = 12.395 + Double(number) * 0.05 * pace
      let arrival = 0.3 + Double(max(9, number)) * 0.05
      if let sample = assembler.sample(of: message, arrival: arrival) { times.append(sample.time) }
    }
    return (times, assembler.correction)
  }

  @Test(
    arguments: [
      (1, nil), (1.2, nil), (1000, .scale(1e-3)), (0.001, .scale(1000)), (1e-6, .scale(1e6)), (32.768, .arrival),
      (10, .arrival),
    ] as [(Double, TimeCorrection?)])
  func theUnitIsDecidedByThePace(pace: Double, expected: TimeCorrection?) {
    let (times, correction) = times(pace)
    #expect(times.count == 200)
    switch (correction, expected) {
    case (.scale(let scale)?, .scale(let known)?): #expect(abs(scale / known - 1) < 1e-9)
    default: #expect(correction == expected)
    }
    let rest = times.suffix(60)
    let span = (rest.last ?? 0) - (rest.first ?? 0)
    #expect(abs(span / (expected == nil ? 2.95 * pace : 2.95) - 1) < 0.01, "\(span)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(times.allSatisfy { $0 < 25 }, "\(times.max() ?? 0)")
  }

  /// A recording keeps its own times.
  @Test func recordingsKeepTheirTimes() {
    let (times, correction) = times(1000, isLive: false)
    #expect(correction == nil && times.first == 12.395 && abs((times.last ?? 0) - 12.395 - 9950) < 1e-6)
  }
}
