import Drivers
import LodestonePorts

/// The bytes of a recording or a raw capture, unchanged, each when its time has come. When that is, `FILE.times` tells,
/// or else the times in its own messages.
public final class CaptureReplay: ByteSource {
  /// How to replay.
  public struct Settings: Sendable {
    /// The pace, in multiples of what it was.
    public var speed = 1.0
    /// Whether it begins again at the end.
    public var loops = false
    /// Messages per second if the file has no times.
    public var rate = 10.0

    /// A replay at the recording's own pace, once.
    public init() {}
  }

  /// None: only time brings more.
  public let descriptor: Int32 = -1
  /// The time at which the next bytes are due; nil at the end.
  public private(set) var wakeTime: MonotonicTime? = .now
  /// Whether something tells when its bytes are due; else all of them are due at once.
  public private(set) var isPaced = false
  /// Remarks and the title of a table, as they stand before the first message: whoever comes later needs them, too. Nil
  /// before they have been read, and where there are none.
  public var title: [UInt8]? { start.isEmpty || position < start.count ? nil : start }

  /// The longest title, in bytes.
  private static let longestTitle = 16_384

  private let path: String
  private let settings: Settings
  private let start: [UInt8]
  private var file: InputFile
  private var times: ByteTimes
  private var pace = Pace()
  /// The piece after the one on its way.
  private var following: ByteTime?
  /// Bytes of this piece that are left; nil for all that there are.
  private var left: Int? = 0
  private var position = 0

  /// Opens a file to replay.
  public init(path: String, _ settings: Settings = Settings()) throws(StreamError) {
    self.path = path
    self.settings = settings
    start = Self.start(of: path)
    (file, times) = try Self.open(path, settings)
    guard file.kind == .regularFile else { throw .port(.notAFile(path: path, kind: file.kind)) }
    guard file.byteCount != 0 else { throw .nothingValid(path, sample: "", isEmpty: true) }
    following = times()
    isPaced = following != nil
  }

  private static func start(of path: String) -> [UInt8] {
    guard NodeKind.at(path) == .regularFile, let file = try? InputFile(path: path) else { return [] }
    let pump = WirePump(file, WireStream())
    var count = 0
    while count <= longestTitle, case .other? = pump.next() { count = pump.readCount - pump.pendingCount }
    guard count <= longestTitle, let file = try? InputFile(path: path) else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    guard case .bytes(count) = bytes.withUnsafeMutableBytes({ file.read(into: $0) }) else { return [] }
    return bytes
  }

  private static func open(_ path: String, _ settings: Settings) throws(StreamError) -> (InputFile, ByteTimes) {
    do throws(PortError) {
      let file = try InputFile(path: path)
      let index = path + RawCapture.timesSuffix
      guard NodeKind.at(index) == .regularFile else {
        var times = MessageTimes(try InputFile(path: path), rate: settings.rate)
        return (file, { times.next() })
      }
      var times = CaptureTimes(try InputFile(path: index))
      return (file, { times.next() })
    } catch {
      throw .port(error)
    }
  }

  /// Reads the bytes that are due; `.wouldBlock` until `wakeTime`.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while left == 0 { begin() }
    guard let due = wakeTime, due <= .now else { return wakeTime == nil ? .ended : .wouldBlock }
    let room = min(left ?? buffer.count, buffer.count)
    let outcome = file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
    switch outcome {
    case .bytes(let count):
      position += count
      left = left.map { $0 - count }
      return outcome
    case .ended where settings.loops && position > 0 && rewind(): return .wouldBlock
    default:
      wakeTime = nil
      return outcome
    }
  }

  /// Turns to the next piece: from where the last one ended to where the one after it begins.
  private func begin() {
    if let now = following { wakeTime = pace.due(now.seconds / settings.speed) }
    repeat { following = times() } while following.map { $0.offset <= position } == true
    left = following.map { $0.offset - position }
  }

  private func rewind() -> Bool {
    guard let again = try? Self.open(path, settings) else { return false }
    (file, times) = again
    (position, left) = (0, 0)
    following = times()
    return true
  }
}

/// The moment at which the bytes from an offset on came.
struct ByteTime {
  var seconds: Double
  var offset: Int
}

/// The times of bytes, one piece after the other in the order of their offsets; nil at the end.
private typealias ByteTimes = () -> ByteTime?

/// The lines of a `.times` file. What is no such line is passed over.
private struct CaptureTimes {
  private let file: InputFile
  private var lines: [UInt8] = []
  private var start = 0
  private var chunk = [UInt8](repeating: 0, count: 16_384)

  init(_ file: InputFile) { self.file = file }

  mutating func next() -> ByteTime? {
    let file = file
    while true {
      if let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) {
        let parts = String(decoding: lines[start..<end], as: UTF8.self).split(separator: " ")
        start = end + 1
        guard parts.count == 2, let seconds = Double(parts[0]), seconds.isFinite, let offset = Int(parts[1]),
          offset >= 0
        else { continue }
        return ByteTime(seconds: seconds, offset: offset)
      }
      lines.removeFirst(start)
      start = 0
      if lines.count > 4096 { lines = [] }  // no line of a capture is that long
      guard case .bytes(let count) = chunk.withUnsafeMutableBytes({ file.read(into: $0) }) else { return nil }
      lines += chunk[..<count]
    }
  }
}

/// The times that the messages of a file tell; where they tell none, they follow each other at a rate. A message's
/// piece begins where the message before it ended.
private struct MessageTimes {
  private let pump: WirePump
  private let rate: Double
  private var consumedCount = 0
  private var messageCount = 0
  private var lastTime: Double?

  init(_ file: InputFile, rate: Double) {
    pump = WirePump(file, WireStream())
    self.rate = rate
  }

  mutating func next() -> ByteTime? {
    let offset = consumedCount
    while let event = pump.next() {
      guard case .message(let message) = event else { continue }  // goes with the message after it
      consumedCount = pump.readCount - pump.pendingCount
      return ByteTime(seconds: seconds(of: message), offset: offset)
    }
    return nil
  }

  private mutating func seconds(of message: WireMessage) -> Double {
    defer { messageCount += 1 }
    if let time = message.time ?? message.position?.unixTime, time.isFinite, !pump.timeIsIndex { lastTime = time }
    return lastTime ?? Double(messageCount) / rate
  }
}
