import Glibc
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

    /// Accelerations and rotation rates in counts, as an MPU-6050's, or accelerations alone.
    init(countsWithoutField random: inout SeededGenerator, moves: Bool) {
      func any(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      func direction() -> Vector3 { Vector3(any(-1...1), any(-1...1), any(-1...1)).direction ?? Vector3(0, 0, 1) }
      let (perGravity, perDegree) = [(16_384.0, 131.0), (8192, 65.5), (4096, 32.8), (2048, 16.4)][
        Int.random(in: 0..<4, using: &random)]
      let hasTime = Bool.random(using: &random), hasRates = any(0...1) < 0.8
      let zero = direction() * any(0...8), step = [0.01, 0.02, 0.05][Int.random(in: 0..<3, using: &random)]
      let speed = moves ? any(40...200) : 0
      var axis = direction(), up = direction()
      rows = (0..<100).map { number in
        let force = (up + Vector3(any(-1...1), any(-1...1), any(-1...1)) * 0.006) * perGravity
        let rate = (axis * speed + zero + Vector3(any(-1...1), any(-1...1), any(-1...1)) * 0.1) * perDegree
        if moves { axis = (axis + direction() * 0.3).direction ?? axis }
        for _ in 0..<8 { up = (up + (axis * (-speed * step * .pi / 1440)).cross(up)).direction ?? up }
        let time = hasTime ? [12_395 + (Double(number) * step * 1000).rounded()] : []
        return time + [force.x, force.y, force.z].map { $0.rounded() }
          + (hasRates ? [rate.x, rate.y, rate.z].map { $0.rounded() } : [])
      }
      names = (hasTime ? ["t"] : []) + ["ax", "ay", "az"] + (hasRates ? ["gx", "gy", "gz"] : [])
    }

    init(_ random: inout SeededGenerator, moves: Bool) {
      func any(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      func direction() -> Vector3 {
        Vector3(any(-1...1), any(-1...1), any(-1...1)).direction ?? Vector3(0, 0, 1)
      }
      let orders = [["m"], ["m", "a"], ["a", "m"], ["a", "g", "m"], ["g", "a", "m"], ["m", "a", "g"]]
      let order = orders[Int.random(in: 0..<orders.count, using: &random)]
      let hasTime = Bool.random(using: &random), hasTemperature = Bool.random(using: &random)
      let fieldUnits: [(Double, Int)] = [(1, 2), (10, 1), (0.01, 4)]
      let forceUnits: [(Double, Int)] = [(1, 3), (9.80665, 3), (1000, 1)]
      let rateUnits: [(Double, Int)] = [(1, 2), (0.0174533, 4)]
      let fieldUnit = fieldUnits[Int.random(in: 0..<3, using: &random)]
      let forceUnit = forceUnits[Int.random(in: 0..<3, using: &random)]
      let rateUnit = rateUnits[Int.random(in: 0..<2, using: &random)]
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
      guard var search = TableSearch(TableShape(columnCount: made.names.count)) else { return (["no search"], 0) }
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
      let places = { (columns: CSVColumns, first: UInt8) in
        columns.roles.enumerated().filter { (first..<first + 3).contains($0.1) }.map { $0.0 }
      }
      let force = places(found, CSVColumns.Role.acceleration)
      if places(found, CSVColumns.Role.field) != places(expected, CSVColumns.Role.field)
        || !force.isEmpty && force != places(expected, CSVColumns.Role.acceleration)
      {
        wrong.append("\(made.names): \(found.roles) \(made.rows[0])")
      }
    }
    return (wrong, asked)
  }

  /// How many boards are made up: `LODESTONE_TABLES`, or a few.
  private static let count = getenv("LODESTONE_TABLES").flatMap { Int(String(cString: $0)) } ?? 300

  /// Boards at rest, with iron of up to 100 µT: sizes alone speak, and many are asked about.
  @Test func boardsAtRestAreReadRightOrAskedAbout() {
    let (wrong, asked) = Self.trial(Self.count, seed: 0xB0B, moves: false)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, \(asked) asked: \(wrong.prefix(5))")
    #expect(asked <= Self.count * 6 / 10, "\(asked) asked")
  }

  /// Boards that are turned, with iron of up to 100 µT.
  @Test func boardsInMotionAreReadRightOrAskedAbout() {
    let (wrong, asked) = Self.trial(Self.count, seed: 0xA11CE, moves: true)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, \(asked) asked: \(wrong.prefix(5))")
    #expect(asked <= Self.count * 15 / 100, "\(asked) asked")
  }

  /// A board without a magnetometer, in counts, at rest and turned by hand: it is told or asked about, and no field is
  /// found in it.
  @Test(arguments: [false, true]) func countsOfNoMagnetometerAreNoField(_ moves: Bool) throws {
    var random = SeededGenerator(seed: moves ? 0x6050 : 0x345)
    var wrong: [String] = [], told = 0
    for _ in 0..<Self.count {
      let made = Made(countsWithoutField: &random, moves: moves)
      var search = try #require(TableSearch(TableShape(columnCount: made.names.count)))
      for row in made.rows {
        search.add(row)
        guard case .found(let columns, _) = search.verdict() else { continue }
        if columns.isComplete(CSVColumns.Role.field) { wrong.append("\(made.names) \(columns.roles) \(row)") }
        told += 1
        break
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong: \(wrong.prefix(5))")
    if moves { #expect(told > Self.count / 2, "\(told) told") }
  }

  /// A board that goes round level keeps its force, and of its field the part along that; one that is tilted about the
  /// field does so the other way round, and of two that might be either nothing is told.
  @Test func aLevelTurnKeepsWhatIsAlongTheForce() {
    func isLevelTurn(_ force: (Double) -> Vector3, _ field: (Double) -> Vector3) -> Bool {
      let rows = (0..<40).map { number in
        let angle = Double(number) * 0.1
        let (force, field) = (force(angle), field(angle))
        return [force.x, force.y, force.z, field.x, field.y, field.z]
      }
      return TableEvidence(rows, TableShape(columnCount: rows.first?.count ?? 0), areNeighbours: true)
        .isLevelTurn(TableTriple(rows, at: 0), TableTriple(rows, at: 3))
    }
    let still = { (_: Double) in Vector3(0, 0, 1) }
    let round = { (angle: Double) in Vector3(20 * cos(angle) + 30, 20 * sin(angle), -43) }
    #expect(isLevelTurn(still, round))
    #expect(!isLevelTurn({ Vector3(sin($0), 0, cos($0)) }, round), "the force turns")
    #expect(!isLevelTurn(still) { Vector3(20 * cos($0), 0, 43 * sin($0)) }, "the field's part along the force changes")
    #expect(!isLevelTurn(still) { Vector3(20 + $0 * 0.01, 0, -43) }, "nothing turns")
    #expect(!isLevelTurn(still) { Vector3(500 * cos($0), 500 * sin($0), 866) }, "1000 mg that go round")
  }

  /// Counts beside what they were scaled to, z by another gain, as an HMC5883L's: the scaled field, and no
  /// acceleration, whichever stands first.
  @Test(arguments: [true, false]) func countsBesideTheirFieldAreNoAcceleration(_ areFirst: Bool) throws {
    let lines = (0..<60).map { number in
      let angle = Double(number) * 0.1
      let field = [-20.3 * sin(angle), 20.3 * cos(angle), -43.5]
      let counts = zip(field, [10.9, 10.9, 9.8]).map { String(Int(($0 * $1).rounded())) }
      let scaled = field.map { $0.text(decimals: 2) }
      return (areFirst ? counts + scaled : scaled + counts).joined(separator: " ") + "\n"
    }
    let messages = CSV.hear(lines.joined()).messages
    #expect(messages.count > 40 && messages.allSatisfy { $0.acceleration == nil })
    #expect(messages.allSatisfy { abs(($0.field ?? .zero).length - 48) < 0.1 })
  }

  /// A field that keeps to x, or is as long as it is turned, may be a heading with pitch and roll.
  @Test func anglesAreNoField() throws {
    for turns in [0.0, 3] {
      var search = try #require(TableSearch(TableShape(columnCount: 3)))
      for number in 0..<60 { search.add([40.3 + turns * Double(number), 1.6, -0.5]) }
      #expect(search.verdict() == .angles(headingIsFirst: true))
    }
    var field = try #require(TableSearch(TableShape(columnCount: 3)))
    for _ in 0..<20 { field.add([-12.92, 15.7, -43.49]) }
    guard case .found = field.verdict() else {
      Issue.record("a level field")
      return
    }
  }

  /// So may one that keeps to z: roll, pitch and heading. Angles beside an acceleration are as far from level as that.
  @Test func anglesWithTheHeadingLastAreNoField() throws {
    for turns in [0.0, 0.2] {
      var search = try #require(TableSearch(TableShape(columnCount: 3)))
      for number in 0..<60 { search.add([-0.5, 1.6, 40.3 + turns * Double(number)]) }
      #expect(search.verdict() == .angles(headingIsFirst: false))
    }
    // A level board where the field dips by 72°, as in the north of Sweden.
    var steep = try #require(TableSearch(TableShape(columnCount: 3)))
    for number in 0..<20 { steep.add([-10.3, 12.2 + 0.01 * Double(number % 3), -49.2]) }
    guard case .found = steep.verdict() else {
      Issue.record("a steep field")
      return
    }
    for angles in [[40.3, 20.0, -10], [-10, 20, 40.3]] {
      var motion = try #require(TableSearch(TableShape(columnCount: 9)))
      for number in 0..<60 {
        // sin 20° and sin 10°.
        let flicker = 0.001 * Double(number % 3)
        motion.add([0.174 + flicker, 0.342, 0.923, 0.1, -0.2 + flicker, 0.1] + angles)
      }
      #expect(motion.verdict() == .ambiguous)
    }
  }

  @Test func theUnitOfATimeIsToldByItsSteps() {
    #expect(TimeSteps.meaning(of: [12_395, 12_445, 12_495]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [1_239_500, 1_244_500]) == .seconds(1e-6))
    #expect(TimeSteps.meaning(of: [0.5, 0.55]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [7, 8, 9]) == .index)
    #expect(TimeSteps.meaning(of: [1_790_530_401_107]) == .seconds(1e-3))
    // Nanoseconds of a phone that was switched on an hour and more ago; dates in any unit stay dates, however far
    // apart.
    #expect(TimeSteps.meaning(of: [4_520_870_000_000, 4_520_890_000_000]) == .seconds(1e-9))
    #expect(TimeSteps.meaning(of: [4_520_870_000_000]) == nil)
    #expect(TimeSteps.meaning(of: [3_925_657_519_043_709, 3_925_657_529_043_709]) == .seconds(1e-9))
    #expect(TimeSteps.meaning(of: [1_790_530_401_107, 1_790_630_401_107]) == .seconds(1e-9))
    #expect(TimeSteps.meaning(of: [20_000_000, 40_000_000]) == .seconds(1e-9))
    #expect(TimeSteps.meaning(of: [1_790_530_401_107, 1_790_534_001_107]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [1_790_530_401_107_000, 1_790_530_411_107_000]) == .seconds(1e-6))
    // A board's microseconds after twenty minutes and after two hours, and dates of loggers.
    #expect(TimeSteps.meaning(of: [1_200_020_004, 1_200_040_008]) == .seconds(1e-6))
    #expect(TimeSteps.meaning(of: [7_200_010_000, 7_200_020_000]) == .seconds(1e-6))
    #expect(TimeSteps.meaning(of: [1_790_530_401, 1_790_530_401, 1_790_530_402]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [1_790_530_401.02, 1_790_530_401.04]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [1_790_530_200, 1_790_533_800]) == .seconds(1))
    // A board's milliseconds after twelve days and after thirty: in seconds the dates are of 2002 and of 2052.
    #expect(TimeSteps.meaning(of: [1_036_800_020, 1_036_800_070]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [2_592_000_010, 2_592_000_020]) == .seconds(1e-3))
    #expect(TimeSteps.meaning(of: [1_036_800_020, 1_036_801_020]) == .seconds(1e-3))
    // A logger's seconds: at any time in these years, and once a minute in any.
    #expect(TimeSteps.meaning(of: [1_790_530_401, 1_790_530_411]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [1_036_800_000, 1_036_800_060, 1_036_800_120]) == .seconds(1))
    #expect(TimeSteps.meaning(of: [1_790_530_401]) == nil)
    #expect(TimeSteps.meaning(of: [5]) == nil && TimeSteps.meaning(of: [5, 5]) == nil)
  }

  /// Milliseconds of loggers that wait for seconds or minutes: even steps, from a moment on at which no board prints
  /// microseconds; and microseconds of the same size.
  @Test func slowLoggersCountMilliseconds() {
    func scale(_ first: Double, _ step: Double, _ stray: [Double] = [0]) -> TimeSteps.Meaning? {
      TimeSteps.meaning(of: (0..<12).map { first + step * Double($0) + stray[$0 % stray.count] })
    }
    for step in [2500.0, 3000, 5000, 10_000, 30_000] {
      #expect(scale(12_395, step) == .seconds(1e-3), "\(step)")
      #expect(scale(5231, step + 12, [0, 1]) == .seconds(1e-3), "\(step)")
      // Boards that count microseconds step as evenly.
      #expect(scale(905_231, step + 12, [0, 1]) == .seconds(1e-6), "\(step)")
      #expect(scale(step, step) == .seconds(1e-6), "\(step)")
    }
    #expect(scale(5000, 60_000) == .seconds(1e-3) && scale(7_205_000, 600_000) == .seconds(1e-3))
    #expect(scale(1_234_568, 10_012, [0, 4, 24, 8, 40]) == .seconds(1e-6))
    #expect(scale(1_234_568, 50_004) == .seconds(1e-6) && scale(0, 20_000) == .seconds(1e-6))
    #expect(TimeSteps.areOpen([12_395, 15_395]) && !TimeSteps.areOpen([12_395, 12_445]))
  }

  /// Long steps of a recording are told together, and that they leave the unit open; a live board is not waited for.
  @Test func longStepsAreOpen() {
    let rows = (0..<12).map { "\(12_395 + 3000 * $0),-12.9,15.7,-43.5\n" }.joined()
    var table = CSV()
    let messages = table.hear(Array(("time,mx,my,mz\n" + rows).utf8)).messages
    #expect(messages.count == 12 && messages.first?.time == 12.395 && messages.last?.time == 45.395)
    #expect(table.openTimeScale == 1e-3)
    var short = CSV()
    #expect(short.hear(Array(("time_ms,mx,my,mz\n" + rows).utf8)).messages.count == 12 && short.openTimeScale == nil)
    // Microseconds that a sketch has divided by 1000, or a slow logger's seconds.
    var divided = CSV()
    let thousandths = (0..<12).map { "\(3_674_269.348 + 80.81 * Double($0)),-12.9,15.7,-43.5\n" }.joined()
    #expect(divided.hear(Array(("time,mx,my,mz\n" + thousandths).utf8)).messages.count == 12)
    #expect(
      divided.openTimeScale == 1 && !TimeSteps.areOpen([12.345, 12.445]) && !TimeSteps.areOpen([1e9 + 0.5, 1e9 + 9]))
    var live = CSV()
    live.hear(at: 1)
    #expect(live.hear(Array(("time,mx,my,mz\n" + rows.prefix(80)).utf8)).messages.count >= 2)
    var labels = LabelledLines()
    let lines = (0..<12).map { "t: \(12_395 + 3000 * $0) x: -12.9 y: 15.7 z: -43.5\n" }.joined()
    #expect(labels.hear(Array(lines.utf8)).messages.first?.time == 12.395 && labels.openTimeScale == 1e-3)
  }
}
