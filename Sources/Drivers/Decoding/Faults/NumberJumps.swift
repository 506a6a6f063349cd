import LodestoneCore

/// A vector that becomes many times as long, or as short, from one measurement to the next, points where it did, and
/// stays like that: its numbers are in another unit. A magnet that comes near turns a field as well.
struct UnitJump: Sendable {
  /// The factors by which it becomes longer at least, and remains so, squared; how much alike the directions are, as
  /// the square of a cosine (10°); the number of measurements that must bear it out.
  private static let (least, remaining, alike, enough) = (25.0, 9.0, 0.97, 8)

  private var last = Vector3.zero
  /// The square of the length before, and since when there has been another.
  private var former = 0.0, isLonger = false, count = 0

  /// A field has leapt, and it is not known yet whether it stays.
  var isWeighing: Bool { count > 0 }

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

/// A force that becomes as many times as long, or as short, as there are m/s² or mg in a g: its numbers are in another
/// unit, as those of a field may be.
struct ForceJump: Sendable {
  /// Numbers of one unit of accelerations in another, and how near to one of them a leap is, as a share.
  private static let (factors, near) = ([9.80665, 1000, 101.97], 0.04)

  private var jump = UnitJump()
  private var last = 0.0
  private var isOfUnits = false

  /// Takes in a force; true where the last of several bears a jump out.
  @inline(__always)
  mutating func add(_ force: Vector3) -> Bool {
    let isFound = jump.add(force)
    if !jump.isWeighing, !isFound {
      last = force.squaredLength
      return false
    }
    return weigh(force, isFound)
  }

  @inline(never)
  private mutating func weigh(_ force: Vector3, _ isFound: Bool) -> Bool {
    if last > 0 {
      let ratio = (force.squaredLength / last).squareRoot()
      isOfUnits = Self.factors.contains { abs(max(ratio, 1 / ratio) / $0 - 1) < Self.near }
      last = 0
    }
    return isFound && isOfUnits
  }
}

/// A field like the Earth's that becomes two, three or four times as long, or as short, from one measurement to the
/// next, points where it did, and stays like that: the chip's range has changed, and what is printed has not followed.
struct RangeJump: Sendable {
  /// Factors between the ranges of chips, how near to one of them a leap is, and how far a field may stray from it
  /// afterwards, as shares.
  private static let (factors, near, stray) = ([2.0, 3, 4], 0.05, 0.25)
  /// The squares of a factor that is looked at, and of the cosine between the fields before and behind it (4°).
  private static let (least, alike) = (3.2, 0.995)
  /// Fields that may be the Earth's, in µT, and the number of measurements that must bear a leap out.
  private static let (strengths, enough) = (15.0...100, 8)

  private var last = Vector3.zero
  /// The length before, and the factor of the leap that is weighed.
  private var (former, times, count) = (0.0, 1.0, 0)

  /// Takes in a field in µT; the factor where the last of several bears a leap out.
  @inline(__always)
  mutating func add(_ field: Vector3) -> Double? {
    let (square, before) = (field.squaredLength, last.squaredLength)
    defer { last = field }
    if count == 0, square < Self.least * before, before < Self.least * square { return nil }
    return weigh(field, square, before)
  }

  @inline(never)
  private mutating func weigh(_ field: Vector3, _ square: Double, _ before: Double) -> Double? {
    if count > 0 {
      count = abs(square.squareRoot() / former / times - 1) < Self.stray ? count + 1 : 0
      guard count == Self.enough else { return nil }
      count = 0
      return times
    }
    let cosine = field.dot(last)
    guard square > 0, before > 0, cosine > 0, cosine * cosine > Self.alike * square * before,
      Self.strengths.contains(before.squareRoot())
    else { return nil }
    let ratio = (square / before).squareRoot()
    guard let factor = Self.factors.first(where: { abs(max(ratio, 1 / ratio) / $0 - 1) < Self.near }) else {
      return nil
    }
    (former, times, count) = (before.squareRoot(), ratio > 1 ? factor : 1 / factor, 1)
    return nil
  }
}
