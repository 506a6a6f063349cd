import ArgumentParser
import LodestoneCore
import Instruments
import Lodestone
import LodestonePorts

/// The device, and what becomes of it while it is read.
struct AddressOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The device, as --device names it.", valueName: "address"), completion: .devices)
  var deviceArgument: String?

  @Option(
    name: [.customShort("d"), .customLong("device")],
    help: ArgumentHelp(
      "The device: /dev/ttyACM0, usb:, sim:, a recording, - for standard input.",
      discussion: "With none given, that of lodestone config or the only one attached is used.", valueName: "address"),
    completion: .devices)
  var devices: [String] = []

  /// The device that was asked for; nil for the one that is set, or the only one.
  var device: String? {
    get { devices.first ?? deviceArgument }
    set { (devices, deviceArgument) = (newValue.map { [$0] } ?? [], nil) }
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Samples per second. The device is set to it where possible; faster streams are thinned.",
      discussion: "field=20,rotation=100: a rate for each sensor, of chips on usb: and i2c: and of sim:.",
      valueName: "Hz"))
  var rate: SensorRates?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("One sample every N seconds, instead of --rate.", valueName: "seconds"))
  var every: Double?

  /// Lines a second that are wanted; nil for as many as the device sends, and where its sensors have rates of their
  /// own.
  var wantedRate: Double? { every.map { 1 / $0 } ?? (rate?.motion == nil ? rate?.field : nil) }

  @Flag(help: "Pace a recording by its time stamps instead of reading it at full speed.")
  var realtime = false

  @Flag(help: "End when the device is unplugged instead of waiting for it.")
  var noReconnect = false

  func validate() throws {
    for rate in [rate?.field, rate?.motion] { try OptionRange.check("--rate", rate, to: 100_000, " Hz") }
    if let every, !(every >= 1e-5 && every <= 86_400) {
      throw ValidationError("--every \(OptionRange.typed(every)): must be 0.00001 to 86400 seconds")
    }
    if rate != nil, every != nil { throw ValidationError("--rate and --every say the same: choose one") }
  }

  /// Refuses an address beside another one. Not while the options are parsed: the address may be the value of an option
  /// that is misspelt, which the parser tells then.
  func refuseAnother() throws(ValidationError) {
    guard let device = devices.first, let deviceArgument else { return }
    throw ValidationError("two devices: --device \(device) and \(deviceArgument)")
  }

  /// The address that was asked for or set; nil where the only one attached is meant.
  private func given(besides other: String?) throws(Failure) -> String? {
    let settings = try UserSettings.current()
    if device == nil, let other { return other }
    return try (device ?? settings[.device]?.text).map { name throws(Failure) in try Self.address(name) }
  }

  /// Whether the device that is named or set can be opened again and is the same: a pipe's bytes come once only.
  func canOpenAgain() throws(Failure) -> Bool {
    guard let given = try given(besides: nil) else { return true }
    let address = DeviceAddress(given)
    return address.isFile || !address.isRecording
  }

  /// The address that a name stands for: one of the settings, or of a device as the system lists it.
  static func address(_ name: String) throws(Failure) -> String { try node(UserSettings.current().address(name)) }

  /// The path of what is named as the system's list names it: ttyACM0.
  private static func node(_ address: String) -> String {
    let name = address.prefix { $0 != "?" }
    guard !name.isEmpty, !name.contains("/"), !name.contains(":"), NodeKind.at(String(name)) == nil,
      NodeKind.at("/dev/" + name) == .terminal
    else { return address }
    return "/dev/" + address
  }

  /// Opens the device, or fails in words.
  /// - Parameters:
  ///   - preferred: an address that goes before the device that is set, where none is given.
  ///   - remedy: where nothing is attached; nil for the simulation.
  func open(
    _ options: OpenOptions, preferring preferred: String? = nil, withoutAny remedy: String? = nil
  ) throws -> any SampleStream {
    try refuseAnother()
    guard devices.count < 2 else {
      throw ValidationError("two devices: --device \(devices.joined(separator: " and --device "))")
    }
    var options = options
    options.isRealtime = realtime
    options.reconnects = !noReconnect
    options.rate = rate?.field ?? wantedRate
    options.motionRate = rate?.motion
    let given = try given(besides: preferred)
    do {
      let named = if let given { given } else { try DeviceListing.onlyAttached(among: DeviceListing.all()) }
      let address = LocationOptions.address(named) ?? named
      try check(DeviceAddress(address), options)
      return try AddressSchemes.open(address, options)
    } catch let error as StreamError {
      var failure = Failure(error)
      if case .noDevice(found: []) = error, let remedy { failure.hint = remedy }
      throw failure
    }
  }

  /// The kinds of address whose numbers have a known meaning.
  private static let tellers = [
    "sim": "the simulation says itself", "usb": "the chip's driver knows", "i2c": "the chip's driver knows",
    "iio": "the kernel's driver says",
  ]

  /// Options that can do nothing for this device are errors.
  private func check(_ address: DeviceAddress, _ options: OpenOptions) throws {
    try OutputFile.checkBesides("--truth", options.truthFile)
    if options.truthFile != nil, address.scheme != "sim" {
      throw ValidationError("--truth is for the simulation, as in --device sim:")
    }
    if let teller = Self.tellers[address.scheme ?? ""] {
      let useless = [
        ("--columns", options.columns != nil), ("--field-unit", options.fieldUnit != nil),
        ("--chip", options.chip != nil), ("--probe", options.probes && address.scheme == "sim"),
      ]
      if let option = useless.first(where: { $0.1 }) {
        throw ValidationError("\(option.0): \(teller) what it sends")
      }
    }
    if address.scheme == "sim" {
      if noReconnect { throw ValidationError("--no-reconnect: the simulation is never unplugged") }
    }
    guard address.isRecording else {
      if realtime, address.scheme != nil || NodeKind.at(address.body) == .terminal {
        throw ValidationError("--realtime: only a recording is read faster than it was taken")
      }
      return
    }
    if options.probes { throw ValidationError("--probe: a recording cannot be asked") }
    if noReconnect { throw ValidationError("--no-reconnect: a recording is never unplugged") }
  }
}

