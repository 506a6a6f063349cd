import Glibc
import LodestoneCore

/// Heading, pitch and roll in degrees beside a field or in its place.
extension TableEvidence {
  /// The place of the heading among three angles.
  enum Heading { case first, last }

  /// The malus of three numbers as a field that look like angles.
  static let anglesMalus = 5.0

  /// The field of an order looks like heading, pitch and roll: alone it keeps to x or z, or is as long as it is turned,
  /// and beside an acceleration the two small ones are as far from level as that is. Nil where it does not.
  func angles(_ layout: TableLayout) -> Heading? {
    guard let place = layout.place(of: .field) else { return nil }
    let triple = triples[place]
    if layout.quantities == [.field], triple.vectors.allSatisfy({ $0.x >= 0 }),
      keepsToX(triple.vectors, triple, share: 0.5, least: 15)
    {
      return .first
    }
    if let heading = areAngles(triple) { return heading }
    guard let force = layout.place(of: .acceleration).map({ triples[$0] }) else { return nil }
    return [Heading.first, .last].first { follow(force, triple, heading: $0) }
  }

  /// Three numbers nearly all of which is the first, or the last.
  func areAngles(_ triple: TableTriple) -> Heading? {
    if keepsToX(triple.vectors, triple, share: Self.tilt, least: 0) { return .first }
    return keepsToX(Self.reversed(triple.vectors), triple, share: Self.tilt, least: 0) ? .last : nil
  }

  /// Pitch and roll of a board on a table, as a share of its heading. A field is as near to an axis only where it is
  /// steep.
  private static let tilt = 1.0 / 6

  /// The first of three numbers goes round and the others are small, as heading, pitch and roll; as a field it would
  /// always point along x, or be as long as it is turned.
  private func keepsToX(_ vectors: [Vector3], _ triple: TableTriple, share: Double, least: Double) -> Bool {
    guard let first = vectors.first, triple.median > 15, areInRange(vectors) else { return false }
    let low = vectors.reduce(first) { Vector3(min($0.x, $1.x), min($0.y, $1.y), min($0.z, $1.z)) }
    let high = vectors.reduce(first) { Vector3(max($0.x, $1.x), max($0.y, $1.y), max($0.z, $1.z)) }
    let isAlongX = vectors.allSatisfy {
      ($0.y * $0.y + $0.z * $0.z).squareRoot() < max(share * abs($0.x), least)
    }
    guard isAlongX else { return false }
    // A field that turns does not keep to one axis.
    return triple.turn < 0.5 || high.x - low.x > 3 * max(high.y - low.y, high.z - low.z)
  }

  private func areInRange(_ vectors: [Vector3]) -> Bool {
    vectors.allSatisfy { (-180.5..<360.5).contains($0.x) && abs($0.y) <= 90 && abs($0.z) <= 180 }
  }

  private static func reversed(_ vectors: [Vector3]) -> [Vector3] { vectors.map { Vector3($0.z, $0.y, $0.x) } }

  /// Whether two of three numbers are as many degrees as the board is tilted, in either order and with any sign, in all
  /// rows.
  private func follow(_ force: TableTriple, _ triple: TableTriple, heading: Heading) -> Bool {
    let vectors = heading == .first ? triple.vectors : Self.reversed(triple.vectors)
    guard triple.median > 5, !force.vectors.isEmpty, areInRange(vectors) else { return false }
    return [false, true].contains { isSwapped in
      zip(force.vectors, vectors).allSatisfy { force, angles in
        guard let up = force.direction else { return false }
        let pair = isSwapped ? (angles.z, angles.y) : (angles.y, angles.z)
        return Self.isTilt(pair.0, up.x, up) && Self.isTilt(pair.1, up.y, up)
      }
    }
  }

  /// An angle is that of an axis above the level, or about the other one.
  private static func isTilt(_ angle: Double, _ part: Double, _ up: Vector3) -> Bool {
    let tilts = [asin(min(1, abs(part))), atan2(abs(part), abs(up.z))].map { $0 * 180 / .pi }
    return tilts.contains { abs(abs(angle) - $0) < max(2, 0.1 * $0) }
  }

  /// Rows that tell a quaternion, and how far the squares of its numbers may be from one; those of three are farther.
  private static let (tellingRows, stray, gap) = (5, 0.015, 0.05)

  /// Four columns side by side whose squares always add up to one, as those of no three of them do: these may be a
  /// force, and the fourth a rate that is nearly none.
  static func quaternion(in rows: [[Double]]) -> Range<Int> {
    guard rows.count >= tellingRows, let count = rows.first?.count, count > 3 else { return 0..<0 }
    func areUnits(_ columns: Range<Int>, within stray: Double) -> Bool {
      rows.allSatisfy { row in abs(columns.reduce(-1) { $0 + row[$1] * row[$1] }) < stray }
    }
    // First, behind a time and a count of the rows, or last.
    let found = [0, 1, 2, count - 4].first { place in
      place + 4 <= count && areUnits(place..<place + 4, within: stray)
        && !areUnits(place..<place + 3, within: gap) && !areUnits(place + 1..<place + 4, within: gap)
    }
    return found.map { $0..<$0 + 4 } ?? 0..<0
  }
}
