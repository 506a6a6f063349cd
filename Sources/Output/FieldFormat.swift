import Core
import Navigation

/// A way to write readings of the teslameter: one line a reading.
public protocol FieldFormat: Sendable {
  /// The name for `--format`.
  static var name: String { get }
  /// A format that writes in a unit.
  init(unit: FieldUnit)
  /// What comes before the first reading.
  func appendHeader(to text: inout TextBuffer)
  /// One reading, its line end included.
  mutating func append(_ reading: FieldReading, to text: inout TextBuffer)
}

/// Every format of `lodestone teslameter`. A new one is a file and a line here.
public enum FieldFormats {
  /// In the order the help lists them.
  public static let all: [any FieldFormat.Type] = [TextFields.self, JSONFields.self, CSVFields.self]
}

extension FieldUnit {
  /// So many decimals show a nanotesla, or what is left of it in large units.
  public var decimals: Int {
    switch self {
    case .nanotesla: 1
    case .microtesla: 3
    case .millitesla: 6
    case .gauss: 5
    case .milligauss: 2
    }
  }

  /// As a part of a column's name.
  var suffix: StaticString {
    switch self {
    case .nanotesla: "nT"
    case .microtesla: "uT"
    case .millitesla: "mT"
    case .gauss: "G"
    case .milligauss: "mG"
    }
  }
}
