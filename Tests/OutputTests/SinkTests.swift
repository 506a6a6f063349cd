import Glibc
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation
import Support
import Testing

/// Lines go where an address says, whatever their format.
@Suite struct SinkTests {
  private func publisher(to address: String) throws -> Publisher {
    Publisher(HeadingReading.schema, as: CSVFormat.self, StreamFacts(), to: [try Sinks.open(address)])
  }

  /// Serves the sinks until `isDone`, for ten seconds at most.
  private func serve(_ publishers: Publisher..., until isDone: () -> Bool) throws {
    let sinks = publishers.flatMap { $0.sinks }
    let deadline = MonotonicTime.now + 10
    while !isDone(), MonotonicTime.now < deadline {
      var poller = Poller()
      for sink in sinks { sink.watch(with: &poller) }
      try poller.wait(until: .now + 0.02)
      for sink in sinks { try sink.serve(poller) }
    }
  }

  @Test func aFileHoldsTheHeaderAndEachRecord() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/headings.csv"
      let publisher = try publisher(to: "file:" + path)
      try publisher.publish(HeadingReading(time: 1))
      try publisher.publish(HeadingReading(time: 2))
      for sink in publisher.sinks { try sink.finish(until: .now + 5) }
      let lines = String(decoding: try CommandRun.contents(of: path), as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines.first?.hasPrefix("time_s,magnetic_heading_deg,") == true)
      #expect(lines.last?.hasPrefix("2.000000,") == true)
    }
  }

  /// A client that comes late needs the names of the columns as much as the first one.
  @Test func whoeverComesGetsTheHeaderFirst() throws {
    let publisher = try publisher(to: "tcp://:0")
    try publisher.publish(HeadingReading(time: 1))
    let port = try #require(publisher.sinks.first?.name.split(separator: ":").last.flatMap { UInt16($0) })
    let client = try TCPClient(to: NetworkEndpoint(host: "127.0.0.1", port: port))
    var heard: [UInt8] = []
    var isSent = false
    try serve(publisher) {
      _ = try? client.advance()
      var buffer = [UInt8](repeating: 0, count: 4096)
      if case .bytes(let count) = buffer.withUnsafeMutableBytes({ client.read(into: $0) }) { heard += buffer[..<count] }
      if !heard.isEmpty, !isSent { isSent = (try? publisher.publish(HeadingReading(time: 2))) != nil }
      return heard.count { $0 == UInt8(ascii: "\n") } >= 2
    }
    let lines = String(decoding: heard, as: UTF8.self).split(separator: "\n")
    #expect(lines.first?.hasPrefix("time_s,") == true)
    #expect(lines.dropFirst().first?.hasPrefix("2.000000,") == true)
  }

  /// A program that comes in the moment when another one leaves is noticed, too.
  @Test func whoTakesAnothersPlaceHasCome() throws {
    let sink = try TCPSink(address: "tcp://:0")
    var arrivals = 0
    sink.onArrival = { arrivals += 1 }
    let port = try #require(sink.name.split(separator: ":").last.flatMap { UInt16($0) })
    var poller = Poller()
    func connected() throws -> TCPClient {
      let client = try TCPClient(to: NetworkEndpoint(host: "127.0.0.1", port: port))
      while try !client.advance() { usleep(1000) }
      return client
    }
    func serve(until isDone: () -> Bool) throws {
      let deadline = MonotonicTime.now + 10
      while !isDone(), .now < deadline {
        sink.watch(with: &poller)
        try poller.wait(until: deadline)
        sink.serve(poller)
      }
    }
    try withExtendedLifetime(try connected()) { _ in try serve { arrivals == 1 } }
    let second = try connected()
    try serve { arrivals == 2 }
    #expect(arrivals == 2)
    withExtendedLifetime(second) {}
  }

  /// Whoever opens the link, as a program opens a serial port, gets the header and what comes then.
  @Test func aPseudoTerminalIsReadThroughItsLink() throws {
    try TemporaryFolder.with { folder in
      let publisher = try publisher(to: "pty:" + folder + "/compass")
      try publisher.publish(HeadingReading(time: 1))
      let port = open(folder + "/compass", O_RDONLY | O_NOCTTY | O_NONBLOCK)
      #expect(port >= 0)
      defer { close(port) }
      var heard: [UInt8] = []
      var isSent = false
      try serve(publisher) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(port, &buffer, buffer.count)
        if count > 0 { heard += buffer[..<count] }
        if !heard.isEmpty, !isSent { isSent = (try? publisher.publish(HeadingReading(time: 2))) != nil }
        return heard.count { $0 == UInt8(ascii: "\n") } >= 2
      }
      let lines = String(decoding: heard, as: UTF8.self).split(whereSeparator: \.isNewline)
      #expect(lines.first?.hasPrefix("time_s,") == true)
      #expect(lines.dropFirst().first?.hasPrefix("2.000000,") == true)
    }
  }

  /// What Hamlib's own client asks, one connection after the other.
  @Test func aRotatorProgramIsAnswered() throws {
    let sink = try #require(try Sinks.open("rotctl://:0") as? RotatorSink)
    let publisher = Publisher(HeadingReading.schema, as: RotatorFormat.self, StreamFacts(), to: [sink])
    let port = try #require(sink.name.split(separator: ":").last.flatMap { UInt16($0) })
    func ask(_ line: String, lines: Int) throws -> [String] {
      let client = try TCPClient(to: NetworkEndpoint(host: "127.0.0.1", port: port))
      var isAsked = false
      var heard: [UInt8] = []
      try serve(publisher) {
        if (try? client.advance()) == true, !isAsked {
          _ = Array((line + "\n").utf8).withUnsafeBytes { client.write($0) }
          isAsked = true
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        if case .bytes(let count) = buffer.withUnsafeMutableBytes({ client.read(into: $0) }) {
          heard += buffer[..<count]
        }
        return heard.count { $0 == UInt8(ascii: "\n") } >= lines
      }
      return String(decoding: heard, as: UTF8.self).split(separator: "\n").map { String($0) }
    }
    #expect(try ask("p", lines: 1) == ["RPRT -6"])
    var reading = HeadingReading(time: 1)
    (reading.magneticHeading, reading.trueHeading, reading.pitch) = (Heading(degrees: 10), Heading(degrees: 13.456), 21)
    try publisher.publish(reading)
    #expect(try ask("p", lines: 2) == ["13.46", "21.00"])
    #expect(try ask("+\\get_pos", lines: 4) == ["get_pos:", "Azimuth: 13.46", "Elevation: 21.00", "RPRT 0"])
    #expect(try ask("\\dump_state", lines: 9).last == "done")
    #expect(try ask("P 10 20", lines: 1) == ["RPRT -11"])
    #expect(try ask("_", lines: 1) == ["Lodestone"])
    // The antenna does not point there any more as far as is known.
    publisher.deviceIsAway()
    #expect(try ask("p", lines: 1) == ["RPRT -6"])
  }

  /// Another device in the place of the first, as on the page, has its own name and columns at once; and a column that
  /// the user named is asked for as a template can.
  @Test func homeAssistantHearsOfAnotherDevice() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sink = try Sinks.open("mqtt://\(broker.endpoint)/boat")
      let reader = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-reader"))
      reader.subscribe(to: "homeassistant/#")
      var poller = Poller()
      for (device, cause) in [("first", "current_A"), ("second", "Strom/A")] {
        let schema = SampleRecord.schema(with: RecordedCauses([cause]))
        let publisher = Publisher(schema, as: JSONFormat.self, StreamFacts(device: device), to: [sink])
        var heard = ""
        try serve(publisher) {
          reader.watch(with: &poller)
          _ = try? poller.wait(until: .now + 0.02)
          reader.serve(poller)
          for case .message(_, let payload) in reader.takeEvents() { heard = String(decoding: payload, as: UTF8.self) }
          return heard.contains("\"Lodestone \(device)\"")
        }
        #expect(heard.contains("\"Lodestone \(device)\""))
        #expect(heard.contains("{{ value_json.mx_uT }}"))
        #expect(heard.contains(cause == "Strom/A" ? "{{ value_json['Strom/A'] }}" : "{{ value_json.current_A }}"))
      }
    }
  }

  /// Two boards at one topic would be read as one: both publishers hear of the other, and one alone hears of nobody.
  @Test func twoPublishersOfATopicAreTold() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let address = "mqtt://\(broker.endpoint)/boat"
      var told: [String: Int] = [:]
      func publisher(_ name: String) throws -> Publisher {
        let publisher = Publisher(
          HeadingReading.schema, as: JSONFormat.self, StreamFacts(device: name), to: [try Sinks.open(address)])
        publisher.tell { if $1 == .shared { told[name, default: 0] += 1 } }
        return publisher
      }
      let first = try publisher("first")
      try first.publish(HeadingReading(time: 1))
      let reader = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-reader"))
      reader.subscribe(to: "boat/status")
      var poller = Poller()
      var isOnline = false
      try serve(first) {
        reader.watch(with: &poller)
        _ = try? poller.wait(until: .now + 0.02)
        reader.serve(poller)
        for case .message(_, let payload) in reader.takeEvents() { isOnline = payload == Array("online".utf8) }
        return isOnline
      }
      #expect(isOnline && told.isEmpty)
      let second = try publisher("second")
      try second.publish(HeadingReading(time: 1))
      try serve(first, second) { told.count == 2 }
      #expect(told == ["first": 1, "second": 1])
    }
  }

  @Test(arguments: ["can:", "can:sixteen-letters-", "can:a/b", "rotctl:4533"])
  func whatNamesNoBusOrRotatorIsRefused(_ address: String) { #expect(!Sinks.accepts(address)) }

  @Test(arguments: ["", "tcp", "tcp:10110", "udp://:1", "udp://host", "http://host:80", "file:", "nowhere:x"])
  func whatNamesNoSinkIsRefused(_ address: String) {
    #expect(!Sinks.accepts(address))
    #expect(throws: SinkError.badAddress(address)) { try Sinks.open(address) }
  }

  @Test(arguments: Sinks.all.map { $0.scheme })
  func eachSinkHasAnExampleThatNamesIt(_ scheme: String) throws {
    let kind = try #require(Sinks.all.first { $0.scheme == scheme })
    #expect(kind.example.hasPrefix(scheme + ":"))
  }
}
