import Glibc
import LodestoneCore

/// Axes that stand at the end of a chip's range, by the numbers that chips tell there: 2047, 32767 and −32768, −4096 of
/// an HMC5883L, and all others of their kind. A number that comes once may be a measurement; one that stays, that a
/// stream begins with, or that the axis leaps to from less than half of it, is none.
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
    for axis in 0..<3 {
      let size = abs(counts[axis])
      guard isFirst || counts[axis] == before[axis] || 2 * abs(before[axis]) < size else { continue }
      guard sizes.contains(size), size == size.rounded() else { continue }
      let count = UInt32(size)
      if (count + 1).nonzeroBitCount == 1 || counts[axis] < 0 && count.nonzeroBitCount == 1 { return true }
    }
    return false
  }
}

/// Axes that stand at the end of a range whose numbers are in a unit of the field: a board that prints 478.91 µT there
/// says the same to the last digit, while the other axes tremble as this one did before the magnet came.
struct StandingAxis: Sendable {
  private var last = Vector3.zero
  /// The number of times that each axis came again in a weaker field, among so many measurements.
  private var stays = Vector3.zero
  private var looks = 0.0
  /// The least change of an axis, in µT: the step of the numbers.
  private var step = Double.infinity
  /// The number of times that each axis has come again, and what the other one that changed most changed by meanwhile,
  /// in µT.
  private var runs = Vector3.zero, trembling = Vector3.zero
  /// The farthest up and the farthest down on each axis, in µT, and whether it was found to stand there.
  private var most = InlineArray<6, Double>(repeating: 0)
  private var isEnd = InlineArray<6, Bool>(repeating: false)

  /// No sensor has less range, in µT.
  private static let least = 120.0
  /// The measurements in a weaker field that tell how often numbers come again, and after which the older ones count
  /// half.
  private static let (fewestLooks, mostLooks) = (16.0, 256.0)
  /// The repetitions that make an end, whatever else; those of a trembling axis come by chance once in a million times.
  private static let (fewestRuns, chance) = (8.0, 1e-6)
  /// Steps that the other axes change by at least: then this one trembles by more than one, too.
  private static let steps = 2.5

  /// An axis of a field in µT is at the end of its range. One that is sent again is what it was.
  mutating func isAtEnd(_ field: Vector3) -> Bool {
    let change = field - last
    if change != .zero {
      last = field
      follow(change, isWeak: field.squaredLength < Self.least * Self.least)
    }
    guard field.squaredLength >= Self.least * Self.least else { return false }
    var isFound = false
    for axis in 0..<3 where abs(field[axis]) >= Self.least && stands(axis, at: field[axis]) { isFound = true }
    return isFound
  }

  private mutating func follow(_ change: Vector3, isWeak: Bool) {
    if isWeak {
      if looks >= Self.mostLooks { (looks, stays) = (looks / 2, stays / 2) }
      looks += 1
    }
    for axis in 0..<3 {
      if change[axis] == 0 {
        runs[axis] += 1
        trembling[axis] += max(abs(change[(axis + 1) % 3]), abs(change[(axis + 2) % 3]))
        if isWeak { stays[axis] += 1 }
      } else {
        (runs[axis], trembling[axis]) = (0, 0)
        step = min(step, abs(change[axis]))
      }
    }
  }

  private mutating func stands(_ axis: Int, at value: Double) -> Bool {
    let place = 2 * axis + (value < 0 ? 1 : 0)
    if abs(value) > most[place] { (most[place], isEnd[place]) = (abs(value), false) }
    guard abs(value) == most[place] else { return false }
    if isEnd[place] { return true }
    guard looks >= Self.fewestLooks, runs[axis] >= Self.fewestRuns, trembling[axis] >= Self.steps * step * runs[axis]
    else { return false }
    let share = (stays[axis] + 1) / (looks + 2)
    isEnd[place] = pow(share, runs[axis]) < Self.chance
    return isEnd[place]
  }
}
