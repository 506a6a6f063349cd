import LodestoneCore
import Glibc
import LodestonePorts
import Support
import Testing

/// Boards with USB serial ports, plugged in and out under the built command.
@Suite(.waiting) struct SerialPortTests {
  private let testbed = Testbed()

  /// A board that says the same heading over and over; NMEA 0183's checksum is the exclusive or of what is between `$`
  /// and `*`.
  private func board(_ heading: String) throws -> PtyBoard {
    let body = "HCHDM,\(heading),M"
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return try PtyBoard(rate: 50, lines: ["$\(body)*\(String(repeating: "0", count: 2 - sum.count))\(sum)\r\n"])
  }

  private func start(_ arguments: String...) throws -> ChildProgram {
    try #require(testbed.start("lodestone", arguments: arguments, joinsErrors: true))
  }

  /// The headings of so many readings, the next ones that come.
  private func headings(_ count: Int, of program: ChildProgram) -> Set<Substring> {
    var found: Set<Substring> = []
    for _ in 0..<count {
      let name = "\"magnetic_heading_deg\":"
      guard let line = program.line(holding: name), let key = line.firstRange(of: name) else { return found }
      found.insert(line[key.upperBound...].prefix { $0 != "," })
    }
    return found
  }

  /// Whether another board's heading comes, and stays. Lines of the one before may still be under way.
  private func changes(_ program: ChildProgram, to heading: Substring) -> Bool {
    for _ in 0..<1000 {
      let next = headings(1, of: program)
      if next.isEmpty { return false }
      if next == [heading] { return headings(10, of: program) == [heading] }
    }
    return false
  }

  /// Waits until it has looked at the ports twice: while a device is away, nothing else wakes it.
  private func letItLook(_ program: ChildProgram) {
    let before = program.waitCount
    #expect(eventually { program.waitCount >= before + 2 })
  }

  // MARK: Plugged out and in again

