import Glibc
import Support
import Synchronization
import Testing

/// `lodestone serve` as a command: how it starts, what stops it, and what it says.
@Suite(.waiting) struct ServeTests {
  private func fails(_ arguments: [String], _ code: Int32, _ words: String, hint: String? = nil) throws {
    let result = try CommandRun.lodestone(["serve", "--device", "sim:", "--listen", "127.0.0.1:0"] + arguments)
    #expect(result.exitCode == code)
    #expect(result.text.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("Error: ") == true && lines.first?.contains(words) == true, "\(result.errors)")
    #expect(lines.count <= 2, "\(result.errors)")
    if let hint { #expect(lines.last?.hasPrefix("Hint: \(hint)") == true, "\(result.errors)") }
  }

  @Test func aPortInUseIsNamed() throws {
    let arguments = ["serve", "--device", "sim:", "--listen", "127.0.0.1:0"]
    let first = try #require(ChildProgram("lodestone", arguments: arguments, joinsErrors: true))
    let port = try #require(first.line()?.split(separator: ":").last)
    try fails(["--listen", "127.0.0.1:\(port)"], 75, "127.0.0.1:\(port)")
  }

  /// 192.0.2.0/24 is for documentation: no machine has it.
  @Test func anAddressOfAnotherMachineIsNamed() throws {
    try fails(["--listen", "192.0.2.1:7373", "--token"], 66, "192.0.2.1:7373")
    try fails(["--listen", "7373"], 64, "--listen 7373")
  }

  @Test func otherMachinesNeedAToken() throws {
    try fails(["--listen", "*:0"], 64, "without a token", hint: "add --token")
  }

  @Test func aTokenFileMustHoldOne() throws {
    try TemporaryFolder.with { folder in
      try fails(["--token-file", "\(folder)/none"], 66, "\(folder)/none", hint: "write a token")
      try fails(["--token-file", folder], 66, folder, hint: "write a token")
      for content in ["", "short", "a; b=c d e f g h i j k l m", "0123456789abcde;"] {
        try CommandRun.write(content, to: "\(folder)/token")
        try fails(["--token-file", "\(folder)/token"], 65, "\(folder)/token", hint: "write a token")
      }
    }
  }

  @Test func aFormatWithoutPublishingIsNone() throws { try fails(["--format", "json"], 64, "--publish") }

  /// The same headings go to programs that want lines, while the page is served; the log never holds the token.
  @Test func headingsArePublishedAsWell() throws {
    let (page, lines) = (try freePort(), try freePort())
    try TemporaryFolder.with { folder in
      try CommandRun.write("0123456789abcdef\n", to: "\(folder)/token")
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "serve", "--device", "sim:", "--listen", "127.0.0.1:\(page)", "--publish", "tcp://127.0.0.1:\(lines)",
            "--format", "json", "--verbose", "--token-file", "\(folder)/token",
          ], joinsErrors: true))
      #expect(program.line() == "lodestone: publishing json at tcp://127.0.0.1:\(lines)")
      #expect(program.line()?.hasSuffix("at http://127.0.0.1:\(page)") == true)
      let script = """
        exec 3<>/dev/tcp/127.0.0.1/\(lines) && head -n 3 <&3
        exec 4<>/dev/tcp/127.0.0.1/\(page)
        printf 'GET /?token=0123456789abcdef HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\nConnection: close\\r\\n\\r\\n' >&4
        cat <&4
        """
      try CommandRun.write(script, to: "\(folder)/script")
      let run = try CommandRun.lodestone([], shell: "exec bash \(folder)/script \"$@\"")
      let got = run.text.split(separator: "\n")
      #expect(got.prefix(3).allSatisfy { $0.hasPrefix("{") && $0.contains("\"magnetic_heading_deg\":") }, "\(run.text)")
      #expect(run.text.contains("HTTP/1.1 303 "), "\(run.text)")
      var log = ""
      while !log.contains("GET /"), let line = program.line() { log += line + "\n" }
      #expect(!log.contains("0123456789abcdef"), "\(log)")
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  /// A device that cannot be asked for a rate is thinned on its way out: a line of 4800 baud takes no more.
  @Test func whatIsPublishedIsThinned() throws {
    let lines = try freePort()
    let board = try PtyBoard(rate: 50) { _ in Array("mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n".utf8) }
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "serve", "--device", board.path, "--listen", "127.0.0.1:0", "--rate", "5", "--format", "json", "--publish",
          "tcp://127.0.0.1:\(lines)",
        ], joinsErrors: true))
    while let line = program.line(), !line.contains(" at http://") {}
    let run = try CommandRun.lodestone(
      [], shell: "exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(lines) && head -n 6 <&3'")
    let times = run.text.split(separator: "\n").compactMap { line in
      line.split(separator: "\"time_s\":").last?.split(separator: ",").first.flatMap { Double($0) }
    }
    #expect(times.count == 6, "\(run.text)")
    if let first = times.first, let last = times.last { #expect(last - first > 0.7, "\(times)") }
    #expect(program.end(by: SIGINT) == 130)
  }

  /// The page is told as often as was asked for, whether anything is published or not.
  @Test func thePageIsThinned() throws {
    let page = try freePort()
    let board = try PtyBoard(rate: 50) { _ in Array("mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n".utf8) }
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["serve", "--device", board.path, "--listen", "127.0.0.1:\(page)", "--rate", "4"],
        joinsErrors: true))
    while let line = program.line(), !line.contains(" at http://") {}
    try TemporaryFolder.with { folder in
      let script = """
        exec 4<>/dev/tcp/127.0.0.1/\(page)
        printf 'GET /api/v1/events HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\n\\r\\n' >&4
        grep -a -m 6 'magnetic_heading_deg.*quality' <&4
        """
      try CommandRun.write(script, to: "\(folder)/script")
      let run = try CommandRun.lodestone([], shell: "exec bash \(folder)/script")
      let times = run.text.split(separator: "\n").compactMap { line in
        line.split(separator: "\"time_s\":").last?.split(separator: ",").first.flatMap { Double($0) }
      }
      #expect(times.count == 6, "\(run.text)")
      // The first may be as old as the page is.
      if let last = times.last { #expect(last - times[1] > 0.8, "\(times)") }
    }
    #expect(program.end(by: SIGINT) == 130)
  }

  /// A port that cannot return by itself, as a pseudo-terminal without a link, leaves the page there, which says so;
  /// what can be opened at the same address later is read again.
  @Test func thePageOutlivesItsDevice() throws {
    let page = try freePort()
    let script: PtyBoard.Script = { _ in Array("mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n".utf8) }
    let board = try PtyBoard(rate: 50, script: script)
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["serve", "--device", board.path, "--listen", "127.0.0.1:\(page)"], joinsErrors: true))
    while let line = program.line(), !line.hasSuffix("at http://127.0.0.1:\(page)") {}
    #expect(try isTold("\"magnetic_heading_deg\":[0-9]", at: page))
    board.unplug()
    #expect(program.line(holding: "\(board.path) is no longer read: \(board.path) has gone") != nil)
    #expect(try isTold("\"gone\":true", at: page))
    var boards = [board]
    while boards.count < 64, boards.count == 1 || boards.last?.path != board.path {
      boards.append(try PtyBoard(rate: 50, script: script))
    }
    #expect(program.line(holding: "\(board.path) is back after") != nil)
    #expect(try isTold("\"gone\":false", at: page))
    #expect(program.end(by: SIGINT) == 130)
  }

  /// With `--no-reconnect` it ends with its device, as any command does.
  @Test func aPageEndsWithItsDeviceWhereItShould() throws {
    let board = try PtyBoard(rate: 50) { _ in Array("mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n".utf8) }
    let page = try freePort()
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: ["serve", "--device", board.path, "--no-reconnect", "--listen", "127.0.0.1:\(page)"],
        joinsErrors: true))
    while let line = program.line(), !line.hasSuffix("at http://127.0.0.1:\(page)") {}
    #expect(try isTold("\"magnetic_heading_deg\":[0-9]", at: page))
    board.unplug()
    #expect(program.line(holding: "has gone") != nil && program.exitCode() == 69)
  }

  /// Whether the state of the page comes to hold a pattern within a minute.
  private func isTold(_ pattern: String, at page: UInt16) throws -> Bool {
    try TemporaryFolder.with { folder in
      let script = """
        for try in {1..600}; do
          exec 4<>/dev/tcp/127.0.0.1/\(page)
          printf 'GET /api/v1/state HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\nConnection: close\\r\\n\\r\\n' >&4
          if grep -q "$1" <&4; then echo seen; exit; fi
          sleep 0.1
        done
        """
      try CommandRun.write(script, to: "\(folder)/script")
      return try CommandRun.lodestone([], shell: "exec bash \(folder)/script '\(pattern)'").text == "seen\n"
    }
  }

  /// A board that falls silent is waited for, and is there again with its next line, though it was never unplugged; so
  /// is one beside it.
  @Test(arguments: [false, true]) func aBoardThatSpeaksAgainIsThere(isSecond: Bool) throws {
    let page = try freePort()
    let isSilent = Mutex(false)
    let line = Array("mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n".utf8)
    let board = try PtyBoard(rate: 50) { _ in isSilent.withLock { $0 } ? [] : line }
    let other = try PtyBoard(rate: 50) { _ in line }
    let devices = isSecond ? ["--device", other.path, "--device", board.path] : ["--device", board.path]
    let program = try #require(
      ChildProgram("lodestone", arguments: ["serve", "--listen", "127.0.0.1:\(page)"] + devices, joinsErrors: true))
    while let line = program.line(), !line.hasSuffix("at http://127.0.0.1:\(page)") {}
    // What the page is told of the board.
    let (there, gone) =
      isSecond
      ? ("\"second\":{[^}]*\"field_uT\":\\[", "\"second\":{[^}]*\"field_uT\":null")
      : ("\"gone\":false", "\"gone\":true")
    for isGone in [false, true, false] {
      isSilent.withLock { $0 = isGone }
      #expect(try isTold(isGone ? gone : there, at: page))
    }
    #expect(program.end(by: SIGINT) == 130)
  }

  /// What a pipe brings comes once: nobody reads it to its end first, to see how long it is.
  @Test func aPipeIsPlayedToItsEnd() throws {
    let page = try freePort()
    try TemporaryFolder.with { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      let rows = (0..<2000).map { "\(Double($0) / 1000),20,1,-40,0,0,1\n" }
      let recording = Array(("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows.joined()).utf8)
      let program = try #require(
        ChildProgram(
          "lodestone", arguments: ["serve", "--listen", "127.0.0.1:\(page)", "--device", "\(folder)/pipe"],
          joinsErrors: true))
      var writer: Int32 = -1
      #expect(
        eventually {
          writer = open("\(folder)/pipe", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
          return writer >= 0
        })
      #expect(write(writer, recording, recording.count) == recording.count)
      close(writer)
      while let line = program.line(), !line.contains(" at http://") {}
      let script = """
        for try in {1..200}; do
          exec 4<>/dev/tcp/127.0.0.1/\(page)
          printf 'GET /api/v1/state HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\nConnection: close\\r\\n\\r\\n' >&4
          grep -o '"position_s":[^}]*"ended":true' <&4 && exit
          sleep 0.1
        done
        """
      try CommandRun.write(script, to: "\(folder)/script")
      let run = try CommandRun.lodestone([], shell: "exec bash \(folder)/script")
      #expect(run.text.hasPrefix("\"position_s\":1.999,\"duration_s\":null,"), "\(run.text)")
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  // MARK: The end of what is published

  /// A page that publishes to a pipe which takes a page of memory and no more: its reader does not read.
  private func publishing(_ body: (_ program: ChildProgram, _ reader: Int32) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      let reader = open("\(folder)/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      // Linux's F_SETPIPE_SZ, which Glibc's module leaves out.
      #expect(reader >= 0 && fcntl(reader, 1031, 4096) == 4096)
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "serve", "--device", "sim:", "--listen", "127.0.0.1:0", "--format", "json", "--publish",
            "file:\(folder)/pipe",
          ], joinsErrors: true))
      #expect(
        eventually {
          var count: Int32 = 0
          return ioctl(reader, UInt(FIONREAD), &count) == 0 && count > 3072
        })
      // A line goes into the rest as a whole or not at all: some more samples, and lines wait.
      let waits = program.waitCount
      #expect(eventually { program.waitCount > waits + 100 })
      try body(program, reader)
    }
  }

  /// A reader that goes after the signal for the end, while lines wait for it: the program stands still meanwhile.
  @Test func aLastWriteThatFailsIsTold() throws {
    try publishing { program, reader in
      kill(program.process, SIGSTOP)
      #expect(
        eventually {
          let status = (try? CommandRun.contents(of: "/proc/\(program.process)/status")) ?? []
          return String(decoding: status, as: UTF8.self).contains("State:\tT")
        })
      kill(program.process, SIGINT)
      close(reader)
      #expect(program.end(by: SIGCONT) == 74)
      #expect(program.line(holding: "can't write file:", "/pipe: the reader closed it") != nil)
    }
  }

  @Test func linesThatNobodyTookAreCounted() throws {
    try publishing { program, reader in
      #expect(program.end(by: SIGINT) == 130)
      #expect(program.line(holding: "dropped because the reader did not keep up") != nil)
      close(reader)
    }
  }

  // MARK: Settings

  /// Where the folder of the settings should be stands a file: whoever sets something on the page is told so, once.
  @Test func settingsThatCannotBeKeptAreTold() throws {
    let page = try freePort()
    try TemporaryFolder.with { folder in
      try CommandRun.write("", to: "\(folder)/config")
      let program = try #require(
        ChildProgram(
          "lodestone", arguments: ["serve", "--device", "sim:", "--listen", "127.0.0.1:\(page)"],
          environment: ["XDG_CONFIG_HOME": "\(folder)/config"], joinsErrors: true))
      while let line = program.line(), !line.contains("http://") {}
      let script = """
        exec 4<>/dev/tcp/127.0.0.1/\(page)
        printf 'GET /api/v1/events HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\n\\r\\n' >&4
        grep -a -m 1 'event: alive' <&4
        for smoothing in 1 2; do
          body="{\\"smoothing_s\\":$smoothing}"
          exec 5<>/dev/tcp/127.0.0.1/\(page)
          printf 'POST /api/v1/settings HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\nOrigin: http://127.0.0.1:\(page)\\r\\n' >&5
          printf 'Content-Length: %d\\r\\nConnection: close\\r\\n\\r\\n%s' ${#body} "$body" >&5
          cat <&5
        done
        grep -a -m 1 'settings hold until' <&4
        """
      try CommandRun.write(script, to: "\(folder)/script")
      let run = try CommandRun.lodestone([], shell: "exec timeout 60 bash \(folder)/script")
      #expect(run.text.contains("The settings hold until the program ends: can't "), "\(run.text)")
      #expect(program.end(by: SIGINT) == 130)
    }
  }
}
