import LodestoneCore

extension LabelReader {
  /// The state that lines leave for those after them.
  struct Context: Equatable, Sendable {
    /// The quantity whose axes bare x, y, z are.
    var sensor = CSVColumns.Role.field
    /// Whether it has been named: numbers in brackets on a line of their own are its axes.
    var isNamed = false
    /// The sensor that is told of, among several of its kind, and the one that a name without numbers has announced.
    var source = ColumnWord(), outer = ColumnWord()
    /// The quantity whose axes bare ones were before those of derived numbers, such as offsets, and whether it was
    /// named.
    private var beneath: UInt8?, beneathIsNamed = false
    /// The quantities that have come under a title of derived numbers or of copies, one bit each.
    private var quantitiesBelow: UInt16 = 0
    /// A sensor stood at the end of the line before, and nothing behind it: bare numbers are its axes.
    var awaitsNumbers = false
    /// Whether other words stood there, and nothing behind them: bare numbers are of no interest.
    var isTitled = false
    /// The quantity that axes without a name have been of.
    var bare: UInt8?
    /// The quantities whose second axis has come under a name of its own, `Mag Y`, behind a first one that has, one bit
    /// each: bare axes are not theirs. `hY` alone is a damaged `Y`.
    private var namedAxes: UInt16 = 0, namedFirsts: UInt16 = 0
    /// The line before named derived numbers, and the field has another name than `field`.
    var followsDerived = false
    var fieldHasOtherName = false
    /// Names of a time that have come beside quantities: 0 for a count or none, 1 for `t`, 2 for more. The one that
    /// says most is taken.
    var timeRank: UInt8 = 0
    /// `t` is a temperature, as its unit says.
    var shortIsTemperature = false
    /// Units as they were said last.
    var field: FieldUnit?
    var acceleration: AccelerationUnit?
    var rotationRate: RotationRateUnit?
    /// The autopilot's message that numbers are of, which tells their axes and units.
    var autopilot: AutopilotMessage?
    /// The axes of the numbers, where a frame of ROS tells them.
    var axes = WireAxes.rightForwardUp
    /// A heading is from true north: the autopilot's message says so.
    var headingIsTrue = false
    /// The field's numbers have been called scaled: they say more than raw ones.
    var isScaled = false

    /// The numbers of the field are more than counts.
    var fieldIsStated: Bool { field != nil || isScaled }

    /// Names what follows: a sensor, or numbers that were worked out of many, which hide the sensor of before for a
    /// while.
    mutating func name(_ sensor: UInt8, isDerived: Bool = false) {
      if !isDerived {
        beneath = nil
      } else if beneath == nil {
        (beneath, beneathIsNamed, quantitiesBelow) = (self.sensor, isNamed, 0)
      }
      (self.sensor, isNamed) = (sensor, true)
    }

    /// Names the sensor of what follows, or a copy of one.
    mutating func announce(_ source: ColumnWord) { (outer, self.source, quantitiesBelow) = (source, source, 0) }

    /// The first axis of a quantity comes: once it has come under a title of derived numbers or of copies, this holds
    /// no longer.
    mutating func begin(_ quantity: UInt8) {
      guard beneath != nil || outer.rank > 0 else { return }
      let bit: UInt16 = 1 << UInt16(quantity & 15)
      if quantitiesBelow & bit != 0 { endDerived() } else { quantitiesBelow |= bit }
    }

    /// Takes note of a name with its quantity: of an axis, or of all three.
    mutating func noteName(_ label: LineLabel, of quantity: UInt8) {
      let bit: UInt16 = 1 << UInt16(quantity & 15)
      switch label.isFirstAxis {
      case nil: (namedAxes, namedFirsts) = (namedAxes & ~bit, namedFirsts & ~bit)
      case false: namedAxes |= namedFirsts & bit
      default: namedFirsts |= bit
      }
    }

    /// A bare x comes: behind axes that all have names it is that of the quantity whose axes are bare, or of none.
    mutating func leaveNamedAxes() {
      func isNamed(_ quantity: UInt8) -> Bool { quantity < 16 && namedAxes >> UInt16(quantity) & 1 == 1 }
      guard isNamed(sensor) else { return }
      name(bare.flatMap { isNamed($0) ? nil : $0 } ?? LineLabel.elsewhere)
    }

