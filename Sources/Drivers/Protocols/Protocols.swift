import Core

/// Every protocol that can be spoken and understood: one line each.
public enum Protocols {
  /// In the order in which they are offered to people.
  public static let all: [any WireProtocol.Type] = [
    CSV.self,
    JSONLines.self,
    MotionCal.self,
    NMEA0183.self,
    OceanServer.self,
    Razor.self,
  ]

  /// The protocol of a name, as in `?protocol=razor`; nil for a name that is none.
  public static func named(_ name: String) -> (any WireProtocol.Type)? { all.first { $0.name == name } }

  /// A decoder for a table whose columns the user names (`mx,my,mz,ax,ay,az`; any other word for a column to ignore), with
  /// the unit of the field where it is known. Nil when the names hold no three axes of one quantity.
  public static func table(columns names: String, fieldUnit: FieldUnit? = nil) -> (any WireProtocol)? {
    CSV(columns: names, fieldUnit: fieldUnit)
  }
}
