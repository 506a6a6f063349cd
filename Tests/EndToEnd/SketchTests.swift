import LodestoneCore
import Support
import Testing

/// The sketches of `lodestone firmware`: compiled or run as they are printed, on a board of Tests/Sketches whose bus
/// leads to models of the chips; what they print is read right, without a question.
@Suite(.waiting) struct SketchTests {
  /// A board at rest that points to 40.3°, level or tilted by 6°, as in `FirstContactTests`.
  struct Board: CustomTestStringConvertible, Sendable {
    let chip: String
    /// Samples a second.
    let rate: Double
    let chips: @Sendable () -> [UInt8: any VirtualChip]
    var testDescription: String { chip }

    init(_ chip: String, _ rate: Double, _ chips: @escaping @Sendable () -> [UInt8: any VirtualChip]) {
      (self.chip, self.rate, self.chips) = (chip, rate, chips)
    }

    /// A magnetometer alone; those with left-handed axes have one turned round.
    init(
      _ chip: String, _ rate: Double, at address: UInt8, axes: @escaping @Sendable (Vector3) -> Vector3 = { $0 },
      _ model: @escaping @Sendable () -> ChipModel
    ) {
      self.init(chip, rate) { [address: Self.turned(model(), Self.level, axes)] }
    }

    static let level = Vector3(-12.92, 15.70, -43.49)
    static let tilted = Vector3(-14.15, 10.95, -44.52)

    /// A model in the board's field, by its own axes.
    static func turned(
      _ model: ChipModel, _ field: Vector3 = level, _ axes: @escaping (Vector3) -> Vector3
    ) -> any VirtualChip {
      model.field = { _ in axes(field) }
      return model
    }

    static func atRest<Model: MotionChipModel>(_ model: Model, _ axes: (Vector3) -> Vector3 = { $0 }) -> Model {
      model.acceleration = axes(Vector3(0.025, 0.104, 0.994))
      model.rotationRate = axes(Vector3(0.3, -0.2, 0.1))
      return model
    }
  }

  static let boards = [
    Board("qmc5883l", 200, at: 0x0D) { QMC5883LModel() }, Board("qmc5883p", 200, at: 0x2C) { QMC5883PModel() },
    Board("hmc5883l", 75, at: 0x1E) { HMC5883LModel() }, Board("lis3mdl", 155, at: 0x1E) { LIS3MDLModel() },
    Board("lis2mdl", 100, at: 0x1E, axes: { Vector3(-$0.x, $0.y, $0.z) }) { LIS2MDLModel() },
    Board("mmc5603", 200, at: 0x30) { MMC5603Model() },
    Board("mmc5983ma", 200, at: 0x30, axes: { Vector3($0.x, $0.y, -$0.z) }) { MMC5983MAModel() },
    Board("bmm150", 100, at: 0x12) { BMM150Model() },
    Board("rm3100", 147, at: 0x21) { RM3100Model() },
    Board("mlx90393", 50) {
      let model = MLX90393Model()
      model.field = Board.level
      return [0x18: model]
    },
    Board("icm20948", 100) {
      let motion = Board.atRest(ICM20948Model())
      let magnetometer = AKMModel(.ak09916) { motion.isOpen }
      return [0x69: motion, 0x0C: Board.turned(magnetometer, Board.tilted) { Vector3($0.x, -$0.y, -$0.z) }]
    },
    Board("bno055", 30) { [0x29: Board.turned(Board.atRest(BNO055Model()), Board.tilted) { $0 }] },
    Board("lsm9ds1", 80) {
      let magnetometer = LIS3MDLModel()
      magnetometer.countsPerGauss = [0.14, 0.29, 0.43, 0.58].map { 1000 / $0 }
      return [
        0x6B: Board.atRest(LSM9DS1MotionModel()) { Vector3(-$0.x, $0.y, $0.z) },
        0x1E: Board.turned(magnetometer, Board.tilted) { $0 },
      ]
    },
    Board("mpu9250", 100) {
      let motion = Board.atRest(MPU9250Model())
      let magnetometer = AKMModel(.ak8963) { motion.isOpen }
      return [0x68: motion, 0x0C: Board.turned(magnetometer, Board.tilted) { Vector3($0.y, $0.x, -$0.z) }]
    },
    Board("lsm303d", 100) { [0x1E: Board.turned(Board.atRest(LSM303DModel()), Board.tilted) { $0 }] },
    Board("fxos8700", 50) { [0x1D: Board.turned(Board.atRest(FXOS8700Model()), Board.tilted) { $0 }] },
  ]

