import Glibc
import LodestoneCore

/// Columns beside the triples: lengths, headings of the sketch's own, temperatures, and what nobody knows.
extension TableEvidence {
  func extraScore(_ layout: TableLayout) -> Double { weighExtras(layout).score }

  /// Columns that change and are nothing that is known.
  func unexplained(_ layout: TableLayout) -> Int { weighExtras(layout).changing }

  private func weighExtras(_ layout: TableLayout) -> (score: Double, changing: Int) {
    var score = 0.0, hasTemperature = false, hasHeading = false, unexplained = 0, changing = 0
    let field = layout.place(of: .field), extras = extras(layout)
    let copy = extras.first { copy in
      field.map { extras.contains(copy + 2) && isCopy(triples[copy], of: triples[$0]) } ?? false
    }
    // Counts come first, and whole; the field is what they were scaled to.
    if let copy, let field {
      score += (copy < field ? 2 : 0) + (triples[copy].isWhole && !triples[field].isWhole ? 4 : 0)
    }
    for column in extras {
      if quaternion.contains(column) || copy.map({ ($0..<$0 + 3).contains(column) }) == true {
        continue
      } else if limits.contains(column) || counted.contains(column) {
        score -= column < layout.start ? TableLayout.frontPrior : 0
      } else if layout.places.contains(where: { isLength(column, of: $0) }) {
        score += 4
      } else if !hasHeading, let field, isHeading(column, of: triples[field]) {
        hasHeading = true
        score += triples[field].turn > 0.3 ? 2 : -1.5
      } else if !hasTemperature, isTemperature(column) {
        hasTemperature = true
        score -= (isOfRoom(column) ? 0.5 : 2.5) - (layout.front == 1 && column + 1 == layout.start ? 3 : 0)
      } else {
        unexplained += 1
        if rows.contains(where: { $0[column] != rows[0][column] }) { changing += 1 }
      }
    }
    return (score - 3 * Double(unexplained) - (unexplained > 2 ? 6 : 0), changing)
  }

  /// The one column before the triples is a temperature, by its values.
  func beginsWithTemperature(_ layout: TableLayout) -> Bool { layout.front == 1 && isTemperature(layout.start - 1) }

  func isLength(_ column: Int, of place: Int) -> Bool {
    zip(rows, triples[place].vectors).allSatisfy { $1.measures($0[column]) }
  }

  /// The sketch's own heading: the angle of two axes of the field, whichever way it is counted from. Where that turns
  /// the column has to follow it.
  private func isHeading(_ column: Int, of field: TableTriple) -> Bool {
    headingStray(column, of: field).map { $0.stray < max(0.002 * min(1, $0.turned / 0.02), 5e-5) } ?? false
  }

  /// Whether it is such a heading and follows each flicker of the field, as at rest an angle of anything stays the
  /// same.
  private func followsHeading(_ column: Int, of field: TableTriple) -> Bool {
    headingStray(column, of: field).map { $0.stray < 0.3 * $0.turned } ?? false
  }

  /// The distance by which a column strays from the angle of a field, counted either way, and how far that goes round;
  /// nil for no angle.
  private func headingStray(_ column: Int, of field: TableTriple) -> (stray: Double, turned: Double)? {
    guard rows.allSatisfy({ (-180...360).contains($0[column]) }), field.median > 0 else { return nil }
    let own = rows.map { $0[column] * .pi / 180 }
    let turned = field.vectors.map { atan2($0.y, $0.x) }
    let strays = [1.0, -1].map { sense in Self.spread(zip(own, turned).map { $0 - sense * $1 }) }
    return (min(strays[0], strays[1]), Self.spread(turned))
  }

  /// The spread of angles, 0 where all are the same, to 1, half of the variance where that is small.
  private static func spread(_ angles: [Double]) -> Double {
    let sine = angles.reduce(0) { $0 + sin($1) }, cosine = angles.reduce(0) { $0 + cos($1) }
    return 1 - (sine * sine + cosine * cosine).squareRoot() / Double(max(1, angles.count))
  }

