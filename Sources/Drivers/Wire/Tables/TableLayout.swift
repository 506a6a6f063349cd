/// An order of columns: a time or none, columns before, triples, columns behind.
struct TableLayout: Sendable {
  enum Quantity: Sendable { case field, acceleration, rotation }

  /// The column of the time; nil for none.
  var time: Int?
  /// Columns that rise and stand before all others: the time, and a count of the rows beside it.
  var lead: Int
  /// Columns of no interest before the triples.
  var front: Int
  var quantities: [Quantity]
  /// The triple that one column more stands before; nil for none.
  var gap: Int?
  /// A measure of how usual the order is.
  var prior: Double

  var hasTime: Bool { time != nil }
  /// The column at which the first triple begins.
  var start: Int { lead + front }
  /// The column at which each triple begins.
  var places: [Int] { quantities.indices.map { start + 3 * $0 + ($0 >= gap ?? .max ? 1 : 0) } }
  /// The column between triples.
  var gapColumn: Int? { gap.map { start + 3 * $0 } }
  /// The column at which a quantity's triple begins; nil where the order has none of the quantity.
  func place(of quantity: Quantity) -> Int? { quantities.firstIndex(of: quantity).map { places[$0] } }

  /// The order in which the field's columns are rotation rates.
  var withoutField: TableLayout {
    var copy = self
    copy.quantities = quantities.map { $0 == .field ? .rotation : $0 }
    return copy
  }

  /// The two find the field or the acceleration in different columns.
  func contradicts(_ other: TableLayout) -> Bool {
    let force = place(of: .acceleration), another = other.place(of: .acceleration)
    return place(of: .field) != other.place(of: .field) || (force != nil && another != nil && force != another)
  }

  private static let orders: [([Quantity], prior: Double)] = [
    ([.field], 0), ([.acceleration], -2), ([.rotation], -12),
    ([.acceleration, .field], 0), ([.field, .acceleration], 0), ([.acceleration, .rotation], -0.5),
    ([.rotation, .acceleration], -1), ([.rotation, .field], -6), ([.field, .rotation], -6),
    ([.acceleration, .rotation, .field], 0), ([.rotation, .acceleration, .field], -0.5),
    ([.field, .acceleration, .rotation], -0.3), ([.acceleration, .field, .rotation], -1),
    ([.field, .rotation, .acceleration], -1), ([.rotation, .field, .acceleration], -1),
  ]
  /// Columns beside time and triples.
  private static let mostExtras = 3
  /// A column before the triples that is no time is rare.
  static let frontPrior = -6.0
  /// A column between them is less so: motion chips hand out their temperature between acceleration and rotation.
  private static let gapPrior = -4.0

  /// Every order of this number of columns.
  /// - Parameters:
  ///   - time: the column that may be the time; nil for none.
  ///   - lead: of the columns up to the triples, those that rise with it.
  ///   - mostBefore: columns of no interest that may stand before the triples.
  ///   - quaternion: columns that are no part of them, and stand before all or behind; empty for none.
  static func all(
    of count: Int, time: Int?, lead: Int = 1, mostBefore: Int = 1, quaternion: Range<Int> = 0..<0
  ) -> [TableLayout] {
    var layouts: [TableLayout] = []
    for time in time == nil ? [nil] : [time, nil] {
      let lead = time == nil ? 0 : lead
      for (quantities, prior) in orders {
        let extras = count - lead - 3 * quantities.count - quaternion.count
        guard (0...mostExtras).contains(extras) else { continue }
        let before = quaternion.lowerBound == lead ? quaternion.count : 0
        func add(front: Int = 0, gap: Int? = nil, _ prior: Double) {
          layouts.append(
            TableLayout(time: time, lead: lead, front: before + front, quantities: quantities, gap: gap, prior: prior))
        }
        let mayStandBefore = time == nil || quantities == [.field]
        for front in 0...min(extras, mayStandBefore ? mostBefore : 0) {
          add(front: front, prior + Double(front) * frontPrior)
        }
        for gap in quantities.indices.dropFirst() where extras == 1 { add(gap: gap, prior + gapPrior) }
        // Counts before the field that they were scaled to.
        if quantities.contains(.field), extras == 3 { add(front: 3, prior) }
      }
    }
    return layouts
  }
}
