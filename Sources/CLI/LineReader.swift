import CLinux
import Glibc
import LodestonePorts

/// The lines of a file or of standard input, one after the other, in a buffer that is kept: a table of any length takes
/// the same memory.
struct LineReader: ~Copyable {
  /// Holds the bytes that `next` speaks of, until it is called again.
  private(set) var buffer: [UInt8]
  /// The name in messages.
  let name: String
  /// The number of the line that was read last, from 1.
  private(set) var lineNumber = 0

  private let input: InputFile
  private let signals: Signals
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The longest line there may be, in bytes.
  static let longestLine = 65_536

  /// The mark that some programs put before a text of UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Opens a file, or standard input for `-`. From now on Ctrl-C is an error of `next`, so that nothing is left behind.
  init(path: String) throws(Failure) {
    let input: InputFile
    do throws(PortError) {
      input = try path == "-" ? .standardInput() : InputFile(path: path)
    } catch {
      guard case .notThere = error else { throw Failure(error) }
      throw Failure(.noInput, "can't open \(path): no such file", hint: Failure.nameHint)
    }
    let signals: Signals
    do throws(SystemError) {
      signals = try Signals()
    } catch {
      throw Failure(.inputOutput, "can't take signals: \(error.message.lowercased())")
    }
    self.input = input
    self.signals = signals
    name = path == "-" ? "standard input" : path
    buffer = [UInt8](repeating: 0, count: InputFile.chunkByteCount)
  }

  /// The place in `buffer` of the next line, without its end (LF or CRLF); nil after the last.
  mutating func next() throws(Failure) -> Range<Int>? {
    var searched = start
    while true {
      if let newline = newline(from: searched) {
        let line = start..<newline
        start = newline + 1
        return counted(line)
      }
      if isAtEnd {
        guard start < end else { return nil }
        let line = start..<end
        start = end
        return counted(line)
      }
      guard end - start <= Self.longestLine else {
        throw Failure(
          .badData, "\(name), line \(lineNumber + 1): longer than \(Self.longestLine) bytes",
          hint: "a table is text, with a line for each row: check the name of the file")
      }
      searched = end - start
      try fill()
    }
  }

  /// Puts a byte in the place of another throughout a line.
  mutating func replace(_ byte: UInt8, with other: UInt8, in line: Range<Int>) {
    for place in line where buffer[place] == byte { buffer[place] = other }
  }

  private mutating func counted(_ line: Range<Int>) -> Range<Int> {
    lineNumber += 1
    var line = line
    if lineNumber == 1, buffer[line].starts(with: Self.mark) { line = line.dropFirst(Self.mark.count) }
    let hasReturn = !line.isEmpty && buffer[line.upperBound - 1] == UInt8(ascii: "\r")
    return hasReturn ? line.lowerBound..<(line.upperBound - 1) : line
  }

  private func newline(from searched: Int) -> Int? {
    guard searched < end else { return nil }
    return buffer.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { base in
        memchr(base + searched, 0x0A, end - searched).map { UnsafeRawPointer($0) - base }
      }
    }
  }

  /// Moves what is unread to the front and reads more behind it.
  private mutating func fill() throws(Failure) {
    let (from, unread) = (start, end - start)
    (start, end) = (0, unread)
    buffer.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { memmove(base, base + from, unread) }
    }
    while true {
      if signals.next() != nil {
        throw Failure(.interrupted, "interrupted at line \(lineNumber) of \(name)")
      }
      switch buffer.withUnsafeMutableBytes({ input.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[unread...])) })
      {
      case .bytes(let count):
        end += count
        return
      case .wouldBlock: wait()
      case .ended, .gone:
        isAtEnd = true
        return
      case .failed(let error): throw Failure(.inputOutput, "can't read \(name): \(error.message.lowercased())")
      }
    }
  }

  private func wait() {
    var waiting = [
      pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waiting, nfds_t(waiting.count), -1)
  }
}
