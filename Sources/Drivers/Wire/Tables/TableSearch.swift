import Glibc

/// Identifies the columns of bare numbers by their values: three of a constant length near 1 g are an acceleration,
/// three whose length can be the Earth's field are a field, three near zero at rest that follow the turning are
/// rotation rates, one that rises evenly is a time. Every order that the count of columns allows is scored, and the
/// best is taken when it is clear.
///
/// A score is the logarithm of how likely the rows are under an order; the scales are wide, for cheap boards carry
/// iron. At rest sizes alone speak; in motion gravity keeps its length, the field lies on a sphere wherever its middle
/// is, the angle between the two is constant, and rotation rates explain how both turn.
struct TableSearch: Sendable {
  /// The state of the search.
  enum Verdict: Equatable {
    /// More rows are needed.
    case open
    /// The columns, and how much better their order is than the next one.
    case found(CSVColumns, margin: Double)
    /// Two orders do equally well: the device has to be turned, or the user to say.
    case ambiguous
    /// Three numbers that look like heading, pitch and roll, or have the heading last.
    case angles(headingIsFirst: Bool)
    /// Rows of several sensors in turn.
    case inTurn
    /// No order explains the rows: whatever this is, there is no magnetometer in it.
    case unlikely
  }

  /// Rows that are needed, where units tell the columns and where not, and at which a poorer margin is enough.
  private static let told = 2, fewest = 5, several = 12, turned = 32, many = 40
  /// The number of rows kept; of a longer stream every second, fourth, … is kept.
  private static let capacity = 64
  /// The numbers of columns that a table may have.
  static let columnCounts = 3...12
  /// The margin by which an order must be better than the next one that contradicts it: at rest, in motion that bears
  /// it out, and in any other. Of three numbers alone the field's unit will tell whether they can be one.
  private static let margins = (single: 1.0, atRest: 5.5, verified: 5.0, moving: 10.0, odd: 8.0)
  /// The number of the best orders that are asked whether the motion bears them out.
  private static let rivals = 6
  /// The least score with which an order is believed.
  private static let lowest = -10.0

  /// The way in which the rows are written.
  let shape: TableShape
  /// The number of their columns.
  var columnCount: Int { shape.columnCount }
  /// The units behind the numbers tell which columns are which quantity.
  let isTold: Bool
  private var kept: [[Double]] = []
  private var stride = 1
  /// The last rows, each of them, where not all are kept.
  private var recent: [[Double]] = []
  private(set) var rowCount = 0

  /// Rows that are written like this; nil for a count of columns that no table has.
  init?(_ shape: TableShape) {
    guard Self.columnCounts.contains(shape.columnCount) else { return nil }
    self.shape = shape
    isTold = shape.tellsQuantities
  }

  /// Takes a row in; one with another count of columns is passed over.
  mutating func add(_ row: [Double]) {
    guard row.count == columnCount else { return }
    defer { rowCount += 1 }
    if stride > 1 {
      if recent.count == Self.capacity { recent.removeFirst(Self.capacity / 2) }
      recent.append(row)
    }
    guard rowCount % stride == 0 else { return }
    if kept.count == Self.capacity {
      if stride == 1 { recent = kept + [row] }
      kept = Swift.stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
      stride *= 2
      guard rowCount % stride == 0 else { return }
    }
    kept.append(row)
  }

  /// The first numbers of a row are near those that the columns have held.
  func hasHeld(_ row: [Double]) -> Bool {
    (0..<columnCount).allSatisfy { column in
      let values = kept.map { $0[column] }
      guard let low = values.min(), let high = values.max() else { return false }
      let room = max(high - low, 0.1 * max(abs(low), abs(high)))
      return (low - room...high + room).contains(row[column])
    }
  }

  /// The best orders, with the logarithms of how likely they make the rows.
  var ranking: [WeighedColumns] {
    guard !kept.isEmpty else { return [] }
    let evidence = TableEvidence(kept, shape, areNeighbours: stride == 1)
    return ranked(evidence).prefix(4).map { WeighedColumns(columns: evidence.names($0.layout), score: $0.score) }
  }

  /// An order without a field explains the rows about as well as the best.
  var mayLackField: Bool {
    guard !kept.isEmpty else { return false }
    let ranked = ranked(TableEvidence(kept, shape, areNeighbours: stride == 1))
    guard let best = ranked.first?.score else { return false }
    return ranked.contains { $0.layout.place(of: .field) == nil && $0.score > best - Self.margins.odd }
  }

  /// The orders that the rows allow by how they are written, the best first.
  private func ranked(_ evidence: TableEvidence) -> [(layout: TableLayout, score: Double)] {
    TableLayout.all(
      of: columnCount, time: evidence.first.rises || shape.beginsWithTime ? evidence.time : nil, lead: evidence.lead,
      mostBefore: evidence.limits == [0, 1] || evidence.counted.first == 1 ? 2 : 1, quaternion: evidence.quaternion
    )
    .filter { shape.allows($0) && evidence.allows($0) }.map { (layout: $0, score: evidence.score($0)) }.sorted {
      $0.score > $1.score
    }
  }

