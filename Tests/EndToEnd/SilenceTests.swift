import Glibc
import Support
import Testing

/// A recording of which nothing comes ends with 65 and a reason, never with 0 and nothing.
@Suite(.waiting) struct SilenceTests {
  private func run(_ command: String, _ text: [UInt8], _ more: [String] = []) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: text, to: folder + "/in.csv")
      return try CommandRun.lodestone(
        [command, "--device", folder + "/in.csv", "--format", "csv"]
          + (command == "heading" ? ["--profile", "none"] : [])
          + more, environment: ["XDG_DATA_HOME": folder])
    }
  }

  private static func table(_ header: String, _ row: (Int) -> String) -> [UInt8] {
    Array(([header] + (0..<60).map(row)).map { $0 + "\n" }.joined().utf8)
  }

  @Test(arguments: ["heading", "teslameter"]) func withoutAMagnetometerThereIsAReason(command: String) throws {
    let run = try run(command, Self.table("time_s,ax_g,ay_g,az_g") { "\(Double($0) / 10),0.0\($0 % 3),0,1" })
    #expect(run.exitCode == 65 && run.errors.contains("acceleration"), "\(run.exitCode) \(run.errors)")
  }

  @Test(arguments: ["heading", "teslameter"]) func aFieldOfZerosIsNamed(command: String) throws {
    let run = try run(command, Self.table("time_s,mx_uT,my_uT,mz_uT") { "\(Double($0) / 10),0,0,0" })
    #expect(run.exitCode == 65 && run.errors.contains("the field is zero"), "\(run.exitCode) \(run.errors)")
  }

  /// A six-axis board has no north, and an attitude from where it started needs none.
  @Test func aBoardWithoutAFieldIsGivenItsFrame() throws {
    let rows = Self.table("time_s,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps") {
      "\(Double($0) / 10),0.00\($0 % 3),0,1,0.0\($0 % 4),0.01,0"
    }
    let north = try run("attitude", rows, ["--profile", "none"])
    #expect(
      north.exitCode == 65 && north.errors.contains("and rotation rates, and this needs a magnetic field"),
      "\(north.errors)")
    #expect(north.errors.hasSuffix("or lodestone attitude --frame arbitrary can read it\n"), "\(north.errors)")
    let own = try run("attitude", rows, ["--profile", "none", "--frame", "arbitrary"])
    #expect(own.exitCode == 0 && own.text.split(separator: "\n").count > 50, "\(own.errors)")
  }

  /// The same on a port, after two seconds; and rotation rates alone are no attitude at all.
  @Test(arguments: [
    ("ax:0.00,ay:0.00,az:1.00,", "needs a magnetic field: lodestone level, lodestone motion or lodestone attitude"),
    ("", "needs accelerations: no command reads that alone"),
  ])
  func aSensorThatAnAttitudeLacksIsNamed(_ force: String, _ words: String) throws {
    let board = try PtyBoard(rate: 50) { Array("\(force)gx:0.0\($0 % 9),gy:0.02,gz:0.0\($0 % 7)\n".utf8) }
    let run = try CommandRun.lodestone(["attitude", "--device", board.path, "--profile", "none", "--duration", "6"])
    #expect(run.errors.contains(words) && run.text.isEmpty, "\(run.errors)")
  }

  /// A compass on a boat's bus that does not know its heading, a receiver that sees nothing and an autopilot that sends
  /// no sensors are understood: their messages were called none, and a baud rate was asked for.
  @Test(arguments: [
    ("ydwg", "", Array("00:00:01.000 R 09F11202 FF FF FF FF 7F FF 7F FD\r\n".utf8)),
    ("ydwg", "?protocol=ydwg", Array("00:00:01.000 R 09F11202 FF FF FF FF 7F FF 7F FD\r\n".utf8)),
    ("nmea", "", Array("$GPGSV,1,1,00*79\r\n".utf8)),
    // HEARTBEAT of MAVLink 1.
    (
      "mavlink", "",
      [0xFE, 0x09, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x51, 0x04, 0x03, 0x7D, 0xDD] as [UInt8]
    ),
  ])
  func messagesOfNoUseAreNamed(protocol name: String, _ query: String, _ message: [UInt8]) throws {
    let board = try PtyBoard(rate: 10) { _ in message }
    let run = try CommandRun.lodestone(
      ["heading", "--device", "serial:" + board.path + query, "--profile", "none", "--duration", "4"])
    let words = "messages arrive (\(name)), and no heading, field or motion in them: "
    #expect(run.errors.contains(words) && !run.errors.contains("baud"), "\(run.errors)")
  }

  /// A pipe through which nothing comes is told of within about three seconds, and read when it does.
  @Test(arguments: [["heading", "--profile", "none"], ["calibrate", "--profile", "/dev/null"], ["location"]])
  func aSilentPipeIsTold(command: [String]) throws {
    let pipe = #"(sleep 6; echo 'mx:12.3,my:-4.5,mz:38.1') | "$@""#
    let run = try CommandRun.lodestone(command + ["--device", "-"], shell: pipe)
    #expect(run.errors.contains("nothing has arrived for 3 s (see whether the program"), "\(run.errors)")
  }

  /// A recording that ended too soon says that, and not that it lacks times.
  @Test(arguments: [["motion"], ["level", "--zero"]]) func aShortRecordingIsToldToBeShort(command: [String]) throws {
    let rows = Self.table("time_s,ax_g,ay_g,az_g") { "\(Double($0) / 100),0.00\($0 % 3),0,1" }
    let run = try run(command[0], rows, Array(command.dropFirst()))
    #expect(run.exitCode == 65 && run.errors.contains("no reading came of 60 samples in 0.6 s"), "\(run.errors)")
    #expect(run.errors.contains("Hint: record or read for longer"), "\(run.errors)")
  }

  /// A live device that was not read for long enough is no success with nothing to show.
  @Test(arguments: [["motion"], ["level", "--zero"]]) func aShortDurationIsToldToBeShort(command: [String]) throws {
    let run = try CommandRun.lodestone(command + ["sim:?speed=max", "--duration", "0.5"])
    #expect(run.exitCode == 65 && run.text == "", "\(run.text)")
    #expect(run.errors.contains("no reading came of 25 samples"), "\(run.errors)")
    #expect(run.errors.contains("\nHint: record or read for longer: some"), "\(run.errors)")
    let longer = try CommandRun.lodestone(command + ["sim:?speed=max", "--duration", "3"])
    #expect(longer.exitCode == 0 && longer.text != "", "\(longer.errors)")
  }

  /// So is one that sends nothing of use.
  @Test func aDurationInVainIsTold() throws {
    let run = try CommandRun.lodestone(["level", "sim:?accel=no&gyro=no&speed=max", "--duration", "2"])
    #expect(run.exitCode == 65 && run.errors.contains("=max sends a magnetic field, and this"), "\(run.errors)")
  }

  /// So does one that has its header alone.
  @Test func aRecordingWithoutSamplesIsToldToBeOne() throws {
    let header = "# lodestone recording 1\n# device: board\ntime_s,mx_uT,my_uT,mz_uT\n"
    let run = try run("heading", Array(header.utf8))
    #expect(run.exitCode == 65 && run.errors.contains("a recording that ended before the first"), "\(run.errors)")
    #expect(run.errors.contains("Hint: record again\n"), "\(run.errors)")
  }

  private static let compass = (0..<60).map { NMEASentenceText.sentence("HCHDG,\(100 + $0).0,,,,") }

  /// A compass of headings alone.
  @Test(arguments: ["record", "calibrate"]) func headingsAloneNameTheirCommands(command: String) throws {
    let run = try CommandRun.lodestone([command, "--device", "-"], input: Self.compass.joined())
    #expect(
      run.exitCode == 65 && run.errors.contains("it holds headings of its own, and this needs a magnetic field"),
      "\(run.errors)")
    #expect(run.errors.hasSuffix("Hint: lodestone heading or lodestone swing can read it\n"), "\(run.errors)")
  }

  /// The same on a port: it is said while it runs, and nothing is said of a field that there is not.
  @Test(arguments: [
    ["record"], ["calibrate", "--plain", "--profile", "/dev/null"],
    ["calibrate", "--cause", "amps", "--profile", "/dev/null"],
  ])
  func aLiveCompassOfHeadingsIsNamed(arguments: [String]) throws {
    let compass = Self.compass
    let board = try PtyBoard(rate: 10) { Array(compass[$0 % compass.count].utf8) }
    let run = try CommandRun.lodestone(arguments + ["--device", board.path, "--duration", "8"])
    let words = "the device sends headings of its own, and this needs a magnetic field"
    #expect(run.errors.contains(words) && !run.errors.contains("does not change"), "\(run.errors)")
  }

  /// Three axes in arbitrary units, in a file whose name says no more: they may be of any sensor.
  @Test func arbitraryUnitsAreNoAcceleration() throws {
    let rows = Self.table("Timestamp (us),X Axis (a.u.),Y Axis (a.u.),Z Axis (a.u.)") {
      "\($0 * 10_000),0.4\($0 % 7),0.1,-0.8"
    }
    let run = try run("heading", rows)
    let reason = "nothing says what they measure"
    #expect(run.exitCode == 65 && run.errors.contains(reason), "\(run.exitCode) \(run.errors)")
  }

  /// A number that no sensor measures is left out and counted, not printed as another.
  @Test func anImpossibleNumberIsNotPrinted() throws {
    let rows = Self.table("time_s,mx_uT,my_uT,mz_uT") {
      "\(Double($0) / 10),\($0 == 30 ? "1e300" : "20.\($0 % 5)"),1,-43"
    }
    let run = try run("teslameter", rows)
    #expect(run.exitCode == 0 && MainJobTests.rows(run.text).allSatisfy { $0["bx_uT"] != "0.000" }, "\(run.text)")
    #expect(run.errors.contains("1 "), "\(run.errors)")
  }

  /// Inputs damaged at random, from a seed: whatever comes of one, it is data or a reason.
  @Test func noDamageIsSilent() throws {
    var noise = SeededGenerator(seed: UInt64(getenv("LODESTONE_DAMAGE_SEED").map { String(cString: $0) } ?? "") ?? 35)
    let count = Int(getenv("LODESTONE_DAMAGES").map { String(cString: $0) } ?? "") ?? 300
    try TemporaryFolder.with { folder in
      var names: [String] = []
      for number in 0..<count {
        let path = "\(folder)/\(number).csv"
        try CommandRun.write(bytes: Damage.recording(&noise), to: path)
        names.append(path)
      }
      for command in ["heading", "teslameter"] {
        let run = try CommandRun.lodestone(
          ["batch", command, "--profile", "none"], input: names.map { $0 + "\n" }.joined(),
          environment: ["XDG_DATA_HOME": folder])
        let objects = run.text.split(separator: "\n")
        #expect(objects.count == count)
        for object in objects where object.contains("\"exit\":0") {
          #expect(!object.contains("\"readings\":0"), "\(object)")
        }
        for object in objects where !object.contains("\"exit\":0") {
          #expect(object.contains("\"error\":\""), "\(object)")
        }
      }
    }
  }
}

