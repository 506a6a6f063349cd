import LodestoneCore

@testable import Drivers

/// Frames of a CAN bus: a compass that is read, and a node that claims an address among them. A frame is an identifier
/// of four bytes, a count and eight bytes of data.
enum BusTarget: FuzzTarget {
  static let name = "bus"

  static func take(_ bytes: Span<UInt8>) {
    var node = NMEA2000Node(device: "board")
    var reader = NMEA2000Reader()
    var time = 0.0, sent = 0
    node.claim(at: time) { _ in sent += 1 }
    var start = 0
    while bytes.count - start >= 13 {
      let frame = CANFrame(
        identifier: bytes.little(UInt32.self, at: start) ?? 0, bits: bytes.little(UInt64.self, at: start + 5) ?? 0,
        count: Int(bytes[start + 4] & 15))
      start += 13
      time += 0.1
      let before = sent
      node.receive(frame, at: time) {
        require($0.count <= CANFrame.longest, "a frame that is too long")
        sent += 1
      }
      require(sent - before <= 20, "a frame answered by a flood")
      var message = WireMessage()
      guard case .message = reader.read(frame, at: time, into: &message) else { continue }
      let heading = message.own?.magnetic?.degrees ?? message.own?.trueNorth?.degrees ?? 0
      require((0..<360).contains(heading), "a heading past the circle")
    }
    require(!node.isReady(at: -1), "a node that is ready before it has claimed")
  }
}
