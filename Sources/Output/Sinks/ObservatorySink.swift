import Glibc
import LodestoneCore
import LodestonePorts

/// Daily files of a magnetic observatory in IAGA-2002, `ngk20261122vmin.min`: each holds all 1440 minutes of a day in UTC
/// once the day is over. A file that is there is gone on with, so that a program that was started again leaves a gap and
/// loses nothing.
public final class ObservatorySink: AddressedSink {
  /// `iaga:FOLDER?code=NGK`.
  public static let scheme = "iaga"
  /// Writes a file a day.
  public static let example = "iaga:FOLDER?code=NGK to write an observatory's daily files"
  /// Nothing else makes a file of an observatory.
  public static let format: (any Format.Type)? = IAGA2002Format.self

  /// As it was given.
  public let name: String
  private let folder: String
  private var station: Observatory
  private var day: Day?

  /// The file of a day.
  private struct Day {
    /// Days since 1970.
    let number: Int
    let pipe: OutputPipe
    /// The first minute, counted from 1970, that is not in it.
    var next: Int

    /// The first minute of the day after.
    var end: Int { (number + 1) * 1440 }
  }

  /// A folder, with a station's data behind it.
  public static func accepts(_ address: String) -> Bool { parts(of: address) != nil }

  /// A station by its address; the folder is made where it is missing.
  public init(address: String) throws(SinkError) {
    guard let (folder, station) = Self.parts(of: address) else { throw .badAddress(address) }
    name = address
    self.folder = folder
    self.station = station
    do throws(FileProblem) {
      try Folder.make(folder, mode: 0o755)
    } catch {
      throw .port(.notCreated(path: folder, SystemError("mkdir", code: error.code)))
    }
    guard access(folder, W_OK) == 0 else { throw .port(.notCreated(path: folder, SystemError("access"))) }
  }

  /// `FOLDER?code=NGK&name=Niemegk&source=GFZ&at=52.07,12.68,80`.
  private static func parts(of address: String) -> (folder: String, station: Observatory)? {
    let pieces = address.afterColon.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let folder = pieces.first, !folder.isEmpty else { return nil }
    var station = Observatory()
    for option in pieces.count == 2 ? pieces[1].split(separator: "&") : [] {
      let pair = option.split(separator: "=", maxSplits: 1).map { String($0) }
      guard pair.count == 2 else { return nil }
      switch pair[0] {
      case "code":
        guard pair[1].utf8.count <= 4, pair[1].utf8.allSatisfy({ ($0 | 32) &- 97 < 26 }) else { return nil }
        station.code = pair[1].uppercased()
      case "name": station.name = pair[1]
      case "source": station.source = pair[1]
      case "at":
        let numbers = pair[1].split(separator: ",").map { Double(decimal: Array($0.utf8).span) }
        guard numbers.count == 2 || numbers.count == 3, let latitude = numbers[0], abs(latitude) <= 90,
          let longitude = numbers[1], (-180...360).contains(longitude)
        else { return nil }
        (station.latitude, station.longitude) = (latitude, longitude)
        if numbers.count == 3 { station.elevation = numbers[2] }
      default: return nil
      }
    }
    return (String(folder), station)
  }

  /// The device is the source of data where no institute is named.
  public func begin(_ stream: SinkStream) {
    if station.source.isEmpty { station.source = stream.facts.device }
  }

  /// Takes records of the format; each goes to the file of its day.
  public func send(_ lines: UnsafeRawBufferPointer) throws(OutputError) {
    let length = Observatory.columnCount + 1
    var start = 0
    while start + length <= lines.count {
      let line = UnsafeRawBufferPointer(rebasing: lines[start..<(start + length)])
      if let minute = Self.minute(of: Array(line.dropLast())) { try send(line, of: minute) }
      start += length
    }
  }

  private func send(_ line: UnsafeRawBufferPointer, of minute: Int) throws(OutputError) {
    if let day, minute >= day.end { try close(day) }
    if day == nil { try open(minute / 1440) }
    guard let day, minute >= day.next else { return }  // what the file holds already
    try fill(day, before: minute)
    try day.pipe.append(line)
    self.day?.next = minute + 1
  }

  /// Opens the file of a day, once that of the day before is whole, where a program was away at midnight.
  private func open(_ number: Int) throws(OutputError) {
    if let before = try file(of: number - 1, isNew: false) { try close(before) }
    day = try file(of: number, isNew: true)
  }

  /// The file of a day; the records of a new one begin at midnight. One that a program left behind is gone on with, on a
  /// line of its own. Nil where there is none and no new one is wanted.
  private func file(of number: Int, isNew: Bool) throws(OutputError) -> Day? {
    let date = CalendarTime(unixTime: Double(number) * 86_400)
    let digits = date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
    let path = "\(folder)/\(station.code.isEmpty ? "xxx" : station.code.lowercased())\(digits)vmin.min"
    let end = Self.end(of: path)
    guard isNew || !end.isEmpty else { return nil }
    let pipe = try Self.openToAppend(path)
    var text = TextBuffer()
    if end.isEmpty {
      IAGA2002Format.appendHeader(of: station, to: &text)
    } else if end.last != UInt8(ascii: "\n") {
      text.append("\n")
    }
    try pipe.append(text)
    let lines = end.split(separator: UInt8(ascii: "\n"))
    let last = lines.reversed().lazy.compactMap { Self.minute(of: Array($0)) }.first
    return Day(number: number, pipe: pipe, next: max(number * 1440, last.map { $0 + 1 } ?? 0))
  }

  private static func openToAppend(_ path: String) throws(OutputError) -> OutputPipe {
    do throws(PortError) {
      return try .file(at: path, existing: .append, policy: .keepAll)
    } catch {
      switch error {
      case .noSpace: throw .noSpace
      case .notCreated(_, let reason), .system(_, let reason): throw .system(reason)
      default: throw .system(SystemError("open", code: EBUSY))
      }
    }
  }

  /// The last bytes of a file; empty where there is none.
  private static func end(of path: String) -> [UInt8] {
    guard let file = try? InputFile(path: path), file.kind == .regularFile else { return [] }
    var end: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: InputFile.chunkByteCount)
    while case .bytes(let count) = bytes.withUnsafeMutableBytes({ file.read(into: $0) }) {
      end = Array((end + bytes[..<count]).suffix(4096))
    }
    return end
  }

  /// The minute, counted from 1970, that a record is of; nil for what is no record.
  private static func minute(of line: [UInt8]) -> Int? {
    guard line.count == Observatory.columnCount, let time = CalendarTime(iso: line.span.extracting(..<23)) else {
      return nil
    }
    return Int((time.unixTime / 60).rounded(.down))
  }

  private func fill(_ day: Day, before minute: Int) throws(OutputError) {
    var text = TextBuffer()
    for missing in day.next..<max(minute, day.next) { Observatory.append(Double(missing) * 60, nil, to: &text) }
    try day.pipe.append(text)
  }

  /// Fills up the file of a day that is over.
  private func close(_ day: Day) throws(OutputError) {
    try fill(day, before: day.end)
    try day.pipe.finish()
    self.day = nil
  }

  /// A disk that does not keep up is waited for.
  public var isFull: Bool { day?.pipe.isFull == true }

  /// A file is always ready: it is written to after each wait.
  public func watch(with poller: inout Poller) {}

  /// Writes what waits.
  public func serve(_ poller: Poller) throws { try day?.pipe.flush() }

  /// Writes the rest.
  public func finish(until deadline: MonotonicTime) throws(OutputError) { try day?.pipe.finish(until: deadline) }
}