  /// The verdict on the rows so far.
  /// - Parameter atEnd: no more will come: the best is taken if there is one.
  func verdict(atEnd: Bool = false) -> Verdict {
    guard !kept.isEmpty, rowCount >= (isTold ? Self.told : Self.fewest) || atEnd else { return .open }
    let evidence = TableEvidence(kept, shape, areNeighbours: stride == 1)
    let lately = stride == 1 ? evidence : TableEvidence(recent, shape, areNeighbours: true)
    if areInTurn(lately) { return .inTurn }
    let verdict = verdict(evidence, atEnd: atEnd)
    if stride == 1 { return verdict }
    // Every second row may be one sensor's of two that speak in turn.
    if case .found = verdict { return isBelied(by: lately) ? .ambiguous : verdict }
    // A board that has been turned at last: what its gyroscope says shows only from row to row.
    let last = self.verdict(lately, atEnd: false)
    if case .found = last { return last }
    return verdict
  }

  /// Rows as they came, of three axes and little else, are those of several sensors.
  private func areInTurn(_ evidence: TableEvidence) -> Bool {
    guard !shape.hasUnits, columnCount < 6, let best = ranked(evidence).first else { return false }
    return evidence.triples[best.layout.start].areInTurn
  }

  /// The best order of rows as they came is none.
  private func isBelied(by evidence: TableEvidence) -> Bool {
    guard !shape.hasUnits, columnCount < 7, let best = ranked(evidence).first else { return false }
    return evidence.isBelied(best.layout)
  }

  private func verdict(_ evidence: TableEvidence, atEnd: Bool) -> Verdict {
    let ranked = ranked(evidence)
    guard let best = ranked.first else { return .unlikely }
    if isTold {
      // Whether a first column without a unit is a time shows in how it rises, which takes a few rows.
      guard rowCount >= Self.fewest || atEnd || shape.tellsAll(best.layout) else { return .open }
      return found(best.layout, evidence, margin: .infinity)
    }
    // Of three columns that are nothing else, the field's unit will tell whether they can be one.
    guard best.score >= Self.lowest || columnCount == 3 else {
      return rowCount >= Self.several || atEnd ? .unlikely : .open
    }
    // A few numbers that rise may be noise: what is no clock by its looks must rise for longer.
    let isDoubtful = best.layout.hasTime ? !evidence.first.isClock : evidence.first.mayBeClock
    if isDoubtful, rowCount < Self.several, !atEnd { return .open }
    if !shape.hasUnits,
      evidence.isBelied(best.layout) || evidence.leavesFieldOut(best.layout) || evidence.hasStrangeAxis(best.layout)
    {
      return unsettled(atEnd)
    }
    // Until the board has been turned, and after, these are no field without a question.
    if !shape.hasUnits, let heading = evidence.angles(best.layout) {
      if best.layout.quantities == [.field] { return .angles(headingIsFirst: heading == .first) }
      return unsettled(atEnd)
    }
    let motion = evidence.motion(best.layout)
    // A board that is turned soon shows the sphere of its field, and what its gyroscope is: until then iron may look
    // like anything.
    if motion == .unverified, rowCount < Self.turned, !atEnd { return .open }
    // One that the motion bears out stands against one that it does not, however unusual it is.
    let isBelied = ranked.prefix(Self.rivals).contains { other in
      other.layout.place(of: .field) != nil && other.layout.contradicts(best.layout)
        && evidence.motion(other.layout) == .verified
    }
    if motion == .unverified, isBelied, !atEnd { return unsettled(atEnd) }
    let rival = ranked.first { $0.layout.contradicts(best.layout) && !evidence.haveOneField($0.layout, best.layout) }
    let margin = best.score - (rival?.score ?? -.infinity)
    // A table that ends after a few rows gets its best layout, however near the next one comes.
    let isLast = atEnd && rowCount < Self.fewest
    let needed = isLast ? 0 : neededMargin(best.layout, motion, evidence)
    guard margin >= needed, isLast || evidence.isWhole(best.layout) else { return unsettled(atEnd) }
    return found(best.layout, evidence, margin: margin)
  }

  /// The margin by which the best order must be better than the next one that contradicts it.
  private func neededMargin(
    _ best: TableLayout, _ motion: TableEvidence.Motion, _ evidence: TableEvidence
  ) -> Double {
    var needed: Double
    if best.quantities.count == 1, columnCount - best.lead < 6 {
      let isOdd = !shape.hasUnits && evidence.looksLikeGravityCounts(at: best.start)
      needed = isOdd ? Self.margins.odd : Self.margins.single
    } else {
      switch motion {
      case .rest: needed = Self.margins.atRest
      case .verified: needed = Self.margins.verified
      case .unverified: needed = Self.margins.moving
      }
    }
    let isTold = motion == .verified && evidence.beginsWithTemperature(best)
    if best.hasTime ? !evidence.first.isClock : evidence.beginsWithOthers(best) && !isTold {
      needed = max(needed, Self.margins.odd)
    }
    // What rises from the start may be a time.
    return evidence.first.rises && !best.hasTime ? max(needed, Self.margins.moving) : needed
  }

  /// Two orders do equally well; before many rows have come, those that follow may tell.
  private func unsettled(_ atEnd: Bool) -> Verdict { rowCount >= Self.many || atEnd ? .ambiguous : .open }

  private func found(_ layout: TableLayout, _ evidence: TableEvidence, margin: Double) -> Verdict {
    var columns = CSVColumns(names: evidence.names(layout))
    columns.takeUnits(of: shape)
    return .found(columns, margin: min(margin, 99))
  }
}
