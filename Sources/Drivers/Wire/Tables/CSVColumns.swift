import LodestoneCore

/// The quantities in the columns of a table, told from their names.
///
/// Names are taken as people write them: `mx`, `mag_x`, `magX`, `Magnetic field x (µT)`, `accel.y`, `gz_dps`,
/// `time_ms`. What is computed from the raw values (calibrated, linear, filtered) is not taken for them.
struct CSVColumns: Equatable, Sendable {
  /// The place to which the value of a column goes. The three axes of a quantity follow one another.
  enum Role {
    static let time: UInt8 = 0
    static let field: UInt8 = 1
    static let acceleration: UInt8 = 4
    static let rotationRate: UInt8 = 7
    static let temperature: UInt8 = 10
    static let ignored: UInt8 = 11
    /// The first of the causes that are sought.
    static let cause: UInt8 = 12
    /// The count of places.
    static let count = 16

    /// The first role of the quantity that one of three axes belongs to; nil for anything else.
    @inline(__always)
    static func first(ofAxis role: UInt8) -> UInt8? {
      (field..<temperature).contains(role) ? field + (role - field) / 3 * 3 : nil
    }
  }

  /// One role a column, from the left; columns after the last role are ignored.
  private(set) var roles: [UInt8] = []
  /// The roles that are there, one bit each.
  private(set) var present: UInt16 = 0
  /// The unit of the field where the names say it.
  var fieldUnit: FieldUnit?
  /// The unit of the acceleration where the names say it.
  private(set) var accelerationUnit: AccelerationUnit?
  /// The unit of the rotation rate where the names say it.
  private(set) var rotationRateUnit: RotationRateUnit?
  /// Seconds in one unit of the time column; nil where its name leaves that open.
  private(set) var timeScale: Double?
  /// The time column counts samples instead of telling time.
  var timeIsIndex = false
  /// The factor for the columns of each role, where the axes of a quantity are in different units, or have another
  /// sign; nil where every factor is 1.
  private(set) var factors: [Double]?
  /// A name holds nothing but what it is understood as: it is no sentence that mentions axes.
  private(set) var isExact = true
  /// A name says more than a bare axis: quantity, unit or time.
  private var isNamed = false
  /// The field has no unit: its length is about 1 in the field the device was calibrated in.
  private(set) var fieldIsNormalized = false
  /// The field is in counts of a chip that is not known.
  private(set) var fieldIsCounts = false
  /// Whether the columns are nothing but axes in an arbitrary unit: of what is not said.
  private(set) var isUnnamed = false
  /// The axes of the field are called x, y and z and no more.
  private(set) var fieldIsNameless = false
  /// The field is that along a probe of one axis, which stands for the first one here.
  private(set) var isOfProbe = false
  /// The axes of the field that are missing where others are there.
  private(set) var missingFieldAxes: [String] = []

  /// Three axes of the field, or of the acceleration, or of the rotation rate are among the columns.
  var isUsable: Bool {
    [Role.field, Role.acceleration, Role.rotationRate].contains { isComplete($0) }
  }

  /// The standard names of `count` columns, a count of the rows being a `sample`; empty for those that are left out.
  func names(_ count: Int) -> [String] {
    let names = [timeIsIndex ? "sample" : "t", "mx", "my", "mz", "ax", "ay", "az", "gx", "gy", "gz", "temperature", ""]
    return (0..<count).map { $0 < roles.count && roles[$0] < names.count ? names[Int(roles[$0])] : "" }
  }

  /// Takes the columns of causes for these, where they are nothing that a sample needs: the temperature stays with it.
  mutating func seek(_ causes: CauseNames, among names: [[UInt8]]) {
    for (place, column) in causes.places(in: names).enumerated() {
      guard let column else { continue }
      while roles.count <= column { roles.append(Role.ignored) }
      let isOther = roles[column] == Role.temperature && !CauseValues.isTemperature(causes.names[place])
      guard roles[column] == Role.ignored || isOther else { continue }
      present &= ~(1 << UInt16(roles[column]))
      roles[column] = Role.cause + UInt8(place)
      present |= 1 << UInt16(roles[column])
    }
    while roles.last == Role.ignored { roles.removeLast() }
  }

  /// Units as Xsens' programs export them, where the names say none: m/s², rad/s, and a field without one.
  mutating func takeXsensUnits() {
    accelerationUnit = accelerationUnit ?? .metresPerSecondSquared
    rotationRateUnit = rotationRateUnit ?? .radiansPerSecond
    fieldIsNormalized = fieldUnit == nil
  }

