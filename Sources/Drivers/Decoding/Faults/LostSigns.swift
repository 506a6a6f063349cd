import LodestoneCore

/// Numbers that have lost their sign between −1 and 0, as a sketch prints them that writes the whole part and the
/// fraction one after the other (`%d.%03d`): −0.129 G comes as 0.129.
///
/// None is below zero there, though an axis passes from 1 or more to −1 or less through numbers that rise again before,
/// or comes down towards zero and rises as sharply, time and again, as the amount of a number does.
struct LostSigns: Sendable {
  /// Messages that are looked at, and after which there are none with such a vector.
  private static let (patience, patienceWithout) = (4096, 64)
  /// Passages, and wide and narrow turns at zero, that show it.
  private static let (enough, enoughWide, enoughNarrow) = (2, Int32(2), Int32(3))
  /// The least rise of numbers between −1 and 1 on the way down from one side to the other, or their fall on the way
  /// up: the amount of a number turns at zero.
  private static let rise = 0.2
  /// The length of a vector, of whose shares turns at zero are told: that of fields in gauss and forces in g.
  private static let longest = 2.0

  private var axes = InlineArray<3, Axis>(repeating: Axis())
  private var (looks, hasCome) = (0, false)

  /// Whether signs are lost.
  private(set) var areFound = false
  /// Whether nothing is left to find out.
  private(set) var isSettled = false

  /// A message comes that has no such vector.
  mutating func pass() {
    looks &+= 1
    if looks >= (hasCome ? Self.patience : Self.patienceWithout) { isSettled = true }
  }

  /// Takes in a vector in the numbers of the wire.
  mutating func add(_ vector: Vector3) {
    guard !isSettled else { return }
    hasCome = true
    pass()
    let length = vector.length
    var (passages, wide, narrow, isWhole) = (0, Int32(0), Int32(0), true)
    for axis in 0..<3 {
      let value = vector[axis]
      if value.sign == .minus, value > -1 { return isSettled = true }
      isWhole = isWhole && value == value.rounded()
      axes[axis].add(value, shareOf: length < Self.longest ? length : nil)
      passages += axes[axis].passages
      wide += axes[axis].wide.count
      narrow += axes[axis].narrow.count
    }
    // Whole numbers have a sign of their own.
    if isWhole, length > 0 { isSettled = true }
    areFound = passages >= Self.enough || wide >= Self.enoughWide || narrow >= Self.enoughNarrow
    if areFound { isSettled = true }
  }

  /// The way of one axis.
  private struct Axis: Sendable {
    /// Passages from one side to the other without a sign.
    private(set) var passages = 0
    /// The turns of an axis that goes far, and those of one that is tilted by a few degrees to either side.
    private(set) var wide = Turns(), narrow = Turns()
    /// The scale of the narrow ones.
    private static let narrow = 0.4
    /// The side of the last number that is 1 or more, and of those since the first, the least and the last one.
    private var side = 0.0, between: (first: Double, least: Double, last: Double)?

    mutating func add(_ value: Double, shareOf length: Double?) {
      if abs(value) >= 1 {
        if let between, side * value < 0, (side > 0 ? between.last : between.first) - between.least >= LostSigns.rise {
          passages += 1
        }
        (side, between) = (value < 0 ? -1 : 1, nil)
      } else {
        between = (between?.first ?? value, min(between?.least ?? value, value), value)
      }
      wide.add(value, shareOf: length)
      narrow.add(value, shareOf: length.map { $0 * Self.narrow })
    }
  }

  /// Turns of an axis at zero: its ways down to it and up again that are as steep at their turn as before. Small, for
  /// it is copied with the stream's course.
  private struct Turns: Sendable {
    private(set) var count: Int32 = 0
    /// Numbers near zero and around it since the last one far from it; nil before that.
    private var near: (low: Int32, mid: Int32)?
    private var (rises, isSharp) = (false, true)
    /// The extreme of the way down, or of that up again, and the former.
    private var (extreme, lowest) = (0.0, 0.0)

    /// Shares of a vector's length that are far from zero and near it, that noise may make of a way, and that it may
    /// keep the lowest number from zero.
    private static let (far, low, slack, noise) = (0.15, 0.05, 0.02, 0.005)
    /// Numbers that tell a turn from noise; how many of them are near zero at most, for each that is around it; and the
    /// part of a step that the lowest is away from zero.
    private static let (fewestNear, mostLow, part) = (Int32(5), 2.0 / 3, 0.75)

    mutating func add(_ value: Double, shareOf length: Double?) {
      guard let length else { return near = nil }
      guard value < Self.far * length else {
        if turnsAtZero(length) { count += 1 }
        (near, extreme, rises, isSharp) = ((0, 0), value, false, true)
        return
      }
      guard var counts = near else { return }
      if value < Self.low * length { counts.low += 1 } else { counts.mid += 1 }
      near = counts
      if rises {
        if value < extreme - Self.slack * length { isSharp = false }
        extreme = max(extreme, value)
      } else if value > extreme + Self.slack * length {
        (rises, lowest, extreme) = (true, extreme, value)
      } else {
        extreme = min(extreme, value)
      }
    }

    /// A hand that turns back is slow where it does: more of its numbers are near the turn, or the lowest is away from
    /// zero.
    private func turnsAtZero(_ length: Double) -> Bool {
      guard let near, isSharp, rises, near.low > 0, near.low + near.mid >= Self.fewestNear,
        Double(near.low) <= Self.mostLow * Double(near.mid)
      else { return false }
      let step = 2 * (Self.far - Self.low) * length / Double(near.mid)
      return lowest <= Self.part * step + Self.noise * length
    }
  }
}
