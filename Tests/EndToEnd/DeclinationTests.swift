import Glibc
import Support
import Testing

@Suite(.waiting) struct DeclinationTests {
  private static let header =
    "date,latitude_deg,longitude_deg,altitude_m,declination_deg,inclination_deg,horizontal_nT,north_nT,east_nT,down_nT,"
    + "total_nT,declination_deg_per_year,inclination_deg_per_year,horizontal_nT_per_year,north_nT_per_year,"
    + "east_nT_per_year,down_nT_per_year,total_nT_per_year,declination_uncertainty_deg,model,zone"

  /// From WMM2025_TestValues.txt: 2025.0, 65 km, 43° N, 93° E.
  private static let publishedRow = """
    2025.0,43,93,65000,0.4964,64.0966,24300.76,24299.85,210.52,50037.92,55626.62,-0.01981,0.03082,-3.938,-3.865,\
    -8.437,60.389,52.601,0.342,wmm2025,normal
    """

  private func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun.lodestone(["declination"] + arguments, input: input)
  }

  // MARK: One place

  @Test func speaksToPeople() throws {
    let result = try run("--at", "48.2,16.37,200", "--date", "2026.7")
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.text.hasPrefix("48.2° N, 16.37° E, 200 m, 2026.7: World Magnetic Model 2025\n"))
    // 1.96 standard deviations of √(0.26² + (5417 / 20927)²)°, by the error model of WMM2025.
    #expect(result.text.contains("Declination  5.36° E ± 0.72°"))
    #expect(!result.text.contains("Caution"))
  }

  /// The examples of RFC 5870 and ISO 6709, and what maps, plotters and this command print: the same place, or its
  /// neighbour.
  @Test(
    arguments: [
      ("geo:48.2010,16.3695,183", [48.201, 16.3695, 183]), ("geo:66,30;u=6.500;FOo=this%2dthat", [66, 30, 0]),
      ("50°40′46,461″N 95°48′26,533″W 123,45m", [50.679_572_5, -95.807_370_3, 123.45]),
      ("48.2° N, 16.37° E, 200 m", [48.2, 16.37, 200]), ("33.9° S, 151.2° E", [-33.9, 151.2, 0]),
      ("48°12'30\"N 16°22'20\"E", [48.208_333_3, 16.372_222_2, 0]), ("N52 31.2 E013 24.5", [52.52, 13.408_333_3, 0]),
      ("16°22.3'E 48°12.5'N", [48.208_333_3, 16.371_666_7, 0]), ("-0°30' 0°30'", [-0.5, 0.5, 0]),
      ("\u{2212}33.9, 151.2", [-33.9, 151.2, 0]), ("48.2 16.37", [48.2, 16.37, 0]), ("48,2; 16,37", [48.2, 16.37, 0]),
    ] as [(String, [Double])])
  func readsPlacesAsPeopleWriteThem(_ text: String, _ place: [Double]) throws {
    let result = try run("--at", text, "--date", "2025", "--format", "csv")
    let row = result.lines.last?.split(separator: ",").dropFirst().prefix(3).compactMap { Double($0) } ?? []
    #expect(row.count == 3 && zip(row, place).allSatisfy { abs($0 - $1) < 1e-6 }, "\(row) \(result.errors)")
  }

  /// A text that may be two places, or contradicts itself, is none.
  @Test(arguments: [
    "48,2,16,37", "48,16 200", "48 12 16 22", "48°12'N 16°22'N", "48°12'N 16°22'", "-48°12'N 16°22'E", "48°60'N 16°E",
    "48.5°12'N 16°E", "48.2N, 16.37E, 1,200 m", "33UXP0000040000", "N,E", "48.2N 16.37E 10 km", "48.2 ß 16.37",
    "48-12", "5.6N 6EW",
  ])
  func refusesPlacesThatMayBeOthers(_ text: String) throws {
    let result = try run("--at", text)
    #expect(result.exitCode == 64 && result.errors.contains("is not a valid place"), "\(result.text)")
  }

  /// Another model is named where one covers the date.
  @Test func datesOutsideAModelNameTheOnesThatCoverThem() throws {
    let never = try run("--at", "48.2,16.37", "--date", "2040")
    #expect(never.exitCode == 64 && !never.errors.contains("--model"), "\(never.errors)")
    #expect(never.errors.contains("--extrapolate"), "\(never.errors)")
    let earlier = try run("--at", "48.2,16.37", "--date", "1950", "--model", "wmm2025")
    #expect(earlier.exitCode == 64 && earlier.errors.contains("--model igrf14"), "\(earlier.errors)")
  }

  @Test func warnsPeopleNearTheMagneticPole() throws {
    #expect(
      try run("--at", "80,-96,48000", "--date", "2025").text.contains("Caution: the horizontal field is only 2164 nT")
    )
    #expect(try run("--at", "86,139", "--date", "2025").text.contains("Blackout: the horizontal field is only"))
  }

  /// Headings there come with the same words.
  @Test func headingsComeWithTheWarning() throws {
    let heading = ["heading", "--device", "sim:?speed=max", "--date", "2025", "--count", "3", "--at"]
    let weak = try CommandRun.lodestone(heading + ["80,-96,48000"])
    let words = "lodestone: Caution: the horizontal field is only 2164 nT here, and a compass may be in error."
    #expect(weak.errors.split(separator: "\n").count { $0 == words } == 1, "\(weak.errors)")
    #expect(!(try CommandRun.lodestone(heading + ["48.2,16.37"]).errors.contains("horizontal field")))
  }

  /// The simulated board was calibrated in 48 µT that dip 65°. WMM2025_TestValues.txt: 30793 nT and −38.25° there.
  @Test func anotherPlaceIsToldWithoutASign() throws {
    let run = try CommandRun.lodestone([
      "heading", "--device", "sim:?speed=max", "--date", "2025", "--count", "3", "--at", "-29,-110,94000",
    ])
    let isTold = run.errors.contains("the field there is 35.8 % weaker, its inclination 103.")
    #expect(isTold && run.errors.contains("° less. The place's field"), "\(run.errors)")
  }

  @Test func speaksJSON() throws {
    let result = try run("--at", "43,93,65000", "--date", "2025-01-01", "--format", "json")
    #expect(result.exitCode == 0)
    #expect(
      result.text == """
        {"date":2025,"latitude_deg":43,"longitude_deg":93,"altitude_m":65000,"declination_deg":0.4964,\
        "inclination_deg":64.0966,"horizontal_nT":24300.76,"north_nT":24299.85,"east_nT":210.52,"down_nT":50037.92,\
        "total_nT":55626.62,"declination_deg_per_year":-0.01981,"inclination_deg_per_year":0.03082,\
        "horizontal_nT_per_year":-3.938,"north_nT_per_year":-3.865,"east_nT_per_year":-8.437,\
        "down_nT_per_year":60.389,"total_nT_per_year":52.601,"declination_uncertainty_deg":0.342,\
        "model":"wmm2025","zone":"normal"}

        """)
  }

  @Test func takesSouthernPlacesAndOtherModels() throws {
    let result = try run("--at", "-33.9,151.2", "--date", "1980.5", "--format", "csv")
    #expect(result.exitCode == 0)
    #expect(result.lines.first == Self.header[...])
    #expect(result.lines.last?.hasPrefix("1980.5,-33.9,151.2,0,") == true)
    #expect(result.lines.last?.hasSuffix(",igrf14,normal") == true)
    #expect(try run("--at", "1,2", "--date", "2022", "--format", "json").text.contains("\"model\":\"wmm2020\""))
    #expect(
      try run("--at", "1,2", "--date", "2026", "--model", "igrf14", "--format", "json").text
        .contains("\"model\":\"igrf14\""))
  }

  @Test(
    arguments: [
      (["--at", "91,0"], 64, "latitude 91 is outside -90 to 90 degrees"),
      (["--at", "0,361"], 64, "longitude 361 is outside -180 to 360 degrees"),
      (["--at", "0,0,1e9"], 64, "altitude 1000000000 is outside -12000 to 850000 metres"),
      (["--at", "here"], 64, "'here' is not a valid place"), (["--at", "nan,0"], 64, "'nan,0' is not a valid place"),
      (["--at", "1,2", "--date", "soon"], 64, "'soon' is not a valid date"),
      (["--at", "1,2", "--date", "2031"], 64, "date 2031 is outside the life of wmm2025, 2025 to 2030"),
      (["--at", "1,2", "--date", "1e308"], 64, "'1e308' is not a valid date"),
      (["--at", "1,2", "--date", "2030-01-01T00:10"], 64, "date 2030.00001"),
      (["--at", "1,2", "--date", "1899"], 64, "date 1899 is outside the life of igrf14, 1900 to 2030"),
      (
        ["--at", "1,2", "--date", "2026", "--model", "wmm2020"], 64,
        "date 2026 is outside the life of wmm2020, 2020 to 2025"
      ),
      (["--at", "1,2", "--input", "-"], 64, "--at and --input exclude each other"), ([], 64, "no place given"),
      (["--at", "1,2", "--model", "wmm1999"], 64, "The value 'wmm1999' is invalid for '--model <model>'."),
      (["--input", "/no/such/points.csv"], 66, "can't open /no/such/points.csv: no such file"),
      (["--input", "-", "--format", "text"], 64, "a table is written as csv or json, not as text"),
      (["--at", "1,2", "--output", "/no/such/folder/x"], 66, "can't create /no/such/folder/x"),
      (["--at", "1,2", "--output", "/dev/full"], 74, "can't write /dev/full: no space left on device"),
    ] as [([String], Int32, String)])
  func refusesInWords(_ arguments: [String], _ code: Int32, _ message: String) throws {
    let result = try CommandRun.lodestone(["declination"] + arguments)
    #expect(result.exitCode == code)
    #expect(result.text == "")
    #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors)")
  }

  @Test func extrapolatesWithAWarning() throws {
    let result = try run("--at", "1,2", "--date", "2031", "--extrapolate", "--format", "csv")
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 2)
    #expect(result.errors.hasPrefix("Warning: a date is outside the model's life"))
    let quiet = try run("--at", "1,2", "--date", "2031", "--extrapolate", "--format", "csv", "-q")
    #expect(quiet.exitCode == 0 && quiet.text == result.text && quiet.errors == "", "\(quiet.errors)")
  }

  // MARK: Tables

  @Test func answersATable() throws {
    let result = try run(
      "--input", "-", input: "date,latitude_deg,longitude_deg,altitude_m\n2025.0,43,93,65000\n")
    #expect(result.exitCode == 0)
    #expect(result.text == Self.header + "\n" + Self.publishedRow + "\n")
  }

  @Test func takesColumnsInAnyOrderAndDress() throws {
    let result = try run(
      "--input", "-",
      input:
        "\u{FEFF}# a comment\r\nname, longitude_deg ,\"altitude_m\",latitude_deg,date\r\n\r\nx, 93,\"65000\",+43,2025.0"
    )
    #expect(result.exitCode == 0)
    #expect(result.lines.last == Self.publishedRow.replacing("43,93", with: "+43,93")[...])
  }

  /// A comma between quotation marks is no end of a field.
  @Test func takesTextWithCommas() throws {
    let result = try run(
      "--input", "-",
      input: "name,date,latitude_deg,longitude_deg,altitude_m\n\"a, \"\"b\"\",c\",2025.0,43,93,65000\n")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.last == Self.publishedRow[...])
  }

  /// As a spreadsheet of a German or French desk saves it; the answer is CSV all the same.
  @Test func aTableMayHaveSemicolonsAndDecimalCommas() throws {
    let points = try run(
      "--input", "-", input: "date,latitude_deg,longitude_deg,altitude_m\n2025.5,43.25,93,65000.5\n")
    let table = try run(
      "--input", "-", input: "date;latitude_deg;longitude_deg;altitude_m\r\n2025,5;43,25;93;65000,5\r\n")
    #expect(table.exitCode == 0 && table.text == points.text, "\(table.errors)")
  }

  @Test func fillsInAltitudeAndDate() throws {
    let result = try run(
      "--input", "-", "--date", "2025", "--format", "json", input: "latitude_deg,longitude_deg\n43,93\n")
    #expect(result.text.hasPrefix("{\"date\":2025,\"latitude_deg\":43,\"longitude_deg\":93,\"altitude_m\":0,"))
  }

  @Test(
    arguments: [
      ("", "standard input is empty"), ("a,b\n", "standard input, line 1: no column date"),
      ("date,latitude_deg\n", "standard input, line 1: no column longitude_deg"),
      ("date,latitude_deg,longitude_deg\n2026,1,2\n2026,1\n", "standard input, line 3: no longitude_deg"),
      ("date,latitude_deg,longitude_deg\n2026,91,2\n", "standard input, line 2: latitude 91 is outside"),
      ("date,latitude_deg,longitude_deg\n2026,1x,2\n", "standard input, line 2: '1x' is not a valid latitude"),
      ("date,latitude_deg,longitude_deg\n2026,nan,2\n", "standard input, line 2: 'nan' is not a valid latitude"),
      ("date,latitude_deg,longitude_deg\n2026-02-30,1,2\n", "standard input, line 2: '2026-02-30' is not a valid date"),
      (
        "date,latitude_deg,longitude_deg\n2031,1,2\n",
        "standard input, line 2: date 2031 is outside the life of wmm2025"
      ),
      (
        "date,latitude_deg,longitude_deg\n2026,\u{1B}[2J,2\n",
        "standard input, line 2: '\\e[2J' is not a valid latitude"
      ),
      (String(repeating: "x", count: 300_000), "standard input, line 1: longer than 65536 bytes"),
    ])
  func refusesBadRowsByTheirLine(_ table: String, _ message: String) throws {
    let result = try run("--input", "-", input: table)
    #expect(result.exitCode == 65)
    #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors.prefix(200))")
    #expect(result.errors.contains("\nHint: "), "\(result.errors.prefix(200))")
  }

  /// A year of eight digits is a day in another form, and a model says nothing of the year 1e300.
  @Test(arguments: ["20260914", "1e300", "-5", "10000"]) func yearsThatAreNoneAreRefused(date: String) throws {
    let result = try run("--at", "48.2,16.37", "--extrapolate", "--date", date)
    #expect(result.exitCode == 64 && result.text == "", "\(result.text)")
    #expect(result.errors.contains("'\(date)' is not a valid date"), "\(result.errors)")
  }

  @Test func answersUpToTheBadRow() throws {
    let result = try run("--input", "-", input: "date,latitude_deg,longitude_deg\n2026,1,2\n2026,x,2\n")
    #expect(result.exitCode == 65)
    #expect(result.lines.count == 2)
  }

  @Test func writesAFileWholeOrNotAtAll() throws {
    try TemporaryFolder.with { folder in
      let (points, answer) = ("\(folder)/points.csv", "\(folder)/answer.csv")
      try #require(write("date,latitude_deg,longitude_deg,altitude_m\n2025.0,43,93,65000\n", to: points))
      #expect(try run("--input", points, "--output", answer).exitCode == 0)
      #expect(try run("--input", answer).lines.last == Self.publishedRow[...])

      try #require(write("date,latitude_deg,longitude_deg\n2026,x,2\n", to: points))
      let refused = try run("--input", points, "--output", answer)
      #expect(refused.exitCode == 65)
      #expect(refused.errors.hasPrefix("Error: \(points), line 2: 'x' is not a valid latitude"))
      // The earlier answer stands, and nothing else is left.
      #expect(try run("--input", answer).lines.last == Self.publishedRow[...])
      #expect(names(in: folder) == ["answer.csv", "points.csv"])
    }
  }

  private func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }

  private func names(in folder: String) -> [String] {
    guard let open = opendir(folder) else { return [] }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}
