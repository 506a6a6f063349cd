import LodestoneCore

extension TableEvidence {
  /// A field alone has an axis that is not of its kind, and three other columns side by side are of one: a voltage or
  /// the strength of a radio before a field, `3.92,-61,-12.9,15.7,-43.5`.
  func hasStrangeAxis(_ layout: TableLayout) -> Bool {
    guard layout.quantities == [.field] else { return false }
    let others = triples.indices.dropFirst(layout.lead).filter { $0 != layout.start && areOfAForm($0) }
    if !areOfAForm(layout.start) { return !others.isEmpty }
    return !flickerAlike(layout.start) && others.contains { flickerAlike($0) }
  }

  /// Three columns are all whole numbers, or all have decimals.
  private func areOfAForm(_ place: Int) -> Bool {
    let count = (place..<place + 3).count { column in rows.allSatisfy { $0[column] == $0[column].rounded() } }
    return count == 0 || count == 3
  }

  private func flickerAlike(_ place: Int) -> Bool {
    let unrests = (place..<place + 3).map { unrest($0) }
    guard let least = unrests.min(), let most = unrests.max() else { return false }
    return least >= 0.2 * most
  }

  /// Three columns behind the field of an order are as long all the time while two of them change, and that field
  /// changes along one axis alone, or stands behind a column of no interest itself: a board that turns changes two axes
  /// at least. What stands still before a field may be a place or a voltage: `48.208,16.372,-12.9,15.7,-43.5`.
  func leavesFieldOut(_ layout: TableLayout) -> Bool {
    guard layout.quantities == [.field], layout.front == 1 || changingCount(at: layout.start, share: 0.25) == 1 else {
      return false
    }
    return triples.indices.dropFirst(layout.start + 1).contains { place in
      changingCount(at: place, share: 0.4) > 1 && isEven(at: place)
    }
  }

  /// The first of four columns may be no axis, and the last one that of z: the last three are more like the Earth's
  /// field, or those between go round while the first and the last stand still: a voltage before the field of a board
  /// that lies flat.
  func mayBeginWithOther(_ place: Int) -> Bool {
    if fieldScore(triples[place + 1]) > fieldScore(triples[place]) + 0.5 { return true }
    let spans = (place..<place + 4).map { column in span(rows.map { $0[column] }) }
    let leastTurn = min(spans[1], spans[2])
    return triples[place].turn > 0.3 && max(spans[0], spans[3]) < 0.25 * leastTurn
  }

  /// The number of three columns that change by more than this share of the one that changes most.
  private func changingCount(at place: Int, share: Double) -> Int {
    let spans = (place..<place + 3).map { column in span(rows.map { $0[column] }) }
    let widest = spans.max() ?? 0
    return spans.count { $0 > share * widest }
  }

  /// Three columns are as long in all rows, within a tenth.
  private func isEven(at place: Int) -> Bool {
    let lengths = rows.map { Vector3($0[place], $0[place + 1], $0[place + 2]).length }
    return span(lengths) < 0.1 * (lengths.max() ?? 0)
  }

  private func span(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
}