  func isTemperature(_ column: Int) -> Bool {
    let values = rows.map { $0[column] }
    guard let low = values.min(), let high = values.max() else { return false }
    return low >= -40 && high <= 85 && high - low < 3
  }

  /// Rows in which no axis rises evenly by chance.
  private static let countedRows = 8

  static func counts(_ column: Int, _ rows: [[Double]]) -> Bool {
    guard rows.count >= countedRows else { return false }
    let step = rows[1][column] - rows[0][column]
    guard step >= 1, step == step.rounded() else { return false }
    return zip(rows, rows.dropFirst()).allSatisfy { $1[column] - $0[column] == step }
  }

  /// A column rises, and is the same as the first: LabVIEW writes the time before each axis where it is told to.
  static func tellsTimeAgain(_ column: Int, _ rows: [[Double]]) -> Bool {
    rows.count > 2 && zip(rows, rows.dropFirst()).allSatisfy { $0[0] < $1[0] && $0[0] == $0[column] }
  }

  /// Whether nothing but a temperature stands between triples, and neither the scale of a plot nor a count of rows nor
  /// a quaternion is part of one.
  func allows(_ layout: TableLayout) -> Bool {
    let places = layout.places
    let others = limits + counted + quaternion
    guard !others.contains(where: { other in places.contains { ($0..<$0 + 3).contains(other) } }) else { return false }
    return layout.gapColumn.map { isTemperature($0) && isOfRoom($0) } ?? true
  }

  /// The one column beside a field of bare numbers moves as an axis does, and the one at the other end, which the order
  /// takes for an axis, is as still as a temperature: the field may as well be the other three. Where neither moves at
  /// all nothing tells which is which. Nor is it one field where small numbers before it change to and fro.
  func isBelied(_ layout: TableLayout) -> Bool {
    let extras = extras(layout), count = rows.first?.count ?? 0
    guard layout.quantities == [.field], extras.count == 1, count - layout.lead == 4, let left = extras.first else {
      return false
    }
    guard !isLength(left, of: layout.start), !followsHeading(left, of: triples[layout.start]) else { return false }
    // The numbers of sensors that speak in turn.
    if left == layout.lead, isNumber(left), unrest(left) > 0.5 { return true }
    let other = left == layout.lead ? count - 1 : layout.lead
    if isNumber(other) { return unrest(left) > 0 }
    if left > other, !(isTemperature(left) && isOfRoom(left)), mayBeginWithOther(layout.start) { return true }
    guard isTemperature(other), isOfRoom(other) else { return false }
    let (rest, unrest) = (unrest(other), unrest(left))
    return unrest > 0 ? rest < 0.5 * unrest : rest == 0
  }

  /// The distance by which a column strays from the middle of its neighbours: what rises or drifts evenly does not.
  func unrest(_ column: Int) -> Double {
    guard rows.count > 2 else { return 0 }
    let sum = (1..<rows.count - 1).reduce(0.0) { sum, row in
      let stray = rows[row - 1][column] + rows[row + 1][column] - 2 * rows[row][column]
      return sum + stray * stray
    }
    return (sum / Double(rows.count - 2)).squareRoot()
  }

  /// A small number without decimals, as that of a channel or a sensor.
  private func isNumber(_ column: Int) -> Bool {
    rows.allSatisfy { (0...16).contains($0[column]) && $0[column] == $0[column].rounded() }
  }

  /// A chip's temperature indoors and out, in degrees Celsius.
  private func isOfRoom(_ column: Int) -> Bool { rows.allSatisfy { (5...45).contains($0[column]) } }
}

extension CSVTable {
  /// The flags of a row say that an axis is at the end of the sensor's range, as a teslameter writes it.
  func isSaturated(_ line: Span<UInt8>) -> Bool {
    guard let flags else { return false }
    return place(of: flags, in: line).contains { line.holds("saturated", at: $0) }
  }
}
