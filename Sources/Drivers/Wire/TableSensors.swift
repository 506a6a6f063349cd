import LodestoneCore

/// The names of a table's columns where several sensors of a kind are among them: by a number, a chip or words in the names
/// (`mx1,my1,mz1,mx2,my2,mz2`, `left_mag_x`), or by the same names once more. Of each quantity the first sensor is read, if
/// it has all three axes; else the names tell no sensors.
struct TableSensors {
  /// The columns; those of a sensor that is not read mean nothing.
  private(set) var columns: [ColumnName]
  /// The name of a column of a second magnetometer; nil where there is none.
  private(set) var otherField: String?

  init(_ names: [[UInt8]]) {
    columns = names.map { ColumnName($0.span) }
    let sensors = names.map { LabelSource($0.span) }
    let inner = sensors.map { ColumnName($0.rest.span) }
    for quantity: ColumnName.Quantity in [.field, .acceleration, .rotationRate] {
      let places = names.indices.filter { inner[$0].quantity == quantity && inner[$0].axis != nil }
      guard let owner = places.first.map({ sensors[$0].word }) else { continue }
      let own = places.filter { sensors[$0].word == owner }
      guard Set(own.compactMap { inner[$0].axis }).count == 3 else { continue }
      for place in own where columns[place].role == nil || !columns[place].isUnderstood {
        columns[place] = inner[place]
      }
      let others = places.filter { sensors[$0].word != owner }
      for place in others { columns[place] = inner[place].taken(as: nil) }
      guard quantity == .field else { continue }
      let again = own.filter { place in own.contains { $0 < place && names[$0] == names[place] } }
      let other = others.first ?? (again.count >= 3 ? again.first : nil)
      otherField = other.map { names[$0].prefix(48).harmlessText }
    }
  }
}
