import LodestoneCore

/// Axes that come in objects of their own, each with one number and the name of its axis as text, as brokers, SenML
/// (RFC 8428) and Home Assistant have them: `{"topic":"board/mag/x","payload":-12.9}`,
/// `[{"n":"mag_x","u":"uT","v":-12.9},…]`, `{"entity_id":"sensor.mag_x","state":"-12.9",…}`.
struct NamedAxes {
  private var values = RoleValues()

  /// Puts the axes that came before beside the one of an object; false while one is missing. An axis that comes again
  /// begins anew.
  mutating func complete(_ own: inout RoleValues) -> Bool {
    let axes = CSVColumns.Role.field..<CSVColumns.Role.temperature
    guard let role = axes.first(where: { own[$0] != nil }), let value = own[role],
      let first = CSVColumns.Role.first(ofAxis: role)
    else { return false }
    if values[role] != nil { values.forget(from: first) }
    values.set(value, role)
    guard let vector = values.vector(from: first) else { return false }
    for axis in 0..<3 { own.set(vector[axis], first + UInt8(axis)) }
    values.forget(from: first)
    return true
  }

  /// The text that names one axis of a sensor, as its last letter; nil for any other item.
  static func axis(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Range<Int>? {
    guard let text = item.string, let last = text.last, (line[last] | 0x20) &- UInt8(ascii: "x") < 3,
      item.parent.isEmpty,
      JSONLines.sensorKeys.contains(where: { line.holds($0, in: item.key) })
    else { return nil }
    let name = ColumnName(LabelSource(line.extracting(text)).rest.span)
    return name.axis != nil && name.role != nil ? text : nil
  }

  /// The item is the number of such an object.
  static func isValue(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
    item.parent.isEmpty && item.value(in: line) != nil && keys.contains { line.holds($0, in: item.key) }
  }

  private static let keys: [StaticString] = ["value", "v", "payload", "state", "val"]
}