    /// A title of derived numbers, or of a copy of a sensor's, holds no longer.
    mutating func endDerived() {
      if let sensor = beneath { (self.sensor, isNamed) = (sensor, beneathIsNamed) }
      (beneath, quantitiesBelow) = (nil, 0)
      if source.rank > 0 { source = ColumnWord() }
      if outer.rank > 0 { outer = ColumnWord() }
    }

    mutating func take(_ label: LineLabel, of quantity: UInt8) {
      switch quantity {
      case CSVColumns.Role.field: (field, isScaled) = (label.fieldUnit ?? field, label.isScaled)
      case CSVColumns.Role.acceleration: acceleration = label.accelerationUnit ?? acceleration
      case CSVColumns.Role.rotationRate: rotationRate = label.rotationRateUnit ?? rotationRate
      default: break
      }
    }
  }

  /// The contents of a line so far.
  struct Line {
    var index = 0
    /// The label that numbers belong to now, and how many it has had.
    var label: LineLabel?
    var count = 0
    /// A colon or the like stands between the label and its numbers.
    var isMarked = false
    /// The sensor before the label named one.
    var former: (sensor: UInt8, isNamed: Bool, source: ColumnWord)?
    /// The start of words that may become a label.
    var words: Int?
    /// Numbers of a triple or of angles.
    var triple = Vector3.zero
    /// The quantity of the last number, for a unit behind it, and its axis, where it is one.
    var last: UInt8?, lastAxis: UInt8?
    /// A sensor has been named: its axes are no other's, whatever the unit.
    var isNamed = false
    /// A quantity has come round of which lines before told a part.
    var goesRound = false
    /// A field has come under a name of its own.
    var hasNamedField = false
    /// The roles that the line has told, and the quantities whose three numbers followed their name; one bit each.
    var put: UInt16 = 0, toldAsTriple: UInt16 = 0
    /// A copy or raw numbers, which the sensors behind the first are of as well, and the quantities that have come so.
    private var copy = ColumnWord(), copied: UInt16 = 0
    /// The name of the time says so much.
    var timeRank: UInt8 = 0
    /// A pitch has come, and a calibration.
    var hasPitch = false, isOfCalibration = false
    /// A name without numbers has told which sensor what follows is of.
    var hasOuter = false
    /// A sensor stood before the name of an axis: the names of axes that follow without one are of the same.
    var isOfOneSensor = false
    /// The last axis with its quantity that no other name stood beside.
    var plainRole: UInt8 = 255
    /// The name that has told the sensor last.
    var sensorName: Range<Int>?
    /// The axes that come are those of a sensor that is not read.
    var isForeign = false
    /// The y and z that come are those of an x that is not read.
    var axesAreOthers = false
    /// The bare axes that come are those of something else, which stands behind the field.
    var restIsOther = false
    /// A field of such a one has come, and its name.
    var hasForeign = false, foreignName: Range<Int>?
    /// Derived numbers have been named; and these, or a copy of a sensor's.
    var hasDerived = false, namesDerived = false
    /// The text before the first axes, or behind a name for it, that may tell which of several sensors the line is of.
    var cell: [UInt8] = [], cellIsNamed = false
    /// The number of that cell.
    var origin: UInt8 = 0
    /// The label that numbers belong to.
    var labelRange: Range<Int>?
    /// Axes have come.
    var hasAxes = false
    /// Headings in degrees, from magnetic north and from true north, and one in radians.
    var (heading, trueHeading, radians): (Double?, Double?, Double?)
    /// A number in the place of a heading that is none in degrees.
    var pastHeading: Double?
    /// The numbers taken for an acceleration are the field of another board.
    var hasOtherBoard = false
    /// A unit says that the heading is in degrees.
    var isInDegrees = false
    var isAttitude = false
    /// `g` behind bare axes: gauss, or gravities where they are as long as one.
    var mayBeGravities = false
    var ownAngles: Vector3?
    var isMalformed = false
    /// The line has said something that later lines need, so that it must not be read twice.
    var isRemembered = false
    /// Quantities that have been told whole, and those of which an axis has a word in the place of its number.
    var whole = WholeQuantities(), missing = WholeQuantities()
    /// Seconds in one unit of the time, where its name says so.
    var timeScale: Double?
    /// The time is called `t`, as a temperature may be.
    var timeMayBeTemperature = false
    /// The time is a number before the first name, and may be none.
    var timeIsNameless = false
    /// The numbers of the line, where they are asked for.
    var numbers: [LineForm.Number]?

