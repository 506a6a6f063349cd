import Testing

@testable import Instruments

@Suite struct DatagramLinesTests {
  /// The text that datagrams make, one after the other.
  private static func text(of datagrams: [String]) -> String {
    var lines = DatagramLines()
    return datagrams.reduce(into: "") { text, datagram in
      let ends = Array(datagram.utf8).withUnsafeBytes { lines.take($0) }
      text += (ends.before ? "\n" : "") + datagram + (ends.after ? "\n" : "")
    }
  }

  /// Pieces of so many bytes, as a bridge cuts them.
  private static func chunks(_ text: String, of size: Int) -> [String] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: size).map {
      String(decoding: bytes[$0..<min($0 + size, bytes.count)], as: UTF8.self)
    }
  }

  private static let kinds: [@Sendable (Int) -> String] = [
    { "$HCHDM,\($0 % 360).0,M" }, { "mx:\($0).5,my:-3.0,mz:-40.25" }, { "mx:\($0).5 my:-3.0 mz:-40.25 " },
    { "\($0),20.5,3.0,-40.25" }, { "\($0) 20.5 3.0" }, { "{\"mx_uT\":\($0),\"my_uT\":-3.0,\"mz_uT\":-40.0}" },
    { "Raw:0,0,8192,0,0,0,\($0),30,-400" }, { "[\($0),2,3]" },
  ]

  /// Lines that come whole and without an end, one or two in a datagram: they stand in lines of their own, and after
  /// the second datagram none waits for the next.
  @Test(arguments: kinds.indices)
  func wholeLinesAreEnded(_ kind: Int) {
    let lines = (1...12).map { Self.kinds[kind]($0 * 7) }
    #expect(Self.text(of: lines) == lines.joined(separator: "\n") + "\n")
    let ended = lines.map { $0 + "\r\n" }
    #expect(Self.text(of: ended) == ended.joined())
    guard lines[0].contains(where: \.isLetter) else { return }
    let pairs = stride(from: 0, to: 12, by: 2).map { lines[$0] + "\n" + lines[$0 + 1] }
    #expect(Self.text(of: pairs) == pairs.joined(separator: "\n") + "\n")
  }

  /// Lines that a bridge cuts anywhere are put together as they were. Rows of bare numbers may lose the first one,
  /// which looks like two until a line end has come.
  @Test(arguments: kinds.indices)
  func linesCutAnywhereArePutTogether(_ kind: Int) {
    let text = (1...40).map { Self.kinds[kind]($0 * 7) + "\r\n" }.joined()
    for size in 1...70 {
      let read = Self.text(of: Self.chunks(text, of: size))
      if Self.kinds[kind](7).contains(where: \.isLetter) {
        #expect(read == text, "\(size)")
      } else {
        #expect(read.hasSuffix(text.drop { $0 != "\r\n" }), "\(size)")
      }
    }
  }

  /// Kinds of lines that take turns, and have nothing in common, are taken apart once no line end has come for long.
  @Test func withoutAnyLineEndEachDatagramIsALine() {
    let pair = [
      "acceleration of the board: 0.0 0.0 1.0 in g, and of the rest: none at all", "field: 20.0 3.0 -40.0 in µT",
    ]
    let datagrams = (0..<40).flatMap { _ in pair }
    #expect(Self.text(of: datagrams).hasSuffix("\n" + (pair + pair).joined(separator: "\n") + "\n"))
  }

  @Test func bytesThatAreNoTextStayAsTheyAre() {
    let frames = [String](repeating: "mx\u{1}\u{0}ab", count: 20)
    #expect(Self.text(of: frames) == frames.joined())
  }
}
