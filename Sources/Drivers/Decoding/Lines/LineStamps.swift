import LodestoneCore

/// The stamps that loggers put before each line. They are taken off, so that lines are read as a board has printed
/// them, and they are the times of messages that have none of their own.
///
/// Serial monitors and terminal programs write `14:02:00.050 -> `, `14:02:00.050 > `, `[2026-03-01 14:02:00.050] ` or
/// `2026-03-01T14:02:00.050Z `, Python's logging `2026-03-01 14:02:00,050 - `, CoolTerm and `print(datetime.now(),
/// line)` `2026-03-01 14:02:00.050 `, ts and journals `Mar 01 14:02:00 host program[12]: `, kernels and grabserial `[
/// 12.345678] `, ESP-IDF `I (1234) `, Zephyr `[00:00:01.234,567] <inf> `, ROS `[INFO] [1764230400.123456789] [node]: `,
/// Arduino's core for the ESP32 `[ 1234][I][main.cpp:42] loop(): `, YAT `(14:02:00.050) `, Docklight `04.05.2026
/// 14:02:00.050 [RX] - `, syslog `<13>Mar 01 14:02:00 host program: `. A severity alone, `[INFO ] ` and `<info> `, the
/// name of a container, `magd-1  | `, a shell's prompt before numbers, `>>> ` and `uart:~$ `, and what counts lines or
/// says a channel, `12) `, `#12: `, `Out[12]: ` and `00> `, tell no time, and are taken off as well, as are the colours
/// around them, and what clears the screen before a line.
struct LineStamps: Sendable {
  /// Bytes at the beginning of a stream in which stamps are looked for: a board may print lines of its own first.
  static let searchedByteCount = 4096
  /// The longest stamp in bytes, with the colours before it.
  private static let limit = 64

  private enum State { case sought, present, absent }
  private var state = State.sought
  /// The beginning of a line, which may be a stamp.
  private var head: [UInt8] = []
  private var isInHead = true
  private var isInColour = false
  /// The lines that are not done with: where they begin in the bytes that are read, when they came, nil for those
  /// without a stamp, as boards print below a boot loader that stamps its own, and the number of their container.
  private var lines: [(start: Int, seconds: Double?, container: Int?)] = []
  /// The names of containers in the order in which they came, how many are told apart, and the one that is read.
  private var containers: [[UInt8]] = []
  private static let mostContainers = 64
  private var choice = CompassChoice()
  private var clock = PeriodicClock()
  /// The one that is read.
  private var current = 0
  /// Lines that are done with, and may still give messages.
  private static let keptLines = 1024
  /// Messages that wait for the others of their position, and those that have their times.
  private var held: [WireMessage] = []
  private var heldPosition = 0
  private var ready: [WireMessage] = []
  private var taken = 0

  /// Whether it is not known yet that lines are stamped.
  var areSought: Bool { state == .sought }
  /// Lines are stamped.
  var arePresent: Bool { state == .present }

  // MARK: Finding

  /// Looks at the first bytes of a stream. Two stamped lines one after the other are a log.
  mutating func look(at bytes: Span<UInt8>) {
    var (framer, position, wasStamped) = (LineFramer(), 0, false)
    while case .line(let line) = framer.next(in: bytes, from: &position) {
      let text = bytes.extracting(line)
      let isStamped = Self.stamp(of: Self.plain(text).span) != nil
      if isStamped && wasStamped || Self.clearsScreen(text) || Self.isColoured(text) {
        state = .present
        return
      }
      wasStamped = isStamped
    }
    if bytes.count >= Self.searchedByteCount { state = .absent }
  }

  /// A line of text that the cursor's return to the top, or the erasure of the screen, stands before (ECMA-48, 8.3.21,
  /// 8.3.39).
  private static func clearsScreen(_ line: Span<UInt8>) -> Bool {
    guard line.holds("\u{1B}[H") || line.holds("\u{1B}[J") || line.holds("\u{1B}[2J") else { return false }
    return line.indices.allSatisfy { line[$0] >= .space || line[$0] == .tab || line[$0] == 0x1B }
  }

  /// A line of text with a colour before it or in it.
  private static func isColoured(_ line: Span<UInt8>) -> Bool {
    var hasColour = false
    for index in line.indices where line[index] < .space && line[index] != .tab {
      guard line.holds("\u{1B}[", at: index) else { return false }
      hasColour = true
    }
    return hasColour
  }

