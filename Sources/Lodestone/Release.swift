import Drivers
import Geomagnetism
import LodestonePorts

/// This release of Lodestone.
public enum Release {
  /// Its version (Semantic Versioning 2.0).
  public static let version = "0.1.0"
  /// A moment before it was made, 2026-11-01, in seconds since 1970. A clock that shows an earlier one is wrong.
  public static let unixTime = 1_793_491_200.0
}

extension WallClock {
  /// The time in seconds since 1970; nil where it cannot be right: small boards boot in 1970 and learn the time later.
  static var believed: Double? { unixTime >= Release.unixTime ? unixTime : nil }

  /// The moment a recording began, in seconds since 1970; nil for one before there were receivers, or in the future.
  /// - Parameter earliest: the earliest moment that a correct clock can show; before it the future is not known.
  static func recorded(_ start: Double?, now: Double, earliest: Double = Release.unixTime) -> Double? {
    let latest = now >= earliest ? now + 86_400 : .infinity
    return start.flatMap { $0 >= PositionAssembler.earliest && $0 <= latest ? $0 : nil }
  }
}

extension DecimalYear {
  /// Now, by the system's clock; nil where that cannot be right.
  public static var today: DecimalYear? { WallClock.believed.map { DecimalYear(secondsSince1970: $0) } }
}