  @Test(arguments: ["/dev/ttyUSB0", "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A1-if00-port0"])
  func aBoardIsFoundAgainByItsSerialNumber(address: String) throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let program = try start("heading", "--device", address, "--format", "json")
    #expect(headings(10, of: program) == ["101.00"])
    first.unplug()
    #expect(program.line(holding: "lodestone: ") == "lodestone: \(address) has gone; waiting for it to come back")
    let other = SerialPlug(try board("202.0"), in: testbed, as: "ttyUSB0", serial: "B2")
    letItLook(program)
    let second = SerialPlug(try board("103.0"), in: testbed, as: "ttyUSB1", serial: "A1", socket: "1-2")
    #expect(program.line(holding: "lodestone: ")?.hasPrefix("lodestone: /dev/ttyUSB1 is back after ") == true)
    #expect(changes(program, to: "103.00"))
    #expect(other.board.saidCount == 0)
    // Once more, back to where it was.
    other.unplug()
    second.unplug()
    #expect(program.line(holding: "has gone") != nil)
    let third = SerialPlug(try board("104.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    #expect(changes(program, to: "104.00"))
    #expect(program.end(by: SIGINT) == 130)
    third.unplug()
  }

  /// Two boards of a kind that has no serial numbers: the one that stays plugged in is not the one that has gone,
  /// wherever that comes back.
  @Test func aTwinIsNotTakenForTheBoardThatHasGone() throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: nil, socket: "1-1")
    let twin = SerialPlug(try board("202.0"), in: testbed, as: "ttyUSB1", serial: nil, socket: "1-2")
    let program = try start("heading", "--device", "/dev/ttyUSB0", "--format", "json")
    #expect(headings(10, of: program) == ["101.00"])
    first.unplug()
    #expect(program.line(holding: "has gone") != nil)
    letItLook(program)
    // Of the same kind, in a socket where it was not.
    let second = SerialPlug(try board("103.0"), in: testbed, as: "ttyUSB0", serial: nil, socket: "1-3")
    letItLook(program)
    let third = SerialPlug(try board("104.0"), in: testbed, as: "ttyUSB2", serial: nil, socket: "1-1")
    #expect(changes(program, to: "104.00"))
    #expect(twin.board.saidCount == 0 && second.board.saidCount == 0)
    #expect(program.end(by: SIGINT) == 130)
    for plug in [twin, second, third] { plug.unplug() }
  }

  /// The number of a pseudo-terminal goes to the next window that is opened: nothing is waited for under it.
  @Test func aPseudoTerminalThatHasGoneIsNotWaitedFor() throws {
    let board = try board("101.0")
    let path = board.path
    let program = try #require(
      ChildProgram("lodestone", arguments: ["heading", "--device", path, "--format", "json"], joinsErrors: true))
    #expect(headings(3, of: program) == ["101.00"])
    board.unplug()
    #expect(program.line(holding: "Error: ") == "Error: \(path) has gone")
    #expect(program.end(by: 0) == 69)
  }

  /// A link that stays behind leads to whoever gets the number next; one that is made again leads to the board.
  @Test func aLinkIsFollowedOnlyWhenItIsMadeAgain() throws {
    try TemporaryFolder.with { folder in
      let link = folder + "/compass"
      let first = try board("101.0")
      #expect(symlink(first.path, link) == 0)
      let program = try #require(
        ChildProgram("lodestone", arguments: ["heading", "--device", link, "--format", "json"], joinsErrors: true))
      #expect(headings(3, of: program) == ["101.00"])
      let number = first.path
      first.unplug()
      #expect(program.line(holding: "has gone") != nil)
      // Somebody gets the number: the system gives the lowest that is free, once it is.
      var strangers: [PseudoTerminal] = []
      #expect(
        eventually {
          if let next = try? PseudoTerminal() { strangers.append(next) }
          return strangers.last?.path == number || strangers.count > 200
        })
      letItLook(program)
      #expect(strangers.allSatisfy { !$0.hasReader })
      let second = try board("102.0")
      #expect(unlink(link) == 0 && symlink(second.path, link) == 0)
      #expect(changes(program, to: "102.00"))
      // The same number in a link that is made again, of which a file system may make the same file: the time tells.
      second.unplug()
      #expect(program.line(holding: "has gone") != nil)
      let third = try board("103.0")
      #expect(unlink(link) == 0 && symlink(third.path, link) == 0)
      #expect(changes(program, to: "103.00"))
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  /// A terminal with somebody's shell at it is no board.
  @Test func somebodysTerminalIsNotOpened() throws {
    let terminal = try TestTerminal()
    let shell = try #require(
      ChildProgram(
        "/usr/bin/setsid", arguments: ["--ctty", "sleep", "30"], terminal: terminal.path))
    #expect(eventually { !Holder.sessions(at: terminal.path).isEmpty })
    let run = try CommandRun.lodestone(["heading", "--device", terminal.path])
    #expect(run.exitCode == 75 && run.errors.contains("in use by sleep"), "\(run.errors)")
    withExtendedLifetime(shell) {}
  }

  /// A program that is stopped for a while finds the board that went and came meanwhile.
  @Test(arguments: ["A1", nil])
  func aBoardThatWasQuickerIsFound(serial: String?) throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: serial)
    let program = try start("heading", "--device", "/dev/ttyUSB0", "--format", "json")
    #expect(headings(10, of: program) == ["101.00"])
    kill(program.process, SIGSTOP)
    first.unplug()
    let second = SerialPlug(try board("102.0"), in: testbed, as: "ttyUSB1", serial: serial)
    kill(program.process, SIGCONT)
    #expect(program.line(holding: "is back") != nil)
    #expect(changes(program, to: "102.00"))
    #expect(program.end(by: SIGINT) == 130)
    second.unplug()
  }

  /// Opening an FT232R's port restarts an Arduino behind it: silence is told after 3 s, and the 2.5 s that it boots.
  @Test func aBoardThatRestartsIsGivenTimeToBoot() throws {
    let plug = SerialPlug(try PtyBoard { _ in nil }, in: testbed, as: "ttyUSB0", serial: "A1")
    defer { plug.unplug() }
    let begin = MonotonicTime.now
    let program = try start("heading", "--device", "/dev/ttyUSB0")
    #expect(program.line(holding: "nothing has arrived") != nil)
    #expect(MonotonicTime.now - begin > 5.4)
    #expect(program.end(by: SIGINT) == 130)
  }

  @Test func anUnplugEndsTheStreamWhereNobodyWaits() throws {
    let plug = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let program = try start("heading", "--device", "/dev/ttyUSB0", "--no-reconnect", "--format", "json")
    #expect(headings(10, of: program) == ["101.00"])
    plug.unplug()
    #expect(program.line(holding: "Error: ") == "Error: /dev/ttyUSB0 has gone")
    #expect(program.line() == "Hint: plug it in again")
    #expect(program.exitCode() == 69)
  }

  /// Whoever looks at new ports first, as ModemManager does, lets them go again.
  @Test func aPortThatIsTakenMeanwhileIsWaitedFor() throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let program = try start("heading", "--device", "/dev/ttyUSB0", "--format", "json")
    #expect(headings(10, of: program) == ["101.00"])
    kill(program.process, SIGSTOP)
    first.unplug()
    let second = SerialPlug(try board("102.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let thief = try start("heading", "--device", "/dev/ttyUSB0", "--format", "json")
    #expect(headings(1, of: thief) == ["102.00"])
    kill(program.process, SIGCONT)
    #expect(program.line(holding: "has gone") != nil)
    letItLook(program)
    #expect(thief.end(by: SIGINT) == 130)
    #expect(program.line(holding: "is back") != nil)
    #expect(changes(program, to: "102.00"))
    #expect(program.end(by: SIGINT) == 130)
    second.unplug()
  }

  /// One way from what the user types to the name that a calibration is kept under.
  @Test func whatIsImportedForAPortIsWhatItsStreamUses() throws {
    let plug = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    defer { plug.unplug() }
    try TemporaryFolder.with { folder in
      let file = folder + "/offsets.param"
      let names = ["COMPASS_OFS_X", "COMPASS_OFS_Y", "COMPASS_OFS_Z"]
      try CommandRun.write(names.map { "\($0),10\n" }.joined(), to: file)
      let environment = ["XDG_DATA_HOME": folder]
      func run(_ arguments: String...) throws -> String {
        everything(
          from: try #require(
            testbed.start("lodestone", arguments: arguments, joinsErrors: true, environment: environment)))
      }
      let imported = try run(
        "profiles", "import", file, "--from", "ardupilot", "--device", "/dev/ttyUSB0", "--field-strength", "48")
      #expect(imported.contains("/usb-0403%3A6001-A1"), "\(imported)")
      let path = try run("profiles", "path", "/dev/ttyUSB0")
      #expect(path.contains("/usb-0403%3A6001-A1") && path.hasSuffix("/0001.json\n"), "\(path)")
      let absent = try run(
        "profiles", "import", file, "--from", "ardupilot", "--device", "/dev/ttyUSB7", "--field-strength", "48")
      #expect(absent.contains("no such device"), "\(absent)")
    }
  }

  // MARK: Listening

  /// A sketch that names no units, a board that says nothing, and one that another program reads.
  private func threePorts(_ body: (_ reader: ChildProgram) throws -> Void) throws {
    let sketch = try PtyBoard(rate: 50) { number in
      let heading = Angle.radians(Double(number))
      return Array("0.0,0.0,9.81,\(20 * sin(heading)),\(20 * cos(heading)),-43.5\r\n".utf8)
    }
    let plugs = [
      SerialPlug(sketch, in: testbed, as: "ttyUSB0", serial: "A1", socket: "1-1"),
      SerialPlug(try PtyBoard { _ in nil }, in: testbed, as: "ttyUSB1", serial: "B2", socket: "1-2"),
      SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB2", serial: "C3", socket: "1-3"),
    ]
    let reader = try start("heading", "--device", "/dev/ttyUSB2", "--format", "json")
    #expect(headings(1, of: reader) == ["101.00"])
    try body(reader)
    #expect(reader.end(by: SIGINT) == 130)
    for plug in plugs { plug.unplug() }
  }

  @Test func listeningTellsWhatEachPortSpeaks() throws {
    try threePorts { reader in
      let program = try start("devices", "--listen")
      let text = everything(from: program)
      #expect(program.exitCode() == 0)
      let ports = text.split(separator: "/dev/ttyUSB")
      try #require(text.firstRange(of: "opening a port can restart the board") != nil && ports.count >= 4, "\(text)")
      #expect(ports[1].contains("[0403:6001 serial A1]  speaks csv at 57600 baud\n"))
      #expect(ports[1].contains("measures field and acceleration\n") && ports[1].contains("assuming µT"))
      #expect(ports[2].contains("serial B2]\n") && ports[2].contains("nothing arrives\n"))
      #expect(ports[3].contains("serial C3]\n") && !ports[3].contains("nothing arrives"))
      #expect(text.contains("can't open /dev/ttyUSB2: in use by lodestone (process \(reader.process))\n"))
    }
  }

  @Test func listeningTellsProgramsToo() throws {
    try threePorts { reader in
      let program = try start("devices", "--listen", "--json")
      let objects = everything(from: program).split(separator: "\"address\": \"/dev/ttyUSB")
      #expect(program.exitCode() == 0)
      try #require(objects.count == 4)
      #expect(objects[1].contains("\"protocol\": \"csv\"") && objects[1].contains("\"baud_rate\": 57600"))
      #expect(objects[1].contains("\"sensors\": [\"field\", \"acceleration\"]"), "\(objects[1])")
      #expect(objects[2].contains("\"protocol\": null") && objects[2].contains("\"sensors\": []"))
      #expect(objects[1].contains("\"problem\": null") && objects[2].contains("\"problem\": null"))
      #expect(objects[3].contains("\"problem\": \"can't open /dev/ttyUSB2: in use by lodestone"))
    }
  }

  private func everything(from program: ChildProgram) -> String {
    var text = ""
    while let line = program.line() { text += line + "\n" }
    return text
  }

  // MARK: Watching

  @Test func whatComesAndGoesIsFollowed() throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let program = try start("devices", "--watch")
    #expect(program.line(holding: "/dev/ttyUSB0")?.hasPrefix("+ /dev/ttyUSB0  FTDI FT232R") == true)
    let second = SerialPlug(try board("202.0"), in: testbed, as: "ttyUSB1", serial: "B2", socket: "1-2")
    #expect(program.line(holding: "/dev/ttyUSB1")?.hasPrefix("+ ") == true)
    let reader = try start("heading", "--device", "/dev/ttyUSB1")
    #expect(program.line(holding: "~ /dev/ttyUSB1  ") != nil)
    #expect(program.line(holding: "in use by lodestone (process \(reader.process))") != nil)
    // The port is open a little before the program takes signals, and one that comes between ends it as any other.
    #expect(reader.line(holding: "202.0° magnetic") != nil)
    #expect(reader.end(by: SIGINT) == 130)
    #expect(program.line(holding: "~ /dev/ttyUSB1  ") != nil)
    first.unplug()
    #expect(program.line(holding: "- /dev/ttyUSB0  ") != nil)
    second.unplug()
    #expect(program.line(holding: "- /dev/ttyUSB1  ") != nil)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// Programs read an object a line; another board under the same name is another device.
  @Test func programsFollowObjects() throws {
    let first = SerialPlug(try board("101.0"), in: testbed, as: "ttyUSB0", serial: "A1")
    let program = try start("devices", "--watch", "--json")
    let added = try #require(program.line())
    #expect(added.hasPrefix("{\"event\":\"added\"") && added.contains("\"serial\":\"A1\""), "\(added)")
    kill(program.process, SIGSTOP)
    first.unplug()
    let second = SerialPlug(try board("202.0"), in: testbed, as: "ttyUSB0", serial: "B2")
    kill(program.process, SIGCONT)
    let gone = try #require(program.line())
    #expect(gone.hasPrefix("{\"event\":\"removed\"") && gone.contains("\"serial\":\"A1\""), "\(gone)")
    let other = try #require(program.line())
    #expect(other.hasPrefix("{\"event\":\"added\"") && other.contains("\"serial\":\"B2\""), "\(other)")
    #expect(program.end(by: SIGINT) == 130)
    second.unplug()
  }
}
