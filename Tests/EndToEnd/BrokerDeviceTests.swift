import Glibc
import LodestonePorts
import Support
import Synchronization
import Testing

/// A broker's stream as a device: samples and readings that another machine publishes.
@Suite(.serialized, .waiting) struct BrokerDeviceTests {
  @Test func samplesOfAnotherMachineAreADevice() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try BrokerTests.publisher("record", broker, "boat/raw")
      let run = try CommandRun.lodestone(
        [
          "heading", "--device", "mqtt://\(broker.endpoint)/boat/raw", "--profile", "none", "--count", "20", "--format",
          "csv",
        ], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0, "\(run.errors)")
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count == 20)
      for row in rows {
        let heading = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(heading - 100) < 0.1)
        // Not level by assumption: the acceleration came along.
        #expect(row["pitch_deg"]?.isEmpty == false && row["quality"] == "uncalibrated")
      }
      let recorded = try CommandRun.lodestone(
        ["record", "--device", "mqtt://\(broker.endpoint)/boat/raw/stream", "--count", "5"])
      #expect(recorded.text.contains("# device: mqtt://\(broker.endpoint)/boat/raw/stream\n"))
      #expect(MainJobTests.rows(recorded.text).allSatisfy { $0["ax_g"] != nil && $0["gx_dps"] != nil })
      withExtendedLifetime(sender) {}
    }
  }

  /// A motor's current, published by another program or beside the field, is taken off where the calibration knows it.
  @Test func aCauseComesThroughABroker() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let profile = folder + "/board.json"
      let motor = "sim:?sensor=3&current=0.8,-0.5,0.4"
      let made = try CommandRun.lodestone([
        "calibrate", motor + "&speed=max&motion=figure-eight", "--profile", profile, "--cause", "current_A",
      ])
      #expect(made.exitCode == 0, "\(made.errors)")
      let sender = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "record", "--device", motor + "&motion=still&heading=90&rate=20", "--cause", "current_A", "--publish",
            "mqtt://\(broker.endpoint)/boat/raw", "--output", "/dev/null", "--quiet",
          ]))
      func headings(_ arguments: String...) throws -> String {
        let run = try CommandRun.lodestone(
          ["heading", "--profile", profile, "--count", "80", "--format", "csv", "--fusion", "off"] + arguments)
        #expect(run.exitCode == 0)
        for row in MainJobTests.rows(run.text).dropFirst(20) {
          let heading = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
          #expect(abs(heading - 90) < 5 && (row["accuracy_deg"].flatMap(Double.init) ?? 180) < 5, "\(row)")
        }
        return run.errors
      }
      let own = try headings("--device", "mqtt://\(broker.endpoint)/boat/raw")
      #expect(!own.contains("does not tell"), "\(own)")
      withExtendedLifetime(sender) {}

      // Another program's topic: what stands there, and no stream beside it. The motor is off.
      let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-sensor"))
      let payload = Array(#"{"battery":{"voltage":12.1,"current_A":0.0}}"#.utf8)
      let isOver = Atomic(false)
      let thread = try SideThread()
      nonisolated(unsafe) let publisher = client
      thread.perform {
        var poller = Poller()
        while !isOver.load(ordering: .acquiring) {
          payload.withUnsafeBytes { publisher.publish($0, to: "boat/battery") }
          publisher.watch(with: &poller)
          _ = try? poller.wait(until: .now + 0.2)
          publisher.serve(poller)
        }
      }
      defer { isOver.store(true, ordering: .releasing) }
      let beside = try headings(
        "--device", "sim:?sensor=3&motion=still&heading=90&rate=20", "--cause-device",
        "mqtt://\(broker.endpoint)/boat/battery")
      #expect(!beside.contains("does not tell"), "\(beside)")
    }
  }

  /// A board that publishes at a topic of its own has no stream beside it. A record that stood there before is none of
  /// now, and what another lodestone puts there beside its stream is not read twice.
  @Test func aTopicOfAnotherProgramIsADevice() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let old = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-old"))
      Array(#"{"mx":90,"my":90,"mz":90}"#.utf8).withUnsafeBytes { old.publish($0, to: "esp/mag", isRetained: true) }
      try old.meet(until: .now + 10)
      try old.finish(until: .now + 10)
      let reader = try #require(
        ChildProgram(
          "lodestone", arguments: ["record", "mqtt://\(broker.endpoint)/esp/mag", "--count", "20"], joinsErrors: true))
      let silence = try #require(reader.line(holding: "nothing has arrived for 3 s"))
      #expect(!silence.contains("--probe"))
      let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-esp"))
      let isOver = Atomic(false)
      let thread = try SideThread()
      nonisolated(unsafe) let publisher = client
      thread.perform {
        var (poller, number) = (Poller(), 0)
        while !isOver.load(ordering: .acquiring) {
          number += 1
          let payload = Array(#"{"mx":20.\#(number % 10),"my":1.5,"mz":-40.5}"#.utf8)
          payload.withUnsafeBytes { publisher.publish($0, to: "esp/mag") }
          publisher.watch(with: &poller)
          _ = try? poller.wait(until: .now + 0.02)
          publisher.serve(poller)
        }
      }
      defer { isOver.store(true, ordering: .releasing) }
      var rows = 0
      while let line = reader.line() {
        #expect(!line.contains("90.0000"), "\(line)")
        if line.contains(",1.5000,-40.5000") { rows += 1 }
      }
      #expect(rows == 20)

      let sender = try BrokerTests.publisher("record", broker, "boat/raw", ["--publish-rate", "1000"])
      let run = try CommandRun.lodestone(["record", "mqtt://\(broker.endpoint)/boat/raw", "--count", "40"])
      let times = MainJobTests.rows(run.text).compactMap { $0["time_s"].flatMap(Double.init) }
      #expect(times.count == 40 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
      withExtendedLifetime(sender) {}
    }
  }

  /// What another machine has read is passed on as the device's own, in its format or as NMEA.
  @Test(arguments: [["--format", "json"], []]) func headingsOfAnotherMachineArePassedOn(format: [String]) throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try BrokerTests.publisher(
        "heading", broker, "boat", ["--at", "48.2,16.37", "--date", "2026.7"] + format)
      let run = try CommandRun.lodestone([
        "heading", "--device", "mqtt://\(broker.endpoint)/boat", "--count", "12", "--format", "csv",
      ])
      #expect(run.exitCode == 0, "\(run.errors)")
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count == 12)
      for row in rows {
        let magnetic = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(magnetic - 100) < 0.2 && row["quality"] == "device" && row["field_uT"] == "")
      }
      // JSON tells how far off they may be, NMEA has no place for it.
      let accuracies = rows.compactMap { $0["accuracy_deg"].flatMap(Double.init) }
      #expect(format.isEmpty ? accuracies.isEmpty : accuracies.count == 12 && accuracies.allSatisfy { $0 > 0 })
      // True headings are sentences of their own in NMEA.
      let trueHeadings = rows.compactMap { $0["true_heading_deg"].flatMap(Double.init) }
      #expect(!trueHeadings.isEmpty && trueHeadings.allSatisfy { abs($0 - 105.43) < 0.3 })
      withExtendedLifetime(sender) {}
    }
  }

  @Test func aBrokerThatGoesAwayIsWaitedFor() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try BrokerTests.publisher("record", broker, "boat/raw")
      let reader = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "heading", "--device", "mqtt://\(broker.endpoint)/boat/raw", "--profile", "none", "--format", "csv",
          ], joinsErrors: true))
      func skip(to isWanted: (String) -> Bool) -> Bool {
        while let line = reader.line() { if isWanted(line) { return true } }
        return false
      }
      #expect(skip { $0.hasSuffix(",face-up") || $0.hasSuffix(",unknown") || $0.hasSuffix(",portrait") })
      broker.stop()
      #expect(
        skip {
          $0.contains("the connection to mqtt://\(broker.endpoint)/boat/raw broke") && $0.hasSuffix("; trying again")
        })
      try broker.start()
      #expect(skip { $0.contains("mqtt://\(broker.endpoint)/boat/raw is back after") })
      #expect(skip { $0.hasSuffix(",face-up") || $0.hasSuffix(",unknown") || $0.hasSuffix(",portrait") })
      #expect(reader.end(by: SIGINT) == 130)
      withExtendedLifetime(sender) {}
    }
  }
}