  /// Takes the units that stand behind the numbers of a row, where the names say none.
  mutating func takeUnits(of shape: TableShape) {
    guard shape.hasUnits else { return }
    func place(_ role: UInt8) -> Int? { roles.firstIndex(of: role) }
    if let place = place(Role.field), isComplete(Role.field) { fieldUnit = fieldUnit ?? shape.fieldUnit(at: place) }
    if let place = place(Role.acceleration), isComplete(Role.acceleration) {
      accelerationUnit = accelerationUnit ?? shape.accelerationUnit(at: place)
    }
    if let place = place(Role.rotationRate), isComplete(Role.rotationRate) {
      rotationRateUnit = rotationRateUnit ?? shape.rotationRateUnit(at: place)
    }
    if let place = place(Role.time) { timeScale = timeScale ?? shape.unit(at: place)?.timeScale }
  }

  /// Puts columns without a name before all others: the last of them tells the time, where no other column does.
  mutating func addUnnamedFirst(count: Int = 1, isTime: Bool) {
    let hasTime = roles.contains(Role.time)
    roles.insert(contentsOf: repeatElement(Role.ignored, count: count), at: 0)
    guard isTime, !hasTime else { return }
    roles[count - 1] = Role.time
    present |= 1 << UInt16(Role.time)
  }

  /// Takes another column for the time.
  mutating func moveTime(to column: Int, _ name: ColumnName) {
    if let former = roles.firstIndex(of: Role.time) { roles[former] = Role.ignored }
    while roles.count <= column { roles.append(Role.ignored) }
    roles[column] = Role.time
    (timeScale, timeIsIndex) = (name.timeScale, false)
    while roles.last == Role.ignored { roles.removeLast() }
  }

  /// Takes the column of times for temperatures.
  mutating func takeTimeForTemperature() {
    guard let place = roles.firstIndex(of: Role.time) else { return }
    roles[place] = Role.temperature
    present = present & ~(1 << UInt16(Role.time)) | 1 << UInt16(Role.temperature)
    (timeScale, timeIsIndex) = (nil, false)
  }

  /// Whether they can be the header of a table: three axes of something, and names or a unit or a time for them.
  var isHeader: Bool { isUsable && isNamed }

  /// The three axes of the quantity that begins at a role are there.
  @inline(__always)
  func isComplete(_ first: UInt8) -> Bool { present >> UInt16(first) & 0b111 == 0b111 }

  /// The columns by their names.
  init(names: [String]) { self.init(names.map { ColumnName($0) }) }

  init(_ names: [ColumnName]) {
    var tables = names
    if !tables.contains(where: { $0.quantity == .field }) {
      fieldIsNameless = true
      // Columns that are called x, y, z alone are the field.
      tables = tables.map { $0.quantity == nil && $0.axis != nil && $0.isBare ? $0.taken(as: .field) : $0 }
    }
    for name in ColumnName.withOneTime(tables) { add(name) }
    fieldIsNormalized = tables.contains { $0.quantity == .field && $0.isArbitrary }
    fieldIsCounts = tables.contains { $0.quantity == .field && $0.isCounts }
    isUnnamed = fieldIsNormalized && !names.contains { $0.quantity == .field }
    // `Output in form x, y, z` is no header.
    let isSentence = tables.contains { $0.quantity == nil && $0.axis != nil && !$0.isBare }
    missingFieldAxes = isComplete(Role.field) || isSentence ? [] : missingAxes(of: Role.field)
    setFactors(tables)
    for first in [Role.field, Role.acceleration, Role.rotationRate] where !isComplete(first) { drop(first) }
    while roles.last == Role.ignored { roles.removeLast() }
  }

  /// The columns of a table with the field along a probe of one axis, and no axis of anything besides; nil for any
  /// other.
  /// - Parameter byUser: the user names them, and means a probe by any name that can be one.
  init?(ofProbe names: [[UInt8]], byUser: Bool = false) {
    let probes = names.map { ProbeColumn($0) }
    let places = names.indices.filter { place in probes[place].map { byUser || $0.isSure } ?? false }
    guard places.count == 1, let own = places.first else { return nil }
    let columns = ColumnName.withOneTime(names.map { ColumnName($0.span) })
    for (place, column) in columns.enumerated() where place != own {
      guard column.role.flatMap({ Role.first(ofAxis: $0) }) == nil else { return nil }
    }
    for (place, column) in columns.enumerated() {
      guard place == own else {
        add(column)
        continue
      }
      roles.append(Role.field)
      present |= 1 << UInt16(Role.field)
    }
    (isOfProbe, fieldUnit) = (true, probes[own]?.unit)
    while roles.last == Role.ignored { roles.removeLast() }
  }

