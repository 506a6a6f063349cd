import LodestoneCore

/// The frame that a message of ROS names (`frame_id`), along whose axes its vectors are.
///
/// The base of a robot has x forward, y left and z up, or, where its name ends in `_ned` or `_frd`, x forward, y right and z
/// down. A sensor's own frame (`imu_link`) has the axes that its driver and the robot's description give it. Sources: REP 103,
/// "Axis Orientation", and REP 105, "Coordinate Frames".
struct ROSFrame: Equatable, Sendable {
  /// As the message writes it, without quotes; empty where it names none.
  let name: [UInt8]
  /// Nil where the name does not tell them.
  let axes: WireAxes?

  /// The name where it does not tell the axes.
  var unknownName: [UInt8]? { axes == nil ? name : nil }

  /// From the name, which may stand between quotes and behind the robot's (`robot1/base_link`).
  init(_ text: Span<UInt8>) {
    let isMark: (UInt8) -> Bool = { $0.isBlank || $0 == .quote || $0 == .apostrophe }
    name = Array(text.bytes(in: 0..<text.count).drop(while: isMark).reversed().drop(while: isMark).reversed())
    let own = name.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if ["_ned", "_frd"].contains(where: own.hasSuffix) {
      axes = .forwardRightDown
    } else {
      axes = ["base_link", "base_footprint", "base_link_flu"].contains(own) ? .forwardLeftUp : nil
    }
  }

  /// The frame that a line of YAML names, on a line of its own or among others in braces; nil for any other line.
  init?(in line: Span<UInt8>) {
    var index = 0
    while let start = line.quickIndex(of: UInt8(ascii: "f"), in: index..<line.count) {
      index = start + 1
      let isFirst = start == 0 || line[start - 1].isBlank || line[start - 1] == UInt8(ascii: "{")
      guard isFirst, line.holds("frame_id:", at: start) else { continue }
      let first = start + 9
      let end = (first..<line.count).first { line[$0] == .comma || line[$0] == UInt8(ascii: "}") } ?? line.count
      self.init(line.extracting(first..<end))
      return
    }
    return nil
  }
}

extension CSVTable {
  /// The table along the axes of the frame that a first row names in a column of its own, which `rostopic echo -p` calls
  /// `field.header.frame_id`; as it is where there is no such column.
  func turned(byFrameOf line: Span<UInt8>) -> CSVTable {
    let place = names.firstIndex { Array($0.suffix(8)) == Array("frame_id".utf8) }
    guard frame == nil, let column = place else { return self }
    let fields = TableLine.fields(of: line, separator: separator)
    guard column < fields.count else { return self }
    var table = self
    let name = fields[column]
    let frame = ROSFrame(name.span)
    table.columns.turn(from: frame.axes ?? .rightForwardUp)
    table.frame = frame
    return table
  }
}
