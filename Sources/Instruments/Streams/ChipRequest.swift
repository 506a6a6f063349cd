import LodestoneCore
import Drivers

/// The chips on a bus that an address asks for: `lis3mdl@0x1c` behind the bus's own name, and options.
struct ChipRequest: Sendable {
  /// The chip by which the board is named: its magnetometer, or what moves with it. Nil where a board is to be found.
  var driver: (any Chip.Type)?
  /// The address of that chip, 7 bits; nil where it is to be found.
  var address: UInt8?
  /// Range and rate.
  var settings = ChipSettings()
  /// Measurements a second of the accelerometer and gyroscope, where they are a part of their own and not to follow the
  /// magnetometer.
  var motionRate: Double?
  /// The bus clock in Hz, where the bus can be told.
  var hertz = Bridges.standardHertz
  /// Whether nothing else is looked for where a named magnetometer is missing, for a bus with more on it than sensors.
  var asksOnlyNamed = false
  /// Whether the range follows the field in mid-stream.
  var autoRange = false

  /// The options that every bus with chips takes.
  static let optionNames = ["range", "rate", "hertz"]

  /// A chip by its driver, at an address or wherever it can be.
  init(_ driver: any Chip.Type, at address: UInt8? = nil, _ settings: ChipSettings = ChipSettings()) {
    self.driver = driver
    self.address = address
    self.settings = settings
    asksOnlyNamed = true
  }

  /// The options of an address, and those of the command where the address is silent.
  init(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) {
    settings.rate =
      try address.number("rate", in: 0.01...10_000, expected: "samples a second, such as 50") ?? options.rate
    motionRate = options.motionRate
    settings.fieldRange = try address.fieldRange("range")
    if let hertz = try address.number("hertz", in: 1000...3_400_000, expected: "a bus clock such as 400000") {
      self.hertz = Int(hertz)
    }
    autoRange = options.autoRange && settings.fieldRange == nil
  }

  /// Takes a part such as `lis3mdl` or `lis3mdl@0x1c`.
  mutating func take(chip text: String, of address: DeviceAddress) throws(StreamError) {
    let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = sides.first ?? ""
    guard let driver = Chips.named(name) else {
      let magnetometers = Chips.all.filter { $0.senses.contains(.field) }.map { $0.name }
      throw .badAddress(address.text, .unknownName(name, allowed: magnetometers))
    }
    self.driver = driver
    guard sides.count > 1 else { return }
    let digits = sides[1].lowercased()
    let number = digits.hasPrefix("0x") ? UInt8(digits.dropFirst(2), radix: 16) : UInt8(digits, radix: 10)
    guard let number, driver.addresses.contains(number) else {
      let offered = driver.addresses.map { "0x" + $0.hexadecimal }.joined(separator: ", ")
      throw .badAddress(address.text, .badValue(option: driver.name, value: sides[1], expected: offered))
    }
    self.address = number
  }
}

extension DeviceAddress {
  /// A number in an option; nil where the option is not there.
  fileprivate func number(
    _ name: String, in limits: ClosedRange<Double>, expected: String
  ) throws(StreamError) -> Double? {
    guard let text = option(name) else { return nil }
    guard let number = Double(text), limits.contains(number) else {
      throw .badAddress(self.text, .badValue(option: name, value: text, expected: expected))
    }
    return number
  }

  /// A full scale with its unit: `400`, `400uT`, `4G`, `0.4mT`. Without one it is in µT.
  fileprivate func fieldRange(_ name: String) throws(StreamError) -> Double? {
    guard let text = option(name) else { return nil }
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let symbol = text.dropFirst(digits.count).lowercased()
    let unit = symbol.isEmpty ? FieldUnit.microtesla : FieldUnit.shown.first { $0.rawValue.lowercased() == symbol }
    guard let number = Double(digits), number > 0, number.isFinite, let unit else {
      throw .badAddress(self.text, .badValue(option: name, value: text, expected: "a field such as 400uT or 4G"))
    }
    return number * unit.microtesla
  }
}
