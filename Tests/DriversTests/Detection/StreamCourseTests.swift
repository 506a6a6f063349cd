import Glibc
import LodestoneCore
import Support
import Testing

@testable import Drivers

/// What shows in the course of a stream: the scale of a gyroscope, units, clocks that begin anew.
@Suite struct StreamCourseTests {
  /// A board in a hand: the attitude at a time, device to east, north and up.
  private func matrix(_ time: Double, _ motion: (Double) -> (Double, Double, Double)) -> Matrix3 {
    let (heading, pitch, roll) = motion(time)
    return Ride.matrix(heading, pitch, roll)
  }

  /// The Earth's field in µT: 48 at an inclination of 65°.
  private let earth = Vector3(0, 48 * cos(Angle.radians(65)), -48 * sin(Angle.radians(65)))

  /// 131 counts for a degree per second, as an MPU-6050 has, of a board that is turned level to and fro by 150°, with
  /// iron on it and without, at 20 and at 100 messages a second: 86 were found, and degrees per second.
  @Test(arguments: [20.0, 100], [Vector3.zero, Vector3(30, -25, 12)])
  func anArcTellsTheScaleOfAGyroscope(rate: Double, iron: Vector3) throws {
    var inference = UnitInference()
    for number in 0..<Int(30 * rate) {
      let time = Double(number) / rate
      let turn = 75 * cos(0.9 * time) * 0.9
      let noise = Vector3(Double(number % 7) - 3, Double(number % 5) - 2, Double(number % 3) - 1)
      var message = WireMessage()
      message.time = time
      let back = matrix(time) { (40 + 75 * sin(0.9 * $0), 0, 0) }.transposed
      message.field = back * earth + iron + noise * 0.12
      message.rotationRate = Vector3(40, -20, -turn * 131)
      inference.add(message)
    }
    guard case .turnedCounts(let counts) = inference.conclude().rotationRate.basis else {
      Issue.record("\(inference.conclude().rotationRate)")
      return
    }
    #expect(counts == 131)
  }

  /// A recording's clock that begins anew is noted with its first stamp and with the second, which bears it out; one
  /// that is set is not. A stamp that is damaged so may have been such a one.
  @Test func aClockThatBeginsAnewIsNoted() {
    func restarts(_ times: [Double]) -> [Int] {
      var assembler = SampleAssembler(scales: UnitInference().conclude(), keepsTime: true)
      return times.indices.filter { place in
        var message = WireMessage()
        (message.time, message.acceleration, message.accelerationUnit) = (times[place], Vector3(0, 0, 1), .g)
        return assembler.sample(of: message, arrival: Double(place))?.flags.contains(.restarted) == true
      }
    }
    #expect(restarts([100, 100.1, 100.2, 100.3, 0.4, 0.5, 0.6, 0.7]) == [4, 5])
    #expect(restarts([100, 100.1, 100.2, 10.3, 100.4, 100.5, 100.6]) == [3])
    #expect(restarts([100, 100.1, 100.2, 50.3, 100.4, 100.5, 100.6]).isEmpty)
    #expect(restarts([1e9, 1e9 + 0.1, 1e9 + 0.2, 1e9 - 3600, 1e9 - 3599.9, 1e9 - 3599.8]).isEmpty)
    #expect(restarts([4294.8, 4294.9, 0.033, 0.133, 0.233]).isEmpty)
  }

  /// A unit that one message of many names is damage; one that every other names, as scaled numbers below raw ones
  /// have, is not.
  @Test func aUnitIsStatedByMoreThanOneMessage() {
    var unit = StatedUnit<FieldUnit>()
    for number in 0..<500 { unit.note(number == 3 ? .milligauss : nil) }
    #expect(unit.unit == nil)
    unit = StatedUnit()
    for number in 0..<500 { unit.note(number == 3 ? .milligauss : number % 2 == 0 ? .microtesla : nil) }
    #expect(unit.unit == .microtesla)
  }

  /// Boards that send several messages at a time, and a hand that turns one board to and fro.
  @Test(arguments: [1, 5, 10]) func boardsThatSendInBurstsAreFound(burst: Int) {
    func field(_ degrees: Double) -> Vector3 {
      Vector3(-20.3 * sin(Angle.radians(degrees)), 20.3 * cos(Angle.radians(degrees)), -43.5)
    }
    var (turns, hand) = (FieldTurns(), FieldTurns())
    for number in 0..<500 {
      let isOther = number / burst % 2 == 1
      turns.add(field(isOther ? 200 - Double(number) / 4 : 40 + Double(number) / 4))
      hand.add(field(120 + 80 * sin(Double(number) / Double(burst + 3))))
    }
    #expect(turns.areFound && !hand.areFound)
  }
}
