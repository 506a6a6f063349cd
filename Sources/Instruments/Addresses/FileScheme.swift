import LodestoneCore
import Drivers
import LodestonePorts

/// A path: a terminal is a serial port, anything else a recording; `-` is standard input.
enum PathScheme: AddressScheme {
  static let scheme: String? = nil
  static let mayCount = true
  static let example = "sweep.csv"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    address.isPort ? try SerialScheme.open(address, options) : try FileScheme.open(address, options)
  }
}

/// `file:` — a recording or a capture of raw bytes.
enum FileScheme: AddressScheme {
  static let scheme: String? = "file"
  static let mayCount = true
  static let example = "sweep.csv"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: WireOptions.names + ["rate"])
    let wire = try WireOptions(address, options)
    let (file, opened) = (try open(address), MonotonicTime.now)
    let decoder = try wire.decoder()
    let messageRate = try messageRate(address)
    let header = RecordingHeader(file.head(atMost: RecordingHeader.byteCount, within: RecordingHeader.patience))
    let link = FileLink(file, identity: header?.device ?? address.body, opened: opened)
    let stream = ByteStream(
      link, decoder: decoder, stated: wire.stated,
      scan: try scan(file, address, wire), messageRate: messageRate, isPaced: options.isRealtime,
      unixStart: header?.unixStart, compass: wire.compass)
    guard options.readsAhead, !options.isRealtime, file.kind == .regularFile else { return stream }
    do {
      return try ReadAhead(of: stream)
    } catch {
      throw .port(.system(path: address.body, error))
    }
  }

  /// Messages a second, where they tell no times.
  private static func messageRate(_ address: DeviceAddress) throws(StreamError) -> Double? {
    guard let text = address.option("rate") else { return nil }
    guard let rate = Double(decimal: Array(text.utf8).span), rate >= 0.001, rate <= 1e6 else {
      throw .badAddress(
        address.text, .badValue(option: "rate", value: text, expected: "0.001 to 1000000 messages a second"))
    }
    return rate
  }

  private static func open(_ address: DeviceAddress) throws(StreamError) -> InputFile {
    do {
      return address.body == "-" ? try .standardInput() : try InputFile(path: address.body)
    } catch {
      throw .port(error)
    }
  }

  /// A scan that learns the units before the first number is read; nil where the bytes come only once. Standard input
  /// is one stream even where it is a file: bytes read for a scan would be lost.
  private static func scan(
    _ file: InputFile, _ address: DeviceAddress, _ wire: WireOptions
  ) throws(StreamError) -> RecordingScan? {
    guard file.kind == .regularFile, address.body != "-" else { return nil }
    var stream = try wire.decoder().map { WireStream($0) } ?? WireStream()
    stream.sourceName = address.body
    return RecordingScan(try open(address), name: address.text, stream, stated: wire.stated)
  }
}

/// The comment lines at the top of a recording, or the tag of its device in a recording as InfluxDB has it.
package struct RecordingHeader {
  /// The beginning of a recording's first line.
  package static let mark = "# lodestone recording"
  /// The number of bytes at the beginning of a file that hold it.
  static let byteCount = 1024
  /// Seconds that a pipe gets to say it.
  static let patience = 2.0

  /// The device it was made from.
  private(set) var device: String?
  /// UTC of time zero.
  private(set) var unixStart: Double?

  /// Reads the first bytes of a file, with the line ends of any system and the mark that some editors put in front; nil
  /// for a file that is no recording of Lodestone's.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let lines = text.split { $0 == 10 || $0 == 13 }.prefix(8).map { String(decoding: $0, as: UTF8.self) }
    if let first = lines.first, first.hasPrefix(Self.tag) {
      device = Self.untagged(first.dropFirst(Self.tag.count))
      return
    }
    guard lines.first?.hasPrefix(Self.mark) == true else { return nil }
    for line in lines where line.hasPrefix("# device: ") { device = String(line.dropFirst(10)) }
    for line in lines where line.hasPrefix("# start: ") { unixStart = CalendarTime(iso: line.dropFirst(9))?.unixTime }
  }

  /// The beginning of a line that tells its device.
  private static let tag = "sample,device="

  /// The value of a tag, whose commas, blanks and equals signs are behind backslashes.
  private static func untagged(_ text: Substring) -> String {
    var (value, rest) = ("", text)
    while let next = rest.popFirst(), next != " ", next != "," {
      let isEscaped = next == "\\" && rest.first.map { ",= ".contains($0) } == true
      value.append(isEscaped ? rest.removeFirst() : next)
    }
    return value
  }
}

