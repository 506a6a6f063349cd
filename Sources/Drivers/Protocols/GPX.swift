import LodestoneCore

/// Tracks and routes of a GPX file: from each point its place, its altitude above the sea and its time, as far as they
/// are there. Points stand in elements `trkpt` and `rtept`. What other elements say is passed over, waypoints among it:
/// nobody need have been at a place that was marked. Source: the schema at topografix.com/GPX/1/1/gpx.xsd.
struct GPX: FrameProtocol {
  static let name = "gpx"
  static let proof = WireProof.signature

  /// The longest element in bytes: longer than any point with a few extensions.
  private static let longestElement = 4000
  private static let points: [StaticString] = ["trkpt", "rtept"]

  /// The file has said that it is one: what stands between elements is no noise.
  private var isOpen = false
  /// A header was written.
  private var isWritten = false

  init() {}

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == UInt8(ascii: "<") else {
      guard isOpen else { return .none }
      let end = bytes.quickIndex(of: UInt8(ascii: "<"), in: start..<bytes.count) ?? bytes.count
      return .foreign(end - start)
    }
    let limit = min(bytes.count, start + Self.longestElement)
    guard let tagEnd = bytes.quickIndex(of: UInt8(ascii: ">"), in: start..<limit) else {
      return limit == bytes.count ? .incomplete : .none
    }
    guard let name = Self.point(bytes, at: start + 1) else { return .whole(tagEnd + 1 - start) }
    if bytes[tagEnd - 1] == UInt8(ascii: "/") { return .whole(tagEnd + 1 - start) }
    var index = tagEnd + 1
    while let next = bytes.quickIndex(of: UInt8(ascii: "<"), in: index..<limit) {
      let end = next + 3 + name.utf8CodeUnitCount
      guard end <= limit else { break }
      if bytes[next + 1] == UInt8(ascii: "/"), bytes.holds(name, at: next + 2), bytes[end - 1] == UInt8(ascii: ">") {
        return .whole(end - start)
      }
      index = next + 1
    }
    return limit == bytes.count ? .incomplete : .none
  }

  /// The name of the element whose tag begins here, where it is a point.
  private static func point(_ bytes: Span<UInt8>, at place: Int) -> StaticString? {
    points.first { name in
      let end = place + name.utf8CodeUnitCount
      return end < bytes.count && bytes.holds(name, at: place) && bytes[end].isBlankOrLineEnd
    }
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard Self.point(frame, at: 1) != nil else {
      if frame.holds("<gpx", at: 0) { isOpen = true }
      // Elements that nobody has announced may be of anything.
      return isOpen ? .other : .rejected(.unrecognized)
    }
    isOpen = true
    guard let tagEnd = frame.quickIndex(of: UInt8(ascii: ">"), in: 0..<frame.count),
      let latitude = Self.attribute("lat", of: frame.extracting(..<tagEnd)),
      let longitude = Self.attribute("lon", of: frame.extracting(..<tagEnd)),
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return .rejected(.malformed) }
    var position = Position(place)
    position.seaLevelAltitude = Self.text(of: "<ele>", in: frame).flatMap { Self.number(frame.extracting($0)) }
    position.unixTime = Self.text(of: "<time>", in: frame).flatMap { CalendarTime(iso: frame.extracting($0))?.unixTime }
    var part = WirePosition(.whole, position)
    part.dimensions = position.seaLevelAltitude == nil ? 2 : 3
    message.position = part
    return .message
  }

  /// The number of an attribute in its tag; nil where it is none.
  private static func attribute(_ name: StaticString, of tag: Span<UInt8>) -> Double? {
    for start in tag.indices where tag[start].isBlankOrLineEnd && tag.holds(name, at: start + 1) {
      let equals = afterBlanks(tag, from: start + 1 + name.utf8CodeUnitCount)
      guard equals < tag.count, tag[equals] == UInt8(ascii: "=") else { continue }
      let quote = afterBlanks(tag, from: equals + 1)
      guard quote < tag.count, tag[quote] == .quote || tag[quote] == .apostrophe,
        let end = tag.quickIndex(of: tag[quote], in: quote + 1..<tag.count)
      else { continue }
      return number(tag.extracting(trimmed(tag, quote + 1..<end)))
    }
    return nil
  }

  /// The text between an element's tag and the next tag, without blanks around it.
  private static func text(of tag: StaticString, in frame: Span<UInt8>) -> Range<Int>? {
    var index = 0
    while let start = frame.quickIndex(of: UInt8(ascii: "<"), in: index..<frame.count) {
      if frame.holds(tag, at: start) {
        let begin = start + tag.utf8CodeUnitCount
        return frame.quickIndex(of: UInt8(ascii: "<"), in: begin..<frame.count).map { trimmed(frame, begin..<$0) }
      }
      index = start + 1
    }
    return nil
  }

  /// The first byte at or after a place that is no blank and ends no line; the count where there is none.
  private static func afterBlanks(_ text: Span<UInt8>, from place: Int) -> Int {
    var index = place
    while index < text.count, text[index].isBlankOrLineEnd { index += 1 }
    return index
  }

  /// A range without the blanks and ends of lines on both sides of it.
  private static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    let start = min(afterBlanks(text, from: range.lowerBound), range.upperBound)
    var end = range.upperBound
    while end > start, text[end - 1].isBlankOrLineEnd { end -= 1 }
    return start..<end
  }

  private static func number(_ text: Span<UInt8>) -> Double? {
    var index = 0
    guard let value = parseDecimal(text, from: &index), index == text.count else { return nil }
    return value
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let position = message.position?.position, let place = position.coordinate else { return }
    if !isWritten {
      isWritten = true
      bytes += Array("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"Lodestone\"><trk><trkseg>\n".utf8)
    }
    bytes.append(text: "<trkpt lat=\"")
    bytes.append(place.latitude, decimals: 7)
    bytes.append(text: "\" lon=\"")
    bytes.append(place.longitude, decimals: 7)
    bytes.append(text: "\">")
    if let altitude = position.seaLevelAltitude ?? position.altitude {
      bytes.append(text: "<ele>")
      bytes.append(altitude, decimals: 2)
      bytes.append(text: "</ele>")
    }
    if let time = position.unixTime {
      bytes += Array("<time>\(CalendarTime.text(unixTime: Int(rounding: time)))</time>".utf8)
    }
    bytes.append(text: "</trkpt>\n")
  }
}
