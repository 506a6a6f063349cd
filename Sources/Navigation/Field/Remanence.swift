import LodestoneCore

/// A weak field that a strong one left behind and that stays as it is: that of a magnet farther away, or of the sensor
/// and iron beside it, which keep a part of what magnetised them.
public struct Remanence: Equatable, Sendable {
  /// The field left, against the zero-point, in µT.
  public let left: Double
  /// The strongest one since the zero-point, in µT.
  public let strongest: Double
}

/// Watches for a remanence. It tells one, once.
struct RemanenceWatch: Sendable {
  /// The strongest field so far in µT.
  private var strongest = 0.0
  /// The mean difference of the last second, and where it was at a time from which on it has stayed there.
  private var (mean, anchor, since) = (Vector3.zero, Vector3.zero, Double.infinity)
  private var last = 0.0
  private var isTold = false

  /// The field in µT from which on iron keeps something, and the largest share that it keeps.
  private static let (strong, share) = (200.0, 0.05)
  /// Seconds for which it must stay, and seconds that the mean is taken over: a hand does not hold a magnet so still.
  private static let (patience, span) = (5.0, 1.0)

  /// Takes a reading; the remanence that it completes.
  mutating func see(_ reading: FieldReading) -> Remanence? {
    if let size = reading.magnitude ?? reading.atLeast, size > strongest { strongest = size }
    guard strongest > Self.strong, !isTold else { return nil }
    let step = reading.time - last
    last = reading.time
    guard reading.flags.isDisjoint(with: [.saturated, .turned, .drifting]), step > 0, step < Self.span else {
      since = .infinity
      return nil
    }
    mean += (reading.difference - mean) * (step / Self.span)
    let left = mean.length
    guard left > reading.scatter, left < Self.share * strongest, (mean - anchor).length < reading.scatter / 2 else {
      (anchor, since) = (mean, reading.time)
      return nil
    }
    guard reading.time - since >= Self.patience else { return nil }
    isTold = true
    return Remanence(left: left, strongest: strongest)
  }
}