/// How bytes are to be read, as the address or the options say.
struct WireOptions {
  static let names = ["protocol", "unit", "columns", "chip", "compass"]
  /// The columns that a table can be read by.
  private static let columnNames =
    "names with three axes, as in mx,my,mz,ax,ay,az, or a probe of one axis and its unit, as in t,probe with --unit mT"
  let stated: StreamUnits.Stated
  private let address: String
  private let protocolName: String?
  private let columns: String?
  private let tellsCauses: Bool
  /// The number of the compass of an autopilot; nil for the first.
  let compass: Int?

  init(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) {
    compass = try Self.compass(of: address)
    let unit = address.option("unit") ?? options.fieldUnit
    guard let stated = StreamUnits.Stated(unit) else {
      throw .badAddress(
        address.text, .badValue(option: "unit", value: unit ?? "", expected: "nT, uT, mT, G, mG, T or counts"))
    }
    let chip = try Self.chip(address, options)
    // A scale and counts without one contradict each other.
    if options.showsCounts, chip != nil || stated.isUnit { throw .noCounts(address.text) }
    self.stated = chip ?? (options.showsCounts ? .shownCounts : stated)
    self.address = address.text
    protocolName = address.option("protocol")
    columns = address.option("columns") ?? options.columns
    tellsCauses = options.tellsCauses
  }

  /// The chip whose counts arrive; nil where none is named.
  private static func chip(
    _ address: DeviceAddress, _ options: OpenOptions
  ) throws(StreamError) -> StreamUnits.Stated? {
    guard let name = address.option("chip") ?? options.chip else { return nil }
    guard let chip = Chips.named(name), !chip.countSizes.isEmpty else {
      throw .badAddress(
        address.text, .unknownName(name, allowed: Chips.all.filter { !$0.countSizes.isEmpty }.map { $0.name }))
    }
    return .chip(chip.name, chip.countSizes)
  }

  private static func compass(of address: DeviceAddress) throws(StreamError) -> Int? {
    guard let text = address.option("compass") else { return nil }
    guard let number = Int(text), (1...3).contains(number), [nil, "mavlink"].contains(address.option("protocol")) else {
      throw .badAddress(
        address.text, .badValue(option: "compass", value: text, expected: "1 to 3, of MAVLink's compasses"))
    }
    return number
  }

  /// The protocol that was asked for; nil where it is to be found.
  func decoder() throws(StreamError) -> (any WireProtocol)? {
    if tellsCauses, protocolName == nil, compass == nil { return Protocols.values(columns: columns) }
    if let columns {
      var unit: FieldUnit?
      if case .unit(let stated) = stated { unit = stated }
      guard let table = Protocols.table(columns: columns, fieldUnit: unit) else {
        throw .badAddress(address, .badValue(option: "columns", value: columns, expected: Self.columnNames))
      }
      return table
    }
    if let compass { return Protocols.mavlink(compass: compass) }
    guard let protocolName else { return nil }
    guard let type = Protocols.named(protocolName) else {
      throw .badAddress(address, .unknownName(protocolName, allowed: Protocols.all.map { $0.name }))
    }
    return type.init()
  }
}

extension DeviceAddress {
  /// The address, unless it has an option that is none of these.
  func checked(allowing names: [String]) throws(StreamError) -> DeviceAddress {
    for option in query where !names.contains(option.name) {
      throw .badAddress(text, .unknownOption(option.name, allowed: names))
    }
    return self
  }
}
