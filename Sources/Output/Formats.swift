import LodestoneCore

/// Every format. A new one is a file and a line here: every instrument has it.
public enum Formats {
  /// All formats, in the order of the help.
  public static var all: [any Format.Type] { registry.all }

  /// Adds a format of a program's own, before anything is opened.
  public static func register(_ member: any Format.Type) { registry.add(member) }

  private static let registry = Registry<any Format.Type>([
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
    GPXFormat.self,
  ])

  /// The format with a name; nil where there is none.
  public static func named(_ name: String) -> (any Format.Type)? { all.first { $0.name == name } }
}
