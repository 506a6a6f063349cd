import LodestoneCore

/// Samples that come again to the last digit in field, force and rate, though by that rate the board turns: a program
/// whose bus has stopped prints what it read last. They are none.
struct RepeatedSample: Sendable {
  /// The one that came last is one of them.
  private(set) var isOld = false
  /// The one that came last is the first new one, and shows another attitude than those before: none of the turn was
  /// measured.
  private(set) var isElsewhere = false
  /// None was new for two seconds, where nearly each one had been: nothing is measured, and the board may be turned
  /// unseen.
  var isSilent: Bool { seconds > Self.silence && fresh >= Self.fewest && again * 10 < fresh }
  /// New samples so far, and those that came again before the last new one.
  private var (fresh, again) = (0, 0)
  /// Samples that have come again since.
  private var run = 0
  private var (field, force, rate) = (Vector3?.none, Vector3?.none, Vector3?.none)
  /// Seconds since the last one that was new, and the turn by its rate in degrees.
  private var (seconds, turned) = (0.0, 0.0)

  /// Seconds of a board that prints more often than its sensors measure, and degrees that field and force show.
  private static let (longest, least) = (0.25, 5.0)
  /// Seconds of samples that are the same, and radians that no board turns from one to the next after them.
  private static let (rest, apart) = (1.0, Angle.radians(10))
  /// Seconds without a new sample, and new samples before them that tell how often one comes again.
  private static let (silence, fewest) = (2.0, 50)

  /// Takes a sample, of which nil was not measured; true where it is the one before.
  @inline(__always)
  mutating func comesAgain(field b: Vector3?, force f: Vector3?, rate w: Vector3?) -> Bool {
    let isNew = b != nil && b != field || f != nil && f != force || w != nil && w != rate
    isElsewhere = false
    guard isNew || field == nil || force == nil else { return true }
    if seconds > Self.rest, let field, let force {
      isElsewhere = max((b ?? field).angle(to: field), (f ?? force).angle(to: force)) > Self.apart
    }
    (fresh, again, run) = (fresh &+ 1, again &+ run, 0)
    (field, force, rate) = (b ?? field, f ?? force, w ?? rate)
    (seconds, turned, isOld) = (0, 0, false)
    return false
  }

  /// Turns on by the rate that comes again.
  /// - Parameters:
  ///   - bias: the gyroscope's and its deviation, in degrees per second.
  ///   - step: seconds since the rate before.
  mutating func turn(bias: (value: Vector3, deviation: Vector3), step: Double) {
    run &+= 1
    guard !isOld, let rate else { return }
    seconds += step
    turned += max(0, (rate - bias.value).length - 3 * bias.deviation.length) * step
    isOld = seconds > Self.longest && turned > Self.least
  }
}