  private mutating func add(_ name: ColumnName) {
    guard let role = name.role, present & 1 << UInt16(role) == 0 else { return roles.append(Role.ignored) }
    roles.append(role)
    present |= 1 << UInt16(role)
    if !name.isUnderstood { isExact = false }
    if !name.isAxisAlone { isNamed = true }
    switch name.quantity {
    case .field: fieldUnit = fieldUnit ?? name.fieldUnit
    case .acceleration: accelerationUnit = accelerationUnit ?? name.accelerationUnit
    case .rotationRate: rotationRateUnit = rotationRateUnit ?? name.rotationRateUnit
    case .time:
      timeScale = name.timeScale
      timeIsIndex = name.isIndex
    case .temperature, nil: break
    }
  }

  /// The axes that a quantity lacks; empty where it has none at all.
  private func missingAxes(of first: UInt8) -> [String] {
    let axes = present >> UInt16(first) & 0b111
    guard axes != 0 else { return [] }
    return ["x", "y", "z"].enumerated().filter { axes >> UInt16($0.offset) & 1 == 0 }.map { $0.element }
  }

  /// The factors that bring each axis to the unit of its quantity.
  private mutating func setFactors(_ names: [ColumnName]) {
    var factors = [Double](repeating: 1, count: Role.count)
    for (name, role) in zip(names, roles) where role != Role.ignored {
      switch name.quantity {
      case .field:
        if let own = name.fieldUnit, let unit = fieldUnit { factors[Int(role)] = own.microtesla / unit.microtesla }
      case .acceleration:
        if let own = name.accelerationUnit, let unit = accelerationUnit {
          factors[Int(role)] = own.gravities / unit.gravities
        }
        if name.isReversed { factors[Int(role)] *= -1 }
      case .rotationRate:
        if let own = name.rotationRateUnit, let unit = rotationRateUnit {
          factors[Int(role)] = own.degreesPerSecond / unit.degreesPerSecond
        }
      case .time, .temperature, nil: break
      }
    }
    self.factors = factors.allSatisfy { $0 == 1 } ? nil : factors
  }

  /// The scale of a time whose name left the unit open: seconds, unless the value is an epoch time that can only be in
  /// a smaller one: 1e11 seconds are the year 5138.
  static func likelyTimeScale(of value: Double) -> Double {
    let size = abs(value)
    return size < 1e11 ? 1 : size < 1e14 ? 1e-3 : size < 1e17 ? 1e-6 : 1e-9
  }

  /// Leaves the unit of a SampleTimeFine to its steps; false for any other time.
  mutating func leaveFineTimeOpen() -> Bool {
    guard timeScale == TimeSteps.fine else { return false }
    timeScale = nil
    return true
  }

  /// Takes axes of which the first points forward for what they are in the device's frame.
  mutating func turn(from axes: WireAxes) {
    guard axes != .rightForwardUp else { return }
    var factors = self.factors ?? [Double](repeating: 1, count: Role.count)
    for first in [Role.field, Role.acceleration, Role.rotationRate].map({ Int($0) }) {
      factors.swapAt(first, first + 1)
      factors[axes == .forwardLeftUp ? first : first + 2] *= -1
    }
    self.factors = factors
    roles = roles.map { role in
      guard let first = Role.first(ofAxis: role), role < first + 2 else { return role }
      return first + 1 - (role - first)
    }
  }

  /// Takes the units of an autopilot's message, whose temperatures are in hundredths where its other numbers are in
  /// thousandths.
  mutating func takeUnits(of message: AutopilotMessage) {
    var factors = self.factors ?? [Double](repeating: 1, count: Role.count)
    for axis in 0..<3 { factors[Int(Role.rotationRate) + axis] *= message.radiansPerSecond }
    if message == .thousandths { factors[Int(Role.temperature)] = 0.01 }
    self.factors = factors
    (fieldUnit, accelerationUnit, rotationRateUnit) = (message.fieldUnit, message.accelerationUnit, .radiansPerSecond)
  }

