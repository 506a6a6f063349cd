import Glibc
import LodestoneCore
import LodestonePorts
import Support
import Testing

@testable import Instruments

/// Samples of a live stream carry the times they arrived at where the board tells none.
@Suite(.waiting) struct ArrivalTimesTests {
  /// Rows of bare numbers behind a boot loader's words, 50 a second, with something before each.
  private static func board(_ before: @escaping @Sendable (_ row: Int) -> String) throws -> PtyBoard {
    try PtyBoard(rate: 50) { number in
      guard number > 0 else {
        return Array(String(repeating: "clk_drv:0x00,q_drv:0x00,d_drv:0x00 boot\r\n", count: 8).utf8)
      }
      let turn = Double(number) * 0.1
      let (x, y, z): (Double, Double, Double) = (20 * cos(turn) + 3, 20 * sin(turn) - 2, -43 + 8 * sin(turn / 3))
      return Array("\(before(number))\(Int(x * 10)),\(Int(y * 10)),\(Int(z * 10))\r\n".utf8)
    }
  }

  private func times(_ board: PtyBoard, count: Int) throws -> [Double] {
    let stream = try AddressSchemes.open(board.path, OpenOptions())
    let deadline = MonotonicTime.now + 30
    var times: [Double] = []
    while times.count < count, MonotonicTime.now < deadline {
      switch try stream.next() {
      case .sample(let sample): times.append(sample.time)
      case .waiting:
        var poller = Poller()
        if let descriptor = stream.descriptor { poller.watch(descriptor, for: stream.interest) }
        try poller.wait(until: [deadline, stream.wakeTime].compactMap { $0 }.min())
      default: continue
      }
    }
    return times
  }

  /// The rows are counted in the first column: as seconds they would be 149, however slow the machine.
  @Test func countedRowsAreNoSeconds() throws {
    let times = try times(Self.board { "\($0)," }, count: 150)
    let span: Double = (times.last ?? 0) - (times.first ?? 0)
    #expect(times.count == 150 && span < 40, "\(times)")
  }
}
