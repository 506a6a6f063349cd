/// Sentences of NMEA 0183 as a receiver writes them.
public enum NMEASentenceText {
  /// A body between `$` and `*` with its checksum: the exclusive or of what is between them.
  public static func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
  }
}
