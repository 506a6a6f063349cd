import LodestoneCore

/// An axis of a sensor that keeps the same number for seconds while its two others change as the board turns: a dead
/// one, or one that has hung up. An axis about which a board is turned on a table keeps its number too, while one other
/// changes or none.
struct StuckAxis: Equatable {
  /// 0, 1, 2 for x, y, z.
  let axis: Int
  /// The value in the sensor's unit.
  let value: Double

  /// Its letter.
  var name: String { Self.names[axis] }

  /// The letters of the axes.
  static let names = ["x", "y", "z"]
  /// Seconds, and rows, for which it keeps its number at least.
  private static let (span, fewest) = (5.0, 20)

  /// The first of a sweep; nil for none.
  /// - Parameters:
  ///   - value: what the sensor measured; nil where it did not.
  ///   - least: the range that both other axes must go through meanwhile.
  init?(_ rows: [SweepPoint], least: Double, value: (SweepPoint) -> Vector3?) {
    for axis in 0..<3 {
      var (begin, held) = (0, Double?.none)
      for index in 0...rows.count {
        let next = index < rows.count ? value(rows[index])?[axis] : nil
        if next == held, next != nil { continue }
        if let held, Self.isStuck(rows[begin..<index], beside: axis, least, value) {
          (self.axis, self.value) = (axis, held)
          return
        }
        (begin, held) = (index, next)
      }
    }
    return nil
  }

  private static func isStuck(
    _ rows: ArraySlice<SweepPoint>, beside axis: Int, _ least: Double, _ value: (SweepPoint) -> Vector3?
  ) -> Bool {
    guard rows.count >= fewest, let first = rows.first, let last = rows.last, last.time - first.time >= span else {
      return false
    }
    let vectors = rows.compactMap(value)
    return (0..<3).allSatisfy { other in
      guard other != axis, let low = vectors.map({ $0[other] }).min(), let high = vectors.map({ $0[other] }).max()
      else { return other == axis }
      return high - low >= least
    }
  }
}
