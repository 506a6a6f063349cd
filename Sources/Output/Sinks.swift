import LodestoneCore

/// Every sink that an address names. A new one is a file and a line here: every instrument can publish there.
public enum Sinks {
  /// All kinds of sinks, in the order of the help.
  public static var all: [any AddressedSink.Type] { registry.all }

  /// Adds a sink of a program's own, before anything is opened.
  public static func register(_ member: any AddressedSink.Type) { registry.add(member) }

  private static let registry = Registry<any AddressedSink.Type>([
    TCPSink.self,
    UDPSink.self,
    PseudoTerminalSink.self,
    FileSink.self,
    MQTTSink.self,
    ObservatorySink.self,
    CANSink.self,
    RotatorSink.self,
  ])

  /// The kind of sink that an address names; nil where it names none.
  static func kind(of address: String) -> (any AddressedSink.Type)? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = String(address[..<colon])
    return all.first { $0.scheme == scheme || $0.encryptedScheme == scheme }
  }

  /// Whether an address names a sink, as far as its text tells.
  public static func accepts(_ address: String) -> Bool { kind(of: address)?.accepts(address) == true }

  /// The form of an address with this scheme, in words; nil for an unknown scheme.
  public static func form(of address: String) -> String? {
    kind(of: address).map { kind in kind.example + (kind.limits.map { ". \($0)" } ?? "") }
  }

  /// Whether the latest record is kept there for readers that come later.
  public static func keepsState(_ address: String) -> Bool { kind(of: address) is any StateSink.Type }

  /// The only format that an address takes; nil where it takes every one.
  public static func format(of address: String) -> (any Format.Type)? { kind(of: address)?.format }

  /// Opens the sink that an address names.
  public static func open(_ address: String) throws(SinkError) -> any Sink {
    guard let kind = kind(of: address), kind.accepts(address) else { throw .badAddress(address) }
    return try kind.init(address: address)
  }
}
