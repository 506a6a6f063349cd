import LodestoneCore

// A board that lies for minutes before its sweep, after it, or between two parts of it, says no more than in ten
// seconds of that; yet where measurements are counted, its one direction outweighs all others. So a sweep is fitted as
// if no rest had been longer: what came after ten seconds is cut out, and what follows comes earlier by as much, for a
// gyroscope is followed from row to row.

/// Stretches of time cut out of a sweep, in order.
struct CutRests: Sendable {
  private var stretches: [Range<Double>] = []

  /// Seconds of a rest that stay, and seconds over which noise is averaged.
  private static let (longest, block) = (10.0, 0.5)
  /// By how much the means over blocks are off the first in a rest: a share of half the field's range, and g.
  private static let (fieldRange, forceRange) = (0.05, 0.1)
  /// Share of single wild measurements to either side, and how many rows tell the range.
  private static let (wild, some) = (0.002, 2000)

  /// No rests.
  init() {}

  /// The stretches to cut out of rows that are `interval` seconds apart; none where their times do not go forward.
  init(_ rows: [SweepPoint], interval: Double) {
    let size = Sweep.count(of: Self.block, every: interval, atLeast: 1)
    let longest = Int(Self.longest / Self.block)
    guard rows.count > (longest + 2) * size, zip(rows, rows.dropFirst()).allSatisfy({ $0.time <= $1.time }) else {
      return
    }
    let means = stride(from: 0, through: rows.count - size, by: size).map { Mean(rows[$0..<$0 + size]) }
    let way = Self.fieldRange * Self.halfRange(rows)
    var first = 0
    for block in 1...means.count {
      if block < means.count, means[block].isNear(means[first], within: way, Self.forceRange) { continue }
      let last = block - 1
      if last - first > longest {
        stretches.append(rows[(first + longest) * size].time..<rows[last * size].time)
      }
      first = block
    }
    stretches.removeAll { $0.isEmpty }
  }

  /// Half of what the field goes through on the widest axis.
  private static func halfRange(_ rows: [SweepPoint]) -> Double {
    let step = max(1, rows.count / some)
    let ranges = (0..<3).map { axis in
      let values = stride(from: 0, to: rows.count, by: step).map { rows[$0].raw[axis] }
      return quantile(values, 1 - wild) - quantile(values, wild)
    }
    return (ranges.max() ?? 0) / 2
  }

  /// The rows that are left, at the times that they would have come at.
  func left(of rows: [SweepPoint]) -> [SweepPoint] {
    guard !stretches.isEmpty else { return rows }
    var left: [SweepPoint] = []
    var (next, cut) = (stretches[...], 0.0)
    for var row in rows {
      while let stretch = next.first, row.time >= stretch.upperBound {
        cut += stretch.upperBound - stretch.lowerBound
        next = next.dropFirst()
      }
      if let stretch = next.first, stretch.contains(row.time) { continue }
      row.time -= cut
      left.append(row)
    }
    return left
  }

  /// A stretch of what is left, at the times of the recording.
  func original(_ ignored: IgnoredStretch) -> IgnoredStretch {
    var original = ignored
    for stretch in stretches {
      let length = stretch.upperBound - stretch.lowerBound
      if original.from >= stretch.lowerBound { original.from += length }
      if original.to >= stretch.lowerBound { original.to += length }
    }
    return original
  }

  /// The mean of a block.
  private struct Mean {
    let raw: Vector3
    /// The mean force; nil where not every row has one.
    let force: Vector3?

    init(_ rows: ArraySlice<SweepPoint>) {
      let share = 1 / Double(max(rows.count, 1))
      raw = rows.reduce(Vector3.zero) { $0 + $1.raw } * share
      let forces = rows.compactMap { $0.force }
      force = forces.count == rows.count ? forces.reduce(Vector3.zero, +) * share : nil
    }

    func isNear(_ other: Mean, within way: Double, _ forceWay: Double) -> Bool {
      guard (raw - other.raw).length <= way else { return false }
      guard let force, let others = other.force else { return true }
      return (force - others).length <= forceWay
    }
  }
}
