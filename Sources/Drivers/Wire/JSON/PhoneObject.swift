/// The objects of two apps for phones, whose numbers do not stand where those of others do, and those of one number
/// (`NamedAxes`).
///
/// SensorServer (Android) sends a SensorEvent, which names its sensor behind the values, or nowhere:
/// `{"accuracy":2,"timestamp":…,"values":[x,y,z],"type":"android.sensor.magnetic_field"}`. phyphox answers a request
/// for its last values with an object for each buffer:
/// `{"buffer":{"magX":{"size":0,"updateMode":"single","buffer":[-12.9]},…},"status":…}`. Sources:
/// github.com/umer0586/SensorServer; phyphox.org, "Remote-interface communication".
struct PhoneObject {
  /// The word that names the sensor of the values; nil where none does, or no values are there.
  private(set) var sensor: Range<Int>?
  /// Whether the event names no sensor.
  private var isNameless = false
  /// The buffer that comes has its last value alone.
  private var isSingle = false
  /// The text that names the axis of the object's number, and whether that has come.
  private var axis: Range<Int>?
  private(set) var isOfOneAxis = false

  /// Looks through an object with values for what names them.
  init(_ line: Span<UInt8>) {
    guard Self.hasValues(line) else { return }
    var (scanner, isNamed, isEvent) = (JSONScanner(), false, false)
    while let item = scanner.next(in: line) {
      if item.string != nil, JSONLines.sensorKeys.contains(where: { line.holds($0, in: item.key) }) { isNamed = true }
      if item.number != nil, item.parent.isEmpty, line.holds("accuracy", in: item.key) { isEvent = true }
      sensor = sensor ?? JSONLines.sensor(item, line)
    }
    isNameless = isEvent && !isNamed
  }

  private static func hasValues(_ line: Span<UInt8>) -> Bool {
    var index = 0
    while let start = line.quickIndex(of: UInt8(ascii: "v"), in: index..<line.count) {
      if line.holds("values\":", at: start) { return true }
      index = start + 1
    }
    return false
  }

  /// Puts a value where it would stand in another object; false for one that is no measurement.
  mutating func place(_ item: inout JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
    axis = axis ?? NamedAxes.axis(item, line)
    if let axis, NamedAxes.isValue(item, line) {
      (item.key, isOfOneAxis) = (axis, true)
      return true
    }
    if let mode = item.string, line.holds("updateMode", in: item.key) {
      isSingle = line.holds("single", in: mode)
    } else if item.number == nil {
      return true
    } else if isNameless, item.outer.isEmpty, line.holds("values", in: item.parent) {
      item.parent = 0..<0
    } else if isSingle, item.index == 0, line.holds("buffer", in: item.parent) {
      (item.key, item.index, item.parent) = (item.outer, -1, 0..<0)
    }
    return !line.holds("size", in: item.key)
  }
}
