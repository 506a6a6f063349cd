import Navigation

/// The notices of several instruments, told once where they agree: what is wrong with a gyroscope is wrong for all.
struct ToldNotices {
  /// Seconds within which two instruments say the same.
  private static let window = 10.0
  private var last: [ObjectIdentifier: (notice: InstrumentNotice, time: Double)] = [:]

  /// Whether no other instrument has just said the same.
  mutating func isNew(
    _ notice: InstrumentNotice, of attachment: AnyAttachment, at time: Double, isAlone: Bool
  ) -> Bool {
    guard !isAlone else { return true }
    let id = ObjectIdentifier(attachment)
    let isKnown = last.contains { $0.key != id && $0.value.notice == notice && abs(time - $0.value.time) < Self.window }
    last[id] = (notice, time)
    return !isKnown
  }
}
