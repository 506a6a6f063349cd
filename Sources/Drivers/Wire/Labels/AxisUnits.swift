import LodestoneCore

/// The units behind the axes of a field that wait for the others: a meter that chooses its range has one for each.
struct AxisUnits: Sendable {
  private var units = InlineArray<3, FieldUnit?>(repeating: nil)

  /// An axis has come, without a unit yet.
  mutating func begin(_ axis: UInt8) { units[Int(axis)] = nil }

  /// A unit stands behind an axis; whether another axis has another one.
  mutating func take(_ unit: FieldUnit, of axis: UInt8) -> Bool {
    units[Int(axis)] = unit
    return (0..<3).contains { units[$0].map { $0 != unit } ?? false }
  }

  /// Brings the axes to the unit that was told last, and forgets theirs.
  mutating func align(_ values: inout RoleValues, to last: FieldUnit?) {
    for axis in 0..<3 {
      let role = CSVColumns.Role.field + UInt8(axis)
      if let own = units[axis], let last, own != last, let value = values[role] {
        values.set(value * (own.microtesla / last.microtesla), role)
      }
      units[axis] = nil
    }
  }
}
