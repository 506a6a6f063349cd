import LodestoneCore
import Support
import Testing

/// Tables as people and programs write them: no stray line, blank cell, unit or date makes other numbers of them.
@Suite(.waiting) struct TablesTests {
  private static let header = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"

  /// Rows of a level board that points to a heading: 20 µT to the north, 43 µT down.
  private static func rows(_ times: Range<Int>, heading: Double = 30) -> [String] {
    let angle = heading * .pi / 180
    return times.map { time in
      // A level board that points to ψ has the north at −sin ψ, cos ψ; a digit of noise keeps it from being stuck.
      let noise = Double(time % 7) * 0.001
      let x = (-20 * Double.sine(angle) + noise).text(decimals: 4), y = (20 * Double.cosine(angle)).text(decimals: 4)
      return "\((Double(time) * 0.02).text(decimals: 2)),\(x),\(y),-43.1,0,0,1"
    }
  }

  private static func heading(_ lines: [String], _ more: [String] = []) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/table.csv")
      return try CommandRun.lodestone(
        [
          "heading", "--device", "\(folder)/table.csv", "--format", "csv", "--profile", "none", "--orientation",
          "portrait",
        ]
          + more)
    }
  }

  private static func headings(_ run: CommandRun) -> [Double] {
    MainJobTests.rows(run.text).compactMap { $0["magnetic_heading_deg"].flatMap { Double($0) } }
  }

  /// A hint that is followed word by word must not make a field of another column.
  @Test func theHintToNameColumnsSaysAllOfThem() throws {
    let run = try Self.heading(["heading,mx,my"] + (0..<60).map { "\($0 * 6),20.\($0 % 7),3.\($0 % 5)" })
    #expect(run.exitCode == 65 && run.errors.contains("lacks its axis z"), "\(run.errors)")
    #expect(run.errors.contains("name all columns in their order"), "\(run.errors)")
  }

  @Test(arguments: ["note: mag x, mag y, mag z high", "turn x y z", "mx my mz", "x,y,z", "t,x,y,z and so on"])
  func aStrayLineIsNoHeader(line: String) throws {
    let run = try Self.heading([Self.header] + Self.rows(0..<100) + [line] + Self.rows(100..<200))
    let headings = Self.headings(run)
    #expect(headings.count == 200)
    #expect(headings.allSatisfy { abs($0 - 30) < 0.1 })
    #expect(run.errors.contains("columns") == false, "\(run.errors)")
  }

  @Test func aNoteBeforeTheHeaderIsNoHeader() throws {
    let run = try Self.heading(["note: mag x, mag y, mag z high", Self.header] + Self.rows(0..<100))
    #expect(Self.headings(run).count == 100)
    #expect(Self.headings(run).allSatisfy { abs($0 - 30) < 0.1 })
  }

  /// A first column without a name, as pandas prints the number of a row (`print(df.to_string())`), R one in quotes
  /// (`write.table`), and a logger its time: the names belong to the columns behind it.
  @Test(arguments: [
    ("        time_s   mx_uT   my_uT   mz_uT   ax_g  ay_g  az_g", "%   ", " "),
    (#""time_s" "mx_uT" "my_uT" "mz_uT" "ax_g" "ay_g" "az_g""#, #""%" "#, " "),
    ("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g", "%,", ","), ("mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g", "", ","),
    ("        mx_uT   my_uT   mz_uT   ax_g  ay_g  az_g\ntime_s", "", "  "),
  ])
  func aFirstColumnMayHaveNoName(header: String, number: String, separator: String) throws {
    let rows = Self.rows(0..<100).enumerated().map { row, text in
      number.replacing("%", with: "\(row + 1)") + text.replacing(",", with: separator)
    }
    let run = try Self.heading([header] + rows)
    let headings = Self.headings(run)
    #expect(headings.count == 100, "\(run.errors)")
    #expect(headings.allSatisfy { abs($0 - 30) < 0.1 }, "\(headings.prefix(2))")
    let times = MainJobTests.rows(run.text).compactMap { $0["time_s"].flatMap { Double($0) } }
    #expect(abs((times.last ?? 0) - (times.first ?? 0) - 1.98) < 1e-6, "\(times.prefix(3))")
  }

  /// A last one without a name is left out, where the first axis rises as well.
  @Test func aLastColumnMayHaveNoName() throws {
    let rows = (0..<100).map { row in "\((Double(row) * 0.1).text(decimals: 1)),20,-43.1,2\(row % 3)" }
    let run = try Self.heading(["mx_uT,my_uT,mz_uT"] + rows.dropFirst(30).reversed())
    let headings = Self.headings(run)
    #expect(headings.count == 70 && abs((headings.first ?? 0) - (360 - 26.3)) < 0.1, "\(headings.prefix(2))")
  }

  /// Programs of Windows write µ as one byte.
  @Test func unitsMayBeInLatin1() throws {
    let text =
      "t (s);Bx (\u{B5}T);By (\u{B5}T);Bz (\u{B5}T)\n"
      + Self.rows(0..<100).map { $0.split(separator: ",").prefix(4).joined(separator: ";") + "\n" }.joined()
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: text.unicodeScalars.map { UInt8($0.value) }, to: "\(folder)/table.csv")
      let run = try CommandRun.lodestone([
        "heading", "--device", "\(folder)/table.csv", "--format", "csv", "--profile", "none",
      ])
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count == 100 && rows.allSatisfy { $0["field_uT"]?.hasPrefix("47.5") == true }, "\(run.errors)")
    }
  }

  /// Attitudes and places as `rostopic echo -p` writes them are no magnetic field, though each name begins with
  /// `field`.
  @Test(arguments: ["orientation", "pose.pose.position", "angular_velocity"])
  func aRobotsOtherVectorsAreNoField(name: String) throws {
    let rows = (0..<60).map { row in
      "\(1_764_230_400 + row)000000000,base_link,\((0.1 + 0.01 * Double(row)).text(decimals: 2)),0.2,0.4"
    }
    let names = ["x", "y", "z"].map { "field.\(name).\($0)" }
    let run = try Self.heading(["%time,field.header.frame_id," + names.joined(separator: ",")] + rows)
    #expect(run.exitCode == 65 && Self.headings(run).isEmpty, "\(run.errors)")
    #expect(!run.errors.contains("the field measures"), "\(run.errors)")
  }

  /// Another table behind the first: its header is borne out by its rows, and told.
  @Test func anotherTableInTheSameFileIsTakenAndTold() throws {
    let short = Self.rows(100..<200).map { $0.split(separator: ",").dropLast(3).joined(separator: ",") }
    let run = try Self.heading([Self.header] + Self.rows(0..<100) + ["time_s,mx_uT,my_uT,mz_uT"] + short)
    #expect(Self.headings(run).count == 200)
    #expect(run.errors.contains("columns of the table have changed"), "\(run.errors)")
  }

  /// Named columns without a header: what stands between them is found.
  @Test(arguments: [",", " ", "  ", "\t", ";", " , "])
  func namedColumnsStandBetweenAnything(separator: String) throws {
    let rows = Self.rows(0..<100).map { $0.split(separator: ",").joined(separator: separator) }
    let run = try Self.heading(rows, ["--columns", "t,mx,my,mz,ax,ay,az", "--field-unit", "uT"])
    #expect(Self.headings(run).count == 100, "\(run.errors)")
    #expect(Self.headings(run).allSatisfy { abs($0 - 30) < 0.1 })
  }

  @Test func mixedUnitsAreTakenAsWritten() throws {
    let rows = Self.rows(0..<100).map { row in
      let fields = row.split(separator: ",").compactMap { Double($0) }
      return [
        fields[0].text(decimals: 2), fields[1].text(decimals: 4), (fields[2] / 1000).text(decimals: 7),
        (fields[3] * 1000).text(decimals: 1), "0,0,1",
      ].joined(separator: ",")
    }
    let run = try Self.heading(["time_s,mx_uT,my_mT,mz_nT,ax_g,ay_g,az_g"] + rows)
    #expect(Self.headings(run).count == 100)
    #expect(Self.headings(run).allSatisfy { abs($0 - 30) < 0.1 })
    let field = MainJobTests.rows(run.text).first?["field_uT"].flatMap { Double($0) }
    #expect(abs((field ?? 0) - 47.5) < 0.2)
  }

  @Test func teslaIsAUnit() throws {
    let rows = Self.rows(0..<50).map { row in
      let fields = row.split(separator: ",").compactMap { Double($0) }
      return fields[..<4].enumerated().map { ($1 * ($0 == 0 ? 1 : 1e-6)).text(decimals: 12) }.joined(separator: "\t")
        .replacingDots()
    }
    let run = try Self.heading(["Time (s)\tBx [T]\tBy [T]\tBz [T]"] + rows)
    #expect(Self.headings(run).count == 50, "\(run.errors)")
    let field = MainJobTests.rows(run.text).first?["field_uT"].flatMap { Double($0) }
    #expect(abs((field ?? 0) - 47.5) < 0.2)
  }

  @Test func aFieldWithoutOneAxisIsAnError() throws {
    let rows = Self.rows(0..<50).map { row in
      let fields = row.split(separator: ",")
      return (fields[..<3] + fields[4...]).joined(separator: ",")
    }
    let run = try Self.heading(["time_s,mx_uT,my_uT,ax_g,ay_g,az_g"] + rows)
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("lacks its axis z"), "\(run.errors)")
  }

  @Test func timesMayBeDates() throws {
    let rows = Self.rows(0..<50).enumerated().map { index, row in
      "2026-03-01T09:30:00.\((index * 20).padded(to: 3))Z,"
        + row.split(separator: ",").dropFirst().joined(separator: ",")
    }
    let run = try Self.heading(["timestamp,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"] + rows)
    let times = MainJobTests.rows(run.text).compactMap { $0["time_s"].flatMap { Double($0) } }
    #expect(times.count == 50, "\(run.errors)")
    #expect(abs((times.last ?? 0) - (times.first ?? 0) - 0.98) < 1e-3)
  }

  @Test func blankCellsInAThirdOfTheRowsRefuseNothing() throws {
    let rows = Self.rows(0..<300).enumerated().map { index, row in
      guard index % 3 == 1 else { return row }
      var fields = row.split(separator: ",").map(String.init)
      fields[2] = ""
      return fields.joined(separator: ",")
    }
    let run = try Self.heading([Self.header] + rows)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(Self.headings(run).count == 200)
  }

  @Test func aBlockOfJunkRefusesNothing() throws {
    let junk = (0..<50).map { "junk \($0) of a boot loader, with words that mean nothing here" }
    for lines in [
      [Self.header] + junk + Self.rows(0..<20), junk + [Self.header] + Self.rows(0..<20),
      [Self.header] + Self.rows(0..<10) + junk + Self.rows(10..<20),
    ] {
      let run = try Self.heading(lines)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(Self.headings(run).count == 20)
      #expect(Self.headings(run).allSatisfy { abs($0 - 30) < 0.1 })
    }
  }
}

extension String {
  /// With decimal commas.
  fileprivate func replacingDots() -> String { String(map { $0 == "." ? "," : $0 }) }
}

extension Double {
  /// The sine by Taylor's series, so that the expected heading does not come from the code under test.
  fileprivate static func sine(_ x: Double) -> Double {
    x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
  }
  fileprivate static func cosine(_ x: Double) -> Double {
    1 - x * x / 2 + x * x * x * x / 24 - x * x * x * x * x * x / 720 + x * x * x * x * x * x * x * x / 40_320
  }
}
