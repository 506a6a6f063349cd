import Lodestone
import LodestoneCore
import LodestoneOutput
import Navigation

extension InstrumentRun where Device.Reading: EventfulReading {
  /// The programs of `--on` and the events of `--events`.
  /// - Parameter unit: one of the unit of numbers behind events in that of the readings.
  func programs(_ options: EventOptions<Device.Reading>, unit: Double = 1) throws -> EventPrograms<Device.Reading> {
    try EventPrograms(options, unit: unit, tells: publisher?.takesEvents == true, facts)
  }

  /// Starts programs and sends events at a reading. Returns what happened, and what is to be said.
  func take(
    _ reading: borrowing Device.Reading, _ programs: EventPrograms<Device.Reading>
  ) throws -> (events: [EventTrigger], problems: [String]) {
    let taken = programs.take(reading)
    for event in taken.events { try publisher?.tell(event: event.text) }
    return taken
  }

  /// Lines of readings, with programs at events; or lines of events alone, with their names.
  func writeLines(
    _ programs: EventPrograms<Device.Reading>, where passes: ((borrowing Device.Reading) -> Bool)? = nil
  ) throws -> (end: StreamLoop.End, count: Int) {
    if programs.writesEventsAlone { return try writeEvents(programs, where: passes) }
    guard !programs.isIdle else { return try writeLines(where: passes) }
    return try writeLines(
      where: passes,
      always: { reading in
        let (events, problems) = try take(reading, programs)
        for problem in problems { notices.say(problem) }
        return !events.isEmpty
      })
  }

  private func writeEvents(
    _ programs: EventPrograms<Device.Reading>, where passes: ((borrowing Device.Reading) -> Bool)?
  ) throws -> (end: StreamLoop.End, count: Int) {
    let (session, publisher, limit) = (session, publisher, options.count)
    let lines = try RecordOutput<EventLine<Device.Reading>>(
      format ?? TextFormat.self, facts, to: output, on: session.stream.sideThread)
    session.loop.companions.append(lines)
    let end = try session.run { event in
      switch event {
      case .reading:
        try publisher?.publish(session.reading)
        let (events, problems) = try take(session.reading, programs)
        for problem in problems { notices.say(problem) }
        guard !events.isEmpty, passes?(session.reading) != false else { break }
        for event in events {
          var line = EventLine(session.reading, event.name)
          if try lines.write(from: &line) == limit { return .stop }
        }
      case .notice(let notice): notices.say(notice)
      default: break
      }
      return .goOn
    }
    try lines.end()
    return (try session.loop.drain(after: end), lines.count)
  }
}

/// A reading with what happened at it.
struct EventLine<Reading: EventfulReading>: Record {
  var reading = Reading()
  var event: EventName?

  init() {}

  init(_ reading: Reading, _ event: EventName) {
    self.reading = reading
    self.event = event
  }

  var time: Double { reading.time }

  /// The kind of the reading.
  static var schema: RecordSchema {
    RecordSchema(Reading.schema.name, of: Self.self, line: Reading.schema.line == nil ? nil : EventText<Reading>.self)
  }

  /// The reading's columns, and the event.
  func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    reading.list(in: &columns)
    columns.add("event", word: event)
  }
}

/// A line for people with the event behind it.
private struct EventText<Reading: EventfulReading>: RecordLine {
  private let line: (any RecordLine)?
  private let event: Int?

  init(_ schema: RecordSchema, units: DisplayUnits) {
    line = Reading.schema.line?.init(schema, units: units)
    event = schema.index(of: "event")
  }

  func append(_ row: borrowing Row, to text: inout TextBuffer) {
    line?.append(row, to: &text)
    guard let place = row.integer(event), EventName.allCases.indices.contains(place) else { return }
    text.append("   ")
    text.append(text: EventName.allCases[place].rawValue)
  }
}
