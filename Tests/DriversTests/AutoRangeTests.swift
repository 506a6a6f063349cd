import LodestoneCore
import Drivers
import Testing

@Suite("Auto-range") struct AutoRangeTests {
  private func field(_ x: Double) -> Measurement { .field(MagneticField(microtesla: 1, x, -1)) }

  @Test("up before the end of the range, straight to one that holds the field")
  func up() {
    var range = AutoRange(ranges: [400, 800, 1200, 1600], current: 400)
    #expect(range.change(after: field(330)) == nil)
    #expect(range.change(after: field(-345)) == 800)
    #expect(range.change(after: field(1100)) == 1600)
    #expect(range.change(after: field(1599)) == nil)
  }

  @Test("a saturated axis says nothing of how much: one step at a time")
  func saturated() {
    var range = AutoRange(ranges: [400, 800, 1200], current: 400)
    #expect(range.change(after: .saturated()) == 800)
    #expect(range.change(after: .saturated()) == 1200)
    #expect(range.change(after: .saturated()) == nil)
  }

  @Test("down only after the field has fitted for a while, and not back at once")
  func down() {
    var range = AutoRange(ranges: [400, 800], current: 800)
    for _ in 1..<AutoRange.patience { #expect(range.change(after: field(200)) == nil) }
    #expect(range.change(after: field(250)) == nil, "250 does not leave enough room")
    for _ in 1..<AutoRange.patience { #expect(range.change(after: field(200)) == nil) }
    #expect(range.change(after: field(200)) == 400)
    for value in stride(from: 200.0, through: 339, by: 1) { #expect(range.change(after: field(value)) == nil) }
  }

  @Test("no ranges, or one, or a range that is none of them, changes nothing")
  func degenerate() {
    var none = AutoRange(ranges: [], current: 0)
    #expect(none.change(after: .saturated()) == nil)
    var one = AutoRange(ranges: [800], current: 1e9)
    #expect(one.change(after: .saturated()) == nil)
    #expect(one.change(after: field(1)) == nil)
  }
}
