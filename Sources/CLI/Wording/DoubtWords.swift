import Drivers

// The words for numbers that could be several things, or are none.

extension WireFault {
  /// What is not clear.
  var words: String {
    switch self {
    case .ambiguousColumns(let count):
      "the order of the \(count) columns is ambiguous: name them with --columns, or turn the board about"
    case .noField: "there is no magnetic field of the Earth in these numbers. Is this a magnetometer?"
    case .missingFieldAxes(let axes): "the field lacks \(axes.joined(separator: ", "))"
    case .unreadable(let what, _): "it is \(what)"
    }
  }

  /// What to do.
  var hint: String {
    switch self {
    case .ambiguousColumns(let count):
      "--columns takes \(count) names, as in mx,my,mz,ax,ay,az; any other word for a column to leave out"
    case .noField: "if it is one, name the columns with --columns mx,my,mz and the unit with --field-unit"
    case .missingFieldAxes: "a heading takes all three; name the columns with --columns mx,my,mz"
    case .unreadable(_, let remedy): remedy
    }
  }
}
