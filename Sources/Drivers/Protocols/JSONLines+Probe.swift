import LodestoneCore

extension JSONLines {
  /// Takes the field along a probe of one axis, whose key says what it is and its unit: `probe_uT`, `B_mT`. False for a
  /// line without one, or with several.
  static func readProbe(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool {
    var (scanner, found) = (JSONScanner(), [(number: Double, unit: FieldUnit)]())
    while let item = scanner.next(in: line) {
      guard let number = item.value(in: line), item.parent.isEmpty,
        let column = ProbeColumn(line.bytes(in: item.key)), column.isSure, let unit = column.unit
      else { continue }
      found.append((number, unit))
    }
    guard found.count == 1, let only = found.first else { return false }
    (message.alongProbe, message.fieldUnit) = (only.number, only.unit)
    return true
  }
}
