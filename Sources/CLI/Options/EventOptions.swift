import ArgumentParser
import LodestoneCore
import Navigation

/// The options for events of readings: help and completions list the events that such readings can make.
struct EventOptions<Reading: EventfulReading>: ParsableArguments {
  @Flag(help: "Print only lines with an event, and its name.")
  var events = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Start a program at an event: \(Self.examples.listed).",
      discussion: """
        As in --on \(Self.examples.first ?? "still") 'notify-send now'. No shell is involved. The reading's values are in \
        the program's environment: LODESTONE_EVENT, …
        """,
      valueName: "event command"), completion: .list(Self.examples))
  var on: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds between two starts of the same program at least. (default: 1)", valueName: "seconds"))
  var interval: Double?

  func validate() throws {
    try OptionRange.check("--interval", interval, in: 0...86_400, " s")
  }

  /// Seconds between two starts of the same program at least.
  var leastInterval: Double { interval ?? 1 }

  /// The events, as they are typed.
  private static var examples: [String] { Reading.events.map { $0.example } }

  /// Refuses events that the readings cannot make, and an interval between no programs.
  /// - Parameter spacesEvents: the interval is kept between the events themselves, too.
  func check(spacesEvents: Bool = false) throws(ValidationError) {
    _ = try programs()
    if interval != nil, on.isEmpty, !spacesEvents { throw ValidationError("--interval needs --on EVENT COMMAND") }
  }

  /// Whether something is asked for.
  var isUsed: Bool { events || !on.isEmpty }

  /// The events that a program waits for, as they were typed, each once.
  var triggers: [String] {
    stride(from: 0, to: on.count, by: 2).reduce(into: []) { if !$0.contains(on[$1]) { $0.append(on[$1]) } }
  }

  /// The programs to start, each with its event.
  func programs() throws(ValidationError) -> [(trigger: EventTrigger, words: [String])] {
    guard on.count % 2 == 0 else { throw ValidationError("--on: give an event and a command") }
    var programs: [(trigger: EventTrigger, words: [String])] = []
    for index in stride(from: 0, to: on.count, by: 2) {
      let text = on[index]
      guard let trigger = EventTrigger(text), Reading.events.contains(trigger.name) else {
        throw ValidationError("--on \(text): there are \(Self.examples.listed)")
      }
      let words = on[index + 1].split(separator: " ").map(String.init)
      guard !words.isEmpty else { throw ValidationError("--on \(text): the command is empty") }
      programs.append((trigger, words))
    }
    return programs
  }
}

extension EventName {
  /// An example as it is typed.
  fileprivate var example: String {
    switch self {
    case .outside, .inside: rawValue + ":80..100"
    case .above, .below: rawValue + ":100"
    case .tilt: rawValue + ":0.5"
    default: rawValue
    }
  }
}