    /// The axis is of the sensor that stood before the axes of this line. Where a copy stands beside each axis,
    /// `mx: 1 mx_f: 2 my: 3`, one without a name for it is not of that.
    mutating func goesOn(_ label: LineLabel, _ source: ColumnWord) -> Bool {
      guard case .value(let role) = label.meaning else { return isOfOneSensor }
      if source.rank > 0, isOfOneSensor, plainRole == role - 1 {
        plainRole = role
        return false
      }
      return isOfOneSensor
    }

    /// Takes note of a name of derived numbers, or of a copy of a sensor's.
    mutating func noteDerived(_ label: LineLabel) {
      if label.source.isEmpty, label.isFirstAxis == true, case .value(let role) = label.meaning { plainRole = role }
      hasDerived = hasDerived || label.isDerived
      namesDerived = namesDerived || label.isDerived || label.source.rank > 0
    }

    /// Takes note of a unit behind bare axes that may be one of gravities: `g`, and `mg`, which no one calls mG.
    mutating func noteGravities(_ unit: LineLabel) {
      guard unit.isUnit(of: CSVColumns.Role.acceleration) else { return }
      if unit.fieldUnit != .milligauss || unit.endsSmall { mayBeGravities = true }
    }

    /// A number is of no interest, and tells its role.
    mutating func passOver() -> UInt8 {
      count += 1
      return CSVColumns.Role.ignored
    }

    /// A sensor is named that has three numbers: with its copy, or without.
    mutating func noteCopy(_ label: LineLabel, of quantity: UInt8) {
      guard label.isTriple else { return }
      (copy, copied) = (label.source, 1 << UInt16(quantity))
    }

    /// The copy that a sensor is of where one before it in the line was: `Raw A: … M: …`.
    mutating func copy(of quantity: UInt8, _ label: LineLabel) -> ColumnWord? {
      guard label.isTriple, copy.rank > 0, copied >> UInt16(quantity) & 1 == 0 else { return nil }
      copied |= 1 << UInt16(quantity)
      return copy
    }

    /// A label names a quantity that the line has told whole already, and says no more of it: its half spans may follow
    /// a field, `Mag: (…) Hard offset: (…) Field: (…)`.
    func repeats(_ label: LineLabel, _ first: UInt8) -> Bool {
      whole.contains(first) && !label.isUnit(of: first) && !label.isScaled
    }

    /// Degrees of headings, counted from 0 to 360, or to either side of north.
    static let headings = -180.0...360

    /// Takes the number of a heading.
    mutating func takeHeading(_ value: Double, _ label: LineLabel) {
      guard Self.headings.contains(value) else { return pastHeading = value }
      (heading, isInDegrees) = (value, label.isInDegrees)
    }

    /// A heading is in degrees: the unit stands behind its number. Of two numbers the one with the unit counts, as
    /// SparkFun's
    /// HMC6343 prints its raw tenths first: `Heading: 403  40.3°`.
    mutating func takeDegrees(_ line: Span<UInt8>, before unit: Int) {
      isInDegrees = true
      guard count == 2 else { return }
      var start = unit
      while start > 0, line[start - 1].isBlank { start -= 1 }
      while start > 0, line[start - 1].isDigit || line[start - 1] == UInt8(ascii: ".") { start -= 1 }
      var former = start
      while former > 0, line[former - 1].isBlank { former -= 1 }
      guard former > 0, former < start, line[former - 1].isDigit, let degrees = parseDecimal(line, from: &start),
        (0...360).contains(degrees)
      else { return }
      heading = degrees
    }
  }
}
