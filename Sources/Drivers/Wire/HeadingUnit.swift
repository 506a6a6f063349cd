import LodestoneCore

/// Whether headings without a unit are in degrees or in radians: sketches print what `atan2` gives, too. One past a
/// full turn in radians tells degrees, and so do whole numbers. Where none is past it, a turn all the way round that
/// leaps from its end to its beginning tells radians. Until then nothing does.
struct HeadingUnit: Sendable {
  private var isInRadians: Bool?
  private var count = 0
  private var hasFraction = false, hasLeapt = false
  private var (least, most) = (Double.infinity, -Double.infinity)
  private var last: Double?

  /// Radians from 0, or to either side of north, with as few decimals as people print.
  private static let turn = -3.2...6.3
  /// The least leap from one end to the other, how far headings go round at least, and in how many lines.
  private static let (leap, way, fewest) = (4.5, 5.5, 8)
  /// The number of whole numbers that make them degrees.
  private static let several = 4

  /// Headings past a full turn in degrees, and all others.
  private var (past, within) = (0, 0)
  /// The largest heading that is in another unit, in mils, and how many of these tell so: one may be damaged.
  private static let (largest, fewestPast, ratio) = (6400.0, 4, 8)

  /// Headings have come that may be either.
  var isOpen: Bool { count > 1 && isInRadians == nil }

  /// They go past 360 again and again, as those in tenths of a degree or in mils do: those below are in that unit, too.
  var goesPast: Bool { past >= Self.fewestPast && Self.ratio * past > within }

  /// The reason why headings are held back; nil where they are not.
  var doubt: WireFault? { goesPast ? .headingsPastTurn : isOpen ? .headingUnit : nil }

  /// Takes note of a number in the place of a heading that is none in degrees.
  mutating func note(past heading: Double) { if (360...Self.largest).contains(heading) { past += 1 } }

  /// The heading in degrees; nil as long as it may be in radians as well, and where it is in another unit.
  /// - Parameter isTold: a unit says that it is in degrees.
  mutating func degrees(_ heading: Double, isTold: Bool) -> Double? {
    within += 1
    if goesPast { return nil }
    if isTold { return heading }
    if !Self.turn.contains(heading) {
      isInRadians = false
    } else if isInRadians == nil {
      weigh(heading)
    }
    return isInRadians.map { $0 ? Angle.degrees(heading) : heading }
  }

  private mutating func weigh(_ heading: Double) {
    count += 1
    if heading != heading.rounded() { hasFraction = true }
    if let last, abs(heading - last) > Self.leap { hasLeapt = true }
    last = heading
    (least, most) = (min(least, heading), max(most, heading))
    if hasLeapt, most - least > Self.way, count >= Self.fewest {
      isInRadians = true
    } else if !hasFraction, count >= Self.several {
      isInRadians = false
    }
  }
}
