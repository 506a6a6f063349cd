import LodestoneCore
import Navigation
import Testing

/// A swing beside a stream of right headings: where marks are set, and where not.
struct SwingFollowingTests {
  /// A boat that turns, in degrees by the time in seconds, its compass 4° to the west of what is right, both five times
  /// a second.
  private static func marks(
    _ swing: inout Swing, seconds: Double, from start: Double = 0, heading: (Double) -> Double
  ) -> [Deviation.Mark] {
    stride(from: start, to: start + seconds, by: 0.2).compactMap { time in
      swing.add(Heading(degrees: heading(time)), at: time)
      return swing.follow(Heading(degrees: heading(time) + 4), at: time)
    }
  }

  @Test func headingsThatAreHeldMakeMarksOnce() throws {
    var swing = Swing()
    let marks = Self.marks(&swing, seconds: 120) { (($0 / 10).rounded(.down) * 30) }
    #expect(marks.count == 12 && marks == swing.marks)
    #expect(marks.allSatisfy { abs($0.deviation - 4) < 1e-9 })
    #expect(Set(marks.map { Int($0.compass.rounded()) % 360 }) == Set(stride(from: 0, to: 360, by: 30)))
    #expect(swing.isComplete)
    #expect(try abs(Deviation(marks).coefficients[0] - 4) < 1e-9)
  }

  @Test func aTurnMakesNone() {
    var swing = Swing()
    #expect(Self.marks(&swing, seconds: 60) { $0 * 6 }.isEmpty)
    // A slow one does: a mark each ten degrees.
    var slow = Swing()
    let marks = Self.marks(&slow, seconds: 360) { $0 }
    #expect((30...36).contains(marks.count) && slow.isComplete)
    // A course follows a turn late, and is asked to be held for longer.
    var course = Swing(window: Swing.courseWindow)
    #expect(Self.marks(&course, seconds: 60) { ($0 / 3).rounded(.down) * 30 }.isEmpty)
  }

  @Test func halfACircleIsNotComplete() {
    var swing = Swing()
    _ = Self.marks(&swing, seconds: 100) { ($0 / 5).rounded(.down) * 10 }
    #expect(swing.marks.count > Deviation.fewestHeadings && !swing.isComplete)
  }

  /// One of the two has fallen silent: what it said before does not count.
  @Test func silenceMakesNoMarks() {
    var swing = Swing()
    for time in stride(from: 0, to: 5, by: 0.2) { swing.add(Heading(degrees: 10), at: time) }
    #expect(swing.follow(Heading(degrees: 14), at: 20) == nil)
    for time in stride(from: 20, to: 25, by: 0.2) { #expect(swing.follow(Heading(degrees: 14), at: time) == nil) }
    #expect(throws: Swing.Problem.noHeading) { try swing.mark(Heading(degrees: 14), at: 25) }
    swing.loseReference()
    swing.add(Heading(degrees: 10), at: 24.8)
    #expect(swing.follow(Heading(degrees: 14), at: 25) == nil)
  }
}
