import LodestoneCore

extension JSONLines {
  /// Takes the unit that stands as text beside the numbers of a sensor, `"mag":{"x":…,"unit":"uT"}`; false for any
  /// other item.
  static func takeUnit(
    _ item: JSONScanner.Item, of sensor: Range<Int>?, _ line: Span<UInt8>, into message: inout WireMessage
  ) -> Bool {
    guard let text = item.string, unitKeys.contains(where: { line.holds($0, in: item.key) }) else { return false }
    let unit = ColumnWord.words(of: line.extracting(text)).reduce(ColumnWord(), +)
    guard ColumnName.isUnit(unit) else { return false }
    let name = LabelSource(line.extracting(item.parent.isEmpty ? sensor ?? item.parent : item.parent))
    let (field, acceleration) = (ColumnName.fieldUnits[unit], ColumnName.accelerationUnits[unit])
    // `g` and `mg` are units of two quantities.
    switch ColumnName(name.rest.span).quantity ?? name.columnQuantity {
    case .field: message.fieldUnit = field ?? message.fieldUnit
    case .acceleration: message.accelerationUnit = acceleration ?? message.accelerationUnit
    case nil where field == nil || acceleration == nil:
      message.fieldUnit = field ?? message.fieldUnit
      message.accelerationUnit = acceleration ?? message.accelerationUnit
    default: message.rotationRateUnit = ColumnName.rotationRateUnits[unit] ?? message.rotationRateUnit
    }
    return true
  }

  private static let unitKeys: [StaticString] = ["unit", "units", "u", "unit_of_measurement"]
}
