import LodestoneCore
import Testing

@testable import Calibration

/// Rests cut down to ten seconds.
@Suite struct LongRestsTests {
  /// A field that turns for five seconds, stays for a minute, and turns on, at 20 rows a second.
  private static let rows: [SweepPoint] = (0..<1400).map { index in
    let time = Double(index) / 20
    let turned = min(time, 5) + max(time - 65, 0)
    let raw = Matrix3(rotation: Vector3(0, 0, turned)) * Vector3(40, 0, 20)
    return SweepPoint(time: time, raw: raw, force: Vector3(0, 0, 1))
  }

  @Test func tenSecondsStay() {
    let left = CutRests(Self.rows, interval: 0.05).left(of: Self.rows)
    let still = left.filter { $0.raw == Self.rows[300].raw }
    #expect(still.count >= 200 && still.count <= 240, "\(still.count)")
    #expect(Self.rows.count - left.count == 1200 - still.count + 1)
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($1.time - $0.time - 0.05) < 1e-9 })
    #expect(left.first?.time == 0 && left.last?.raw == Self.rows.last?.raw)
  }

  /// Times that are reported keep the recording's.
  @Test func reportedTimesAreTheRecordings() {
    let cut = CutRests(Self.rows, interval: 0.05)
    let left = cut.left(of: Self.rows)
    let early = cut.original(IgnoredStretch(from: 1, to: 2, reason: IgnoredStretch.disturbed))
    #expect(early.from == 1 && early.to == 2)
    let end = left.last?.time ?? 0
    let late = cut.original(IgnoredStretch(from: end - 2, to: end, reason: IgnoredStretch.disturbed))
    #expect(abs(late.to - (Self.rows.last?.time ?? 0)) < 1e-9 && abs(late.to - late.from - 2) < 1e-9)
  }

  /// A board that is turned about the field is at no rest, nor one whose times go back.
  @Test func whatMovesStays() {
    let turning = Self.rows.map { row in
      var row = row
      row.force = Matrix3(rotation: Vector3(row.time, 0, 0)) * Vector3(0, 0, 1)
      return row
    }
    #expect(CutRests(turning, interval: 0.05).left(of: turning).count == turning.count)
    let twice = Self.rows + Self.rows
    #expect(CutRests(twice, interval: 0.05).left(of: twice).count == twice.count)
  }
}
