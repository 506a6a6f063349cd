import LodestoneCore

/// How fast a receiver rises: by its own word where that is more than its error, else by a line through the altitudes
/// of the last seconds. Nil where neither is more than noise.
struct ClimbRate {
  /// Seconds of altitudes: longer finds slower rises, and finds them later.
  private static let window = 20.0
  /// Altitudes at least, and seconds that they span at least.
  private static let fewest = (count: 8, seconds: 4.0)
  /// The multiple of the standard error past which a climb is no chance; with the fewest altitudes, in 98 of 100.
  private static let certainty = 3.0
  /// The least rate in m/s: the position of a receiver at rest rises and sinks that fast as satellites come and go.
  private static let smallest = 0.1

  private var points: [(time: Double, altitude: Double)] = []
  /// Whether the altitudes are those above the ellipsoid.
  private var isEllipsoidal = false

  /// Begins again.
  mutating func clear() { points = [] }

  /// The rate in m/s, upwards positive, after a position.
  mutating func rate(of position: Position) -> Double? {
    let line = fitted(position)
    if let own = position.climb, abs(own) >= max(position.climbAccuracy ?? 0, Self.smallest) { return own }
    return line
  }

  private mutating func fitted(_ position: Position) -> Double? {
    guard let altitude = position.altitude ?? position.seaLevelAltitude else {
      clear()
      return nil
    }
    let time = position.unixTime ?? position.time
    let isOther = isEllipsoidal != (position.altitude != nil)
    isEllipsoidal = position.altitude != nil
    if let last = points.last, isOther || time <= last.time || time - last.time > Self.window { clear() }
    points.append((time, altitude))
    points.removeFirst(points.prefix { $0.time < time - Self.window }.count)
    return slope
  }

  /// Least squares, where the line is more than its error.
  private var slope: Double? {
    let count = Double(points.count)
    guard let first = points.first, let last = points.last, points.count >= Self.fewest.count,
      last.time - first.time >= Self.fewest.seconds
    else { return nil }
    let middle = points.reduce(0) { $0 + ($1.time - first.time) } / count + first.time
    let mean = points.reduce(0) { $0 + $1.altitude } / count
    let spread = points.reduce(0) { $0 + ($1.time - middle) * ($1.time - middle) }
    let slope = points.reduce(0) { $0 + ($1.time - middle) * ($1.altitude - mean) } / spread
    let rest = points.reduce(0) { sum, point in
      let miss = point.altitude - mean - slope * (point.time - middle)
      return sum + miss * miss
    }
    let error = (rest / (count - 2) / spread).squareRoot()
    return abs(slope) > max(Self.certainty * error, Self.smallest) ? slope : nil
  }
}