/// The device, how its chip is mounted, and what its numbers mean.
struct DeviceOptions: ParsableArguments {
  @OptionGroup var address: AddressOptions

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      "Another device, a file or mqtt://broker/topic that tells the causes (calibrate --cause).",
      discussion: "Lines such as current_A: 1.2, a table with a header, JSON, or numbers alone where one is wanted.",
      valueName: "address"), completion: .devices)
  var causeDevice: String?

  @Flag(help: "Allow writing to a device to find out its protocol and units.")
  var probe = false

  @Option(
    help: ArgumentHelp("Write the truth about a simulation to this CSV file.", valueName: "file"), completion: .file())
  var truth: String?

  /// The options besides the address that were given, for a command that does not read the device.
  var given: [String] {
    let options = [
      ("--rate", address.rate != nil), ("--every", address.every != nil), ("--realtime", address.realtime),
      ("--no-reconnect", address.noReconnect), ("--mount", input.mount != .aligned),
      ("--columns", input.columns != nil), ("--field-unit", input.fieldUnit != nil), ("--chip", input.chip != nil),
      ("--cause-device", causeDevice != nil), ("--probe", probe), ("--truth", truth != nil),
    ]
    return options.filter { $0.1 }.map { $0.0 }
  }

  /// Opens the device, or fails in words.
  /// - Parameters:
  ///   - columnUnit: of the field in `columns`, where no other option says it.
  ///   - autoRange: a magnetometer's range may change with the field.
  ///   - readsAhead: a recording is read on a thread of its own; its bytes cannot be listened to then.
  ///   - ownHeadings: a simulated board tells headings of its own.
  ///   - showsCounts: fields are wanted as the counts that the device sends.
  func open(
    columnUnit: String? = nil, autoRange: Bool = false, readsAhead: Bool = true, ownHeadings: Bool = false,
    showsCounts: Bool = false
  ) throws -> any SampleStream {
    var options = OpenOptions()
    options.simulatesOwnHeadings = ownHeadings
    input.describe(&options, columnUnit: columnUnit)
    options.showsCounts = showsCounts
    options.autoRange = autoRange
    options.readsAhead = readsAhead
    options.probes = probe
    options.truthFile = truth
    let stream = try address.open(options)
    return try causeDevice.map { name in try besides(stream, name) } ?? stream
  }

  /// The device with the values that another one tells.
  private func besides(_ stream: any SampleStream, _ name: String) throws -> any SampleStream {
    var options = OpenOptions()
    options.tellsCauses = true
    options.reconnects = !address.noReconnect
    let given = try AddressOptions.address(name)
    let isFile = DeviceAddress(given).isFile
    let isLive = stream.isLive && !address.realtime
    guard isFile != isLive else {
      let kind = isFile ? "a recording" : "live"
      throw Failure(
        .usage, "--cause-device \(name) is \(kind), and the device is not",
        hint: "two live devices belong together, or two recordings with times")
    }
    do throws(StreamError) {
      let teller = try AddressSchemes.open(given, options)
      return CausesBeside(stream, valuesOf: teller, name: name, isLive: isLive)
    } catch {
      throw Failure(error)
    }
  }
}

/// `--unit` of a command that shows fields.
struct UnitOption {
  /// The unit as it was typed; nil where it was not.
  let unit: FieldDisplayUnit?

  /// Help on the option: see `CalibrationOptions.help`.
  static let help = ArgumentHelp(
    "Show fields in this unit (counts: teslameter alone); with --columns, also the unit of those columns. (default: uT)",
    valueName: "unit")

  /// The unit of the fields shown: the option's, or that of the settings.
  var shown: FieldDisplayUnit { unit ?? .unit(UserSettings.unit) }
}

/// `--unit` of a command that shows no fields: that of the columns it names.
struct ColumnUnitOption: ParsableArguments {
  @Option(help: ArgumentHelp("The unit of the field in --columns.", valueName: "unit"))
  var unit: String?

  /// The unit asked for; an error where no columns are named.
  func unit(for device: DeviceOptions) throws(ValidationError) -> String? {
    guard let unit, device.input.columns == nil else { return unit }
    throw ValidationError("--unit \(unit) belongs to --columns; --field-unit says what the device sends")
  }
}

extension Mounting: ExpressibleByArgument {
  /// A mounting from an option's text.
  public init?(argument: String) {
    guard let mounting = try? Mounting(argument) else { return nil }
    self = mounting
  }

  /// Straight.
  public var defaultValueDescription: String { "x,y,z" }
}

extension Orientation: ChosenWord {}
extension Pointing: ChosenWord {}
extension FieldDisplayUnit: ExpressibleByArgument {
  /// A unit from an option's text.
  public init?(argument: String) { self.init(argument) }

  /// The units, as they are typed.
  public static var allValueStrings: [String] {
    var words: [String] = []
    for unit in FieldUnit.shown { words.append(unit.rawValue) }
    return words + ["counts"]
  }

  /// No descriptions: a unit says itself what it is.
  public static var allValueDescriptions: [String: String] { [:] }
}
