import Glibc

/// Bytes that wait to be written: whole lines, oldest first, in a buffer that never grows.
struct LineQueue {
  private var storage: UnsafeMutableRawBufferPointer
  private var head = 0
  private var tail = 0
  /// Whether the first waiting line has been written in part: what is left of it must not be dropped.
  private var isMidLine = false

  /// A queue with room for `capacity` bytes. The owner must call `deallocate`.
  init(capacity: Int) {
    storage = .allocate(byteCount: max(1, capacity), alignment: 16)
  }

  func deallocate() { storage.deallocate() }

  var count: Int { tail - head }
  var isEmpty: Bool { head == tail }
  var room: Int { storage.count - count }

  /// The waiting bytes, oldest first. Valid until the next change.
  var waiting: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[head..<tail]) }

  /// The whole lines that fit into `limit` bytes; as many bytes of a longer one.
  func wholeLines(within limit: Int) -> Slice<UnsafeRawBufferPointer> {
    let piece = waiting.prefix(limit)
    guard piece.count < count, let end = piece.lastIndex(of: newline) else { return piece }
    return piece[...end]
  }

  /// Adds bytes at the end, which `room` must hold; returns whether it did.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= room else { return false }
    if tail + bytes.count > storage.count { compact() }
    UnsafeMutableRawBufferPointer(rebasing: storage[tail...]).copyMemory(from: bytes)
    tail += bytes.count
    return true
  }

  private mutating func compact() {
    guard let start = storage.baseAddress else { return }
    memmove(start, start + head, count)
    tail -= head
    head = 0
  }

  /// Takes away what was written.
  mutating func removeFirst(_ written: Int) {
    let taken = min(written, count)
    guard taken > 0 else { return }
    isMidLine = storage[head + taken - 1] != newline
    head += taken
  }

  /// Drops the oldest line that has not been begun; false when there is none that is whole.
  mutating func dropOldestLine() -> Bool {
    var kept = 0
    if isMidLine {
      guard let end = lineEnd(from: head) else { return false }
      kept = end - head
    }
    guard let end = lineEnd(from: head + kept), let start = storage.baseAddress else { return false }
    memmove(start + end - kept, start + head, kept)  // the rest of the line in flight closes up to what stays
    head = end - kept
    return true
  }

  private func lineEnd(from index: Int) -> Int? {
    storage[index..<tail].firstIndex(of: newline).map { $0 + 1 }
  }
}

private let newline = UInt8(ascii: "\n")
