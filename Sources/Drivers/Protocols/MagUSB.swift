import LodestoneCore

/// The output of HamSCI's mag-usb for its RM3100: one JSON object a line with the moment in UTC, the field in nanotesla
/// and often a temperature, `{"ts":"25 Oct 2025 14:02:33","rt":21.5,"x":19821.333,"y":-3120.667,"z":43017.333}`. Other
/// keys are passed over. Source: wittend/mag-usb, output of the program.
struct MagUSB: ObjectReading {
  static let name = "mag-usb"
  static let proof = WireProof.signature

  var framer = LineFramer()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized) }
    var scanner = JSONScanner()
    var field = PartialVector()
    while let item = scanner.next(in: line) {
      guard item.parent.isEmpty, item.index < 0 else { continue }
      if let text = item.string, line.holds("ts", in: item.key) {
        guard let time = Self.time(line.extracting(text)) else { return .rejected(.unrecognized) }
        message.time = time
      }
      guard let number = item.number else { continue }
      if item.key.count == 1, line[item.key.lowerBound] &- UInt8(ascii: "x") < 3 {
        field.set(Int(line[item.key.lowerBound] &- UInt8(ascii: "x")), number)
      } else if line.holds("rt", in: item.key) {
        message.temperature = number
      }
    }
    guard scanner.isComplete, message.time != nil, let field = field.vector else { return .rejected(.unrecognized) }
    message.field = field
    message.fieldUnit = .nanotesla
    return .message
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `25 Oct 2025 14:02:33` as seconds since 1970.
  private static func time(_ text: Span<UInt8>) -> Double? {
    let parts = String(decoding: text.bytes(in: 0..<min(text.count, 32)), as: UTF8.self).split {
      $0 == " " || $0 == ":"
    }
    guard parts.count == 6, let day = Int(parts[0]), let month = months.firstIndex(of: String(parts[1])),
      let year = Int(parts[2]), let hour = Int(parts[3]), let minute = Int(parts[4]), let second = Int(parts[5]),
      (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
    else { return nil }
    let secondOfDay = Double((hour * 60 + minute) * 60 + second)
    return CalendarTime(year: year, month: month + 1, day: day, secondOfDay: secondOfDay)?.unixTime
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    let time = CalendarTime(unixTime: message.time ?? 0)
    let second = Int(time.secondOfDay)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    let month = Self.months.indices.contains(time.month - 1) ? Self.months[time.month - 1] : ""
    let date = "\(time.day.padded(to: 2)) \(month) \(time.year)"
    bytes += Array("{\"ts\":\"\(date) \(clock)\"".utf8)
    if let temperature = message.temperature { bytes += Array(",\"rt\":\(temperature.text(decimals: 1))".utf8) }
    for (axis, name) in ["x", "y", "z"].enumerated() {
      bytes += Array(",\"\(name)\":\((field[axis] * 1000).text(decimals: 3))".utf8)
    }
    bytes.append(text: "}\n")
  }
}
