import Glibc
import LodestoneCore
import LodestonePorts

/// Daily files of a magnetic observatory in IAGA-2002, `ngk20261122vmin.min`: each holds all 1440 minutes of a day in
/// UTC once the day is over. A file that is there is gone on with, so that a program that was started again leaves a
/// gap and loses nothing; records go to their places, whatever order they come in. One program at a time writes a
/// station's files.
public final class ObservatorySink: AddressedSink {
  /// `iaga:FOLDER?code=NGK`.
  public static let scheme = "iaga"
  /// Writes a file a day.
  public static let example = "iaga:FOLDER?code=NGK to write an observatory's daily files"
  /// The format of observatories' files, and no other.
  public static let format: (any Format.Type)? = ObservatoryFormat.self

  /// The address as it was given.
  public let name: String
  private let folder: String
  private var station: Observatory
  private var day: ObservatoryDay?
  private let lock: FileLock

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
    do throws(SystemError) {
      guard let lock = try FileLock("\(folder)/.lodestone-\(Self.stem(of: station)).lock") else {
        throw SystemError("flock", code: EBUSY)
      }
      self.lock = lock
    } catch {
      throw .port(error.code == EBUSY ? .busy(path: address, heldBy: []) : .notCreated(path: folder, error))
    }
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
    do throws(OutputError) {
      while start + length <= lines.count {
        let record = Array(lines[start..<(start + length)])
        if let minute = ObservatoryDay.minute(of: record.dropLast()) {
          try file(of: minute / 1440).put(record, of: minute)
        }
        start += length
      }
    } catch {
      throw .at(name, error)
    }
  }

  /// The file of a day. Those of the days before are over, where a program was away at midnight.
  private func file(of number: Int) throws(OutputError) -> ObservatoryDay {
    if let day, day.number == number { return day }
    if let day, day.number < number { try day.close() }
    try ObservatoryDay(number - 1, at: path(of: number - 1), header: nil)?.close()
    var header = TextBuffer()
    IAGA2002Format.appendHeader(of: station, to: &header)
    guard let next = try ObservatoryDay(number, at: path(of: number), header: header.withUnsafeBytes { Array($0) })
    else { throw .closed }
    day = next
    return next
  }

  private func path(of number: Int) -> String {
    let date = CalendarTime(unixTime: Double(number) * 86_400)
    let digits = date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
    return "\(folder)/\(Self.stem(of: station))\(digits)vmin.min"
  }

  /// The beginning of the names of a station's files.
  private static func stem(of station: Observatory) -> String {
    station.code.isEmpty ? "xxx" : station.code.lowercased()
  }

  /// Watches nothing.
  public func watch(with poller: inout Poller) {}

  /// Does nothing.
  public func serve(_ poller: Poller) {}
}

/// The format of a file whose records are put in order: minutes of a clock that was put back come too.
struct ObservatoryFormat: Format {
  static let name = IAGA2002Format.name
  static let needs = IAGA2002Format.needs
  private var format: IAGA2002Format

  static func suits(_ schema: RecordSchema) -> Bool { IAGA2002Format.suits(schema) }

  init(_ schema: RecordSchema, _ facts: StreamFacts) {
    format = IAGA2002Format(schema, facts)
    format.goesBack = true
  }

  func appendHeader(to text: inout TextBuffer) { format.appendHeader(to: &text) }

  mutating func append(_ row: borrowing Row, to text: inout TextBuffer) { format.append(row, to: &text) }

  mutating func appendEnd(to text: inout TextBuffer) { format.appendEnd(to: &text) }
}
