import LodestoneCore

/// Rows of a table that can't be messages yet: their columns are not known, or the unit of their time is not.
struct WaitingRows: Sendable {
  /// A row of bare numbers.
  struct Row: Sendable {
    var values: [Double]
    /// A comment before it said so.
    var isSaturated: Bool

    /// The message of the row under these columns.
    func message(_ table: CSVTable) -> WireMessage {
      var roles = RoleValues()
      var message = WireMessage()
      for (value, role) in zip(values, table.columns.roles) where role != CSVColumns.Role.ignored {
        roles.set(value, role)
      }
      table.fill(&message, with: roles)
      message.saturated = isSaturated
      return message
    }
  }

  /// Rows of bare numbers that are kept at most; of more the oldest go.
  private static let rowLimit = 64
  /// Messages that wait for the unit of their time at most.
  private static let messageLimit = 8

  /// The separator of the numbers.
  var separator: UInt8
  /// Why it is not known yet what they are, after many rows.
  var doubt: WireFault?
  /// No more will come.
  var hasEnded = false
  private var rows: [Row] = []
  /// In order; `next` of them have been taken.
  private var messages: [WireMessage] = []
  private var next = 0
  /// The times of the messages are still in their own unit.
  private(set) var holdsTimes = false

  init(separator: UInt8 = .comma) { self.separator = separator }

  /// Nothing waits.
  @inline(__always)
  var isEmpty: Bool { messages.isEmpty && rows.isEmpty }

  /// The times that wait for their unit, as they were read.
  var times: [Double] { messages.compactMap { $0.time } }

  /// Seconds in one unit of the times that wait: by their steps, or 1 from `messageLimit` messages on; nil before.
  var foundTimeScale: Double? {
    switch TimeSteps.meaning(of: times) {
    case .seconds(let scale): scale
    case .index: 1
    case nil: messages.count >= Self.messageLimit ? 1 : nil
    }
  }

  /// Keeps a row of bare numbers.
  mutating func hold(_ row: [Double], _ isSaturated: Bool) {
    if rows.count == Self.rowLimit { rows.removeFirst(Self.rowLimit / 2) }
    rows.append(Row(values: row, isSaturated: isSaturated))
  }

  /// Keeps a message whose time has no unit yet, or that follows such a one; false where neither is so.
  mutating func hold(_ message: WireMessage, times areOpen: Bool) -> Bool {
    guard areOpen && message.time != nil else { return false }
    holdsTimes = true
    messages.append(message)
    return true
  }

  /// The rows of bare numbers, which wait no longer.
  mutating func release() -> [Row] {
    defer { rows = [] }
    return rows
  }

  /// The unit of the times is known.
  mutating func release(timeScale: Double) {
    holdsTimes = false
    for index in messages.indices { messages[index].time = messages[index].time.map { $0 * timeScale } }
  }

  /// Puts a message behind those that can be taken.
  mutating func ready(_ message: WireMessage) { messages.append(message) }

  /// The next message that can be taken; false where there is none.
  mutating func take(into message: inout WireMessage) -> Bool {
    guard !holdsTimes, next < messages.count else { return false }
    message = messages[next]
    next += 1
    if next == messages.count { (messages, next) = ([], 0) }
    return true
  }
}
