import LodestoneCore

@testable import Drivers
@testable import Instruments

/// Recordings with the line ends of Unix, Windows and old Macs, and with the mark of UTF-8 in front: the top of each
/// says the same, and none does harm.
enum RecordingsTarget: FuzzTarget {
  static let name = "recordings"

  static func take(_ bytes: Span<UInt8>) {
    let lines = bytes.indices.map { bytes[$0] }.split(separator: 10, omittingEmptySubsequences: false)
    guard !lines.contains(where: { $0.contains(13) }) else { return }
    let ends: [[UInt8]] = [[10], [13, 10], [13]]
    var headers: [RecordingHeader?] = []
    for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
      for end in ends {
        let text = mark + lines.joined(separator: end)
        // What is cut off at the limit depends on how long the ends are.
        if text.count + 2 * lines.count < RecordingHeader.byteCount { headers.append(RecordingHeader(text)) }
        read(text)
      }
    }
    for header in headers {
      require(
        header?.device == headers[0]?.device && header?.unixStart == headers[0]?.unixStart, "a header by its line ends")
    }
  }

  private static func read(_ text: [UInt8]) {
    var stream = WireStream()
    stream.append(text.span)
    while stream.next() != nil {}
    stream.end()
    while stream.next() != nil {}
  }
}
