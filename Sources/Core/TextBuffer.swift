/// Text under construction: UTF-8 bytes in storage that is kept and used again, so that a line a sample costs no
/// allocation. It has one owner and no copies, so that an append need not ask whether somebody else looks on.
public struct TextBuffer: ~Copyable, @unchecked Sendable {
  /// The text is the first `length` of `capacity` bytes; what follows may hold anything.
  @usableFromInline var storage: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var length = 0

  /// An empty text with room for `capacity` bytes before it must grow.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    storage = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { storage.deallocate() }

  /// The length of the text in bytes.
  @inlinable public var count: Int { length }

  /// Whether it is empty.
  public var isEmpty: Bool { count == 0 }

  /// The text, for tests and messages.
  public var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  /// Empties the text; its room stays.
  public mutating func removeAll() { length = 0 }

  /// Shortens the text to its first `length` bytes: takes back what was appended after that length was noted.
  public mutating func truncate(to length: Int) { self.length = min(max(length, 0), self.length) }

  /// The bytes of the text, valid during the call.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: storage, count: length))
  }

  /// Makes room for `extra` more bytes and returns where they go. What is written there becomes text when `length` is
  /// moved past it.
  @inlinable @inline(__always)
  mutating func room(for extra: Int) -> UnsafeMutableRawPointer {
    if length &+ extra > capacity { grow(extra) }
    return storage + length
  }

  @inline(never) @usableFromInline
  mutating func grow(_ extra: Int) {
    capacity += max(capacity, extra)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: storage, byteCount: length)
    storage.deallocate()
    storage = larger
  }
}

// MARK: Appending

extension TextBuffer {
  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(byte: UInt8) {
    room(for: 1).storeBytes(of: byte, as: UInt8.self)
    length &+= 1
  }

  /// Appends a literal.
  @inlinable @inline(__always)
  public mutating func append(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else { return append(text: literal.description) }
    append(bytes: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends a string known only at run time. Control characters are the caller's business.
  public mutating func append(text: String) { append(bytes: text.utf8.span) }

  /// Appends bytes as they are.
  public mutating func append(bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append(bytes: $0) }
  }

  /// Appends bytes as they are.
  @inlinable @inline(__always)
  public mutating func append(bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
    length &+= bytes.count
  }
}
