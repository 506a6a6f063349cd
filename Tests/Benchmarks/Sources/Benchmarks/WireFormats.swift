import CReference
import Core
import Drivers

/// Every protocol of the registry: a stream of a device that speaks it, from bytes to messages on one core, and how often
/// the heap is asked for more meanwhile.
enum WireFormats: Benchmark {
  static let name = "wire"
  private static let messageCount = 200_000
  private static let chunk = 65_536

  static func measure() throws -> [Measurement] {
    Protocols.all.map { measure($0) }
  }

  private static func measure(_ type: any WireProtocol.Type) -> Measurement {
    let bytes = stream(of: type)
    var heard = 0
    var allocations = 0
    let seconds = medianSeconds {
      var wire = WireStream(type.init())
      heard = 0
      allocations = 0
      var before: Int?
      var start = 0
      while start < bytes.count {
        let end = min(start + chunk, bytes.count)
        wire.append(bytes.span.extracting(start..<end))
        start = end
        while case let event? = wire.next() { if case .message = event { heard += 1 } }
        // The first chunks grow the buffers that are kept.
        if let before {
          allocations = allocation_count() - before
        } else if start >= 3 * chunk {
          before = allocation_count()
        }
      }
    }
    let speed = Double(bytes.count) / seconds / 1e6
    let what = "\(type.name): \(Int(speed)) MB/s, \(heard) messages, \(allocations) allocations"
    return Measurement(what: what, seconds: seconds, operations: heard)
  }

  private static func stream(of type: any WireProtocol.Type) -> [UInt8] {
    var encoder = type.init()
    var bytes: [UInt8] = []
    for number in 0..<messageCount {
      let turn = Double(number % 1000)
      var message = WireMessage()
      message.time = Double(number) / 100
      message.field = Vector3(-18.25 + turn / 50, 33.5, -42.75 + turn / 100)
      message.acceleration = Vector3(0.0125, -0.25, 0.9375)
      message.rotationRate = Vector3(1.5, -12.25, turn / 10)
      message.own = OwnHeading(
        magnetic: Heading(degrees: turn / 3), trueNorth: Heading(degrees: turn / 3 + 4.5), pitch: 5.25, roll: -3.5)
      encoder.encode(message, into: &bytes)
    }
    return bytes
  }
}
