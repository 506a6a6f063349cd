import LodestonePorts
import Testing

@testable import Instruments

@Suite struct LateBytesTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private func keep(_ count: Int, _ late: inout LateBytes, _ seconds: Double) -> Bool {
    [UInt8](repeating: 65, count: count).withUnsafeBytes { late.keep($0, start + seconds) }
  }

  /// After four seconds of thirty bytes, twenty times a second.
  private func used() -> LateBytes {
    var late = LateBytes()
    for number in 0...80 {
      let isKept = keep(30, &late, Double(number) / 20)
      #expect(!isKept)
    }
    return late
  }

  /// A hundred lines at once after five seconds have waited since the last of before, though they come in pieces.
  @Test func aBurstHasWaited() throws {
    var late = used()
    for piece in 0..<10 {
      let isKept = keep(300, &late, 9 + Double(piece) / 100)
      #expect(isKept)
    }
    #expect(late.releaseTime == start + 9.2)
    let (parts, waitedSince) = late.release { $0 == start + 4 ? 600 : 0 }
    #expect(waitedSince == start + 4 && parts.count == 1 && parts.first?.bytes.count == 3000)
    #expect(late.releaseTime == nil && !keep(30, &late, 9.25))
  }

  /// A board that says nothing for a while and goes on as before keeps the moments at which its bytes came.
  @Test func whatGoesOnHasNotWaited() {
    var late = used()
    for piece in 0..<4 { _ = keep(30, &late, 9 + Double(piece) / 20) }
    let (parts, waitedSince) = late.release { _ in 600 }
    #expect(waitedSince == nil && parts.map { $0.bytes.count } == [30, 30, 30, 30])
    #expect(parts.map { $0.moment } == [9, 9.05, 9.1, 9.15].map { start + $0 })
  }

  /// A sender of batches, or one that speaks now and then, makes no pause.
  @Test(arguments: [5.0, 30]) func batchesAreUsual(_ seconds: Double) {
    var late = LateBytes()
    for batch in 0..<20 {
      let isKept = keep(3000, &late, Double(batch) * seconds)
      #expect(!isKept, "\(batch)")
    }
  }

  /// The bytes before the first read may have waited, and tell nothing of how many come at once.
  @Test func whatStoodBeforeTheStartDoesNotCount() {
    var late = LateBytes()
    _ = keep(4000, &late, 0)
    for number in 1...60 { _ = keep(30, &late, Double(number) / 20) }
    _ = keep(3000, &late, 8)
    let waitedSince = late.release { _ in 600 }.waitedSince
    #expect(waitedSince == start + 3)
  }

  /// What nobody can judge is as it came: nothing kept back is lost, and a flood is released at once.
  @Test func aFloodIsReleasedAtOnce() {
    var late = used()
    _ = keep(65_536, &late, 9)
    #expect(late.releaseTime == start + 9)
    let (parts, waitedSince) = late.release { _ in 0 }
    #expect(waitedSince == nil && parts.reduce(0) { $0 + $1.bytes.count } == 65_536)
  }
}
