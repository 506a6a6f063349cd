import LodestoneCore

/// The name of a column that may hold the field along a probe of one axis: `Magnetic Field (mT)`, `B / mT`, `probe_mT`,
/// `Latest: Magnetic Field (mT)`, `Field Strength (100% scale) (T) Run #1`. It has no word but those that such names
/// have: a total, a magnitude and an axis are none.
struct ProbeColumn {
  /// The unit that the name says; nil where it says none.
  let unit: FieldUnit?
  /// The name can mean nothing but a probe. A lone column in µT or nT is as a rule the strength that a phone or a
  /// proton magnetometer has measured, unless it is called a probe's.
  let isSure: Bool

  /// The probe that a column's name tells; nil for any other name.
  init?(_ name: [UInt8]) {
    guard !name.contains(.bar) else { return nil }
    let plain = (name.lastIndex(of: UInt8(ascii: ":")).map { Array(name[($0 + 1)...]) } ?? name)
      .map { $0 == UInt8(ascii: "/") ? UInt8.space : $0 }
    let bracketed = ColumnName.unitInBrackets(plain.span).flatMap { ColumnName.fieldUnits[$0] }
    var words = ColumnWord.words(of: plain.span)
    if bracketed == nil, words.count > 1, let last = words.last, let unit = ColumnName.fieldUnits[last] {
      (self.unit, _) = (unit, words.removeLast())
    } else {
      unit = bracketed
      if let place = words.lastIndex(where: { bracketed != nil && ColumnName.fieldUnits[$0] == bracketed }) {
        words.remove(at: place)
      }
    }
    let hasNumbers = words.contains { Self.numbered.contains($0) }
    let areKnown = words.allSatisfy { word in
      Self.names.contains(word) || Self.probes.contains(word) || Self.fillers.contains(word)
        || hasNumbers && (Self.numbered.contains(word) || word.isNumber)
    }
    let isOfProbe = words.contains { Self.probes.contains($0) }
    let isOfField = words.contains { Self.names.contains($0) }
    guard areKnown, isOfProbe || isOfField || words.contains("field") else { return nil }
    let isStrong = [.millitesla, .tesla, .gauss].contains(unit)
    isSure = unit != nil && (isOfProbe || isStrong && (isOfField || bracketed != nil))
  }

  /// Words for a sensor of one axis.
  private static let probes: Set<ColumnWord> = ["probe", "hall", "hallprobe", "hallsonde", "sonde"]
  /// Words for a field, in the languages of schools.
  private static let names: Set<ColumnWord> = [
    "b", "mag", "magnetic", "flux", "magnetfeld", "flussdichte", "champ", "campo", "veld",
  ]
  /// Words that such names have besides; a letter with an accent parts its word.
  private static let fillers: Set<ColumnWord> = [
    "field", "strength", "density", "sensor", "in", "magnetische", "magn", "tique", "tico", "magnetique",
    "magnetico",
  ]
  /// Words that have a number beside them.
  private static let numbered: Set<ColumnWord> = ["run", "scale", "set"]
}

extension CSVTable {
  /// The table of a probe of one axis under a line of names, or under its name alone; nil for any other line.
  init?(ofProbe line: Span<UInt8>, _ causes: CauseNames) {
    guard let found = TableLine.separator(ofNames: line), found != Self.anySeparator else { return nil }
    let separator = found == .space ? UInt8.comma : found
    let names = TableLine.names(of: line, separator: separator)
    guard names.allSatisfy({ $0.first?.isLetter ?? false }), let columns = CSVColumns(ofProbe: names) else {
      return nil
    }
    self.init(columns: columns, separator: separator, count: names.count, isNamed: true, names: names)
    seek(causes)
  }

  /// A line has a name for each of its columns, and no number.
  func isNamed(by line: Span<UInt8>, _ separator: UInt8) -> Bool {
    let fields = TableLine.fields(of: line, separator: separator)
    return fields.count == count && fields.allSatisfy { Double(decimal: $0.span) == nil }
  }
}