  /// Takes a quantity out.
  mutating func drop(_ first: UInt8) {
    for index in roles.indices where roles[index] >= first && roles[index] < first + 3 { roles[index] = Role.ignored }
    present &= ~(0b111 << UInt16(first))
  }
}

/// Numbers by role, as they are found along a line.
struct RoleValues {
  private var values = InlineArray<16, Double>(repeating: 0)
  /// The roles that have a value, one bit each.
  private var seen: UInt16 = 0

  /// Takes a number in; the last one of a role counts.
  @inline(__always)
  mutating func set(_ value: Double, _ role: UInt8) {
    values[Int(role & 0xF)] = value
    seen |= 1 << UInt16(role)
  }

  /// The value of a role that is one number.
  @inline(__always)
  subscript(role: UInt8) -> Double? { seen >> UInt16(role) & 1 == 1 ? values[Int(role)] : nil }

  /// The three axes of a quantity have values.
  @inline(__always)
  func isWhole(from first: UInt8) -> Bool { seen >> UInt16(first) & 0b111 == 0b111 }

  /// The three axes of a quantity; nil where one is missing. It changes nothing, but what may change the values is not
  /// given a copy of them.
  @inline(__always)
  mutating func vector(from first: UInt8) -> Vector3? {
    isWhole(from: first) ? Vector3(values[Int(first)], values[Int(first) + 1], values[Int(first) + 2]) : nil
  }

  /// Takes the three axes of a quantity out.
  mutating func forget(from first: UInt8) { seen &= ~(0b111 << UInt16(first)) }

  /// Takes every number out.
  @inline(__always)
  mutating func clear() { seen = 0 }

  /// Takes numbers out, one bit a role.
  mutating func forget(_ roles: UInt16) { seen &= ~roles }

  /// The bits of single roles.
  static let time: UInt16 = 1 << UInt16(CSVColumns.Role.time)
  static let temperature: UInt16 = 1 << UInt16(CSVColumns.Role.temperature)

  /// The roles that have a value, one bit each; the temperature is none of them.
  @inline(__always)
  var roles: UInt16 { seen & ~Self.temperature }

  /// Puts the quantities into a message. False when one has some axes and lacks others; it is left out then.
  /// Takes nothing out, but what may change the values is not given a copy of them.
  @inline(__always)
  mutating func fill(_ message: inout WireMessage) -> Bool {
    var isWhole = true
    message.field = vector(CSVColumns.Role.field, &isWhole)
    message.acceleration = vector(CSVColumns.Role.acceleration, &isWhole)
    message.rotationRate = vector(CSVColumns.Role.rotationRate, &isWhole)
    if let temperature = self[CSVColumns.Role.temperature] { message.temperature = temperature }
    if seen >> UInt16(CSVColumns.Role.cause) != 0 { fillCauses(&message) }
    return isWhole
  }

  private func fillCauses(_ message: inout WireMessage) {
    for place in 0..<CauseValues.limit { message.causes[place] = self[CSVColumns.Role.cause + UInt8(place)] }
  }

  @inline(__always)
  private func vector(_ first: UInt8, _ isWhole: inout Bool) -> Vector3? {
    let axes = seen >> UInt16(first) & 0b111
    if axes == 0b111 {
      let at = Int(first)
      return Vector3(values[at], values[at &+ 1], values[at &+ 2])
    }
    if axes != 0 { isWhole = false }
    return nil
  }
}

/// Quantities of three axes, one bit each: their first roles, in ascending order.
struct WholeQuantities: Equatable, Sequence, IteratorProtocol, Sendable {
  private(set) var bits: UInt16 = 0

  /// None.
  init() {}

  /// Whether there is none.
  var isEmpty: Bool { bits == 0 }

  /// The axes of all of them, one bit a role.
  var axes: UInt16 { bits | bits << 1 | bits << 2 }

  @inline(__always)
  func contains(_ first: UInt8) -> Bool { bits >> UInt16(first) & 1 == 1 }

  mutating func insert(_ first: UInt8) { bits |= 1 << UInt16(first) }

  mutating func remove(_ first: UInt8) { bits &= ~(1 << UInt16(first)) }

  @inline(__always)
  mutating func next() -> UInt8? {
    guard bits != 0 else { return nil }
    defer { bits &= bits &- 1 }
    return UInt8(truncatingIfNeeded: bits.trailingZeroBitCount)
  }
}
