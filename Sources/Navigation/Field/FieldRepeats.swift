import LodestoneCore

/// Fields that come again to the last digit, because the program on the board is faster than its chip: it sends each
/// measurement several times. The numbers of a coarse sensor come again, too, but at random.
struct FieldRepeats: Sendable {
  /// Measurements so far: fields that differ from the one before.
  private(set) var measurements = 0

  private var last: Vector3?
  private var run = 0
  /// Whole runs of one measurement, by their length; the last place has those that are longer.
  private var lengths = InlineArray<64, Int>(repeating: 0)
  private var (runs, samples) = (0, 0)

  /// Whole runs that tell, and those that do where a run is often a single sample, as a coarse sensor's is.
  private static let (fewest, fewestOfShort) = (5, 30)
  /// Samples in a run at least, so that it is more than a coincidence, and at most, so that it is counted.
  private static let means = 1.25...48.0
  /// The mean run below which it may be a coarse sensor's, and the share of the runs that must be as long as the mean.
  private static let (short, regular, regularOfShort) = (2.0, 0.9, 0.98)
  /// The share by which a run may be longer or shorter: neither clock is an exact one.
  private static let slack = 0.125

  /// Takes the next field.
  mutating func add(_ field: Vector3) {
    guard field != last else {
      run += 1
      return
    }
    // The first run may have begun before.
    if measurements > 1 {
      lengths[min(run, lengths.count - 1)] += 1
      (runs, samples) = (runs + 1, samples + run)
    }
    (last, run, measurements) = (field, 1, measurements + 1)
  }

  /// There were too few runs to tell whether measurements are sent again, and some were.
  var isUndecided: Bool { runs < Self.fewest && measurements > 1 && run > 1 }

  /// The mean number of samples for each measurement; nil where each sample may be one of its own.
  var perMeasurement: Double? {
    guard runs >= Self.fewest else { return nil }
    let mean = Double(samples) / Double(runs)
    let isShort = mean < Self.short
    guard Self.means.contains(mean), !isShort || runs >= Self.fewestOfShort else { return nil }
    let spread = Int(mean * Self.slack)
    var alike = 0
    for length in max(1, Int(mean) - spread)...(Int(mean.rounded(.up)) + spread) { alike += lengths[length] }
    return Double(alike) >= (isShort ? Self.regularOfShort : Self.regular) * Double(runs) ? mean : nil
  }
}
