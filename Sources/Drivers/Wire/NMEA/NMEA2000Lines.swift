import LodestoneCore

/// NMEA 2000 written as text, one frame a line, as gateways and loggers do. A spelling is a protocol of its own: how a
/// frame stands in a line, and back.
protocol NMEA2000Lines: LineReading {
  /// The reader that joins the frames.
  var reader: NMEA2000Reader { get set }

  /// The period in seconds after which the sender's clock restarts at zero; nil where it never does.
  static var clockPeriod: Double? { get }

  /// The frame of a line and the sender's clock in seconds; nil where the line is not of this spelling. A message of
  /// more than eight bytes is a frame of none: no group that is read here is that long.
  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)?

  /// Appends the line of a frame, its end included.
  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer)
}

extension NMEA2000Lines {
  /// Another sender of headings.
  var otherCompass: String? { reader.otherCompass }

  /// No other lines look like these.
  static var proof: WireProof { .signature }

  static var clockPeriod: Double? { nil }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line[0] == UInt8(ascii: "#") { return .other }
    guard let (frame, time) = Self.frame(of: line) else { return .rejected(.unrecognized) }
    let moment = time.map { reader.clock.unwrapped($0, period: Self.clockPeriod) }
    return reader.read(frame, at: moment, into: &message)
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own else { return }
    var text = TextBuffer()
    NMEA2000.forEachFrame(of: NMEA2000.Heading(own), sequence: 0xFF, source: 2) {
      Self.append($0, at: message.time, to: &text)
    }
    text.withUnsafeBytes { bytes += $0 }
  }
}

extension NMEA2000.Heading {
  /// The message for the heading and attitude that a device computed itself.
  init(_ own: OwnHeading) {
    self.init()
    magnetic = own.magnetic?.degrees
    trueNorth = own.trueNorth?.degrees
    if let magnetic, let trueNorth { variation = Angle.shortestTurn(from: magnetic, to: trueNorth) }
    pitch = own.pitch
    roll = own.roll
    rateOfTurn = own.rateOfTurn
  }
}

// MARK: Pieces of lines

/// A place in a line that is read from left to right; what is not as it must be is nil, and the line is of another
/// kind.
struct LineCursor {
  private(set) var index = 0

  /// Passes one byte over; nil where another stands there.
  mutating func pass(_ byte: Unicode.Scalar, _ line: Span<UInt8>) -> Void? {
    guard index < line.count, line[index] == UInt8(ascii: byte) else { return nil }
    index &+= 1
    return ()
  }

  /// Passes blanks over; nil where there is none.
  mutating func passBlanks(_ line: Span<UInt8>) -> Void? {
    let start = index
    while index < line.count, line[index].isBlank { index &+= 1 }
    return index > start ? () : nil
  }

  /// The next byte, whatever it is.
  mutating func byte(_ line: Span<UInt8>) -> UInt8? {
    guard index < line.count else { return nil }
    defer { index &+= 1 }
    return line[index]
  }

  /// A whole number of at most nine digits.
  mutating func integer(_ line: Span<UInt8>) -> Int? {
    let start = index
    var value = 0
    while index < line.count, line[index].isDigit, index - start < 10 {
      value = value * 10 + Int(line[index] - 48)
      index &+= 1
    }
    return index > start && index - start < 10 ? value : nil
  }

  /// A decimal number.
  mutating func decimal(_ line: Span<UInt8>) -> Double? {
    var end = index
    guard let value = parseDecimal(line, from: &end), end > index else { return nil }
    index = end
    return value
  }

  /// Reads a hexadecimal number with this number of digits.
  mutating func hexadecimal(digits: Int, _ line: Span<UInt8>) -> UInt32? {
    guard index + digits <= line.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<digits {
      guard let digit = line[index &+ offset].hexadecimalValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    index &+= digits
    return value
  }

  /// The time of a day as `17:33:21.107`, in seconds since midnight.
  mutating func timeOfDay(_ line: Span<UInt8>) -> Double? {
    guard let hours = integer(line), hours < 24, pass(":", line) != nil, let minutes = integer(line), minutes < 60,
      pass(":", line) != nil, let seconds = decimal(line), (0..<61).contains(seconds)
    else { return nil }
    return Double(hours * 3600 + minutes * 60) + seconds
  }

  /// Everything up to a byte, which is passed over; nil where it does not come.
  mutating func passAll(to byte: Unicode.Scalar, _ line: Span<UInt8>) -> Void? {
    guard let end = line.firstIndex(of: UInt8(ascii: byte), from: index) else { return nil }
    index = end &+ 1
    return ()
  }

  /// Bytes in base 16 to the end of the line, with or without blanks or commas between; more than eight leave the frame
  /// empty, because it is one of a longer message.
  mutating func data(into frame: inout CANFrame, _ line: Span<UInt8>) -> Void? {
    var isLonger = false
    while index < line.count {
      if line[index].isBlank || line[index] == .comma {
        index &+= 1
        continue
      }
      guard let byte = hexadecimal(digits: 2, line) else { return nil }
      if !frame.append(UInt8(truncatingIfNeeded: byte)) { isLonger = true }
    }
    if isLonger { frame = CANFrame(identifier: frame.identifier) }
    return ()
  }
}

extension TextBuffer {
  /// Digits in base 16, capital.
  package mutating func append(hexadecimal value: UInt32, digits: Int) {
    for shift in stride(from: 4 * (digits - 1), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(shift) & 15)
      append(byte: digit < 10 ? 48 + digit : 55 + digit)
    }
  }

  /// The data of a frame: each byte in base 16, with what stands between.
  mutating func append(dataOf frame: CANFrame, between: StaticString = "") {
    for index in 0..<frame.count {
      if index > 0 { append(between) }
      append(hexadecimal: UInt32(frame[index]), digits: 2)
    }
  }

  /// The time of a day with milliseconds; `:` between hours, minutes and seconds, or nothing.
  package mutating func append(timeOfDay seconds: Double, between: StaticString) {
    let day = 86_400_000, count = Int(rounding: seconds.truncatingRemainder(dividingBy: 86_400) * 1000) % day
    let milliseconds = count < 0 ? count + day : count
    append(milliseconds / 3_600_000, width: 2)
    append(between)
    append(milliseconds / 60_000 % 60, width: 2)
    append(between)
    append(milliseconds / 1000 % 60, width: 2)
    append(".")
    append(milliseconds % 1000, width: 3)
  }
}
