import LodestoneCore

/// The names of a table's columns where several sensors of a kind are among them: by a number, a chip or words in the
/// names (`mx1,my1,mz1,mx2,my2,mz2`, `left_mag_x`), or by the same names once more. Of each quantity the first sensor
/// is read that has all three axes, and of its numbers no copy that was filtered or corrected, where there are others;
/// where none has all axes the names tell no sensors.
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
      let words = places.map { sensors[$0].owner }
      let whole = words.filter { word in
        Set(zip(places, words).compactMap { $1 == word ? inner[$0].axis : nil }).count == 3
      }
      guard let owner = whole.min(by: { $0.rank < $1.rank }) else { continue }
      let own = places.filter { sensors[$0].owner == owner }
      for place in own where columns[place].role == nil || !columns[place].isUnderstood {
        columns[place] = inner[place]
      }
      let others = places.filter { sensors[$0].owner != owner }
      for place in others { columns[place] = inner[place].taken(as: nil) }
      guard quantity == .field else { continue }
      let again = own.filter { place in own.contains { $0 < place && names[$0] == names[place] } }
      let other = others.first { sensors[$0].owner.rank == 0 } ?? (again.count >= 3 ? again.first : nil)
      otherField = other.map { names[$0].prefix(48).harmlessText }
    }
  }
}
