/// The meaning of a cell; the palette decides how it looks.
public enum Style: UInt8, CaseIterable, Sendable {
  /// Ordinary text.
  case plain
  /// Labels, rules and what is not there yet.
  case dim
  /// Figures and words that the eye should find first.
  case bold
  /// A value as it should be.
  case good
  /// Usable, with care.
  case fair
  /// Wants attention.
  case warning
  /// Wrong: do not trust what is shown.
  case alarm
  /// The live part of a drawing: needles, bars, curves.
  case accent
}

/// How styles look on a terminal.
public enum Palette: Sendable {
  /// The terminal's own sixteen colours, so that its theme decides.
  case sixteen
  /// No colour and no emphasis; every screen can be read without them.
  case none

  /// No colour when `NO_COLOR` is set to anything but nothing (no-color.org), or for a terminal without escape
  /// sequences.
  public init(environment: [String: String]) {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    self = refused || !Palette.canMoveCursor(environment: environment) ? .none : .sixteen
  }

  /// Whether the terminal knows escape sequences; without them (`TERM` missing, empty or `dumb`) it gets plain lines.
  public static func canMoveCursor(environment: [String: String]) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }

  /// The whole sequence that selects a style from any other (ECMA-48, 8.3.117 SGR); empty without colour.
  func sequence(_ style: Style) -> StaticString {
    guard self == .sixteen else { return "" }
    switch style {
    case .plain: return "\u{1B}[m"
    case .dim: return "\u{1B}[0;2m"
    case .bold: return "\u{1B}[0;1m"
    case .good: return "\u{1B}[0;32m"
    case .fair: return "\u{1B}[0;33m"
    case .warning: return "\u{1B}[0;1;33m"
    case .alarm: return "\u{1B}[0;1;31m"
    case .accent: return "\u{1B}[0;36m"
    }
  }
}
