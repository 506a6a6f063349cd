@testable import LodestonePorts

/// The bytes of a broker: packets in either version of the protocol, in pieces of any size. The first byte tells the
/// version, the second how large the pieces are.
enum PacketsTarget: FuzzTarget {
  static let name = "packets"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 2 else { return }
    let version = bytes[0] & 1 == 1 ? MQTTVersion.five : .four
    let step = Int(bytes[1]) + 1
    var framer = MQTTFramer()
    var start = 2
    while start < bytes.count {
      let end = min(bytes.count, start + step)
      guard let packets = try? framer.append(bytes.extracting(start..<end)) else { return }
      for packet in packets {
        require(packet.body.count <= MQTTFramer.longest, "a packet that is longer than is kept")
        read(packet, version)
      }
      start = end
    }
  }

  private static func read(_ packet: MQTTFramer.Packet, _ version: MQTTVersion) {
    guard let content = try? MQTTPacket(packet, version) else { return }
    switch content {
    case .connected(let code, let limits):
      require(limits.unconfirmed > 0 && limits.packetByteCount > 0, "a broker that takes nothing")
      _ = MQTTReason.words(code)
    case .published(let topic, let payload, _, _):
      require(topic.utf8.count + (payload?.count ?? 0) <= packet.body.count, "a message from nowhere")
    case .subscribed(let codes): require(!codes.isEmpty, "an answer to nothing")
    case .confirmed, .alive, .dismissed: break
    }
  }
}
