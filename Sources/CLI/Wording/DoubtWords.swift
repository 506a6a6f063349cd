import Drivers

// The words for numbers that could be several things, or are none.

extension AssumedColumns {
  /// The assumed columns and the unit of the times, in words.
  var words: String {
    let names = columns.map { $0.isEmpty ? "_" : $0 }.joined(separator: ",")
    let time =
      switch timeScale {
      case 1e-3?: "; time read as milliseconds"
      case 1e-6?: "; time read as microseconds"
      case 1?: "; time read as seconds"
      default: ""
      }
    return "assuming the columns \(names)\(time) (--columns names them)"
  }
}

extension WireFault {
  /// The open question, in words.
  var words: String {
    switch self {
    case .ambiguousColumns(3, mayLackField: true):
      "these numbers may be an acceleration in counts, and no magnetic field: name them with --columns ax,ay,az or "
        + "mx,my,mz, or turn the board about"
    case .ambiguousColumns(let count, let mayLackField):
      "the order of the \(count) columns is ambiguous\(mayLackField ? ", and there may be no magnetic field in them" : ""): "
        + "name them with --columns, or turn the board about"
    case .manyColumns(let count): "\(count) numbers a line are too many to tell what each is: name them with --columns"
    case .noField: "there is no magnetic field of the Earth in these numbers. Is this a magnetometer?"
    case .fewRows(let count):
      "lines of \(count) numbers arrive, too few yet to tell what the columns are (--columns names them)"
    case .otherColumnCount(let named, let found): "--columns names \(named) columns, and the rows have \(found)"
    case .angles(headingIsFirst: false):
      "these look like roll, pitch and heading in degrees, and not like a magnetic field: --columns mx,my,mz takes them for "
        + "a field"
    case .angles:
      "these look like a heading, pitch and roll in degrees, and not like a magnetic field: ?protocol=hmr3300 passes them "
        + "on, --columns mx,my,mz takes them for a field"
    case .sensorsInTurn: "the lines are those of several sensors in turn, and no name tells which is which"
    case .headingUnit:
      "headings of less than 6.3 may be in degrees or in radians: turn the board all the way round once"
    case .headingsPastTurn:
      "headings past 360: they are not in degrees, but in tenths of a degree, say, and those below 360 are, too"
    case .loneNumbers:
      "lines of one number each: if it is a heading in degrees, ?protocol=hmr3300 passes it on; a field needs x, y and z"
    case .loneAngles(let line): "lines of an angle that may be a heading or another one: \(line)"
    case .derived(let line): "lines of extremes, offsets or the like, and not of what is measured now: \(line)"
    case .unnamedAxes: "its axes x, y and z are in an arbitrary unit, and nothing says what they measure"
    case .wrongChecksums: "the checksum of every sentence is wrong"
    case .hexadecimal: "its numbers are hexadecimal; print them in decimal"
    case .missingFieldAxes(let axes): "the field lacks \(axes.joined(separator: ", "))"
    case .unreadable(let what, _): "it is \(what)"
    }
  }

  /// The way to name the columns of a table: all of them, for the order alone says which is which.
  static let columnNames = "as in --columns mx,my,mz,ax,ay,az, with any other word for a column to leave out"

  /// The way to measure with a sensor of one axis.
  static let oneAxis =
    "A probe of one axis, for lodestone teslameter: name its column, as in --columns t,probe or --columns probe, and the "
    + "unit, --unit mT"

  /// The remedy.
  var hint: String {
    switch self {
    case .ambiguousColumns(4, _):
      "name all 4 in their order, \(Self.columnNames); id,mx,my,mz where the first is a sensor's number"
    case .ambiguousColumns(let count, _), .manyColumns(let count), .otherColumnCount(_, let count), .fewRows(let count):
      "name all \(count) in their order, \(Self.columnNames)"
    case .noField: "if it is one, name all columns in their order, \(Self.columnNames), and the unit with --field-unit"
    case .loneNumbers: "give FILE?protocol=hmr3300 for headings. \(Self.oneAxis)"
    case .loneAngles: "if it is the compass heading in degrees, print it as Heading: 40.3; a field needs x, y and z"
    case .derived:
      "a field needs x, y and z as they are measured: run a sketch that prints these, such as the library's Serial or "
        + "Heading example; lodestone calibrate finds the rest by itself"
    case .angles(headingIsFirst: false): "print the heading as Heading: 40.3, or give --columns mx,my,mz for a field"
    case .angles: "give FILE?protocol=hmr3300 for headings, or --columns mx,my,mz for a field"
    case .sensorsInTurn:
      "print a name before the numbers of each (mag: -12.9, 15.7, -43.5), or all of them on one line; if the first number "
        + "tells which it is, give --columns id,mx,my,mz"
    case .headingUnit: "print the unit, as in Heading (degrees): 40.3"
    case .headingsPastTurn: "print degrees from 0 to 360, as in Heading (degrees): 40.3"
    case .unnamedAxes: "if it is a magnetometer's, name its columns: --columns t_us,mx,my,mz"
    case .wrongChecksums: "check the line for noise and the program for its sum: the exclusive or between $ and *"
    case .hexadecimal: "in the sketch Serial.print(x) without HEX, and %d for %x"
    case .missingFieldAxes:
      "a heading takes all three; name all columns in their order, \(Self.columnNames). \(Self.oneAxis)"
    case .unreadable(_, let remedy): remedy
    }
  }
}
