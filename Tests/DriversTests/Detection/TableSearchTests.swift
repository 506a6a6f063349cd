import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Tables of bare numbers as nobody has printed them yet: the columns are found, or it is asked for them.
@Suite struct TableSearchTests {
  /// A made-up board: an order of columns, units, iron, noise, and a hand that turns it or lets it rest.
  private struct Made {
    let names: [String]
    let rows: [[Double]]

    init(_ random: inout SeededGenerator, moves: Bool) {
      func any(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      func direction() -> Vector3 {
        Vector3(any(-1...1), any(-1...1), any(-1...1)).direction ?? Vector3(0, 0, 1)
      }
      let orders = [["m"], ["m", "a"], ["a", "m"], ["a", "g", "m"], ["g", "a", "m"], ["m", "a", "g"]]
      let order = orders[Int.random(in: 0..<orders.count, using: &random)]
      let hasTime = Bool.random(using: &random), hasTemperature = Bool.random(using: &random)
      let fieldUnit = [(1.0, 2), (10, 1), (0.01, 4)][Int.random(in: 0..<3, using: &random)]
      let forceUnit = [(1.0, 3), (9.80665, 3), (1000, 1)][Int.random(in: 0..<3, using: &random)]
      let rateUnit = [(1.0, 2), (0.0174533, 4)][Int.random(in: 0..<2, using: &random)]
      let strength = any(25...65), iron = direction() * any(0...100), zero = direction() * any(0...4)
      var axis = direction()
      let speed = moves ? any(40...200) : 0,
        step = [0.01, 0.02, 0.05, 0.1][Int.random(in: 0..<4, using: &random)]
      var up = direction(), field = direction() * strength
      var rows: [[Double]] = []
      func put(_ v: Vector3, _ unit: (Double, Int), _ noise: Double, _ row: inout [Double]) {
        var power = 1.0
        for _ in 0..<unit.1 { power *= 10 }
        for axis in 0..<3 { row.append(((v[axis] + any(-1...1) * noise) * unit.0 * power).rounded() / power) }
      }
      for number in 0..<60 {
        var row: [Double] = hasTime ? [12_395 + (Double(number) * step * 1000).rounded()] : []
        for quantity in order {
          switch quantity {
          case "m": put(field + iron, fieldUnit, 0.3, &row)
          case "a": put(up, forceUnit, 0.005, &row)
          default: put(axis * speed + zero, rateUnit, 0.2, &row)
          }
        }
        if hasTemperature { row.append(24.5 + (any(-0.05...0.05) * 10).rounded() / 10) }
        rows.append(row)
        // A hand never turns about one axis for long.
        if moves { axis = (axis + direction() * 0.3).direction ?? axis }
        let turn = axis * (-speed * step * .pi / 180)
        for _ in 0..<8 {
          up = (up + (turn * 0.125).cross(up)).direction ?? up
          field = ((field + (turn * 0.125).cross(field)).direction ?? field) * strength
        }
      }
      names =
        (hasTime ? ["t"] : []) + order.flatMap { [$0 + "x", $0 + "y", $0 + "z"] }
        + (hasTemperature ? ["temperature"] : [])
      self.rows = rows
    }
  }

  /// Of so many tables: wrong ones, and those that were asked about.
  private static func trial(_ count: Int, seed: UInt64, moves: Bool) -> (wrong: [String], asked: Int) {
    var random = SeededGenerator(seed: seed)
    var wrong: [String] = [], asked = 0
    for _ in 0..<count {
      let made = Made(&random, moves: moves)
      guard var search = TableSearch(columnCount: made.names.count) else { return (["no search"], 0) }
      var found: CSVColumns?
      for row in made.rows where found == nil {
        search.add(row)
        if case .found(let columns, _) = search.verdict() { found = columns }
      }
      // Without a field there is no heading, and the user is told what the board sends.
      guard let found, found.isComplete(CSVColumns.Role.field) else {
        asked += 1
        continue
      }
      let expected = CSVColumns(names: made.names)
      let isField = { (role: UInt8) in (CSVColumns.Role.field..<CSVColumns.Role.acceleration).contains(role) }
      let places = { (columns: CSVColumns) in columns.roles.enumerated().filter { isField($0.1) }.map { $0.0 } }
      if places(found) != places(expected) {
        wrong.append("\(made.names): \(found.roles) \(made.rows[0])")
      }
    }
    return (wrong, asked)
  }

  /// Boards at rest, with iron of up to 100 µT: sizes alone speak, and many are asked about.
  @Test func boardsAtRestAreReadRightOrAskedAbout() {
    let (wrong, asked) = Self.trial(300, seed: 0xB0B, moves: false)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, \(asked) asked: \(wrong.prefix(5))")
    #expect(asked <= 180, "\(asked) asked")
  }

  /// Boards that are turned, with iron of up to 100 µT.
  @Test func boardsInMotionAreReadRightOrAskedAbout() {
    let (wrong, asked) = Self.trial(300, seed: 0xA11CE, moves: true)
    #expect(wrong.count <= 1, "\(wrong.count) wrong, \(asked) asked: \(wrong.prefix(5))")
    #expect(asked <= 45, "\(asked) asked")
  }

  /// A field that keeps to x, or is as long as it is turned, may be a heading with pitch and roll.
  @Test func anglesAreNoField() throws {
    for turns in [0.0, 3] {
      var search = try #require(TableSearch(columnCount: 3))
      for number in 0..<60 { search.add([40.3 + turns * Double(number), 1.6, -0.5]) }
      #expect(search.verdict() == .angles)
    }
    var field = try #require(TableSearch(columnCount: 3))
    for _ in 0..<20 { field.add([-12.92, 15.7, -43.49]) }
    guard case .found = field.verdict() else {
      Issue.record("a level field")
      return
    }
  }

  @Test func theUnitOfATimeIsToldByItsSteps() {
    #expect(TimeSteps.meaning(of: [12_395, 12_445, 12_495]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [1_239_500, 1_244_500]) == .seconds(1e-6))
    #expect(TimeSteps.meaning(of: [0.5, 0.55]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [7, 8, 9]) == .index)
    #expect(TimeSteps.meaning(of: [1_790_530_401_107]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [5]) == nil && TimeSteps.meaning(of: [5, 5]) == nil)
  }
}
