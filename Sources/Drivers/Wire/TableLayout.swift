/// An order of columns: a time or none, columns before, triples, columns behind.
struct TableLayout: Sendable {
  enum Quantity: Sendable { case field, acceleration, rotation }

  var hasTime: Bool
  /// Columns of no interest before the triples.
  var front: Int
  var quantities: [Quantity]
  /// How usual the order is.
  var prior: Double

  /// Where the first triple begins.
  var start: Int { (hasTime ? 1 : 0) + front }
  /// Where a triple begins; nil where the order has none of the quantity.
  func place(of quantity: Quantity) -> Int? { quantities.firstIndex(of: quantity).map { start + 3 * $0 } }
  /// The first column behind the triples.
  var end: Int { start + 3 * quantities.count }

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
  private static let frontPrior = -6.0

  /// Every order of this number of columns.
  static func all(of count: Int, hasTime: Bool) -> [TableLayout] {
    var layouts: [TableLayout] = []
    for isTimed in hasTime ? [true, false] : [false] {
      for (quantities, prior) in orders {
        let extras = count - (isTimed ? 1 : 0) - 3 * quantities.count
        guard (0...mostExtras).contains(extras) else { continue }
        func add(_ front: Int, _ prior: Double) {
          layouts.append(TableLayout(hasTime: isTimed, front: front, quantities: quantities, prior: prior))
        }
        for front in 0...min(extras, isTimed ? 0 : 1) { add(front, prior + Double(front) * frontPrior) }
        // Counts before the field that they were scaled to.
        if quantities.contains(.field), extras == 3 { add(3, prior) }
      }
    }
    return layouts
  }
}
