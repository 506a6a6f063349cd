import ArgumentParser
import LodestoneCore
import Drivers
import Instruments

/// `lodestone chip`: a magnetometer on a bus, looked at by someone who brings up a board.
struct ChipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chip", abstract: "Look at a magnetometer on a USB bridge or I2C bus: its registers, its own test.",
    discussion: """
      Examples:
        lodestone chip   the chip behind the only bridge
        lodestone chip self-test usb:mcp2221/lis3mdl
        lodestone chip registers i2c:/dev/i2c-1/mmc5603
      """,
    subcommands: [Info.self, SelfTestCommand.self, Registers.self], defaultSubcommand: Info.self)

  /// The chip, and how to print.
  struct Target: ParsableArguments {
    @Argument(help: ArgumentHelp("The chip: usb:, usb:mcp2221/lis3mdl, i2c:/dev/i2c-1/mmc5603.", valueName: "address"))
    var address = "usb:"

    @Flag(help: "Print JSON.")
    var json = false

    func open() throws -> ChipInspection {
      try Failure.worded { () throws(StreamError) in try ChipInspection(address) }
    }
  }

  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What the chip is, offers, and measures now.")
    @OptionGroup var target: Target

    func run() throws {
      let inspection = try target.open()
      let (chip, measurement) = try Failure.worded { () throws(StreamError) in try inspection.start() }
      try writeToStandardOutput(
        target.json
          ? ChipWords.object(inspection, chip, measurement).printed
          : TextTable.text(of: ChipWords.rows(inspection, chip, measurement)))
    }
  }

  struct SelfTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "self-test", abstract: "Let the chip test itself as its data sheet describes.")
    @OptionGroup var target: Target

    func run() throws {
      let inspection = try target.open()
      guard let test = try Failure.worded({ () throws(StreamError) in try inspection.selfTest() }) else {
        throw Failure(
          .usage, "the data sheet of \(inspection.board.magnetometer.driver.part) describes no self-test",
          hint: "lodestone chip info shows what it measures now")
      }
      try writeToStandardOutput(
        target.json ? ChipWords.object(test).printed : TextTable.text(of: test.checks.map { ChipWords.row($0) }))
      guard test.passed else {
        throw Failure(
          .badData, "\(inspection.name) failed its self-test", hint: "repeat it away from magnets and iron")
      }
    }
  }

  struct Registers: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The chip's registers as they are; only read.")
    @OptionGroup var target: Target

    func run() throws {
      let inspection = try target.open()
      let all = try Failure.worded { () throws(StreamError) in try inspection.registers() }
      if target.json {
        return try writeToStandardOutput(JSONValue.array(all.map { ChipWords.object($0.chip, $0.values) }).printed)
      }
      for (chip, values) in all {
        try writeToStandardOutput("\(chip)  \(chip.driver.part)\n")
        try writeToStandardOutput(TextTable.text(of: values.map { ChipWords.row($0) }))
      }
    }
  }
}

extension Failure {
  /// The value that `body` returns; its error in words.
  static func worded<Value>(_ body: () throws(StreamError) -> Value) throws -> Value {
    do throws(StreamError) { return try body() } catch { throw Failure(error) }
  }
}

/// A chip in words and in JSON.
private enum ChipWords {
  static func rows(_ inspection: ChipInspection, _ chip: any Chip, _ measurement: Measurement) -> [[String]] {
    let board = inspection.board
    let range = chip.fieldRange.map { "±\(TextTable.number($0, 1)) µT" } ?? "unknown"
    let others = board.chips.dropFirst().map { "\($0.driver.part) (\($0))" }
    var rows: [[String]] = [["Address", inspection.name], ["Magnetometer", board.magnetometer.driver.part]]
    rows.append(["Ranges", list(chip.fieldRanges, sign: "±", unit: "µT")])
    rows.append(["Range now", range])
    rows.append(["Rates", list(chip.rates, unit: "Hz")])
    rows.append(["Rate now", TextTable.number(1 / chip.timing.period, 2) + " Hz"])
    rows.append(["Latency", TextTable.number(chip.timing.latency * 1000, 2) + " ms"])
    rows.append(["Motion", others.isEmpty ? "none" : others.joined(separator: ", ")])
    if let field = measurement.field {
      rows.append(["Field", "\(TextTable.vector(field.microtesla, 2)) µT, \(TextTable.number(field.strength, 2)) µT"])
    }
    if measurement.saturated { rows.append(["", "past the range"]) }
    if let force = measurement.acceleration { rows.append(["Acceleration", TextTable.vector(force.g, 3) + " g"]) }
    if let rate = measurement.rotationRate {
      rows.append(["Rotation", TextTable.vector(rate.degreesPerSecond, 2) + " °/s"])
    }
    if let celsius = measurement.temperature { rows.append(["Temperature", TextTable.number(celsius, 1) + " °C"]) }
    return rows
  }

  private static func list(_ numbers: [Double], sign: String = "", unit: String) -> String {
    numbers.map { "\(sign)\(TextTable.number($0, 2))" }.joined(separator: ", ") + " \(unit)"
  }

  static func object(_ inspection: ChipInspection, _ chip: any Chip, _ measurement: Measurement) -> JSONValue {
    .members(
      ("address", .string(inspection.name)), ("chip", .string(inspection.board.magnetometer.driver.name)),
      ("part", .string(inspection.board.magnetometer.driver.part)),
      ("ranges_uT", .array(chip.fieldRanges.map { .number($0) })), ("range_uT", .orNull(chip.fieldRange)),
      ("rates_hz", .array(chip.rates.map { .number($0) })), ("rate_hz", .number(1 / chip.timing.period)),
      ("latency_s", .number(chip.timing.latency)),
      ("motion", .orNull(inspection.board.motion?.driver.name)),
      ("gyroscope", .orNull(inspection.board.gyroscope?.driver.name)),
      ("field_uT", .orNull(measurement.field?.microtesla)),
      ("saturated", .bool(measurement.saturated)),
      ("acceleration_g", .orNull(measurement.acceleration?.g)),
      ("rotation_dps", .orNull(measurement.rotationRate?.degreesPerSecond)),
      ("temperature_C", .orNull(measurement.temperature)))
  }

  static func row(_ check: SelfTest.Check) -> [String] {
    [
      check.passed ? "pass" : "FAIL", check.name, TextTable.number(check.value, 3),
      "\(TextTable.number(check.limits.lowerBound, 3)) to \(TextTable.number(check.limits.upperBound, 3))",
    ]
  }

  static func object(_ test: SelfTest) -> JSONValue {
    .members(
      ("passed", .bool(test.passed)),
      (
        "checks",
        .array(
          test.checks.map { check in
            .members(
              ("name", .string(check.name)), ("value", .number(check.value)),
              ("minimum", .number(check.limits.lowerBound)), ("maximum", .number(check.limits.upperBound)),
              ("passed", .bool(check.passed)))
          })
      ))
  }

  static func row(_ value: RegisterValue) -> [String] {
    [hexadecimal([value.register.address]), value.register.name, hexadecimal(value.bytes)]
  }

  static func object(_ chip: FoundChip, _ values: [RegisterValue]) -> JSONValue {
    .members(
      ("chip", .string(chip.description)),
      (
        "registers",
        .array(
          values.map { value in
            .members(
              ("address", .integer(Int(value.register.address))), ("name", .string(value.register.name)),
              ("bytes", .array(value.bytes.map { .integer(Int($0)) })))
          })
      ))
  }
}