/// Recordings as no program writes them.
enum Damage {
  private static let bases: [[UInt8]] = {
    let table =
      ["time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"]
      + (0..<80).map {
        "\(Double($0) / 10),20.\($0 % 7),1.\($0 % 3),-43.\($0 % 5),0.0\($0 % 4),0,1"
      }
    let motion = ["time_s,ax_g,ay_g,az_g"] + (0..<60).map { "\(Double($0) / 10),0.0\($0 % 4),0,1" }
    let sentences = (0..<60).map { _ in "$HCHDM,101.1,M*28" }
    let labelled = (0..<60).map { "mag: x=20.\($0 % 7) y=1.0 z=-43.\($0 % 5)" }
    let numbers = (0..<60).map { "Raw:12,-250,8100,0,0,0,-1\($0 % 9)0,335,-420" }
    let json = (0..<60).map { "{\"time_s\":\(Double($0) / 10),\"mx_uT\":20.\($0 % 7),\"my_uT\":1,\"mz_uT\":-43}" }
    return [table, motion, sentences, labelled, numbers, json].map { Array($0.map { $0 + "\n" }.joined().utf8) }
  }()

  /// One of them with a few things done to it.
  static func recording(_ noise: inout SeededGenerator) -> [UInt8] {
    var bytes = bases.randomElement(using: &noise) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &noise) { damage(&bytes, &noise) }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ noise: inout SeededGenerator) {
    guard bytes.count > 2 else { return }
    let place = Int.random(in: 0..<bytes.count, using: &noise)
    let length = Int.random(in: 1...min(400, bytes.count - place + 1), using: &noise)
    let end = min(bytes.count, place + length)
    switch Int.random(in: 0..<9, using: &noise) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(contentsOf: (0..<length).map { _ in UInt8.random(in: 0...255, using: &noise) }, at: place)
    case 2: for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &noise) }
    case 3: bytes = Array(bytes.prefix(place))
    case 4: bytes = bytes.map { (48...57).contains($0) ? 48 : $0 }  // every digit is zero
    case 5: bytes = bytes.filter { $0 != 44 || Bool.random(using: &noise) }
    case 6: bytes = Array(bytes.map { $0 == 10 ? [13, 10] : [$0] }.joined())
    case 7: bytes = [0xEF, 0xBB, 0xBF] + bytes
    default:
      let line = bytes.firstIndex(of: 10).map { bytes[...$0] } ?? []
      bytes.removeFirst(line.count)
    }
  }
}
