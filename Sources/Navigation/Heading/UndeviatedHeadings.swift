/// True headings that come alone where a deviation is to be added: that is of magnetic headings, and belongs to none of
/// them while nothing tells the declination. Told once.
struct UndeviatedHeadings: Sendable {
  private var count = 0
  private var isTold = false

  /// Headings in a row from which it is told: a magnetic one may follow the first.
  private static let several = 5

  /// Takes note of a reading.
  mutating func note(_ reading: borrowing HeadingReading) {
    if reading.magneticHeading != nil {
      count = 0
    } else if reading.trueHeading != nil {
      count += 1
    }
  }

  /// The notice, where it is news.
  /// - Parameter atEnd: no more will come.
  mutating func next(atEnd: Bool = false) -> InstrumentNotice? {
    guard !isTold, count >= (atEnd ? 1 : Self.several) else { return nil }
    isTold = true
    return .deviationNotAdded
  }
}
