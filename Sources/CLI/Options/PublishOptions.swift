import ArgumentParser
import Output

/// Where readings are published besides the output.
struct PublishOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish to programs: tcp://:10110 to listen at a port, udp://host:port to send datagrams.",
      discussion:
        "As NMEA sentences, or in the format chosen: json or signalk. tcp://*:10110 listens to other machines.",
      valueName: "address"))
  var publish: [String] = []

  func validate() throws {
    for address in publish where PublishAddress(argument: address) == nil {
      throw ValidationError("--publish \(address): must be tcp://:port or udp://host:port")
    }
  }

  /// The formats whose lines stand for themselves.
  private static let formats: [any ReadingFormat.Type] = [NMEAReadings.self, JSONReadings.self, SignalKReadings.self]

  /// Opens what was asked for; nil where nothing was. What only people read is not published: programs get NMEA then.
  func open(format: String?, facts: StreamFacts, notices: Notices) throws -> Publisher? {
    guard !publish.isEmpty else { return nil }
    let chosen = Self.formats.first { $0.name == format } ?? NMEAReadings.self
    let publisher = try Publisher(publish, format: chosen.init(facts))
    notices.say("publishing \(chosen.name) at \(publisher.addresses.listed)")
    return publisher
  }
}
