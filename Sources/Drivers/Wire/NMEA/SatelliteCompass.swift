import LodestoneCore

/// Sentences of satellite compasses, whose headings are from true north. Their makers send others under the same
/// address.
enum SatelliteCompass {
  /// `$PFEC,GPatt` of Furuno: true heading, pitch and roll. Source: Furuno SC-120, manual, appendix "Data sentences".
  static func isGPatt(_ line: Span<UInt8>, _ fields: inout Fields) -> Bool {
    line.holds("GPatt", in: fields.text(in: line))
  }

  /// `$PSAT,HPR` of Hemisphere: the time, then as Furuno's, and where the heading is from: N for satellites, G for a
  /// gyroscope. Source: Hemisphere GNSS Technical Reference, "PSAT,HPR".
  static func isHPR(_ line: Span<UInt8>, _ fields: inout Fields) -> Bool {
    guard line.holds("HPR", in: fields.text(in: line)) else { return false }
    fields.skip(in: line)
    return true
  }

  /// `$PTNL,AVR` of Trimble. Source: Trimble, "NMEA-0183 messages: AVR".
  static func isAVR(_ line: Span<UInt8>, _ fields: inout Fields) -> Bool {
    guard line.holds("AVR", in: fields.text(in: line)) else { return false }
    fields.skip(in: line)
    return true
  }

  /// The true heading between Trimble's antennas behind the time, and the pitch of their line, each with its name
  /// behind it, a field that is empty or the roll's with its name, the range, and the quality: 0 for none. Nil without
  /// a solution.
  static func readAVR(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let heading = fields.number(in: line, within: -180...360)
    fields.skip(in: line)
    let pitch = fields.number(in: line, within: -180...180)
    for _ in 0..<4 { fields.skip(in: line) }
    guard let quality = fields.number(in: line), quality > 0, let heading else { return nil }
    return OwnHeading(trueNorth: Heading(degrees: heading), pitch: pitch)
  }

  /// `$GNHPR` of Unicore's receivers: time, true heading, pitch, roll, which two antennas do not tell and which is 0,
  /// and the quality of the position: 0 for none. Source: Unicore, "Reference Commands Manual", GNHPR.
  static func readHPR(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    fields.skip(in: line)
    let heading = fields.number(in: line, within: 0...360)
    let pitch = fields.number(in: line, within: -180...180)
    fields.skip(in: line)
    guard let quality = fields.number(in: line), quality > 0, let heading else { return nil }
    return OwnHeading(trueNorth: Heading(degrees: heading), pitch: pitch)
  }

  /// Reads the angles behind the name, and the time where there is one.
  static func read(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let heading = fields.number(in: line, within: 0...360)
    let pitch = fields.number(in: line, within: -180...180)
    let roll = fields.number(in: line, within: -180...180)
    guard heading != nil || pitch != nil || roll != nil else { return nil }
    return OwnHeading(trueNorth: heading.map { Heading(degrees: $0) }, pitch: pitch, roll: roll)
  }
}
