import LodestoneCore

/// Axes that stand at the end of a chip's range, by the numbers that chips tell there: 2047, 32767 and −32768, −4096 of an
/// HMC5883L, and all others of their kind. A number that comes once may be a measurement; one that stays, or that a stream
/// begins with, is none.
struct RailWatch: Sendable {
  private var last = Vector3(.infinity, .infinity, .infinity)
  private var isFirst = true

  /// The smallest number, of 12 bits, and the largest, of 24.
  private static let sizes = 2047.0...8_388_608

  /// An axis of a field in counts is at the end of its range.
  @inline(__always)
  mutating func isAtEnd(_ counts: Vector3) -> Bool {
    let (before, wasFirst) = (last, isFirst)
    (last, isFirst) = (counts, false)
    guard counts.squaredLength >= Self.sizes.lowerBound * Self.sizes.lowerBound else { return false }
    return Self.isAtEnd(counts, before, wasFirst)
  }

  @inline(never)
  private static func isAtEnd(_ counts: Vector3, _ before: Vector3, _ isFirst: Bool) -> Bool {
    for axis in 0..<3 where isFirst || counts[axis] == before[axis] {
      let size = abs(counts[axis])
      guard sizes.contains(size), size == size.rounded() else { continue }
      let count = UInt32(size)
      if (count + 1).nonzeroBitCount == 1 || counts[axis] < 0 && count.nonzeroBitCount == 1 { return true }
    }
    return false
  }
}

/// A field that becomes many times as long, or as short, from one measurement to the next, points where it did, and stays like
/// that: its numbers are in another unit. A magnet that comes near turns it as well.
struct UnitJump: Sendable {
  /// How many times as long it becomes at least, and remains, squared; how much alike the directions are, as the square of a
  /// cosine (10°); the number of measurements that must bear it out.
  private static let (least, remaining, alike, enough) = (25.0, 9.0, 0.97, 8)

  private var last = Vector3.zero
  /// The square of the length before, and since when there has been another.
  private var former = 0.0, isLonger = false, count = 0

  /// Takes in a field; true where the last of several bears a jump out.
  @inline(__always)
  mutating func add(_ field: Vector3) -> Bool {
    let (square, before) = (field.squaredLength, last.squaredLength)
    defer { last = field }
    if count == 0, square < Self.least * before, before < Self.least * square { return false }
    return weigh(field, square, before)
  }

  @inline(never)
  private mutating func weigh(_ field: Vector3, _ square: Double, _ before: Double) -> Bool {
    guard count > 0 else {
      let cosine = field.dot(last)
      guard square > 0, before > 0, cosine > 0, cosine * cosine > Self.alike * square * before else { return false }
      (former, isLonger, count) = (before, square > before, 1)
      return false
    }
    let remains = isLonger ? square > Self.remaining * former : Self.remaining * square < former
    count = remains ? count + 1 : 0
    guard count == Self.enough else { return false }
    count = 0
    return true
  }
}
