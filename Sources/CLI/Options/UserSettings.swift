import Geomagnetism
import Glibc
import LodestoneCore
import LodestonePorts
import TOMLKit

/// A setting that a user makes once instead of with each command. An option beats the variable, the variable beats the
/// file.
enum UserSetting: String, CaseIterable {
  case device, at, location, talker, unit, broker

  /// The environment's name for it.
  var variable: String { "LODESTONE_" + rawValue.uppercased() }

  /// The meaning, as `lodestone config` prints it.
  var meaning: String {
    switch self {
    case .device: "the device where --device is not given: an address or one of the names below"
    case .at: "the place: latitude, longitude and, if it matters, altitude"
    case .location: "where positions come from, for live devices"
    case .talker: "the talker of NMEA sentences"
    case .unit: "the unit that fields are shown in"
    case .broker: "the MQTT broker of mqtt:TOPIC"
    }
  }

  /// The value in the example of a file.
  var example: String {
    switch self {
    case .device: "\"boat\""
    case .at: "[48.2, 16.37, 200]"
    case .location: "\"gpsd://127.0.0.1\""
    case .talker: "\"HC\""
    case .unit: "\"uT\""
    case .broker: "\"mqtt://user@broker.local\""
    }
  }

  /// The example as a variable holds it.
  var variableExample: String { self == .at ? "48.2,16.37,200" : String(example.dropFirst().dropLast()) }

  /// The values it can have in a file, in a sentence.
  var form: String { self == .at ? "an array of numbers or a string" : "a string" }

  /// A value of it, in a sentence.
  var kind: String {
    switch self {
    case .device: "a device"
    case .at: "a place"
    case .location: "a source of positions"
    case .talker: "a talker"
    case .unit: "a unit"
    case .broker: "an MQTT broker"
    }
  }

  /// Whether it can be that.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .device: !text.isEmpty
    case .at: (try? Place(argument: text)) != nil
    case .location: LocationOptions.address(text) != nil
    case .talker: TalkerOption.isTalker(text)
    case .unit: FieldUnit(shown: text) != nil
    case .broker: MQTTAddress(text + "/topic") != nil
    }
  }
}

/// The active settings.
struct UserSettings {
  /// A setting, and where it was made.
  struct Value {
    let text: String
    let origin: String
  }

  /// Names of devices for `--device`, with their addresses.
  private(set) var devices: [String: String] = [:]
  private var values: [UserSetting: Value] = [:]

  /// The settings of this run; an unreadable file is an error for each command that asks.
  static func current() throws(Failure) -> UserSettings { try loaded.get() }

  /// The unit that fields are shown in. Settings that cannot be read are reported when the device is opened.
  static var unit: FieldUnit {
    (try? current())?[.unit].flatMap { FieldUnit(shown: $0.text) } ?? .microtesla
  }

  private static let loaded = Result { () throws(Failure) in
    for name in UserSetting.allCases.map({ $0.variable }) where environmentVariable(name) == nil {
      if let text = getenv(name) { throw Failure(notText: "\(name)=\(String(cString: text))") }
    }
    return try UserSettings(environmentVariable)
  }

  /// The path at which the file is looked for; nil where neither XDG_CONFIG_HOME nor HOME tells.
  static func path(_ environment: (String) -> String?) -> String? {
    UserFolder.config.path(environment).map { $0 + "/config.toml" }
  }

  /// Reads the file, where there is one, and the variables.
  init(_ environment: (String) -> String?) throws(Failure) {
    if let path = Self.path(environment) { try read(path) }
    for setting in UserSetting.allCases {
      guard let text = environment(setting.variable), !text.isEmpty else { continue }
      try set(setting, text, setting.variable)
    }
  }

  subscript(_ setting: UserSetting) -> Value? { values[setting] }

  private mutating func set(_ setting: UserSetting, _ text: String, _ origin: String) throws(Failure) {
    guard setting.accepts(text) else {
      let isVariable = origin == setting.variable
      let name = isVariable ? origin : "\(origin.harmless): \(setting.rawValue)"
      throw Failure(
        .usage, "\(name): '\(text.harmless)' is not \(setting.kind)",
        hint: "as in "
          + (isVariable ? "\(origin)=\(setting.variableExample)" : "\(setting.rawValue) = \(setting.example)"))
    }
    values[setting] = Value(text: text, origin: origin)
  }

  // MARK: The file

