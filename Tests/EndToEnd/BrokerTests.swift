import Glibc
import LodestonePorts
import Support
import Synchronization
import Testing

/// Readings through a real broker.
@Suite(.serialized, .waiting) struct BrokerTests {
  static let board =
    "sim:?motion=still&heading=100&hard=0&soft=0&misalignment=0&noise=0&accel-noise=0&rate=20"

  /// The messages that subscribers of `topics` are sent until `isEnough`, or for half a minute.
  private func messages(
    _ broker: Broker, _ topics: [String], until isEnough: ([String: [String]]) -> Bool
  ) throws -> [String: [String]] {
    let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-reader"))
    for topic in topics { client.subscribe(to: topic) }
    var received: [String: [String]] = [:]
    var poller = Poller()
    let end = MonotonicTime.now + 30
    while !isEnough(received), .now < end {
      client.watch(with: &poller)
      try poller.wait(until: min(end, .now + 0.1))
      client.serve(poller)
      for case .message(let topic, let payload) in client.takeEvents() {
        received[topic, default: []].append(String(decoding: payload, as: UTF8.self))
      }
    }
    return received
  }

  /// Publishes raw samples, or readings, for as long as it is held.
  static func publisher(_ command: String, _ broker: Broker, _ topic: String, _ more: [String] = []) throws
    -> ChildProgram
  {
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          command, "--device", board, "--publish", "mqtt://\(broker.endpoint)/\(topic)", "--output", "/dev/null",
          "--quiet",
        ] + more))
    return program
  }

  @Test func stateStreamStatusAndDiscoveryArrive() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "heading", "--device", Self.board, "--profile", "none", "--format", "json", "--publish",
            "mqtt://\(broker.endpoint)/boat/compass",
          ], joinsErrors: true))
      let received = try messages(broker, ["boat/#", "homeassistant/#"]) { received in
        (received["boat/compass/stream"]?.count ?? 0) > 10 && received["boat/compass"] != nil
          && received["homeassistant/device/lodestone_boat_compass/config"] != nil
      }
      #expect(received["boat/compass/status"]?.last == "online")
      let line = try #require(received["boat/compass/stream"]?.last)
      #expect(line.hasPrefix("{\"time_s\":") && line.hasSuffix("}"))
      #expect(line.contains("\"magnetic_heading_deg\":100.0") || line.contains("\"magnetic_heading_deg\":99.9"))
      let device = try #require(received["homeassistant/device/lodestone_boat_compass/config"]?.first)
      #expect(device.contains("\"state_class\":\"measurement_angle\""))
      #expect(device.contains("{{ value_json.magnetic_heading_deg }}"))
      #expect(program.end(by: SIGINT) == 130)
      let last = try messages(broker, ["boat/compass/status"]) { $0["boat/compass/status"] != nil }
      #expect(last["boat/compass/status"] == ["offline"])
    }
  }

  /// Events are triggers of Home Assistant: those that can happen anyway, and those that a program waits for, with the
  /// words that they are told in.
  @Test func eventsBeginAutomations() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "heading", "--device", "sim:?motion=spin&rate=50&seed=3", "--profile", "none", "--on", "outside:80..280",
            "true",
            "--format", "json", "--publish", "mqtt://\(broker.endpoint)/boat", "--output", "/dev/null",
          ], joinsErrors: true))
      let config = "homeassistant/device/lodestone_boat/config"
      let received = try messages(broker, ["boat/event", "homeassistant/#"]) {
        $0["boat/event"] != nil && $0[config] != nil
      }
      #expect(received["boat/event"]?.first == "outside:80..280")
      let device = try #require(received[config]?.first)
      for (key, payload) in [("still", "still"), ("outside_80__280", "outside:80..280")] {
        let trigger =
          #""event_\#(key)":{"p":"device_automation","automation_type":"trigger","type":"event","#
          + #""subtype":"\#(payload)","topic":"boat/event","payload":"\#(payload)"}"#
        #expect(device.contains(trigger), "\(device)")
      }
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  /// The state is as fresh as it is asked to be, and the last record stands there in the end.
  @Test func theStateComesAsOftenAsItIsWanted() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      for (rate, isSeldom) in [("1000", false), ("0.001", true)] {
        let program = try #require(
          ChildProgram(
            "lodestone",
            arguments: [
              "heading", "--device", Self.board, "--profile", "none", "--format", "json", "--publish",
              "mqtt://\(broker.endpoint)/rate\(rate)", "--publish-rate", rate,
            ], joinsErrors: true))
        let received = try messages(broker, ["rate\(rate)", "rate\(rate)/stream"]) { received in
          (received["rate\(rate)/stream"]?.count ?? 0) > 30
        }
        let states = received["rate\(rate)"]?.count ?? 0
        #expect(isSeldom ? states <= 1 : states > 4, "\(states) at \(rate)")
        var last = ""
        kill(program.process, SIGINT)
        while let line = program.line() { if line.hasPrefix("{") { last = line } }
        let state = try messages(broker, ["rate\(rate)"]) { !$0.isEmpty }
        #expect(!last.isEmpty && state["rate\(rate)"] == [last])
      }
    }
  }

  @Test(arguments: [
    (["--publish", "udp://127.0.0.1:9", "--publish-rate", "5"], "--publish-rate needs --publish mqtt://"),
    (["--publish", "mqtt://127.0.0.1/t", "--publish-rate", "0"], "--publish-rate 0: must be more than 0"),
    (["--publish", "mqtt://u:s3cret@127.0.0.1/t"], "must be mqtt://[user@]host[:port]/topic to send"),
    (["--publish", "udp://127.0.0.1"], "must be udp://host:port to send datagrams\n"),
  ])
  func optionsThatCannotWorkAreErrors(arguments: [String], words: String) throws {
    let run = try CommandRun.lodestone(["heading", "--device", "sim:"] + arguments)
    #expect(run.exitCode == 64 && run.errors.contains(words), "\(run.errors)")
  }

  /// Headings are NMEA where no format was chosen, which is not discovered.
  @Test func whatHomeAssistantNeedsIsTold() throws {
    let run = try CommandRun.lodestone(
      ["heading", "--device", "sim:", "--count", "1", "--publish", "mqtt://127.0.0.1:1/boat"])
    #expect(
      run.errors.contains("publishing nmea at mqtt://127.0.0.1:1/boat; Home Assistant needs --format json\n"),
      "\(run.errors)")
  }

  @Test(arguments: ["mqtt://host", "mqtt://user:password@host/t", "mqtt://host/a/+/b", "mqtt:///t", "mqtt://host/t/"])
  func otherAddressesAreRefused(_ address: String) throws {
    let run = try CommandRun.lodestone(["heading", "--device", "sim:", "--publish", address])
    #expect(run.exitCode == 64)
  }

  /// An access list that lets nobody publish or read.
  @Test func aBrokerThatPermitsNothingIsTold() throws {
    try TemporaryFolder.with { folder in
      let access = ["publishClientSend", "publishClientReceive", "subscribe", "unsubscribe"].map { "\"\($0)\":false" }
      try CommandRun.write("{\"defaultACLAccess\":{\(access.joined(separator: ","))}}", to: folder + "/access.json")
      let broker = try Broker(
        in: folder,
        [
          "allow_anonymous true", "plugin /usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so",
          "plugin_opt_config_file \(folder)/access.json",
        ])
      let address = "mqtt://\(broker.endpoint)/boat"
      let reader = try CommandRun.lodestone(["heading", "--device", address])
      #expect(reader.exitCode == 77)
      #expect(
        reader.errors.contains("Error: can't read \(address): the broker does not permit it\n"), "\(reader.errors)")
      let sender = try CommandRun.lodestone(
        ["heading", "--device", "sim:?motion=still", "--count", "20", "--format", "csv", "--publish", address])
      #expect(sender.exitCode == 0 && MainJobTests.rows(sender.text).count == 20, "\(sender.errors)")
      #expect(sender.errors.contains("\(address) rejected boat/stream: not authorized\n"), "\(sender.errors)")
      #expect(sender.errors.contains("20 messages did not reach the broker\n"), "\(sender.errors)")
    }
  }

  /// A publisher says when the broker goes and when it is back, on the spot.
  @Test func aPublisherSaysThatItsBrokerIsAway() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      broker.stop()
      let address = "mqtt://\(broker.endpoint)/boat"
      for command in [["record"], ["heading", "--format", "csv"]] {
        let sender = try #require(
          ChildProgram(
            "lodestone", arguments: command + ["--device", Self.board, "--publish", address, "-o", "/dev/null"],
            joinsErrors: true))
        #expect(sender.line(holding: "\(address) is unreachable: connection refused; trying again") != nil)
        try broker.start()
        let back = try #require(sender.line(holding: "\(address) is connected; "))
        #expect(back.contains(" did not reach the broker"), "\(back)")
        #expect(sender.end(by: SIGINT) == 130)
        broker.stop()
      }
    }
  }

  /// Greetings that abort libmosquitto 2.0.11: publisher and reader go on.
  @Test(arguments: [[0x20, 4, 0, 0, 1, 0], [0x20, 5, 0, 0, 2, 0, 0], [0x20, 6, 0, 0, 3, 0x7F, 0, 0]] as [[UInt8]])
  func aBrokerThatLiesEndsNothing(greeting: [UInt8]) throws {
    try LyingBroker.serving(greeting) { endpoint in
      let address = "mqtt://\(endpoint)/boat"
      let sender = try CommandRun.lodestone(
        ["heading", "--device", "sim:?motion=still&rate=100", "--count", "50", "--format", "csv", "--publish", address])
      #expect(sender.exitCode == 0 && MainJobTests.rows(sender.text).count == 50, "\(sender.errors)")
      #expect(sender.errors.contains("\(address) is unreachable: what arrives is not MQTT"), "\(sender.errors)")
      let reader = try CommandRun.lodestone(["heading", "--device", address])
      #expect(reader.exitCode == 74 && reader.errors.contains("what arrives is not MQTT\n"), "\(reader.errors)")
    }
  }

  /// One record reaches a broker that has not greeted yet when the record is there.
  @Test func aSingleRecordArrives() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let run = try CommandRun.lodestone([
        "heading", "--device", "sim:?motion=still&rate=100", "--count", "1", "--format", "json", "--quiet", "--publish",
        "mqtt://\(broker.endpoint)/boat",
      ])
      #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
      let states = try messages(broker, ["boat", "boat/status"]) { $0.count == 2 }
      #expect(states["boat"].map { $0[0] + "\n" } == run.text && states["boat/status"] == ["offline"])
    }
  }

  /// A broker that was started again has lost what stood there. It stands there again though the next state is far off.
  @Test func theStateComesBackWithTheBroker() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try Self.publisher(
        "heading", broker, "boat", ["--profile", "none", "--format", "json", "--publish-rate", "0.001"])
      _ = try messages(broker, ["boat", "boat/status"]) { $0["boat"] != nil && $0["boat/status"]?.last == "online" }
      broker.stop()
      try broker.start()
      let after = try messages(broker, ["boat", "boat/status"]) {
        $0["boat"] != nil && $0["boat/status"]?.last == "online"
      }
      #expect(after["boat"]?.first?.hasPrefix("{\"time_s\":") == true && after["boat/status"]?.last == "online")
      #expect(sender.end(by: SIGINT) == 130)
    }
  }

  /// A device that is silent, unplugged or tells no field any more is offline, so that nobody takes the last state for
  /// what is so now; and so is one that has sent nothing yet, whatever a program before has left there.
  @Test(arguments: [
    ["heading", "--format", "json", "--output", "/dev/null"], ["record", "--output", "/dev/null"],
    ["serve", "--listen", "127.0.0.1:0", "--format", "json"],
  ])
  func aDeviceThatIsGoneIsOffline(command: [String]) throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let before = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-before"))
      Array("online".utf8).withUnsafeBytes { before.publish($0, to: "boat/status", isRetained: true) }
      try before.meet(until: .now + 10)
      try before.finish(until: .now + 10)
      let line = "mx:20,my:1,mz:-40,ax:0,ay:0,az:1\n"
      let says = Mutex("")
      let board = try PtyBoard(rate: 50) { _ in Array(says.withLock { $0 }.utf8) }
      // Only what has a name of its own is waited for.
      let link = folder + "/board"
      symlink(board.path, link)
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: command + ["--device", link, "--publish", "mqtt://\(broker.endpoint)/boat", "--quiet"]))
      func expect(_ word: String) throws {
        let told = try messages(broker, ["boat/status"]) { $0["boat/status"]?.last == word }
        #expect(told["boat/status"]?.last == word, "\(command)")
      }
      try expect("offline")
      for words in [line, "", line, "error: sensor not found\n", line] {
        says.withLock { $0 = words }
        try expect(words == line ? "online" : "offline")
      }
      let state = try messages(broker, ["boat"]) { $0["boat"] != nil }
      #expect(state["boat"]?.first?.hasPrefix("{\"time_s\":") == true)
      board.unplug()
      try expect("offline")
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  /// A recording that is played on the page is offline once it has ended, though its last reading stays on the page.
  @Test func aRecordingThatHasEndedIsOffline() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let rows = (0..<40).map { "\(Double($0) / 20),20.\($0 % 10),1,-40,0,0,1\n" }.joined()
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows, to: folder + "/board.csv")
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "serve", folder + "/board.csv", "--listen", "127.0.0.1:0", "--format", "json", "--quiet", "--publish",
            "mqtt://\(broker.endpoint)/boat",
          ]))
      let told = try messages(broker, ["boat/status"]) {
        $0["boat/status"]?.contains("online") == true && $0["boat/status"]?.last == "offline"
      }
      #expect(told["boat/status"]?.suffix(2) == ["online", "offline"])
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  /// Of two publishers at a topic one ends, and the other is still there.
  @Test func whoStaysIsOnline() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let (first, second) = (
        try Self.publisher("heading", broker, "boat"), try Self.publisher("heading", broker, "boat")
      )
      let early = try messages(broker, ["boat/stream", "boat/status"]) {
        ($0["boat/stream"]?.count ?? 0) > 4 && $0["boat/status"]?.last == "online"
      }
      #expect(early["boat/status"]?.last == "online")
      kill(first.process, SIGKILL)
      _ = first.exitCode()
      let later = try messages(broker, ["boat/status"]) { $0["boat/status"]?.last == "online" }
      #expect(later["boat/status"]?.last == "online")
      #expect(second.end(by: SIGINT) == 130)
      let last = try messages(broker, ["boat/status"]) { $0["boat/status"]?.last == "offline" }
      #expect(last["boat/status"]?.last == "offline")
    }
  }

  /// Wherever an address with a password is refused, the password is not repeated.
  @Test func noPasswordIsRepeated() throws {
    try TemporaryFolder.with { folder in
      let address = "mqtt://boat:s3cret@127.0.0.1/topic"
      try Folder.make(folder + "/lodestone")
      let file = folder + "/lodestone/config.toml"
      let commands: [[String]] = [
        ["heading", address], ["heading", "-d", address], ["heading", "sim:", "--publish", address],
        ["heading", "sim:", "--publish=" + address], ["record", address], ["serve", address],
        ["level", "-d", "x" + address],
        ["heading", "sim:", "--publish", "mqtt:boat:s3cret@host/topic"], ["heading", "mqtt:boat:s3cret@host/topic"],
        ["heading", address, address], ["heading", "sim:", "--location", address], ["swing", "-d", address],
        ["heading", "sim:", "--publish", "mqtts://boat:s3cret/with@127.0.0.1/topic"], [address], ["config"],
        ["config", "--json"], ["batch", "heading", address], ["replay", address],
      ]
      for arguments in commands {
        try CommandRun.write("device = \"\(address)\"\n[devices]\nboat = \"\(address)\"\n", to: file)
        let run = try CommandRun.lodestone(arguments, environment: ["XDG_CONFIG_HOME": folder, "HOME": folder])
        #expect(
          !run.errors.contains("s3cret") && !run.text.contains("s3cret"), "\(arguments): \(run.errors)\(run.text)")
      }
      for variable in ["LODESTONE_BROKER", "LODESTONE_DEVICE", "LODESTONE_LOCATION"] {
        let run = try CommandRun.lodestone(["heading", "--count", "1"], environment: [variable: address])
        #expect(run.exitCode != 0 && !run.errors.contains("s3cret"), "\(variable): \(run.errors)")
      }
    }
  }

  /// A user whom the broker does not let in is not permitted, as one whose topic it does not let be read.
  @Test func aRejectedUserIsToldAsNotPermitted() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder, ["allow_anonymous false"])
      let address = "mqtt://\(broker.endpoint)/boat"
      let run = try CommandRun.lodestone(["heading", "--device", address])
      #expect(run.exitCode == 77, "\(run.errors)")
      #expect(run.errors.hasPrefix("Error: can't read \(address): not authorized\nHint: "), "\(run.errors)")
    }
  }

  /// A path is told as it was given, and the hint is about the file, not about the broker.
  @Test(arguments: ["--publish", "--device"]) func aPasswordFileThatIsNotThereIsTold(_ option: String) throws {
    let device = option == "--device" ? [] : ["--device", "sim:"]
    let run = try CommandRun.lodestone(
      ["heading", "--count", "1"] + device + [option, "mqtt://127.0.0.1/boat"],
      environment: ["LODESTONE_MQTT_PASSWORD_FILE": "/NoSuchFolder/Secret"])
    #expect(run.exitCode == 74, "\(run.errors)")
    #expect(run.errors.contains("can't read the password file /NoSuchFolder/Secret\nHint: "), "\(run.errors)")
    #expect(run.errors.contains(" LODESTONE_MQTT_PASSWORD_FILE\n"), "\(run.errors)")
  }

  @Test func aBrokerThatIsNotThereIsTold() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      broker.stop()
      let address = "mqtt://\(broker.endpoint)/boat"
      let run = try CommandRun.lodestone(["heading", "--device", address])
      #expect(run.exitCode == 66)
      #expect(run.errors.hasPrefix("Error: can't read \(address): connection refused\nHint: "), "\(run.errors)")
      let bad = try CommandRun.lodestone(["heading", "--device", "mqtt://user:word@127.0.0.1/boat"])
      #expect(bad.exitCode == 64 && bad.errors.contains("topic"), "\(bad.errors)")
    }
  }
}
