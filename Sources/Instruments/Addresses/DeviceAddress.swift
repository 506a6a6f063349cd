import LodestoneCore

import LodestonePorts

/// A device as its user names it: `/dev/ttyACM0?baud=115200`, `usb:mcp2221/lis3mdl`, `sim:?rate=100`, `sweep.csv`, `-`.
public struct DeviceAddress: Equatable, Sendable {
  /// The address as it was given.
  public let text: String
  /// The part before the first colon, lower case; nil for a path.
  public let scheme: String?
  /// The part between the colon and the question mark; for a path, the path.
  public let body: String
  /// The options behind the question mark, in their order.
  public let query: [(name: String, value: String)]

  /// Takes a text apart. A path that exists as it stands has no options, whatever it contains.
  public init(_ text: String) {
    self.text = text
    let scheme = Self.scheme(of: text)
    self.scheme = scheme
    let rest = scheme.map { String(text.dropFirst($0.utf8.count + 1)) } ?? text
    let mark = rest.firstIndex(of: "?")
    if scheme == nil, NodeKind.at(text) != nil || mark == nil {
      body = text
      query = []
    } else {
      body = String(rest[..<(mark ?? rest.endIndex)])
      query = mark.map { Self.options(rest[rest.index(after: $0)...]) } ?? []
    }
  }

  /// Whether it is a recording, a capture or standard input: nothing that could be asked, unplugged or paced by itself.
  public var isRecording: Bool { scheme == "file" || scheme == nil && !isPort }

  /// Whether it is a recording that can be read more than once: no pipe, and not standard input.
  public var isFile: Bool { isRecording && body != "-" && NodeKind.at(body) == .regularFile }

  /// Whether it is the path of a serial port, perhaps of one that is away, or of a file that was written in its place. A
  /// pipe below `/dev` is none, as a shell makes it of `<(zcat sweep.csv.gz)`, nor is what is open already or in memory.
  var isPort: Bool {
    switch NodeKind.at(body) {
    case .terminal: scheme == nil
    case .pipe: false
    case .regularFile where ["/dev/fd/", "/dev/stdin", "/dev/shm/"].contains { body.hasPrefix($0) }: false
    default: scheme == nil && body.hasPrefix("/dev/")
    }
  }

  /// Letters before a colon, as `usb:` and `gpsd://` have, where no such file exists.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let word = text[..<colon]
    guard word.utf8.allSatisfy({ ("a"..."z").contains(Character(UnicodeScalar($0 | 0x20))) || (48...57).contains($0) })
    else { return nil }
    return NodeKind.at(text) == nil ? word.lowercased() : nil
  }

  private static func options(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
  }

  /// The value of an option that stands in the address.
  public func option(_ name: String) -> String? { query.last { $0.name == name }?.value }

  /// Whether both have the same parts.
  public static func == (a: DeviceAddress, b: DeviceAddress) -> Bool { a.text == b.text }
}

/// How to open a device, whatever it is.
public struct OpenOptions: Sendable {
  /// Whether a recording is paced by its time stamps.
  public var isRealtime = false
  /// Whether a recording is read on a thread of its own. Its bytes cannot be listened to then.
  public var readsAhead = false
  /// Whether a device that was unplugged is waited for.
  public var reconnects = true
  /// Names for the columns of a table that has none.
  public var columns: String?
  /// The unit of the field where nothing says it.
  public var fieldUnit: String?
  /// Whether fields are wanted as the counts that arrive, one of them as large as a `FieldDisplayUnit.counts`.
  public var showsCounts = false
  /// The chip whose raw counts arrive, by its name.
  public var chip: String?
  /// Samples a second, where the device can be told.
  public var rate: Double?
  /// Samples a second of the accelerometer and gyroscope, where they have a rate of their own; `rate` is the field's
  /// then.
  public var motionRate: Double?
  /// Whether a magnetometer's range follows the field.
  public var autoRange = false
  /// Whether a device may be written to, to find out what it is.
  public var probes = false
  /// The path to which the truth about a simulation is written; nil for none.
  public var truthFile: String?
  /// Whether it tells values of causes for another device, and need not tell a field.
  public var tellsCauses = false
  /// Whether a simulated board tells its attitude itself, and flawlessly, as a heading of its own.
  public var simulatesOwnHeadings = false

  /// The defaults.
  public init() {}
}

/// A kind of address: what it is called and how it is opened.
public protocol AddressScheme: Sendable {
  /// The word before the colon; nil for paths.
  static var scheme: String? { get }
  /// An address to show people.
  static var example: String { get }
  /// Whether its devices can be asked for the field at one rate and for motion at another.
  static var hasSensorRates: Bool { get }
  /// Whether its devices may send counts without a unit.
  static var mayCount: Bool { get }
  /// Opens a device of this kind.
  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream
}

extension AddressScheme {
  /// False: they have one rate.
  public static var hasSensorRates: Bool { false }
  /// False: they tell what their numbers are.
  public static var mayCount: Bool { false }
}

/// Every kind of address. A new one is a file and a line here.
public enum AddressSchemes {
  /// All schemes, in the order of the help.
  public static var all: [any AddressScheme.Type] { registry.all }

  /// Adds a kind of address of a program's own, before anything is opened.
  public static func register(_ member: any AddressScheme.Type) { registry.add(member) }

  private static let registry = Registry<any AddressScheme.Type>([
    PathScheme.self,
    SerialScheme.self,
    FileScheme.self,
    USBScheme.self,
    I2CScheme.self,
    IIOScheme.self,
    TCPScheme.self,
    UDPScheme.self,
    GPSDScheme.self,
    MQTTScheme.self,
    EncryptedMQTTScheme.self,
    SimulatorScheme.self,
  ])

  /// Opens the device that a text names.
  public static func open(_ text: String, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = DeviceAddress(text)
    guard !text.isEmpty else { throw .badAddress(text, .incomplete("a device")) }
    for scheme in all where scheme.scheme == address.scheme {
      guard options.motionRate == nil || scheme.hasSensorRates else { throw .oneRate(text) }
      guard !options.showsCounts || scheme.mayCount else { throw .noCounts(text) }
      return try scheme.open(address, options)
    }
    throw .badAddress(text, .unknownScheme(address.scheme ?? text))
  }
}
