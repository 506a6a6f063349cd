import LodestoneCore
import Support
import Testing

/// Boards that print in another unit from some line on, as after a flash: half of a file was of the wrong scale without
/// a word.
@Suite(.waiting) struct UnitChangeTests {
  /// Another unit, by what a field in µT is multiplied with, and the decimals.
  private static let others: [(factor: Double, decimals: Int)] = [(10, 1), (10, 0), (0.01, 4), (1000, 0)]

  private static func row(_ field: [Double], _ factor: Double, _ decimals: Int) -> String {
    field.map { ($0 * factor).text(decimals: decimals) }.joined(separator: ",")
  }

  private static func fields(_ run: CommandRun) -> [Double?] {
    run.text.split(separator: "\n").dropFirst().map { line in
      Double(line.split(separator: ",", omittingEmptySubsequences: false)[5])
    }
  }

  @Test(arguments: 0..<4, [false, true]) func eachPartIsReadInItsOwn(_ place: Int, isReversed: Bool) throws {
    let (factor, decimals) = Self.others[place]
    let text = PrintoutsTests.Printout("") {
      ($0 < 150) == isReversed ? Self.row($1, factor, decimals) : Self.row($1, 1, 2)
    }
    for run in try PrintoutsTests.runs(text.all(0..<300)) {
      #expect(run.exitCode == 0 && run.errors.contains("unit or range"), "\(run.errors)")
      let (fields, headings) = (Self.fields(run), PrintoutsTests.headings(run))
      #expect(fields.count == 300 && headings.count == 300)
      // Those that show the change are in the unit of before.
      for (row, heading) in headings.enumerated() where !(150..<158).contains(row) {
        guard PrintoutsTests.isRight(heading, row), let field = fields[row], abs(field - 48) < 2 else {
          Issue.record("row \(row): \(String(describing: heading)), \(String(describing: fields[row])) \(run.errors)")
          return
        }
      }
    }
  }

  /// Counts behind a unit, and a unit behind counts: the counts have no strength.
  @Test(arguments: [false, true]) func countsHaveNoStrength(_ areFirst: Bool) throws {
    let text = PrintoutsTests.Printout("") { ($0 < 150) == areFirst ? Self.row($1, 30, 0) : Self.row($1, 1, 2) }
    for run in try PrintoutsTests.runs(text.all(0..<300)) {
      #expect(
        run.exitCode == 0 && run.errors.contains("unit or range") && run.errors.contains("counts"), "\(run.errors)")
      let fields = Self.fields(run)
      let parts = [fields.prefix(150), fields.dropFirst(158)]
      #expect(parts[areFirst ? 0 : 1].allSatisfy { $0 == nil }, "\(run.text.prefix(300))")
      #expect(parts[areFirst ? 1 : 0].allSatisfy { abs(($0 ?? 0) - 48) < 2 })
    }
  }

  /// A unit that is said no more: all that came behind it was left out without a word.
  @Test func aUnitThatIsSaidNoMoreIsFound() throws {
    let text = PrintoutsTests.Printout("") {
      zip(["X", "Y", "Z"], $1).map { "\($0): \(Int(($1 * 30).rounded()))" }.joined(separator: " ")
    }
    let stated = PrintoutsTests.Printout("") {
      zip(["X", "Y", "Z"], $1).map { "\($0): \($1.text(decimals: 2)) uT" }.joined(separator: " ")
    }
    for run in try PrintoutsTests.runs(stated.all(0..<150) + text.all(150..<400)) {
      #expect(run.exitCode == 0 && run.errors.contains("without the unit"), "\(run.errors)")
      let headings = PrintoutsTests.headings(run)
      #expect(headings.count > 320 && PrintoutsTests.isRight(headings.last ?? nil, 399), "\(headings.count)")
    }
  }

  /// A magnet that comes all at once turns the field, and is no other unit.
  @Test func aMagnetIsNoUnit() throws {
    let text = PrintoutsTests.Printout("") {
      Self.row($0 < 150 ? $1 : [$1[0] + 600, $1[1] - 200, $1[2] + 100], 1, 2)
    }
    for run in try PrintoutsTests.runs(text.all(0..<300)) {
      #expect(!run.errors.contains("unit or range"), "\(run.errors)")
    }
  }
}
