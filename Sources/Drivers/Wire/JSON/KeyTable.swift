import LodestoneCore

/// The roles of the keys of named values (`"mx":1`, `mx:1`). Each key is interpreted once, as the columns of a table
/// are, and then looked up where it was the last time, for boards repeat the same keys in the same order.
struct KeyTable: Sendable {
  /// A key and what it stands for.
  private struct Key: Sendable {
    var around: [UInt8]
    var parent: [UInt8]
    var name: [UInt8]
    var index: Int
    /// A role of `CSVColumns`.
    var role: UInt8
    /// The words that tell its sensor from others of the kind.
    var source: ColumnWord
    var fieldUnit: FieldUnit?
    var accelerationUnit: AccelerationUnit?
    var rotationRateUnit: RotationRateUnit?
    var timeScale: Double?
    /// Whether its value may tell which of several sensors an object is of.
    var tellsSensor = false
    /// A bare axis, which is a field's where no other key names one.
    var isNameless = false

    func matches(_ item: JSONScanner.Item, _ line: Span<UInt8>, _ words: [UInt8]) -> Bool {
      index == item.index && around == words && line.holds(name, in: item.key) && line.holds(parent, in: item.parent)
    }
  }

  /// Keys past this many are not looked at.
  private static let limit = 64

  private var keys: [Key] = []
  private var owners = SensorOwners()
  /// Another sensor of fields, which is passed over; nil where there is none.
  private(set) var otherField: String?
  /// Axes that nothing names are taken for a field's, unless another key names one.
  private(set) var fieldNaming = FieldNaming.unsaid
  private var fieldIsNamed = false
  /// A key names the field, and no copy of it.
  private var bareAxesAreOthers = false
  /// The words before the object, where they name the sensor whose bare axes are in it: `mag {"x":…`.
  var around: [UInt8] = []
  /// The key that was found last.
  private var current = 0
  /// The causes that are sought: what keys were understood as is forgotten with them.
  var causes = CauseNames() { didSet { keys = [] } }

  /// Finds the key of an item and makes it the current one: false when it means nothing here, or is of a sensor beside
  /// the one that tells the quantity first. `place` is where to look first, and moves on.
  @inline(__always)
  mutating func find(_ item: JSONScanner.Item, _ line: Span<UInt8>, _ place: inout Int) -> Bool {
    if place >= keys.count || !keys[place].matches(item, line, around) {
      place = keys.firstIndex { $0.matches(item, line, around) } ?? keys.count
      if place == keys.count {
        guard place < Self.limit else {
          current = place
          return false
        }
        keys.append(understand(item, line))
        if keys[place].role == CSVColumns.Role.time { leaveShortTimes() }
      }
    }
    current = place
    place &+= 1
    return keys[current].role != CSVColumns.Role.ignored && isOwn(keys[current].role, keys[current].source)
  }

  /// A key is an axis of the sensor that its quantity is taken from, or no axis.
  @inline(__always)
  private mutating func isOwn(_ role: UInt8, _ source: ColumnWord) -> Bool {
    guard let first = CSVColumns.Role.first(ofAxis: role) else { return true }
    if owners.holds(first, source) || owners.pass(first, to: source) { return true }
    if otherField == nil, first == CSVColumns.Role.field, source.rank == 0 {
      otherField = (keys[current].parent.isEmpty ? keys[current].name : keys[current].parent).prefix(48).harmlessText
    }
    return false
  }

  /// The value of the key that was found last may tell which of several sensors an object is of.
  @inline(__always)
  var tellsSensor: Bool { keys.indices.contains(current) && keys[current].tellsSensor }

  /// The role of the key that was found: one of `CSVColumns.Role`.
  @inline(__always)
  var role: UInt8 { keys[current].role }

