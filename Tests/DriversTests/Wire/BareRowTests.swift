import Testing

@testable import Drivers

/// The numbers of rows without names, and what their marks and units say.
@Suite struct BareRowTests {
  private func row(_ text: String) -> BareRow? { BareRow(text.utf8.span) }

  @Test(arguments: [
    "1|2|3", " 1 | 2 | 3 ", "| 1 | 2 | 3 |", "1, 2 | 3", "[1, 2, 3]", "(1 2 3)", "[[1,2],[3]],", "1 uT, 2 uT, 3 uT",
    "1uT 2uT 3uT",
    "1;2;3 [µT]", "1,2,3,", "\t1\t2, 3", "[1.0,2.0e0,+3.]", "(1), (2), (3)", "1,0 2,0 3,0",
  ])
  func numbersStandBetweenAnything(_ text: String) {
    #expect(row(text)?.numbers == [1, 2, 3], "\(text)")
  }

  @Test(arguments: [
    "1 | 2", "1 | | 3 | 4", "1,,2,3", "1-2-3", "1.2.3.4", "[1,2,3", "1,2,3]", "[1,2,3)", "[[[1,2,3]]]", "1 2 3 NE",
    "a 1 2 3",
    "uT 1 2 3", "1 uT uT, 2, 3", "1, uT, 2, 3", "|||", "[]", "1 2 3 uT/0 4 x", "0x1 2 3",
    "1|2|3|4|5|6|7|8|9|10|11|12|13",
    "1 2:3 4",
  ])
  func anythingElseIsNoRow(_ text: String) { #expect(row(text) == nil, "\(text)") }

  /// Three numbers behind a sensor's name are its axes, and no table.
  @Test func aSensorsNameStandsBeforeMoreThanThreeNumbers() {
    #expect(row("MAG 12345 -12.9 15.7 -43.5")?.numbers == [12_345, -12.9, 15.7, -43.5])
    #expect(row("Mag: 1, 2, 3") == nil && row("Mag_uT: 1, 2, 3, 4") == nil && row("Mag x: 1, 2, 3, 4") == nil)
    #expect(places("MAG,1,2,3,4") == [0, 1] && places("ACC,1,2,3,4") == [-1])
  }

  /// A comma between digits is a decimal mark where something else separates the numbers, and no point is there.
  @Test func commasMayBeDecimalMarks() {
    #expect(row("12,5 | -4,5 | 40,25")?.numbers == [12.5, -4.5, 40.25])
    #expect(row("12,5 uT -4,5 uT 40 uT")?.numbers == [12.5, -4.5, 40])
    #expect(row("12395 | 1,2,3")?.numbers == [12_395, 1, 2, 3])
    #expect(row("1,2,3 | 4,5,6.5")?.numbers == [1, 2, 3, 4, 5, 6.5])
    #expect(row("[1,2,3]")?.numbers == [1, 2, 3])
    #expect(row("-9,83, 13,50, -40,11")?.numbers == [-9.83, 13.5, -40.11])
    #expect(row("-9,83 , 13 , -40,11")?.numbers == [-9.83, 13, -40.11])
    #expect(row("1, 2, 3")?.numbers == [1, 2, 3])
  }

  /// The orders that a row allows, by where they have the field.
  private func places(_ text: String, hasTime: Bool = false) -> Set<Int>? {
    guard let shape = row(text)?.shape else { return nil }
    return Set(
      TableLayout.all(of: shape.columnCount, time: hasTime ? 0 : nil).filter { shape.allows($0) }.map {
        $0.place(of: .field) ?? -1
      })
  }

  @Test func unitsAndGroupsTellColumns() {
    #expect(places("1 uT 2 uT 3 uT") == [0])
    #expect(places("1 g 2 g 3 g 4 uT 5 uT 6 uT") == [3])
    #expect(places("1 2 3 g 4 5 6 uT") == [3])
    #expect(places("1 g 2 g 3 g 4 G 5 G 6 G") == [3], "small letters are gravities beside capital ones")
    #expect(places("1 mG 2 mG 3 mG 4 mg 5 mg 6 mg") == [0])
    #expect(places("1 g 2 g 3 g") == [0, -1], "either")
    #expect(places("1 deg 2 deg 3 deg") == [])
    #expect(places("1 uT 2 mT 3 nT") == [])
    #expect(places("1 m/s² 2 m/s² 3 m/s²") == [-1])
    #expect(places("9 ms 1 uT 2 uT 3 uT", hasTime: true) == [1])
    #expect(places("9 | 1,2,3", hasTime: true) == [1, -1])
    #expect(places("1,2,3 | 4,5,6 | 7")?.contains(1) == false)
  }

  /// Brackets and words without end cost no more than a look at each byte, and nothing is kept of them.
  @Test func longLinesAreNoRows() {
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: "|", count: 100_000),
      "1" + String(repeating: " u", count: 50_000), "[" + String(repeating: "1,", count: 50_000) + "1]",
    ] { #expect(row(text) == nil) }
    let heard = CSV.hear(String(repeating: "|||||\n[[[[[\n", count: 2000))
    #expect(heard.messages.isEmpty && heard.longestRest < 4096)
  }

  /// Axes that are called by two letters, as in the sketches of many.
  @Test func gyXIsTheXOfAGyroscope() {
    let columns = CSVColumns(names: ["AcX", "AcY", "AcZ", "Tmp", "GyX", "GyY", "GyZ"])
    #expect(columns.isComplete(CSVColumns.Role.acceleration) && columns.isComplete(CSVColumns.Role.rotationRate))
    #expect(CSVColumns(names: ["gx", "gy", "gz"]).isComplete(CSVColumns.Role.rotationRate))
  }

  /// Serial Studio's frames, and PyTorch's numbers.
  @Test(arguments: ["/*-12.9,15.7,-43.5*/", "/*-12.9,15.7,-43.5*/ ", "tensor([-12.9, 15.7, -43.5])"])
  func marksAroundARowAreNone(line: String) {
    #expect(BareRow(Array(line.utf8).span)?.numbers == [-12.9, 15.7, -43.5])
  }

  @Test(arguments: ["/*-12.9,15.7,-43.5", "/**/", "/* x */", "tenor([-12.9, 15.7, -43.5])"])
  func otherMarksAreNoRows(line: String) { #expect(BareRow(Array(line.utf8).span) == nil) }
}
