import Glibc

/// The lines of a file or of standard input, one after the other, in a buffer that is kept: a table of any length takes
/// the same memory.
struct LineReader: ~Copyable {
  /// Holds the bytes that `next` speaks of, until it is called again.
  private(set) var buffer: [UInt8]
  /// As messages name it.
  let name: String
  /// The number of the line that was read last, from 1.
  private(set) var lineNumber = 0

  private let descriptor: Int32
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The longest line there may be, in bytes.
  static let longestLine = 65_536

  /// Opens a file, or standard input for `-`.
  init(path: String) throws(Failure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    buffer = [UInt8](repeating: 0, count: 4 * Self.longestLine)
    guard descriptor >= 0 else { throw .system("can't open \(path)", errno) }
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// Where in `buffer` the next line is, without its end (LF or CRLF); nil after the last.
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
        throw Failure(.badData, "\(name), line \(lineNumber + 1): longer than \(Self.longestLine) bytes")
      }
      searched = end - start
      try fill()
    }
  }

  private mutating func counted(_ line: Range<Int>) -> Range<Int> {
    lineNumber += 1
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
    let unread = end - start
    let from = start
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      memmove(base, base + from, unread)
      var count = -1
      repeat { count = read(descriptor, base + unread, bytes.count - unread) } while count < 0 && errno == EINTR
      return count
    }
    guard count >= 0 else { throw .system("can't read \(name)", errno) }
    (start, end, isAtEnd) = (0, unread + count, count == 0)
  }
}
