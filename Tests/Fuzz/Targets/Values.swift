import Drivers
import LodestoneCore

/// Lines of a device that tells values beside a field. The first byte tells which values are sought and whether the
/// user named the columns, the second how large the chunks are in which the rest arrives.
enum ValuesTarget: FuzzTarget {
  static let name = "values"

  private static let names = ["current_A", "throttle", "battery_current", "température"]

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 2 else { return }
    var decoder = Protocols.values(columns: bytes[0] & 4 == 0 ? nil : "time_s,current_A,x,throttle")
    decoder.seek(CauseNames(Array(names.prefix(1 + Int(bytes[0] & 3)))))
    feed(decoder, bytes.extracting(2...), chunk: bytes[1] == 0 ? .max / 2 : Int(bytes[1]))
  }
}
