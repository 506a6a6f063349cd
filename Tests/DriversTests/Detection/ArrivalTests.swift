import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// The moment of each line, also of those that were read before anybody knew what they are.
@Suite struct ArrivalTests {
  /// Lines of a board that is turned, one each 0.05 s.
  private static func lines(_ count: Int, _ text: (Int, Vector3) -> String) -> [String] {
    (0..<count).map { row in
      let turn = Double(row) * 0.2
      let (x, y, z): (Double, Double, Double) = (20 * cos(turn) + 3, 20 * sin(turn) - 2, 8 * sin(turn / 3) - 43)
      return text(row, Vector3(x, y, z))
    }
  }

  private static func plain(_ row: Int, _ field: Vector3) -> String {
    let values = (0..<3).map { axis in String((field[axis] * 10).rounded() / 10) }
    return values.joined(separator: ",") + "\r\n"
  }

  /// The arrivals of the messages in pieces that come 0.05 s after each other.
  private static func arrivals(_ pieces: [String]) -> [Double] {
    var (stream, message, arrivals) = (WireStream(), WireMessage(), [Double]())
    for (number, piece) in pieces.enumerated() {
      stream.append(Array(piece.utf8).span, at: Double(number) * 0.05)
      while let step = stream.next(into: &message) {
        if step == .message { arrivals.append(message.arrival ?? stream.arrival ?? -1) }
      }
    }
    return arrivals
  }

  private static let boot = """
    ets Jun  8 2016 00:22:57
    rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)
    configsip: 0, SPIWP:0xee
    clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00
    load:0x40080400,len:5816
    entry 0x400806ac

    """

  @Test(arguments: ["", boot]) func rowsKeepTheirMoments(boot: String) {
    let found = Self.arrivals([boot] + Self.lines(100, Self.plain))
    #expect(found.count == 100)
    let moments = (1...100).map { row in Double(row) * 0.05 }
    #expect(found == moments)
  }

  /// A line counts as arrived with its end.
  @Test func piecesNeedNotBeLines() {
    let pieces = Self.lines(100, Self.plain).flatMap { [String($0.prefix(5)), String($0.dropFirst(5))] }
    let ends = (0..<100).map { row in Double(2 * row + 1) * 0.05 }
    #expect(Self.arrivals(pieces) == ends)
  }

  /// So do messages that wait for the unit of their times, of tables, objects and lines with names.
  @Test(arguments: ["csv", "json", "labels"]) func messagesThatWaitKeepTheirMoments(name: String) {
    let lines = Self.lines(50) { row, field in
      let (time, x, y, z) = (row < 12 ? 7 : 7 + row, Int(field.x * 10), Int(field.y * 10), Int(field.z * 10))
      return switch name {
      case "csv": (row == 0 ? "t,mx,my,mz\n" : "") + "\(time),\(x),\(y),\(z)\n"
      case "json": "{\"t\":\(time),\"mx\":\(x),\"my\":\(y),\"mz\":\(z)}\n"
      default: "t:\(time) mx:\(x) my:\(y) mz:\(z)\n"
      }
    }
    let found = Self.arrivals(lines)
    #expect(found.count == 50)
    // Lines with names are messages when the next has shown how many make one.
    for (row, arrival) in found.enumerated() {
      let late: Double = arrival - Double(row) * 0.05
      #expect(abs(late) < 0.06, "\(row): \(arrival)")
    }
    #expect(Set(found).count >= 49 && found == found.sorted())
  }

  /// Whatever has come in however many pieces, memory is bounded, and no moment is far off.
  @Test func manyPiecesAreToldApartLessFinely() {
    var marks = ArrivalMarks()
    for number in 1...100_000 { marks.add(upTo: number, at: Double(number)) }
    var count = 1
    var end = 0
    repeat {
      #expect((marks.limit ?? 0) > end && marks.seconds == Double(marks.limit ?? 0))
      end = marks.limit ?? 0
      count += 1
    } while marks.advance()
    #expect(count <= 1025 && end == 100_000)
  }

  @Test func whoeverHasNoClockReadsAllAtOnce() {
    var marks = ArrivalMarks()
    marks.add(upTo: 100, at: nil)
    #expect(marks.limit == nil && marks.seconds == nil && !marks.advance())
  }
}
