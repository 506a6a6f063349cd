import ArgumentParser
import Navigation

/// The options for events, the same for every instrument.
struct EventOptions: ParsableArguments {
  @Flag(help: "Print only lines with an event, and its name.")
  var events = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Start a program at an event, as in --on above:100 'notify-send strong'.",
      discussion: "No shell is involved. The reading's values are in the program's environment: LODESTONE_EVENT, …",
      valueName: "event command"))
  var on: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds between two starts of the same program at least. (default: 1)", valueName: "seconds"))
  var interval: Double?

  func validate() throws {
    if let interval, !(interval >= 0 && interval <= 86_400) {
      throw ValidationError("--interval \(interval): not in 0 to 86400 s")
    }
  }

  /// Seconds between two starts of the same program at least.
  var leastInterval: Double { interval ?? 1 }

  /// Refuses what means nothing for readings of a kind.
  /// - Parameter spacesEvents: the interval is kept between the events themselves, too.
  func validate<Reading: EventfulReading>(for kind: Reading.Type, spacesEvents: Bool = false) throws(ValidationError) {
    _ = try programs(for: kind)
    if interval != nil, on.isEmpty, !spacesEvents { throw ValidationError("--interval needs --on EVENT COMMAND") }
  }

  /// Something is asked for.
  var isUsed: Bool { events || !on.isEmpty }

  /// The events that a program waits for, as they were typed, each once.
  var triggers: [String] {
    stride(from: 0, to: on.count, by: 2).reduce(into: []) { if !$0.contains(on[$1]) { $0.append(on[$1]) } }
  }

  /// The programs to start, each with its event, for readings of a kind.
  func programs<Reading: EventfulReading>(
    for kind: Reading.Type
  ) throws(ValidationError) -> [(trigger: EventTrigger, words: [String])] {
    guard on.count % 2 == 0 else { throw ValidationError("--on: give an event and a command") }
    var programs: [(trigger: EventTrigger, words: [String])] = []
    for index in stride(from: 0, to: on.count, by: 2) {
      let text = on[index]
      guard let trigger = EventTrigger(text), kind.events.contains(trigger.name) else {
        throw ValidationError("--on \(text): there are \(kind.events.map { $0.example }.listed)")
      }
      let words = on[index + 1].split(separator: " ").map(String.init)
      guard !words.isEmpty else { throw ValidationError("--on \(text): the command is empty") }
      programs.append((trigger, words))
    }
    return programs
  }
}

extension EventName {
  /// As it is typed.
  fileprivate var example: String {
    switch self {
    case .outside, .inside: rawValue + ":80..100"
    case .above, .below: rawValue + ":100"
    case .tilt: rawValue + ":0.5"
    default: rawValue
    }
  }
}
