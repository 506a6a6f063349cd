import LodestoneCore

/// The position in one message: all of it, or a part that others of the same moment complete. Absent is nil.
public struct WirePosition: Equatable, Sendable {
  /// The message that a part comes from.
  public enum Part: UInt8, Sendable {
    /// The message says all there is.
    case whole
    /// Sentences of NMEA 0183.
    case rmc, gga, gns, gll, vtg, gsa, gst, zda

    /// A sentence of which there may be several for one moment, one a constellation.
    var repeats: Bool { self == .gsa || self == .gns }
  }

  /// Altitudes from the deepest sea to the orbits of the satellites, in metres.
  static let heights = -12_000.0...3e7

  /// The part of a position that it is.
  public var part: Part
  /// The receiver has a fix, or says that it has none.
  public var isFixed: Bool?
  /// The position as far as it is known; its altitudes count only in a fix of three dimensions.
  public var position: Position
  /// Midnight before the fix in UTC, as seconds since 1970-01-01.
  public var day: Double?
  /// UTC of the fix, as seconds since midnight.
  public var secondOfDay: Double?
  /// The dimensions of the fix, two or three, by the receiver's word.
  public var dimensions: Int?
  /// Satellites in use.
  public var satelliteCount: Double?
  /// Dilution of precision, horizontal: the error of a position for one of a range.
  public var horizontalDilution: Double?
  /// The dilution of the altitude.
  public var verticalDilution: Double?
  /// Corrections of the ranges are received.
  public var isDifferential = false

  /// UTC of the fix, as seconds since 1970-01-01, where this message alone tells it.
  public var unixTime: Double? {
    if let time = position.unixTime { return time }
    guard let day, let secondOfDay else { return nil }
    return day + secondOfDay
  }

  /// A part of a position.
  public init(_ part: Part = .whole, _ position: Position = Position(), isFixed: Bool? = nil) {
    self.part = part
    self.position = position
    self.isFixed = isFixed ?? (position.coordinate == nil ? nil : true)
  }
}
