import Drivers
import Geomagnetism
import LodestonePorts

/// This release of Lodestone.
public enum Release {
  /// Its version (Semantic Versioning 2.0).
  public static let version = "0.1.0"
  /// No later than it was made, in seconds since 1970: 2026-11-01. A clock that shows an earlier moment is wrong.
  public static let unixTime = 1_793_491_200.0
}

extension WallClock {
  /// Seconds since 1970, where they can be right: small boards boot in 1970 and learn the time later.
  static var believed: Double? { unixTime >= Release.unixTime ? unixTime : nil }

  /// When a recording began, where that can be: not before there were receivers, and not in the future.
  /// - Parameter earliest: what a clock that is right shows at least.
  static func recorded(_ start: Double?, now: Double, earliest: Double = Release.unixTime) -> Double? {
    let latest = now >= earliest ? now + 86_400 : .infinity
    return start.flatMap { $0 >= PositionAssembler.earliest && $0 <= latest ? $0 : nil }
  }
}

extension DecimalYear {
  /// Now, by the system's clock; nil where that cannot be right.
  public static var today: DecimalYear? { WallClock.believed.map { DecimalYear(secondsSince1970: $0) } }
}
