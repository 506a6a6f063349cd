import Glibc
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// The programs that `--on` starts. Each runs beside this one, without a shell and without anything that came from the
/// device in its arguments; the reading's values stand in its environment. What it prints goes where this one's notices
/// go.
final class EventPrograms<Reading: EventfulReading> {
  /// Whether lines are written of events alone.
  let writesEventsAlone: Bool
  /// Whether the programs' output is discarded.
  var isMute = false

  private var watch: EventWatch<Reading>
  /// The program of each trigger; nil for those that are told alone.
  private let programs: [[String]?]
  private let interval: Double
  private let facts: StreamFacts
  private var lastStarts: [Int: Double] = [:]
  private var running: [pid_t] = []
  private var skipped = 0
  private lazy var environment = EventEnvironment(Reading.schema, facts)

  /// The most programs that run at a time.
  private static var mostRunning: Int { 4 }

  /// Waits for what options want, and for what can happen without numbers where it is told.
  /// - Parameters:
  ///   - unit: one of the unit of the triggers' numbers in that of the readings.
  ///   - tells: events are told to others, too.
  init(_ options: EventOptions<Reading>, unit: Double = 1, tells: Bool, _ facts: StreamFacts) throws {
    let wanted = try options.programs()
    var triggers = wanted.map { $0.trigger }
    var programs: [[String]?] = wanted.map { $0.words }
    for name in options.events || tells ? Reading.events : [] where name.numberCount == 0 {
      guard let trigger = EventTrigger(name.rawValue) else { continue }
      triggers.append(trigger)
      programs.append(nil)
    }
    watch = EventWatch(triggers, unit: unit)
    self.programs = programs
    self.facts = facts
    writesEventsAlone = options.events
    interval = options.leastInterval
  }

  /// Whether there is nothing to wait for.
  var isIdle: Bool { watch.triggers.isEmpty }

  /// Starts what is to be started at a reading. Returns what happened, each thing once, and what is to be said about
  /// programs that were not started; the stream goes on.
  func take(_ reading: borrowing Reading) -> (events: [EventTrigger], problems: [String]) {
    let found = watch.events(of: reading)
    guard !found.isEmpty else { return ([], []) }
    var (events, problems): ([EventTrigger], [String]) = ([], [])
    for index in found {
      let trigger = watch.triggers[index]
      if !events.contains(trigger) { events.append(trigger) }
      guard let words = programs[index], isDue(index, at: reading.time) else { continue }
      if let problem = start(words, trigger, reading) { problems.append(problem) }
    }
    return (events, problems)
  }

  private func isDue(_ index: Int, at time: Double) -> Bool {
    if let last = lastStarts[index], time >= last, time - last < interval { return false }
    lastStarts[index] = time
    return true
  }

  private func start(_ words: [String], _ trigger: EventTrigger, _ reading: borrowing Reading) -> String? {
    running.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    guard running.count < Self.mostRunning else {
      skipped += 1
      return skipped == 1
        ? "\(words[0].harmless) is not started: \(Self.mostRunning) programs that --on started are still running" : nil
    }
    skipped = 0
    do throws(SystemError) {
      let isMute = isMute
      let program = try StartedProgram(words, adding: environment.variables(of: reading, trigger)) { actions in
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if isMute { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
      }
      running.append(program.process)
      return nil
    } catch {
      return "can't start \(words[0].harmless): \(error.message)"
    }
  }
}

/// The event and the reading's values as variables: LODESTONE_EVENT, LODESTONE_TIME_S, LODESTONE_PEAK_G, …
private struct EventEnvironment {
  private var row: RowBox
  private let names: [String]
  private var format: any Format

  private final class RowBox {
    var row: Row
    init(_ schema: RecordSchema) { row = Row(schema) }
  }

  init(_ schema: RecordSchema, _ facts: StreamFacts) {
    row = RowBox(schema)
    names = schema.columns.filter { $0.reach == .all }.map { "LODESTONE_" + $0.title(facts.units).uppercased() }
    format = CSVFormat(schema, facts)
  }

  mutating func variables<Reading: Record>(of reading: borrowing Reading, _ trigger: EventTrigger) -> [String] {
    row.row.take(reading)
    var text = TextBuffer()
    format.append(row.row, to: &text)
    let values = text.text.split(separator: ",", omittingEmptySubsequences: false)
    let settings = Set(UserSetting.allCases.map { $0.variable })
    let known = zip(names, values).filter { !$1.isEmpty && !settings.contains($0) }.map { name, value in
      name + "=" + value.filter { !$0.isNewline && $0 != "\"" }
    }
    return ["LODESTONE_EVENT=" + trigger.text] + known
  }
}
