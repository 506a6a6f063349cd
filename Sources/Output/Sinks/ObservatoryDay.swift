import Glibc
import LodestoneCore
import LodestonePorts

/// An observatory's file of one day: a header, and behind it a record a minute from midnight on. Records go to their
/// places, whatever order they come in: one that was written as not measured is replaced, one that was measured stays.
final class ObservatoryDay {
  /// Days since 1970.
  let number: Int
  private let path: String
  /// The lines before the records; nil where only a file that is there is opened.
  private let header: [UInt8]?
  private var file: Descriptor
  /// The beginning of each minute's record in the file; nil for minutes that it lacks.
  private var places: [Int?] = Array(repeating: nil, count: 1440)
  private var isMeasured = [Bool](repeating: false, count: 1440)
  private var byteCount = 0

  /// A record with its line end.
  private static let length = Observatory.columnCount + 1
  /// The longest file of a day, in bytes.
  private static let limit = 1 << 20

  /// The first minute of the day, counted from 1970.
  private var start: Int { number * 1440 }

  /// Opens the file of a day; nil where there is none and no header to begin one with.
  init?(_ number: Int, at path: String, header: [UInt8]?) throws(OutputError) {
    self.number = number
    self.path = path
    self.header = header
    guard header != nil || NodeKind.at(path) != nil else { return nil }
    file = try Self.open(path)
    try readPlaces()
  }

  private static func open(_ path: String) throws(OutputError) -> Descriptor {
    do throws(SystemError) { return try Descriptor(openingToUpdate: path) } catch { throw .system(error) }
  }

  /// Goes on with the file that has the name now: another program may have put it there, or removed the one before.
  private func followName() throws(OutputError) {
    var (opened, named) = (stat(), stat())
    if stat(path, &named) == 0, fstat(file.number, &opened) == 0, named.st_ino == opened.st_ino,
      named.st_dev == opened.st_dev
    {
      return
    }
    try reopen()
  }

  private func reopen() throws(OutputError) {
    file = try Self.open(path)
    try readPlaces()
  }

  /// Finds what the file holds. Lines that are no records of the day stay what they are.
  private func readPlaces() throws(OutputError) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try AtomicFile.read(path, limit: Self.limit, as: .kept)
    } catch {
      throw .system(SystemError("read", code: error.code))
    }
    byteCount = bytes.count
    places = Array(repeating: nil, count: 1440)
    isMeasured = Array(repeating: false, count: 1440)
    var begin = 0
    while begin < bytes.count {
      let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      note(Array(bytes[begin..<end]), at: begin)
      begin = end + 1
    }
    // Half a line, as a program that was killed leaves it.
    if let last = bytes.last, last != UInt8(ascii: "\n") { try append([UInt8(ascii: "\n")]) }
    if byteCount == 0, let header { try append(header) }
  }

  private func note(_ line: [UInt8], at place: Int) {
    guard let minute = Self.minute(of: line), (0..<1440).contains(minute - start) else { return }
    places[minute - start] = place
    isMeasured[minute - start] = Self.isMeasured(line)
  }

  /// Puts a record with its line end at its place.
  func put(_ record: [UInt8], of minute: Int) throws(OutputError) {
    let index = minute - start
    guard places.indices.contains(index), record.count == Self.length else { return }
    try followName()
    if let place = places[index] {
      guard !isMeasured[index], Self.isMeasured(record.dropLast()) else { return }
      try write(record, at: place)
    } else if let later = places[index...].lazy.compactMap({ $0 }).first {
      try insert(record, at: later)
    } else {
      try fill(before: minute)
      places[index] = byteCount
      try append(record)
    }
    isMeasured[index] = Self.isMeasured(record.dropLast())
  }

  /// Ends the file of a day that is over: minutes that it lacks were not measured.
  func close() throws(OutputError) { try fill(before: start + 1440) }

  /// The minutes between the last one in the file and this one were not measured.
  private func fill(before minute: Int) throws(OutputError) {
    let next = (places.lastIndex { $0 != nil } ?? -1) + 1
    guard next < minute - start else { return }
    var text = TextBuffer()
    for missing in next..<minute - start {
      places[missing] = byteCount + text.count
      Observatory.append(Double(start + missing) * 60, nil, to: &text)
    }
    try append(text.withUnsafeBytes { Array($0) })
  }

  /// A file that somebody else began in the middle of a day is written again as a whole.
  private func insert(_ record: [UInt8], at place: Int) throws(OutputError) {
    do throws(FileProblem) {
      var bytes = try AtomicFile.read(path, limit: Self.limit, as: .kept)
      bytes.insert(contentsOf: record, at: min(place, bytes.count))
      try AtomicFile.write(bytes, to: path, updates: true)
    } catch {
      throw error.code == ENOSPC ? .noSpace : .system(SystemError("write", code: error.code))
    }
    try reopen()
  }

  private func append(_ bytes: [UInt8]) throws(OutputError) {
    do throws(OutputError) {
      try write(bytes, at: byteCount)
    } catch {
      // Half a record would be taken for a line of its own.
      ftruncate(file.number, off_t(byteCount))
      throw error
    }
    byteCount += bytes.count
  }

  private func write(_ bytes: [UInt8], at place: Int) throws(OutputError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(file.number, $0.baseAddress, $0.count, off_t(place + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw errno == ENOSPC || errno == EDQUOT ? .noSpace : .system(SystemError("write"))
      }
      written += count
    }
  }

  // MARK: Records

  /// The minute, counted from 1970, that a record without its line end is of; nil for what is no record.
  static func minute(of line: [UInt8]) -> Int? {
    guard line.count == Observatory.columnCount, let time = CalendarTime(iso: line.span.extracting(..<23)) else {
      return nil
    }
    return Int((time.unixTime / 60).rounded(.down))
  }

  private static func isMeasured(_ line: some Sequence<UInt8>) -> Bool {
    let missing = Array(" 99999.00".utf8)
    return !Array(line).suffix(4 * 10).starts(with: [UInt8(ascii: " ")] + missing)
  }
}
