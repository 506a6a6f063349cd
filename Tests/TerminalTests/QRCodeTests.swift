import Testing

@testable import LodestoneTerminal

struct QRCodeTests {
  /// As python-qrcode 8 draws it: version 2, level L, bytes, mask 7.
  @Test func anAddressIsDrawnAsOthersDrawIt() throws {
    let expected = """
      #######..#..#..##.#######
      #.....#.#..######.#.....#
      #.###.#.#####.###.#.###.#
      #.###.#..###....#.#.###.#
      #.###.#.#....#.#..#.###.#
      #.....#.##.#..##..#.....#
      #######.#.#.#.#.#.#######
      ........##..#.#.#........
      ##.#..##..#..#....###.##.
      ##.##..#..##..#...##....#
      .##..###.##..##...#.#..##
      ..#.#...#....#..#.##.....
      #.#..####...#####.##.#.##
      .###.#.#.####.#.###..##.#
      #.#...#.#...###.#..#..#.#
      .###...##.#.###..###.#.#.
      ###.#.#.##.#.##.#######..
      ........#.#...#.#...###.#
      #######.###..#.##.#.#..##
      #.....#..###.#.##...###..
      #.###.#..#.##.#.#####...#
      #.###.#.##.###.###..#.#..
      #.###.#....#######.####.#
      #.....#.#.####.##....#...
      #######.####..#.#.##...##
      """.split(separator: "\n").map { String($0) }
    let code = try #require(QRCode("http://192.0.2.2:7397"))
    let drawn = (0..<code.size).map { row in
      String((0..<code.size).map { code[$0, row] ? Character("#") : "." })
    }
    #expect(drawn == expected)
  }

  @Test func longTextsHaveNone() {
    #expect(QRCode(String(repeating: "a", count: 106))?.size == 37)
    #expect(QRCode(String(repeating: "a", count: 107)) == nil)
  }

  /// Half blocks: two rows of modules a line, and a rim of two modules.
  @Test func linesAreForACamera() throws {
    let code = try #require(QRCode("a"))
    #expect(code.size == 21)
    #expect(code.lines.count == 13)
    #expect(code.lines.allSatisfy { $0.hasPrefix("\u{1B}[30;107m") && $0.hasSuffix("\u{1B}[0m") })
  }
}
