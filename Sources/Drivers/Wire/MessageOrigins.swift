import LodestoneCore

/// The cells of a stream's lines that may tell which of several sensors each line is of, numbered from 1 in the order
/// in which they came. Zero stands for a line without one.
///
/// Such a cell is the value of a key or column, or the number behind a word, that says so (`"id":1`, `ch=2`, `addr`),
/// the topic before an object (`board1/mag {…`), and what stands before the first name of a line (`[1] X: …`).
public struct MessageOrigins: Sendable {
  /// The number of values past which, where none has come again, a cell counts lines.
  static let limit: UInt8 = 8
  private var cells: [[UInt8]] = []
  /// A name, and not just a place, says that the cell may be one.
  private(set) var areNamed = false
  /// Whether they count lines: none is looked for any more.
  private(set) var areCounts = false
  /// The last one, and whether one has come again after another.
  private var last = 0
  private var haveReturned = false

  /// No origins so far.
  init() {}

  /// The number of a cell; `limit` + 1 where there have been more.
  mutating func number(of cell: [UInt8], isNamed: Bool) -> UInt8 {
    guard !cell.isEmpty else { return 0 }
    guard !areCounts else { return Self.limit + 1 }
    if isNamed { areNamed = true }
    let cell = Array(cell.prefix(64))
    let place = cells.firstIndex(of: cell) ?? cells.count
    if place < cells.count {
      haveReturned = haveReturned || place != last
    } else if place < Int(Self.limit) {
      cells.append(cell)
    } else {
      areCounts = !haveReturned
      return Self.limit + 1
    }
    last = place
    return UInt8(place + 1)
  }

  /// The text of a cell; nil for a number that none has.
  func name(_ number: UInt8) -> String? {
    let place = Int(number) - 1
    return cells.indices.contains(place) ? cells[place].drop { $0.isBlank }.prefix(48).harmlessText : nil
  }

  /// The words are those of a cell that tells a sensor: `id`, `sensor_id`, `Channel`, `imu no`.
  static func areNamed(by words: [ColumnWord]) -> Bool {
    words.contains { LabelSource.sensors.contains($0) || identities.contains($0) }
      && words.allSatisfy { LabelSource.sensors.contains($0) || identities.contains($0) || fillers.contains($0) }
  }

  private static let identities: Set<ColumnWord> = [
    "id", "name", "label", "addr", "address", "sensorid", "deviceid", "nodeid", "sensorno", "mac", "source", "src",
    "topic", "host", "hostname", "client", "clientid", "serial", "station", "uid", "uuid", "sender", "location", "room",
    "who",
  ]
  private static let fillers: Set<ColumnWord> = ["no", "nr", "num", "number", "i2c", "index"]
}

/// The sensor that a stream is read from, where a cell of its lines tells several apart: the first.
///
/// The cell may as well count lines, or tell a state or a channel that stays. It tells sensors where a few values of a
/// cell with such a name have come round three times in the same order from the second of them on, or where the fields
/// behind the values contradict one sensor: with the next value the field leaps, and with the return of the former it
/// is back. Messages wait until that is known, as long as they are few. Many values are a count, and one that changes
/// at random over the numbers of one sensor takes nothing away.
struct OriginChoice: Sendable {
  private enum State { case open, none, owned(UInt8) }
  private var state = State.open
  /// The numbers of the messages with a field, from the one before the second sensor's on.
  private var order: [UInt8] = []
  /// The last field of each number, and the last of all.
  private var fields: [UInt8: Vector3] = [:]
  private var last: (number: UInt8, field: Vector3)?
  /// Changes of the number with which the field leapt and came back, and those with which it did not.
  private var (leaps, steps) = (0, 0)
  /// Messages that wait, and those that may go.
  private var waiting: [WireMessage] = []
  private var ready: [WireMessage] = []
  private var taken = 0

  /// Rounds in one order after which they are sensors that speak in turn.
  private static let rounds = 3
  /// Messages that wait at most, and for how many seconds.
  private static let patience = (messages: 12, seconds: 1.5)

  /// A second sensor, which is left out.
  private(set) var foreign: UInt8?

  /// No message waits.
  var isIdle: Bool { waiting.isEmpty && ready.isEmpty }

  /// Takes a message in: true where one is to be given now, which takes its place.
  mutating func pass(_ message: inout WireMessage, areNamed: Bool, at arrival: Double?) -> Bool {
    switch state {
    case .none: return true
    case .owned(let owner):
      guard message.origin != 0, message.origin != owner else { return true }
      foreign = foreign ?? message.origin
      return false
    case .open: break
    }
    weigh(message, areNamed: areNamed)
    if case .open = state, waiting.isEmpty, order.isEmpty || order.count > Self.patience.messages { return true }
    if message.arrival == nil { message.arrival = arrival }
    waiting.append(message)
    if case .open = state, isPatient { return false }
    release()
    return take(into: &message)
  }

  /// The next message that waits no longer; false where there is none.
  mutating func take(into message: inout WireMessage) -> Bool {
    guard taken < ready.count else {
      (ready, taken) = ([], 0)
      return false
    }
    message = ready[taken]
    taken += 1
    if taken == ready.count { (ready, taken) = ([], 0) }
    return true
  }

  /// No more will come: what waits is given.
  mutating func conclude() { release() }

  private var isPatient: Bool {
    guard order.count <= Self.patience.messages else { return false }
    guard let first = waiting.first?.arrival, let last = waiting.last?.arrival else { return true }
    return last - first < Self.patience.seconds
  }

  private mutating func release() {
    if case .owned(let owner) = state {
      foreign = foreign ?? waiting.first { $0.origin != 0 && $0.origin != owner }?.origin
      waiting.removeAll { $0.origin != 0 && $0.origin != owner }
    }
    ready += waiting
    waiting.removeAll(keepingCapacity: true)
  }

  // MARK: Evidence

  private mutating func weigh(_ message: borrowing WireMessage, areNamed: Bool) {
    let number = message.origin
    guard number > 0, let field = message.field else { return }
    guard number <= MessageOrigins.limit else { return state = .none }
    if let last, last.number != number {
      if order.isEmpty { order = [last.number] }
      if let own = fields[number] { compare(field, own: own, other: last.field) }
    }
    if !order.isEmpty, order.count < Self.rounds * Int(MessageOrigins.limit) { order.append(number) }
    fields[number] = field
    last = (number, field)
    guard leaps > 1 && leaps > 3 * steps || areNamed && comesRound, let first = order.first else { return }
    state = .owned(first)
  }

  /// The field has leapt from the other number's, and is where its own was.
  private mutating func compare(_ field: Vector3, own: Vector3, other: Vector3) {
    let leap = (field - other).length
    if leap > 4 * (field - own).length, leap > 0.15 * max(field.length, other.length) { leaps += 1 } else { steps += 1 }
  }

  /// The numbers have come in the same order several times.
  private var comesRound: Bool {
    let count = fields.count
    guard count > 1, order.count >= Self.rounds * count else { return false }
    return order.indices.dropFirst(count).allSatisfy { order[$0] == order[$0 - count] }
  }
}
