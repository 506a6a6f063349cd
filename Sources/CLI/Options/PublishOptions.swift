import ArgumentParser
import Lodestone
import LodestoneCore
import LodestoneOutput
import Navigation

/// The places that records of a kind are published to besides the output: help and completions list those that can take
/// them.
struct PublishOptions<Kind: Record>: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish to programs: \(Self.examples). May be given more than once.",
      discussion: "In the format chosen; with none, headings as NMEA sentences and everything else as JSON.",
      valueName: "address"), completion: .sinks(Self.suitable))
  var publish: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Retained states a second at an MQTT broker, at most. (default: 1)", valueName: "Hz"))
  var publishRate: Double?

  /// The sinks whose format has a place for the records.
  private static var suitable: [any AddressedSink.Type] { Sinks.all.filter { $0.format?.suits(Kind.schema) != false } }

  private static var examples: String { suitable.map { $0.example }.listed }

  func validate() throws {
    guard let publish = try? addresses() else { return }  // settings that cannot be read are told when sinks are opened
    for address in publish where !Sinks.accepts(address) {
      throw ValidationError("--publish \(address): must be \(Sinks.form(of: address) ?? Self.examples)")
    }
    try OptionRange.check("--publish-rate", publishRate, to: 1000, " Hz")
    if publishRate != nil, !publish.contains(where: Sinks.keepsState) {
      throw ValidationError("--publish-rate needs --publish mqtt://host/topic")
    }
  }

  /// The format that is published in where none is asked for.
  static func usualFormat(of schema: RecordSchema) -> any Format.Type {
    schema.name == HeadingReading.schema.name ? NMEAFormat.self : JSONFormat.self
  }

  /// The addresses, with the broker that is set.
  private func addresses() throws(Failure) -> [String] {
    let settings = try UserSettings.current()
    return try publish.map { address throws(Failure) in try settings.address(address) }
  }

  /// Opens what was asked for; nil where nothing was.
  func open(
    _ schema: RecordSchema, as format: (any Format.Type)?, _ facts: StreamFacts, events: [String] = [],
    notices: Notices
  ) throws -> Publisher? {
    guard let publication = try open(schema, as: format, say: { notices.say($0) }) else { return nil }
    return Publisher(schema, as: publication.format, facts, events: events, to: publication.sinks)
  }

  /// Opens what was asked for, and says so, for records whose stream is not known yet; nil where nothing was.
  func open(
    _ schema: RecordSchema, as format: (any Format.Type)?, say: (String) -> Void
  ) throws -> (format: any Format.Type, sinks: [any Sink])? {
    guard !publish.isEmpty else { return nil }
    let publish = try addresses()
    for address in publish {
      guard let own = Sinks.format(of: address), !own.suits(schema) else { continue }
      throw ValidationError("--publish \(address): \(own.name) has no place for \(schema.name)")
    }
    let chosen = format
    let format = format ?? Self.usualFormat(of: schema)
    let sinks = try publish.map { address throws(SinkError) in try Sinks.open(address) }
    if let publishRate {
      for case let sink as any StateSink in sinks { sink.stateRate = publishRate }
    }
    var spoken: [(format: String, names: [String])] = []
    for (address, sink) in zip(publish, sinks) {
      let name = (Sinks.format(of: address) ?? format).name
      if spoken.last?.format != name { spoken.append((name, [])) }
      spoken[spoken.count - 1].names.append(sink.name)
    }
    var words = "publishing \(spoken.map { "\($0.format) at \($0.names.listed)" }.listed)"
    if chosen == nil, format.name != JSONFormat.name, sinks.contains(where: { $0 is any StateSink }) {
      words += "; Home Assistant needs --format json"
    }
    say(words)
    return (format, sinks)
  }
}

extension Publisher {
  /// Sends what is left, and says which sinks have failed and which formats wrote nothing. Readers have ten seconds to
  /// take it, less than one after Ctrl-C.
  func finish(after end: StreamLoop.End, _ notices: Notices) throws(OutputError) {
    tell { notices.say($1.words(of: $0, isEnd: true)) }
    try finish(until: .now + (end == .interrupted ? 0.8 : 10))
    for (format, sinks) in silent { notices.say(Notices.silence(of: format, at: sinks)) }
  }

  /// Says what readers that did not keep up have lost.
  func sayLosses(_ notices: Notices) {
    for loss in losses { notices.say(loss.words) }
  }
}