  enum Language: String, CaseIterable, Sendable { case arduino, micropython, circuitpython }

  private static let folder = PackageFolder.root + "Tests/Sketches"

  /// Starts the sketch as `lodestone firmware` prints it.
  private func start(_ chip: String, _ language: Language, in folder: String) throws -> ChildProgram {
    let name = chip + (language == .arduino ? "-arduino" : "-python")
    let printed = try CommandRun.lodestone(["firmware", name])
    #expect(printed.exitCode == 0 && printed.errors.isEmpty, "\(printed.errors)")
    let path = folder + "/sketch"
    try CommandRun.write(bytes: printed.output, to: path + ".source")
    guard language == .arduino else {
      let arguments = [Self.folder + "/board.py", language.rawValue, path + ".source"]
      return try #require(ChildProgram("/usr/bin/env", arguments: ["python3"] + arguments))
    }
    let options = ["-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-fdata-sections", "-include", "Arduino.h"]
    let compiler = try #require(
      ChildProgram(
        "/usr/bin/env",
        arguments: ["clang++"] + options + ["-I", Self.folder, "-x", "c++", path + ".source", "-o", path],
        joinsErrors: true))
    let code = compiler.exitCode()
    #expect(code == 0, "\(compiler.line(within: 0) ?? "")")
    return try #require(ChildProgram(path))
  }

  /// The sketch's output until it has printed so many rows.
  private func lines(_ sketch: ChildProgram, on chips: [UInt8: any VirtualChip], rows: Int) throws -> [String] {
    let bus = VirtualI2CBus(chips)
    var lines: [String] = []
    var count = 0
    while count < rows {
      let words = try #require(sketch.line()).split(separator: " ", omittingEmptySubsequences: false)
      if words[0] == "p" {
        lines.append(words.dropFirst().joined(separator: " "))
        if lines.last?.first?.isNumber == true { count += 1 }
        continue
      }
      bus.advance(by: try #require(words.last.flatMap { Double($0) }) / 1e6)
      let address = try #require(UInt8(words[1], radix: 16))
      let isAnswered = bus.start(address, reading: words[0] == "r")
      if words[0] == "r" {
        let bytes = isAnswered ? (0..<(Int(words[2]) ?? 0)).map { _ in bus.get() } : []
        sketch.send(bytes.map { $0.hexadecimal }.joined())
      } else {
        let bytes = Array(words[2].utf8)
        let places = stride(from: 0, to: bytes.count - 1, by: 2)
        let all = places.compactMap { UInt8(String(decoding: bytes[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        let isTaken = all.reduce(isAnswered) { $0 && bus.put($1) }
        sketch.send(isTaken ? "0" : "2")
      }
      if words[0] == "r" || words[3] == "1" || !isAnswered { bus.stop() }
    }
    return lines
  }

  /// Each board by an Arduino and, in turn, by one of the Pythons.
  static let sketches = boards.enumerated().flatMap { number, board in
    [(board, Language.arduino), (board, number % 2 == 0 ? .micropython : .circuitpython)]
  }

  /// In a file: headings, field and rate.
  @Test(arguments: sketches) func sketchesAreReadRight(_ board: Board, _ language: Language) throws {
    try TemporaryFolder.with { folder in
      let sketch = try start(board.chip, language, in: folder)
      let lines = try lines(sketch, on: board.chips(), rows: 60)
      #expect(lines.contains { $0.hasPrefix("# \(board.chip)-") && $0.contains(", id 0x") }, "\(lines.first ?? "")")
      #expect(!lines.contains { $0.contains("check its supply") && board.chip == "qmc5883l" }, "\(lines)")
      try CommandRun.write(lines.joined(separator: "\r\n") + "\r\n", to: folder + "/rows.csv")
      let run = try CommandRun.lodestone([
        "heading", "--device", folder + "/rows.csv", "--format", "csv", "--profile", "none", "--fusion", "off",
      ])
      let rows = MainJobTests.rows(run.text)
      #expect(run.exitCode == 0 && rows.count == 60, "\(run.errors)")
      Self.check(rows, run.errors)
      let times = rows.compactMap { $0["time_s"].flatMap { Double($0) } }
      let rate = 59 / ((times.last ?? 0) - (times.first ?? 0))
      #expect(abs(rate / board.rate - 1) < 0.1, "\(rate) of \(board.rate) Hz")
    }
  }

  /// Live, from the middle on. Where the columns are clear before the header comes again they are told, and stay.
  @Test(arguments: [0, 10, 11, 14]) func sketchesAreReadRightLive(_ number: Int) throws {
    let board = Self.boards[number]
    try TemporaryFolder.with { folder in
      let sketch = try start(board.chip, .circuitpython, in: folder)
      let lines = try lines(sketch, on: board.chips(), rows: Int(6 * board.rate)).dropFirst(5)
      let port = try PtyBoard(rate: board.rate) { number in
        number < lines.count ? Array((lines[lines.startIndex + number] + "\r\n").utf8) : nil
      }
      let run = try CommandRun.lodestone([
        "heading", "--device", port.path, "--format", "csv", "--profile", "none", "--fusion", "off", "--count", "30",
      ])
      let rows = MainJobTests.rows(run.text)
      #expect(run.exitCode == 0 && rows.count == 30, "\(run.errors)")
      Self.check(
        rows, run.errors, forbidden: ["assuming µT", "ambiguous", "unit", "have changed", "left out", "wrong"])
      #expect(
        !run.errors.contains("assuming") || run.errors.contains("assuming the columns t,mx,my,mz"), "\(run.errors)")
    }
  }

  private static func check(
    _ rows: [[String: String]], _ errors: String,
    forbidden: [String] = ["assuming", "ambiguous", "unit", "--columns", "left out", "wrong"]
  ) {
    for row in rows {
      let heading = row["magnetic_heading_deg"].flatMap { Double($0) } ?? .nan
      #expect(abs(Angle.shortestTurn(from: 40.3, to: heading)) < 2, "\(heading) \(errors)")
      #expect(abs((row["field_uT"].flatMap { Double($0) } ?? 0) - 48) < 1, "\(row) \(errors)")
    }
    for word in forbidden {
      #expect(!errors.contains(word), "\(errors)")
    }
  }

  /// A board with another chip, or none, says so; the next one is found when it is plugged in.
  @Test(arguments: Language.allCases) func aMissingChipIsSaid(_ language: Language) throws {
    try TemporaryFolder.with { folder in
      let sketch = try start("lis3mdl", language, in: folder)
      var line = sketch.line()
      while let text = line, !text.hasPrefix("p ") {
        sketch.send(text.hasPrefix("r") ? "" : "2")
        line = sketch.line()
      }
      #expect(line?.hasPrefix("p # lis3mdl-") == true && line?.hasSuffix("check its supply, SDA and SCL") == true)
    }
  }

  /// Each file is in the list, with the name that its first line says.
  @Test func everySketchIsListed() throws {
    let files =
      try PackageFolder.files(below: "Sources/Firmware/Arduino").filter { $0.hasSuffix(".ino") }
      + PackageFolder.files(below: "Sources/Firmware/Python").filter { !$0.hasSuffix("/board_lines.py") }
    let named = files.map { path in
      let chip = path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
      return chip + (path.hasSuffix(".ino") ? "-arduino" : "-python")
    }
    let listed = try CommandRun.lodestone(["firmware", "--list"]).text.split(separator: "\n").map {
      $0.prefix { $0 != " " }
    }
    #expect(listed.map { String($0) }.sorted() == named.map { String($0) }.sorted(), "add it to Firmware.c")
    #expect(Set(Self.boards.flatMap { [$0.chip + "-arduino", $0.chip + "-python"] }) == Set(named.map { String($0) }))
    let wrong = try CommandRun.lodestone(["firmware", "qmc5883-arduino"])
    #expect(wrong.exitCode == 64 && wrong.errors.contains("did you mean qmc5883"), "\(wrong.errors)")
  }
}
