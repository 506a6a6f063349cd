import LodestoneCore

extension JSONLines {
  /// The word that names the sensor of the numbers beside it; nil for any other item.
  static func sensor(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Range<Int>? {
    guard let word = item.string, !word.isEmpty, sensorKeys.contains(where: { line.holds($0, in: item.key) }) else {
      return nil
    }
    let sensor = LabelSource(line.extracting(word))
    let name = ColumnName(sensor.rest.span)
    switch name.quantity ?? sensor.columnQuantity {
    case .field, .acceleration, .rotationRate: return name.axis == nil ? word : nil
    default: return nil
    }
  }

  /// The words before an object, where they name a sensor, as a topic or a label does; else empty.
  static func sensorWords(_ words: [UInt8]) -> [UInt8] {
    let words = ColumnName.topic(words.span) ?? words
    switch ColumnName(words.span).quantity {
    case .field, .acceleration, .rotationRate: return words
    default: return []
    }
  }

  /// The axis is one of a sensor within another object, `"last":{"mag":{…}}`, that the outer one has told itself.
  /// - Parameter told: the roles of axes that it has told so far, one bit each.
  static func isOfFormer(
    _ role: UInt8, _ item: JSONScanner.Item, _ line: Span<UInt8>, _ told: inout UInt16
  ) -> Bool {
    guard CSVColumns.Role.first(ofAxis: role) != nil, item.value(in: line) != nil else { return false }
    if item.outer.isEmpty { told |= 1 << UInt16(role) }
    return !item.outer.isEmpty && told >> UInt16(role) & 1 == 1
  }

  /// Keys whose text may name the sensor of the values beside them.
  static let sensorKeys: [StaticString] = ["sensor", "type", "name", "id", "topic", "n", "entity_id"]
  private static let valueKeys: [StaticString] = ["data", "values", "value", "v", "xyz", "payload"]

  /// The number is an axis of the sensor that was named beside it.
  static func isOf(_ sensor: Range<Int>, _ item: JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
    guard item.number != nil else { return false }
    if item.parent.isEmpty { return item.key.count == 1 && (line[item.key.lowerBound] | 0x20) &- UInt8(ascii: "x") < 3 }
    return valueKeys.contains { line.holds($0, in: item.parent) }
  }

  /// The key of the sensor that an array or object of values stands in (`{"AK09918 Magnetometer":{"values":[…]}}`).
  static func sensorAround(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Range<Int>? {
    guard !item.outer.isEmpty, valueKeys.contains(where: { line.holds($0, in: item.parent) }),
      ColumnName(line.extracting(item.outer)).quantity != nil
    else { return nil }
    return item.outer
  }
}