  private static func plain(_ line: Span<UInt8>) -> [UInt8] {
    var (plain, isInColour) = ([UInt8](), false)
    for index in line.indices where plain.count < limit && !isColour(line[index], &isInColour) {
      plain.append(line[index])
    }
    return plain
  }

  /// A byte of a sequence that colours what follows (ECMA-48, 5.4: CSI, parameters and a final byte).
  private static func isColour(_ byte: UInt8, _ isInColour: inout Bool) -> Bool {
    guard isInColour else {
      isInColour = byte == 0x1B
      return isInColour
    }
    if (0x40...0x7E).contains(byte), byte != UInt8(ascii: "[") { isInColour = false }
    return true
  }

  // MARK: Taking off

  /// Appends what is left of the next bytes.
  /// - Parameter base: where `plain` will begin in the bytes that are read.
  mutating func takeOff(_ bytes: Span<UInt8>, into plain: inout [UInt8], at base: Int) {
    for index in bytes.indices {
      let byte = bytes[index]
      if Self.isColour(byte, &isInColour) { continue }
      let isEnd = byte == .lineFeed || byte == .carriageReturn
      if isInHead {
        head.append(byte)
        guard isEnd || head.count == Self.limit else { continue }
        finishHead(into: &plain, at: base)
      } else {
        plain.append(byte)
      }
      isInHead = isEnd
    }
  }

  /// Appends what is held back at the end of a stream.
  mutating func finish(into plain: inout [UInt8]) {
    if !head.isEmpty { finishHead(into: &plain, at: 0) }
  }

  private mutating func finishHead(into plain: inout [UInt8], at base: Int) {
    let stamp = Self.stamp(of: head.span)
    if head.first != .lineFeed, head.first != .carriageReturn {
      let name = stamp == nil ? nil : Self.container(of: head.span)
      let seconds = stamp?.seconds.map { clock.unwrapped(clock: $0) }
      lines.append((base + plain.count, seconds, name.flatMap { number(ofContainer: $0) }))
    }
    plain.append(contentsOf: head[(stamp?.end ?? 0)...])
    head.removeAll(keepingCapacity: true)
  }

  // MARK: Containers

  private mutating func number(ofContainer name: Range<Int>) -> Int? {
    if let place = containers.firstIndex(where: { head.span.holds($0, in: name) }) { return place }
    guard containers.count < Self.mostContainers else { return nil }
    containers.append(Array(head[name]))
    return containers.count - 1
  }

  /// Another container that tells of a compass, which is not read; nil where there is none.
  var otherContainer: String? {
    choice.other.flatMap { number in
      containers.indices.contains(Int(number)) ? containers[Int(number)].harmlessText : nil
    }
  }

  // MARK: Times

  /// Keeps a message whose line ends at a position. Lines that waited for a meaning give their messages together with
  /// the last one's, so all of a position wait for each other.
  mutating func hold(_ message: WireMessage, at position: Int) {
    if position != heldPosition { settle() }
    heldPosition = position
    held.append(message)
  }

  /// Gives times to the messages that wait, a line to each, as no more of their position will come.
  mutating func settle() {
    while current + 1 < lines.count, lines[current + 1].start < heldPosition { current += 1 }
    for (place, var message) in held.enumerated() {
      let number = current - (held.count - 1 - place)
      let line = lines.indices.contains(number) && lines[number].start < heldPosition ? lines[number] : nil
      message.time = message.time ?? line?.seconds
      if let container = line?.container, message.field != nil || message.own != nil,
        !choice.reads(UInt64(container), at: line?.seconds)
      {
        continue
      }
      ready.append(message)
    }
    held.removeAll(keepingCapacity: true)
  }

  /// The next message that waits no longer; false where there is none.
  mutating func take(into message: inout WireMessage) -> Bool {
    guard taken < ready.count else {
      ready.removeAll(keepingCapacity: true)
      taken = 0
      return false
    }
    message = ready[taken]
    taken += 1
    return true
  }

  /// Says that the first bytes have been taken away.
  mutating func drop(_ count: Int) {
    let done = max(0, lines.prefix { $0.start < count }.count - Self.keptLines)
    lines.removeFirst(done)
    current = max(0, current - done)
    for index in lines.indices { lines[index].start -= count }
    heldPosition -= count
  }
}