  /// Puts the value of the key that was found where it belongs.
  @inline(__always)
  mutating func take(
    _ number: Double, _ values: inout RoleValues, _ message: inout WireMessage, _ times: inout LineTimes
  ) {
    let role = keys[current].role
    var number = number
    if let unit = keys[current].fieldUnit {
      // All axes in the unit that was said first.
      let first = message.fieldUnit ?? unit
      message.fieldUnit = first
      if unit != first { number *= unit.microtesla / first.microtesla }
    }
    values.set(number, role)
    if let first = CSVColumns.Role.first(ofAxis: role), values.isWhole(from: first), !owners.noteWhole(first) {
      values.forget(from: first)  // the original may come in the next object
    }
    if let unit = keys[current].accelerationUnit { message.accelerationUnit = unit }
    if let unit = keys[current].rotationRateUnit { message.rotationRateUnit = unit }
    guard role == CSVColumns.Role.time else { return }
    if times.scale == 0 {
      if let known = keys[current].timeScale { times.tell(scale: known) }
      if keys[current].name.count == 1 { times.doubt() }
    }
    times.put(number, into: &message)
  }

  private mutating func understand(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Key {
    let parent = line.bytes(in: item.parent), key = line.bytes(in: item.key)
    let axes = ["x", "y", "z"]
    var name = String(decoding: key, as: UTF8.self)
    if item.index >= 0 { name = item.index < 3 ? axes[item.index] : "" }
    if !parent.isEmpty {
      name = String(decoding: ColumnName.topic(parent.span) ?? parent, as: UTF8.self) + "_" + name
    }
    let sensor = LabelSource(name.utf8.span)
    var column = ColumnName(sensor.rest.span)
    if column.axis != nil, column.quantity == nil, column.isBare { column.quantity = sensor.columnQuantity }
    if column.axis != nil, column.quantity == nil, column.isBare, !around.isEmpty {
      let named = ColumnName((around + [UInt8(ascii: "_")] + Array(name.utf8)).span)
      if named.role != nil { column = named }
    }
    let isElsewhere = column.quantity == nil && sensor.quantity == LineLabel.elsewhere
    fieldIsNamed = fieldIsNamed || column.quantity == .field && column.axis != nil
    if column.quantity == .field, column.axis != nil, sensor.word.rank == 0, !bareAxesAreOthers { leaveBareAxes() }
    let isNameless =
      column.quantity == nil && column.isBare && column.axis != nil && !isElsewhere && !bareAxesAreOthers
    if isNameless { column.quantity = .field }
    fieldNaming = !fieldIsNamed && (isNameless || fieldNaming == .axes) ? .axes : .unsaid
    let cause = causes.isEmpty ? nil : causes.place(of: key) ?? causes.place(of: Array(name.utf8))
    let isTemperature =
      column.role == CSVColumns.Role.temperature
      && cause.map { CauseValues.isTemperature(causes.names[$0]) } ?? false
    let role = isTemperature ? column.role : cause.map { CSVColumns.Role.cause + UInt8($0) } ?? column.role
    return Key(
      around: around, parent: parent, name: key, index: item.index, role: role ?? CSVColumns.Role.ignored,
      source: sensor.owner,
      fieldUnit: column.quantity == .field ? column.fieldUnit : nil,
      accelerationUnit: column.quantity == .acceleration ? column.accelerationUnit : nil,
      rotationRateUnit: column.quantity == .rotationRate ? column.rotationRateUnit : nil, timeScale: column.timeScale,
      tellsSensor: role == nil && item.index < 0 && MessageOrigins.areNamed(by: ColumnWord.words(of: key.span)),
      isNameless: isNameless)
  }

  /// Takes a `T` beside a time with a longer name for a temperature.
  private mutating func leaveShortTimes() {
    let times = keys.indices.filter { keys[$0].role == CSVColumns.Role.time }
    guard times.contains(where: { keys[$0].name.count > 1 }) else { return }
    for place in times where keys[place].name.count == 1 { keys[place].role = CSVColumns.Role.ignored }
  }

  /// A key names an axis of the field: bare ones are something else's, as `y` beside `p` and `r` is a yaw.
  private mutating func leaveBareAxes() {
    bareAxesAreOthers = true
    for place in keys.indices where keys[place].isNameless { keys[place].role = CSVColumns.Role.ignored }
  }
}
