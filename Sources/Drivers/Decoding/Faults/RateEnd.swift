import LodestoneCore

/// The end of a gyroscope's range, by the numbers that it tells there: one axis says the same to the last digit, and
/// has been far from it just before, while the others change. A turn that is at its fastest changes less from number to
/// number before it stays, and a rate that is sent again stays on all axes.
public struct RateEnd: Sendable {
  /// The end of the range in degrees per second; nil where no axis has been there yet.
  private var limit: Double?
  private var last = Vector3.zero, change = Vector3.zero
  /// The number of times that each axis has come again, and the change of the two numbers that it came by, in degrees
  /// per second.
  private var runs = Vector3.zero, entry = Vector3.zero
  /// The least change of an axis in a fast turn: the step of the numbers.
  private var step = Double.infinity
  /// The largest rate that two numbers in a row were not below, and the size of the last one, in degrees per second: no
  /// range ends below what has been measured.
  private var (largest, lastSize) = (0.0, 0.0)

  /// No gyroscope has less range, in degrees per second.
  private static let least = 100.0
  /// The share by which both ends of a range differ: a number of 16 bits goes from −32768 to 32767.
  private static let alike = 1e-4
  /// Repetitions that make an end where the number came by a share of itself, and otherwise; and the least steps it
  /// came by: where three numbers of a smooth peak are alike, the two before them are within six.
  private static let (enough, share, slowly, steps) = (2.0, 0.01, 8.0, 10.0)

  /// No rate yet.
  public init() {}

  /// An axis of a rate, in degrees per second, is at the end of the range.
  public mutating func isReached(by rate: Vector3) -> Bool {
    let new = rate - last
    let size = max(abs(rate.x), abs(rate.y), abs(rate.z))
    let isReached = size >= Self.least && follow(rate, new, size)
    if new != .zero { (last, change) = (rate, new) }
    return isReached
  }

  /// Follows a rate that may be at the end. Apart, because boards seldom turn as fast.
  @inline(never)
  private mutating func follow(_ rate: Vector3, _ new: Vector3, _ size: Double) -> Bool {
    var isNew = false
    if new == .zero { return limit.map { size >= $0 * (1 - Self.alike) } ?? false }
    for axis in 0..<3 {
      if new[axis] == 0 {
        runs[axis] += 1
        isNew = isNew || abs(rate[axis]) == size && stands(axis, at: size)
      } else {
        (runs[axis], entry[axis]) = (0, abs(new[axis] + change[axis]))
        step = min(step, abs(new[axis]))
      }
    }
    if let limit, size > limit * (1 + Self.alike) { self.limit = nil }
    if limit == nil, isNew, size >= largest * (1 - Self.alike) { limit = size }
    (largest, lastSize) = (max(largest, min(size, lastSize)), size)
    return limit.map { size >= $0 * (1 - Self.alike) } ?? false
  }

  private func stands(_ axis: Int, at size: Double) -> Bool {
    guard entry[axis] >= Self.steps * step else { return false }
    return runs[axis] >= (entry[axis] >= Self.share * size ? Self.enough : Self.slowly)
  }
}

/// A rate of exactly nothing on all axes right after one of a turn: the program could not read its gyroscope. A second
/// one is that of a board that has stopped.
struct ZeroRate: Sendable {
  private var wasTurning = false

  /// A turn that no hand stops from one number to the next, in degrees per second.
  private static let least = 10.0

  /// A rate in degrees per second is none.
  @inline(__always)
  mutating func isNone(_ rate: Vector3) -> Bool {
    let isNone = wasTurning && rate == .zero
    wasTurning = rate.squaredLength > Self.least * Self.least
    return isNone
  }
}
