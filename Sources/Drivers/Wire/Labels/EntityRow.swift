import LodestoneCore

/// A row of three quoted cells, a name, its number and when it was so, as Home Assistant exports the history of its
/// sensors: `"sensor.compass_field_strength_x","-12.9","2026-11-27T12:00:00.000Z"`. The rows of the axes take turns.
/// Source: home-assistant/frontend, src/panels/history/ha-panel-history.ts.
enum EntityRow {
  /// The name and its number; nil for any other line.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    guard line.count > 2, line[0] == .quote, line[line.count - 1] == .quote else { return nil }
    let cells = line.bytes(in: 1..<line.count - 1).split(separator: .quote, omittingEmptySubsequences: false)
    guard cells.count == 5, cells[1].elementsEqual([.comma]), cells[3].elementsEqual([.comma]),
      ClockText(Array(cells[4]).span) != nil
    else { return nil }
    return cells[0] + [UInt8(ascii: ":"), .space] + cells[2]
  }
}
