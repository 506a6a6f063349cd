import LodestoneCore

/// The frame that a message of ROS names (`frame_id`), along whose axes its vectors are.
///
/// The base of a robot has x forward, y left and z up, or, where its name ends in `_ned` or `_frd`, x forward, y right
/// and z down. A sensor's own frame (`imu_link`) has the axes that its driver and the robot's description give it.
/// Sources: REP 103, "Axis Orientation", and REP 105, "Coordinate Frames".
struct ROSFrame: Sendable {
  /// The place of its name in what it was read from, without quotes; empty where there is none.
  let name: Range<Int>
  /// The axes; nil where the name does not tell them.
  let axes: WireAxes?

  /// The frame of the name at a place in a text, which may stand between quotes and behind the robot's
  /// (`robot1/base_link`).
  init(_ text: Span<UInt8>, _ range: Range<Int>) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isAround(text[start]) { start += 1 }
    while end > start, Self.isAround(text[end - 1]) { end -= 1 }
    name = start..<end
    var own = end
    while own > start, text[own - 1] != UInt8(ascii: "/") { own -= 1 }
    if end - own >= 4, text.holds("_ned", in: end - 4..<end) || text.holds("_frd", in: end - 4..<end) {
      axes = .forwardRightDown
    } else {
      let isBase =
        text.holds("base_link", in: own..<end) || text.holds("base_footprint", in: own..<end)
        || text.holds("base_link_flu", in: own..<end)
      axes = isBase ? .forwardLeftUp : nil
    }
  }

  /// The frame that a line of YAML names, on a line of its own or among others in braces, or a message as Python prints
  /// it (`Header(…, frame_id='base_link')`); nil for any other line.
  init?(in line: Span<UInt8>) {
    var index = 0
    while let start = line.quickIndex(of: UInt8(ascii: "f"), in: index..<line.count) {
      index = start + 1
      let isFirst = start == 0 || line[start - 1].isBlank || "{(".utf8.contains(line[start - 1])
      guard isFirst, line.holds("frame_id:", at: start) || line.holds("frame_id=", at: start) else { continue }
      let first = start + 9
      let end = (first..<line.count).first { ",})".utf8.contains(line[$0]) } ?? line.count
      self.init(line, first..<end)
      return
    }
    return nil
  }

  /// The frame's name, where that does not tell the axes, in what it was read from.
  func unknownName(in text: Span<UInt8>) -> [UInt8]? { axes == nil ? text.bytes(in: name) : nil }

  private static func isAround(_ byte: UInt8) -> Bool { byte.isBlank || byte == .quote || byte == .apostrophe }
}

extension CSVTable {
  /// The table along the axes of the frame that a first row names in a column of its own, which `rostopic echo -p`
  /// calls `field.header.frame_id`; as it is where there is no such column.
  func turned(byFrameOf line: Span<UInt8>) -> CSVTable {
    let place = names.firstIndex { Array($0.suffix(8)) == Array("frame_id".utf8) }
    guard frame == nil, let column = place else { return self }
    let fields = TableLine.fields(of: line, separator: separator)
    guard column < fields.count else { return self }
    var table = self
    let name = fields[column]
    let frame = ROSFrame(name.span, 0..<name.count)
    table.columns.turn(from: frame.axes ?? .rightForwardUp)
    (table.frame, table.unknownFrame) = (frame, frame.unknownName(in: name.span))
    return table
  }
}
