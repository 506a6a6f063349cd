/// Every format. A new one is a file and a line here: every instrument has it.
public enum Formats {
  /// In the order the help lists them.
  public static let all: [any Format.Type] = [
    TextFormat.self,
    JSONFormat.self,
    CSVFormat.self,
    InfluxFormat.self,
    NMEAFormat.self,
    SignalKFormat.self,
    NMEA2000Format.self,
    N2KASCIIFormat.self,
    IAGA2002Format.self,
    RotatorFormat.self,
  ]

  /// The format of a name; nil for no name of one.
  public static func named(_ name: String) -> (any Format.Type)? { all.first { $0.name == name } }
}
