import Glibc
import LodestonePorts
import Support
import Testing

/// Brokers that are not there, that do not say why nothing comes, and topics that are none.
@Suite(.waiting) struct BrokerTroubleTests {
  /// A single record that no broker takes is lost with the reason, and with what helps.
  @Test func aSingleRecordThatIsLostSaysWhy() throws {
    let address = "mqtt://127.0.0.1:\(try freePort())/boat"
    let one = ["heading", "--device", "sim:?motion=still&rate=100", "--count", "1", "--publish"]
    let run = try CommandRun.lodestone(one + [address])
    #expect(run.exitCode == 0 && run.lines.count == 1)
    let words = "\(address) is unreachable: connection refused (check the broker's name and port, and that it runs)\n"
    #expect(run.errors.contains(words) && !run.errors.contains("trying again"), "\(run.errors)")
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let run = try CommandRun.lodestone(one + ["mqtts://\(broker.endpoint)/boat"])
      #expect(run.errors.contains("is unreachable: "), "\(run.errors)")
      #expect(run.errors.contains("mqtts:// where that is named"), "\(run.errors)")
    }
  }

  /// A broker need not say that a user may not read a topic (mosquitto does not): the silence tells what to look at.
  @Test func theSilenceOfATopicNamesItsRights() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let arguments = ["heading", "--device", "mqtt://\(broker.endpoint)/boat"]
      let reader = try #require(ChildProgram("lodestone", arguments: arguments, joinsErrors: true))
      let words = try #require(reader.line(holding: "nothing has arrived for 3 s"))
      #expect(words.contains("published at this topic") && words.contains("access list"), "\(words)")
      #expect(reader.end(by: SIGINT) == 130)
    }
  }

  /// A topic that a broker refuses ends the reader, which must not say first that it tries again.
  @Test(arguments: [[], ["--no-reconnect"]]) func aRefusedTopicIsNotTriedAgain(_ options: [String]) throws {
    // MQTT 5, 3.2, 3.8 and 3.9: a CONNACK, the end of the second SUBSCRIBE, and two SUBACKs that say "not authorized".
    let refusals: [UInt8] = [0x90, 4, 0, 1, 0, 0x87, 0x90, 4, 0, 2, 0, 0x87]
    let topic = Array("\0\u{4}boat\u{1}".utf8)
    try LyingBroker.serving([0x20, 3, 0, 0, 0], later: (refusals, after: topic)) { endpoint in
      let run = try CommandRun.lodestone(["heading", "--device", "mqtt://\(endpoint)/boat"] + options)
      #expect(run.exitCode == 77 && run.errors.hasPrefix("Error: "), "\(run.errors)")
      #expect(run.errors.contains("the broker does not permit it") && !run.errors.contains("trying again"))
    }
  }

  /// The reason for which a connection broke: the broker's own words in MQTT 5, or that it closed the connection.
  @Test func theReasonOfADisconnectionIsTold() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let arguments = ["heading", "--device", "mqtt://\(broker.endpoint)/boat"]
      let reader = try #require(ChildProgram("lodestone", arguments: arguments, joinsErrors: true))
      #expect(reader.line(holding: "nothing has arrived for 3 s") != nil)
      broker.stop()
      let words = try #require(reader.line(holding: "broke"))
      let reasons = ["the server is shutting down", "the broker closed the connection"]
      #expect(reasons.contains { words.hasSuffix("/boat broke: \($0); trying again") }, "\(words)")
      #expect(reader.end(by: SIGINT) == 130)
    }
  }

  /// A pattern of topics names no topic.
  @Test(arguments: ["boat/+", "#", "boat/"]) func aPatternIsNoTopic(_ topic: String) throws {
    let run = try CommandRun.lodestone(["heading", "--device", "mqtt://127.0.0.1:1/\(topic)"])
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("'\(topic)' is not a valid value for the topic"), "\(run.errors)")
  }
}
