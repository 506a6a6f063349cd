import LodestoneCore
import Testing

@testable import Drivers

/// Rows of tables that have lost a part.
@Suite struct TaggedTablesTests {
  private static func messages(_ text: String) -> [WireMessage] { CSV.hear(text).messages }

  /// A row that has lost its beginning has fewer columns than all before it; a table whose last columns are empty now
  /// and then has as many as ever.
  @Test func aRowWithFewerColumnsIsCutOff() {
    let head = "Time (s),Bx (uT),By (uT),Bz (uT),B (uT)\n"
    let rows = (10..<40).map { "3.\($0),-12.9,15.7,-43.5,48.0\n" }
    let cut = Self.messages(head + rows.joined() + "9,15.7,-43.5,48.0\n" + rows.joined())
    #expect(cut.count == 60 && cut.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(cut.count)")
    let ragged = (10..<40).map { "3.\($0),-12.9,15.7,-43.5\($0 % 3 == 0 ? "" : ",48.0")\n" }
    #expect(Self.messages(head + ragged.joined()).count == 30)
    let shorter = (10..<40).map { "4.\($0),-12.9,15.7,-43.5\n" }
    #expect(Self.messages(head + rows.joined() + shorter.joined()).count > 50)
  }

  /// A time that was a clock's so far is none where only its end is left.
  @Test func aClockThatIsCutOffIsNoTime() {
    let head = "Time,mx,my,mz\n"
    let rows = (10..<40).map { "14:00:0\($0 % 10).\($0),-12.9,15.7,-43.5\n" }.sorted()
    let heard = Self.messages(head + rows.joined() + "05.1,-12.9,15.7,-43.5\n")
    #expect(heard.count == 30, "\(heard.count)")
    let seconds = (10..<40).map { "3.\($0),-12.9,15.7,-43.5\n" }
    #expect(Self.messages(head + seconds.joined()).count == 30)
    #expect(Self.messages(head + rows.prefix(4).joined() + seconds.joined()).count > 20)
  }

  /// Rows of a table of headings that are cut off are no table of a field.
  @Test func aRowBesideHeadingsIsNoField() {
    let rows = (10..<40).map { "40.\($0),-12.9,15.7,-43.5\n" }
    let heard = Self.messages("heading,x,y,z\n" + rows.joined() + "-12.9,15.7,-43.5\n" + rows.joined())
    #expect(heard.count == 60 && heard.allSatisfy { $0.own != nil }, "\(heard.count)")
  }
}
