import CReference
import LodestoneCore
import Drivers

/// Every protocol of the registry: a stream of a device that speaks it, from bytes to messages on one core, and how
/// often the heap is asked for more meanwhile. Text is to reach 5 million lines or 200 MB a second.
enum WireFormats: Benchmark {
  static let name = "wire"
  private static let messageCount = 200_000
  private static let chunk = 65_536

  static func measure() throws -> [Measurement] {
    Protocols.all.map { measure($0.name, $0, stream(of: $0)) }
      + TextVariant.all.compactMap { variant in
        Protocols.named(variant.protocolName).map {
          measure("\(variant.protocolName) \(variant.name)", $0, variant.stream(messageCount))
        }
      }
  }

  private static func measure(_ name: String, _ type: any WireProtocol.Type, _ bytes: [UInt8]) -> Measurement {
    var heard = 0
    var allocations = 0
    let seconds = leastSeconds {
      var wire = WireStream(type.init())
      var message = WireMessage()
      heard = 0
      allocations = 0
      var before: Int?
      var start = 0
      while start < bytes.count {
        let end = min(start + chunk, bytes.count)
        wire.append(bytes.span.extracting(start..<end))
        start = end
        heard += count(&wire, &message)
        // The first chunks grow the buffers that are kept.
        if let before {
          allocations = allocation_count() - before
        } else if start >= 3 * chunk {
          before = allocation_count()
        }
      }
    }
    let speed = "\(tenths(Double(bytes.count) / seconds / 1e6)) MB/s"
    let lines = lineCount(bytes).map { "\(tenths(Double($0) / seconds / 1e6)) M lines/s, " } ?? ""
    let what = "\(name): \(lines)\(speed), \(heard) messages, \(allocations) allocations"
    return Measurement(what: what, seconds: seconds, operations: heard)
  }

  /// Takes out what a chunk holds, as the command does. Returns how many messages there were.
  private static func count(_ wire: inout WireStream, _ message: inout WireMessage) -> Int {
    var heard = 0
    while let step = wire.next(into: &message) { if step == .message { heard += 1 } }
    return heard
  }

  /// Nil for what is no text.
  private static func lineCount(_ bytes: [UInt8]) -> Int? {
    guard bytes.allSatisfy({ $0 < 0x80 && ($0 >= 0x20 || $0 == 9 || $0 == 10 || $0 == 13) }) else { return nil }
    return bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).count
  }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

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

/// Text that devices send and our own encoders don't write.
struct TextVariant {
  let protocolName: String
  let name: String
  /// The messages that come once.
  var header = ""
  /// The messages that are repeated, one after the other; those of NMEA without `$` and checksum.
  let lines: [String]

  static let all = [
    TextVariant(
      protocolName: "motioncal", name: "Uni",
      lines: ["Uni:0.12,-2.45,9.19,0.0262,-0.2138,0.8727,-18.25,33.50,-42.75"]),
    TextVariant(
      protocolName: "razor", name: "attitude", lines: ["#YPR=-123.45,5.25,-3.50"]),
    TextVariant(
      protocolName: "nmea", name: "HDG, HDT, XDR",
      lines: ["HCHDG,101.1,,,7.1,W", "HCHDT,94.02,T", "HCXDR,A,-0.7,D,PITCH,A,0.9,D,ROLL"]),
    TextVariant(
      protocolName: "oceanserver", name: "$OHPR", lines: ["OHPR,194.4,-5.0,-38.9,28.1,-0.087,-0.626,0.774,-0.104,0,0"]),
    TextVariant(
      protocolName: "vectornav", name: "$VNMAR",
      lines: ["VNMAR,+01.0640,-00.2531,+03.0614,+00.005,+00.344,-09.758,-00.001222,-00.000450,-00.001218"]),
    TextVariant(
      protocolName: "csv", name: "without a header", lines: ["-18.25,33.5,-42.75"]),
    TextVariant(
      protocolName: "csv", name: "with semicolons and decimal commas", header: "mx_uT;my_uT;mz_uT;ax_g;ay_g;az_g",
      lines: ["-18,25;33,5;-42,75;0,0125;-0,25;0,9375"]),
    TextVariant(
      protocolName: "csv", name: "with tabs", header: "time_s\tmx_uT\tmy_uT\tmz_uT",
      lines: ["12.34\t-18.25\t33.5\t-42.75"]),
    TextVariant(
      protocolName: "csv", name: "with columns to ignore", header: "time_s,mode,mx_uT,my_uT,mz_uT,battery_V",
      lines: ["12.34,2,-18.25,33.5,-42.75,3.71"]),
    TextVariant(
      protocolName: "json", name: "with arrays",
      lines: ["{\"mag\":[-18.25,33.5,-42.75],\"accel\":[0.0125,-0.25,0.9375]}"]),
    TextVariant(
      protocolName: "labels", name: "X: Y: Z:", lines: ["X: -18.25  Y: 33.50  Z: -42.75  uT"]),
    TextVariant(protocolName: "labels", name: "orientation", lines: ["Orientation: 123.45, 5.25, -3.50"]),
    TextVariant(
      protocolName: "gpsd", name: "position",
      lines: [
        "{\"class\":\"TPV\",\"device\":\"/dev/ttyUSB0\",\"mode\":3,\"time\":\"2026-01-02T03:04:05.000Z\",\"lat\":48.123456,\"lon\":11.654321,\"altHAE\":512.3}"
      ]),
  ]

  /// A stream of this many lines.
  func stream(_ count: Int) -> [UInt8] {
    let hasChecksum = ["nmea", "oceanserver", "vectornav"].contains(protocolName)
    let whole = lines.map { line in
      let text = hasChecksum ? Self.sentence(line) : line
      return Array("\(text)\r\n".utf8)
    }
    var bytes = header.isEmpty ? [] : Array("\(header)\r\n".utf8)
    for number in 0..<count { bytes += whole[number % whole.count] }
    return bytes
  }

  /// `$`, the content, and the exclusive or of its bytes.
  static func sentence(_ content: String) -> String {
    let sum = content.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(content)*\(sum < 16 ? "0" : "")\(digits)"
  }
}
