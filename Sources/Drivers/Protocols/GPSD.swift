import LodestoneCore

/// gpsd's JSON: ATT and IMU reports of an attitude sensor, TPV reports of a position. Acceleration in m/s², rates in
/// deg/s, `rot` in degrees a minute; the field has no stated unit. By its manual `heading` is against true north and
/// `mheading` against magnetic; from a compass that knows no declination gpsd passes a magnetic one on as `heading`
/// too, which nothing tells. gpsd serves several devices at a time, of which one is read for its attitude. A heading
/// past 360 is a raw count, which gpsd passes on from some compasses; it is not taken. Source: gpsd_json(5).
struct GPSD: ObjectReading {
  static let name = "gpsd"
  static let proof = WireProof.signature

  var framer = LineFramer()
  private var compass = CompassChoice()
  /// Another device that tells an attitude, which is passed over.
  private(set) var otherCompass: String?

  init() {}

  private struct Report {
    var isAttitude = false
    var isPosition = false
    var own = OwnHeading()
    var field = PartialVector()
    var acceleration = PartialVector()
    var rotationRate = PartialVector()
    var temperature: Double?
    var position = TPVReport()
    var time: Double?
    var device: [UInt8] = []
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized) }
    var scanner = JSONScanner()
    var report = Report()
    var hasClass = false
    while let item = scanner.next(in: line) {
      guard item.parent.isEmpty else { continue }
      if let text = item.string {
        if line.holds("class", in: item.key) {
          hasClass = true
          report.isAttitude = line.holds("ATT", in: text) || line.holds("IMU", in: text)
          report.isPosition = line.holds("TPV", in: text)
        } else if line.holds("time", in: item.key) {
          report.time = CalendarTime(iso: line.extracting(text))?.unixTime
        } else if line.holds("device", in: item.key) {
          report.device = line.bytes(in: text)
        }
      } else if let number = item.number {
        if report.isAttitude { takeAttitude(number, item.key, line, &report) }
        if report.isPosition { report.position.take(number, item.key, line) }
      }
    }
    guard hasClass else { return .rejected(.unrecognized) }
    guard scanner.isComplete else { return .rejected(.malformed) }
    return fill(&message, report)
  }

  @inline(__always)
  private func takeAttitude(_ value: Double, _ key: Range<Int>, _ line: Span<UInt8>, _ report: inout Report) {
    if line.holds("heading", in: key) {
      if (0...360).contains(value) { report.own.trueNorth = Heading(degrees: value) }
    } else if line.holds("mheading", in: key) {
      if (0...360).contains(value) { report.own.magnetic = Heading(degrees: value) }
    } else if line.holds("pitch", in: key) {
      report.own.pitch = abs(value) <= 180 ? value : nil
    } else if line.holds("roll", in: key) {
      report.own.roll = abs(value) <= 180 ? value : nil
    } else if line.holds("rot", in: key) {
      report.own.rateOfTurn = value / 60
    } else if line.holds("temp", in: key) {
      report.temperature = value
    } else if let axis = axis(after: "mag_", line, key) {
      report.field.set(axis, value)
    } else if let axis = axis(after: "acc_", line, key) {
      report.acceleration.set(axis, value)
    } else if let axis = axis(after: "gyro_", line, key) {
      report.rotationRate.set(axis, value)
    }
  }

  private func axis(after stem: StaticString, _ line: Span<UInt8>, _ key: Range<Int>) -> Int? {
    guard key.count == stem.utf8CodeUnitCount + 1, line.holds(stem, at: key.lowerBound) else { return nil }
    let letter = Int(line[key.upperBound - 1]) - 0x78
    return (0..<3).contains(letter) ? letter : nil
  }

  private mutating func fill(_ message: inout WireMessage, _ report: Report) -> WireMeaning {
    if report.isPosition {
      guard !report.position.isMalformed else { return .rejected(.malformed) }
      message.position = report.position.position(at: report.time)
      return message.position == nil ? .other : .message
    }
    guard report.isAttitude else { return .other }
    message.own = report.own == OwnHeading() ? nil : report.own
    message.field = report.field.vector
    message.acceleration = report.acceleration.vector
    message.accelerationUnit = message.acceleration == nil ? nil : .metresPerSecondSquared
    message.rotationRate = report.rotationRate.vector
    message.rotationRateUnit = message.rotationRate == nil ? nil : .degreesPerSecond
    message.temperature = report.temperature
    guard message != WireMessage() else { return .other }
    guard reads(report) else {
      message = WireMessage()
      return .other
    }
    message.time = report.time
    return .message
  }

  /// Whether a report is of the device that is read: the first, unless another one tells a heading or a field, and that
  /// one does not.
  private mutating func reads(_ report: Report) -> Bool {
    let isCompass = report.own.magnetic != nil || report.own.trueNorth != nil || report.field.vector != nil
    if compass.reads(report.device.fingerprint, rank: isCompass ? 1 : 0, at: report.time) { return true }
    if isCompass { otherCompass = "the device \(report.device.prefix(48).harmlessText)" }
    return false
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes.append(text: "{\"class\":\"ATT\"")
    func put(_ name: StaticString, _ value: Double?, _ bytes: inout [UInt8]) {
      guard let value else { return }
      bytes.append(text: ",\"")
      bytes.append(text: name)
      bytes.append(text: "\":")
      bytes.append(value, decimals: 6)
    }
    let own = message.own
    put("heading", own?.trueNorth?.degrees, &bytes)
    put("mheading", own?.magnetic?.degrees, &bytes)
    put("pitch", own?.pitch, &bytes)
    put("roll", own?.roll, &bytes)
    put("rot", own?.rateOfTurn.map { $0 * 60 }, &bytes)
    put("temp", message.temperature, &bytes)
    let acceleration = message.gravities.map { $0 * Acceleration.standardGravity }
    let vectors: [([StaticString], Vector3?)] = [
      (["mag_x", "mag_y", "mag_z"], message.microtesla), (["acc_x", "acc_y", "acc_z"], acceleration),
      (["gyro_x", "gyro_y", "gyro_z"], message.degreesPerSecond),
    ]
    for (names, vector) in vectors {
      for (axis, name) in names.enumerated() { put(name, vector?[axis], &bytes) }
    }
    bytes.append(text: "}\r\n")
  }
}