  /// The largest file that is read, in bytes.
  private static let sizeLimit = 65_536
  private static let exampleHint = "lodestone config --example prints a file that can be read"

  private mutating func read(_ path: String) throws(Failure) {
    let bytes: [UInt8]
    do {
      bytes = try AtomicFile.read(path, limit: Self.sizeLimit)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return }
      throw Failure(error, to: "read")
    }
    // The parser takes a zero for the end of the file.
    if let zero = bytes.firstIndex(of: 0) {
      let line = bytes[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
      throw Failure(.badData, "\(path.harmless): line \(line): not a text", hint: Self.exampleHint)
    }
    if let line = Self.lineOfNamelessTable(bytes) {
      throw Failure(
        .badData, "\(path.harmless): line \(line): a table without a name",
        hint: "as in [devices]; \(Self.exampleHint)")
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
    } catch let error as TOMLParseError {
      throw Failure(
        .badData, "\(path.harmless): line \(error.source.begin.line): \(error.description.harmless)",
        hint: Self.exampleHint)
    } catch {
      throw Failure(.badData, "\(path.harmless) is not TOML", hint: Self.exampleHint)
    }
    for key in table.keys { try take(key, table[key], path) }
  }

  /// The number of the first line with brackets of a table and no name in them, at which the parser aborts; nil for none.
  private static func lineOfNamelessTable(_ bytes: [UInt8]) -> Int? {
    let blanks: [UInt8] = [0x20, 0x09]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { line in
      var rest = line.drop(while: blanks.contains)
      guard rest.popFirst() == UInt8(ascii: "[") else { return false }
      if rest.first == UInt8(ascii: "[") { rest.removeFirst() }
      guard let byte = rest.first(where: { !blanks.contains($0) }) else { return true }
      let first = Character(Unicode.Scalar(byte))
      return !(first.isASCII && (first.isLetter || first.isNumber) || "-_\"'".contains(first))
    }.map { $0 + 1 }
  }

  private mutating func take(_ key: String, _ value: (any TOMLValueConvertible)?, _ path: String) throws(Failure) {
    if key == "devices" {
      guard let names = value?.table else {
        throw Failure(
          .badData, "\(path.harmless): devices must be a table of names and addresses",
          hint: "as in [devices], and below it boat = \"usb:serial=00D2A5E1\"")
      }
      for name in names.keys {
        guard let address = names[name]?.string, !address.isEmpty else {
          throw Failure(
            .badData, "\(path.harmless): the address of \(name.harmless) must be a string",
            hint: "as in \(name.harmless) = \"usb:serial=00D2A5E1\"")
        }
        devices[name] = address
      }
      return
    }
    guard let setting = UserSetting(rawValue: key) else {
      let names = UserSetting.allCases.map { $0.rawValue } + ["devices"]
      throw Failure(
        .badData, "\(path.harmless): there is no setting '\(key.harmless)'", hint: "there are \(names.listed)")
    }
    guard let text = value?.string ?? (setting == .at ? Self.numbers(value) : nil) else {
      throw Failure(
        .badData, "\(path.harmless): \(key) must be \(setting.form)", hint: "as in \(key) = \(setting.example)")
    }
    try set(setting, text, path)
  }

  /// An array of numbers as an option's text: `48.2,16.37,200`.
  private static func numbers(_ value: (any TOMLValueConvertible)?) -> String? {
    guard let array = value?.array else { return nil }
    let numbers = array.map { $0.double ?? $0.int.map { Double($0) } }
    return numbers.contains { $0 == nil } ? nil : numbers.map { ($0 ?? 0).exactText() }.joined(separator: ",")
  }

  // MARK: Addresses

  /// An address as a user gives it: the name of a device stands for its address, options behind it included, and
  /// `mqtt:TOPIC` for a topic of the broker.
  func address(_ text: String) throws(Failure) -> String {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    if let address = parts.first.flatMap({ devices[$0] }) {
      return parts.count < 2 ? address : address + (address.contains("?") ? "&" : "?") + parts[1]
    }
    guard text.hasPrefix("mqtt:"), !text.hasPrefix("mqtt://") else { return text }
    guard let broker = self[.broker] else {
      throw Failure(
        .usage, "\(text.harmless): no broker is set",
        hint: "set \(UserSetting.broker.variable), or give mqtt://host/topic")
    }
    return broker.text + "/" + text.dropFirst(5)
  }
}
