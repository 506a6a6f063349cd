import LodestoneCore

/// Every protocol that can be spoken and understood: one line each.
public enum Protocols {
  /// The protocols by name. Where the evidence for two is the same, the detector takes the first.
  public static var all: [any WireProtocol.Type] { registry.all }

  /// Adds a protocol of a program's own, before anything is opened.
  public static func register(_ member: any WireProtocol.Type) { registry.add(member) }

  private static let registry = Registry<any WireProtocol.Type>([
    AndroidLog.self,
    BNO055UART.self,
    CSV.self,
    Canboat.self,
    CanboatJSON.self,
    Candump.self,
    GPSD.self,
    GPX.self,
    HMR2300.self,
    HMR2300Binary.self,
    HMR3300.self,
    IAGA2002.self,
    IKonvert.self,
    InfluxLines.self,
    JSONLines.self,
    LabelledLines.self,
    MAVLink.self,
    MSP.self,
    MagUSB.self,
    MotionCal.self,
    MotionCalBinary.self,
    N2KASCII.self,
    NGT1.self,
    NMEA0183.self,
    OceanServer.self,
    PNI.self,
    Razor.self,
    RazorBinary.self,
    SignalK.self,
    Twinleaf.self,
    TwinleafBinary.self,
    UM7.self,
    UM7Binary.self,
    VectorNav.self,
    VectorNavBinary.self,
    WitMotion.self,
    XBus.self,
    YDWG.self,
  ])

  /// The protocol of a name, as in `?protocol=razor`; nil for a name that is none.
  public static func named(_ name: String) -> (any WireProtocol.Type)? { all.first { $0.name == name } }

  /// A decoder of MAVLink for one of an autopilot's compasses, counted from 1.
  public static func mavlink(compass: Int) -> any WireProtocol { MAVLink(compass: compass) }

  /// A decoder of a device that tells values of causes and no field, with the names of its columns where the user gives
  /// them.
  public static func values(columns names: String? = nil) -> any WireProtocol {
    names.map { ValueLines(columns: $0) } ?? ValueLines()
  }

  /// A decoder for a table whose columns the user names (`mx,my,mz,ax,ay,az`; any other word for a column to ignore),
  /// with the unit of the field where it is known. Nil when the names hold neither three axes of one quantity nor a
  /// probe of one axis (`t,probe`) with its unit.
  public static func table(columns names: String, fieldUnit: FieldUnit? = nil) -> (any WireProtocol)? {
    CSV(columns: names, fieldUnit: fieldUnit)
  }
}
