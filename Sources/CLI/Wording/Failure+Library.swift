import Drivers
import LodestoneCore
import Geomagnetism
import Instruments
import Lodestone
import LodestoneOutput
import LodestonePorts

// The words for what the library reports as facts: what failed, on what, why, and what to do.

extension Failure {
  /// Words an error of the library; nil for other errors.
  init?(wording error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StreamError: self.init(error)
    case let error as OutputError: self.init(error)
    case let error as SinkError: self.init(error)
    case let error as PortError: self.init(error)
    case let error as ProfileStoreProblem: self.init(error)
    case let error as FieldModel.Problem: self.init(.usage, error.words, hint: error.hint)
    case let error as SessionError: self.init(error)
    default: return nil
    }
  }

  /// Runs what writes to an output, standard output for nil, and names that in what goes wrong.
  static func naming<Value>(_ output: String?, _ run: () throws -> Value) throws -> Value {
    do { return try run() } catch let error as OutputError {
      throw Failure(error, path: output.flatMap { $0 == "-" ? nil : $0 } ?? "standard output")
    }
  }

  /// Words a session that cannot go on.
  /// - Parameter name: of the recording; `-` for standard input.
  init(_ error: SessionError, of name: String = "it") {
    switch error {
    case .noZeroPoint(let refusal): self.init(refusal, unit: .microtesla)
    case .nothingOfUse(let tells, let needs):
      let words = tells.words(of: (name == "-" ? "it" : name) + " holds", missing: needs)
      self.init(.badData, words, hint: tells.hint(needs))
    case .noReadings(let count, isFieldZero: true):
      self.init(
        .badData, "the field is zero in all \(count) samples",
        hint: "the sensor does not measure: check its supply, wiring and the program that reads it")
    case .noReadings(let count, isFieldZero: false):
      self.init(
        .badData, "no reading came of \(count) samples",
        hint: "--verbose tells what was left out; a recording without times needs its rate: FILE?rate=50")
    case .system(let what): self.init(.inputOutput, what)
    }
  }

  /// Words a port that could not be opened.
  init(_ error: PortError) {
    switch error {
    case .notThere(let path):
      self.init(.noInput, "can't open \(path): no such device or file", hint: Self.absenceHint(path))
    case .busy(let path, let holders):
      self.init(
        .tryAgain, "can't open \(path): in use by \(holders.subject)",
        hint: "close that program and try again")
    case .notPermitted(let path, let access):
      self.init(.notPermitted, "can't open \(path): permission denied", hint: Self.permissionHint(path, access))
    case .notATerminal(let path, let kind):
      self.init(.noInput, "can't use \(path): it is \(kind.words), not a serial port")
    case .notAFile(let path, let kind):
      self.init(
        .noInput, "can't use \(path): it is \(kind.words), not a file",
        hint: kind == .directory ? "give the name of a file in that folder" : "give the name of a file")
    case .unsupportedBaudRate(let path, let requested, let actual):
      self.init(
        .usage, "can't set \(path) to \(requested) baud", hint: actual.map { "the port offers \($0) baud instead" })
    case .notCreated(let path, let error):
      self = .system("can't write \(path)", error.code)
    case .usedByKernel(let path, let sensor):
      self.init(
        .tryAgain, "can't open \(path): the kernel's driver reads the chip behind it",
        hint: "use it through the kernel: --device iio:\(sensor.dropFirst(4))")
    case .inUse(let path):
      self.init(
        .usage, "can't write \(path): it is read or written by this very command",
        hint: "give another name for the output")
    case .gone(let path):
      self.init(.gone, "can't use \(path): the device has gone", hint: "plug it in again")
    case .libraryMissing(let path, let package):
      self.init(.noInput, "can't use \(path): a library is missing", hint: "sudo apt-get install \(package)")
    case .noInterface(let name, kernelHasCAN: true):
      self.init(
        .noInput, "can't use can:\(name): no such CAN interface",
        hint: "ip link lists them; NMEA 2000 has 250 kbit/s: sudo ip link set can0 up type can bitrate 250000")
    case .noInterface(let name, kernelHasCAN: false):
      self.init(
        .noInput, "can't use can:\(name): the kernel has no CAN",
        hint: "load it: sudo modprobe can-raw, then the driver of the adapter; --format n2k writes the frames as text")
    case .noSpace(let path):
      self.init(.inputOutput, "can't write \(path): the disk is full", hint: "free some space and try again")
    case .system(let path, let error):
      self.init(.inputOutput, "can't use \(path): \(error.message.lowercased())")
    }
  }

  private static func absenceHint(_ path: String) -> String {
    if path.hasPrefix("/dev/i2c-") { return busHint }
    return path.hasPrefix("/dev/") || path.hasPrefix("tty") ? Self.listHint : nameHint
  }

  private static let listHint = "lodestone devices lists what is attached"

  /// The hint for a bus of the kernel that is not there: on most machines it has to be switched on first.
  private static let busHint =
    "lodestone devices lists the buses; with none, switch I²C on: sudo modprobe i2c-dev, on a Raspberry Pi raspi-config"

  private static func permissionHint(_ path: String, _ access: NodeAccess) -> String {
    if !path.hasPrefix("/dev/"), !path.hasPrefix("/sys/") { return "see ls -ld \(path)" }
    if path.hasPrefix("/sys/") { return "only root may set it: echo VALUE | sudo tee \(path)" }
    if access.needsGroup {
      return "add yourself to the group \(access.group): sudo usermod -aG \(access.group) $USER, then log in again"
    }
    if !access.isUSB, path.hasPrefix("/dev/i2c-") {
      return "give it to the group i2c: sudo apt-get install i2c-tools && sudo usermod -aG i2c $USER, then restart"
    }
    if !access.isUSB, path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial") {
      return "a login console may have it: switch that off, on a Raspberry Pi with raspi-config, elsewhere with "
        + "sudo systemctl disable --now serial-getty@\(path.split(separator: "/").last ?? "")"
    }
    return UdevRules.installedPath == nil
      ? "lodestone devices --udev-rules prints a rule that opens such devices to you"
      : "plug the device in again: it was there before the udev rules"
  }

  /// Words output that could not be written.
  init(_ error: OutputError, path: String = "standard output") {
    switch error {
    case .closed: self.init(.inputOutput, "can't write \(path): the reader closed it")
    case .noSpace:
      self.init(.inputOutput, "can't write \(path): the disk is full", hint: "free some space and try again")
    case .removed:
      self.init(
        .inputOutput, "can't write \(path): the file was removed while it was written",
        hint: "what it held is lost: begin again")
    case .system(let error): self.init(.inputOutput, "can't write \(path): \(error.message.lowercased())")
    case .at(let path, let error): self.init(error, path: path)
    }
  }

  /// Words a stream that could not be opened, or broke.
  init(_ error: StreamError) {
    switch error {
    case .port(let error): self.init(error)
    case .badAddress(let text, let problem): self.init(badAddress: text, problem)
    case .gone(let name): self.init(.gone, "\(name) has gone", hint: "plug it in again")
    case .source(let name, let reason): self.init(.inputOutput, "can't read \(name): \(reason)")
    case .disconnected(let name):
      self.init(
        .gone, "the connection to \(name) broke",
        hint: "see whether what serves it still runs; without --no-reconnect it is tried again")
    case .unreachable(let name, let error): self.init(error, name: name)
    case .broker(let name, let error): self.init(error, name: name, to: "read")
    case .nothingValid(let name, _, isEmpty: true):
      self.init(.badData, "\(name) is empty", hint: "see whether the program that writes it has run, and what it said")
    case .nothingValid(let name, let sample, isEmpty: false):
      self.init(
        .badData, "\(name) holds no samples" + (sample.isEmpty ? "" : "; it begins with: \(sample)"),
        hint: "print a line such as mx:12.3,my:-4.5,mz:38.1 in µT, or name all columns of a table in their order, "
          + "\(WireFault.columnNames), and the unit with --field-unit. \(WireFault.oneAxis)")
    case .nothingOfUse(let name, let kind):
      self.init(
        .badData, "\(name) holds messages (\(kind)), and no heading, field or motion in them",
        hint: "a compass without a heading, and a receiver without a fix, send empty fields; sentences of your own are "
          + "not read: print mx:12.3,my:-4.5,mz:38.1 in µT")
    case .noPositions(let name):
      self.init(
        .badData, "\(name) holds no positions",
        hint: "a receiver's log has sentences such as $GPRMC and $GPGGA, or gpsd's TPV reports")
    case .nothingSought(let name):
      self.init(
        .usage, "nothing is wanted of \(name): no cause is named, and the calibration has none",
        hint: "calibrate with one: lodestone calibrate --cause NAME --cause-device ADDRESS")
    case .onlyPositions(let name):
      self.init(
        .badData, "\(name) holds positions and nothing else", hint: "lodestone location reads it")
    case .noReceiver(let name):
      self.init(
        .usage, "\(name) sends no positions: not a GNSS receiver",
        hint: "give gpsd://host, a receiver's port such as /dev/ttyACM0, or a log of its sentences")
    case .useless(let name, WireFault.missingFieldAxes(let axes)):
      let missing = "\(axes.count == 1 ? "axis" : "axes") \(axes.joined(separator: " and "))"
      self.init(
        .badData, "the field of \(name) lacks its \(missing)",
        hint: WireFault.missingFieldAxes(axes).hint)
    case .useless(let name, WireFault.unreadable(let what, let remedy)):
      self.init(.badData, "can't read \(name): it is \(what)", hint: remedy)
    case .useless(let name, let doubt):
      self.init(.badData, "\(name): \(doubt.words)", hint: doubt.hint)
    case .oneRate(let name):
      self.init(
        .usage, "\(name) has one rate for all that it measures",
        hint:
          "as in --rate 50; beside a magnetometer on usb: or i2c: a gyroscope can have another")
    case .noCounts(let name):
      self.init(.usage, "the field of \(name) is not in counts: its unit is known", hint: "leave --unit counts out")
    case .otherUnit(let name, let unit):
      self.init(
        .usage, "the field of \(name) is in \(unit.symbol): it says so itself",
        hint: "leave --field-unit and --chip out; where the data names a wrong unit, correct it there")
    case .zeroField(let name):
      self.init(
        .badData, "the field of \(name) is zero on all axes", hint: "the sensor is dead, or its driver reads nothing")
    case .anglesForField(let name):
      self.init(
        .badData,
        "the x, y and z of \(name) look like heading, roll and pitch in degrees, and not like a magnetic field",
        hint: "print them as Orientation: 40.3, 0.3, -1.1; if they are a field, give --field-unit")
    case .damagedField(let name, let fault):
      self.init(.badData, "numbers of \(name) \(fault.words)", hint: fault.remedy)
    case .ambiguousUnit(let name, let units, let isTurned):
      let names = units.map { $0.symbol }.joined(separator: " or ")
      self.init(
        .badData, "the field of \(name) could be in \(names)\(isTurned ? "" : ": the board was not turned")",
        hint: isTurned ? "say which with --field-unit" : "turn the board, or say which with --field-unit")
    case .otherScale(let name, let counts, let times):
      let kind = "the calibration was made for counts, \(number(counts, counts < 100 ? 2 : 0)) of them to the µT"
      let own = times.map { "those of \(name) are \(number($0, 2)) times as large" } ?? "\(name) says its unit"
      self.init(
        .badData, "\(kind); \(own)",
        hint: "set the chip's range as it was, or calibrate this stream; --profile none reads it without a calibration")
    case .chip(let name, let error): self.init(chip: error, of: name)
    case .noBridge(let address):
      self.init(
        .noInput, address.map { "no such bridge is attached: \($0)" } ?? "no USB-to-I2C bridge is attached",
        hint: Self.listHint)
    case .notInKernel(let address, let found):
      self.init(
        .noInput, "can't open \(address): the kernel has no such device",
        hint: found.isEmpty
          ? (address.hasPrefix("i2c:") ? Self.busHint : Self.listHint) : "there are \(found.listed)")
    case .chipTaken(let name, let address, let driver):
      self.init(
        .tryAgain, "can't use \(name): the kernel's driver \(driver) has the chip at \(hexadecimal([address]))",
        hint: "use it through the kernel as --device iio:, or unbind the driver")
    case .noChip(let name, let wanted, let found):
      self.init(
        .noInput, "can't find \(wanted ?? "a magnetometer") at \(name)",
        hint: Self.hint(chips: found))
    case .severalChips(let name, let found):
      self.init(
        .noInput, "more than one magnetometer at \(name): \(found.listed)",
        hint: "choose one with --device \(name)/\(found.first ?? "")")
    case .noDevice(let found):
      self.init(
        .noInput, found.isEmpty ? "no device is attached" : "more than one device is attached: \(found.listed)",
        hint: found.isEmpty
          ? "plug one in, or try --device sim: for the built-in simulation" : "choose one with --device")
    }
  }

  /// Words a network connection that could not be made, or a port that could not be listened at.
  init(_ error: SocketError, name: String) {
    switch error {
    case .unknownHost(_, let reason):
      self.init(
        .noInput, "can't find \(name): \(reason.lowercased())", hint: "check the host's name, or give its number")
    case .refused:
      self.init(.noInput, "can't reach \(name): connection refused", hint: "start the program that serves it")
    case .unreachable:
      self.init(.noInput, "can't reach \(name): no route to host", hint: "check the address and this machine's network")
    case .timedOut:
      self.init(
        .noInput, "can't reach \(name): no answer", hint: "check that the host is on, and that no firewall is between")
    case .portInUse:
      self.init(.tryAgain, "can't listen at \(name): another program has the port", hint: "choose another port")
    case .notPermitted:
      self.init(.notPermitted, "can't use \(name): permission denied", hint: "choose a port of 1024 or more")
    case .notOurAddress:
      self.init(
        .noInput, "can't listen at \(name): not an address of this machine", hint: "* stands for every address it has")
    case .system(_, let error): self.init(.inputOutput, "can't use \(name): \(error.message.lowercased())")
    }
  }

  private init(badAddress text: String, _ problem: BadAddress) {
    var schemes: [String] = []
    for scheme in AddressSchemes.all where !schemes.contains(scheme.example) { schemes.append(scheme.example) }
    switch problem {
    case .unknownScheme(let scheme):
      self.init(
        .usage, "can't open '\(text)': unknown kind of device '\(scheme)'", hint: "try one like \(schemes.listed)")
    case .unknownOption(let option, let allowed):
      self.init(.usage, "can't open \(text): no option '\(option)'", hint: "there are \(allowed.listed)")
    case .badValue(let option, let value, let expected):
      self.init(
        .usage, "can't open \(text): '\(value)' is not a valid value for \(option)", hint: "it takes \(expected)")
    case .unknownName(let name, let allowed):
      self.init(.usage, "can't open \(text): nothing is called '\(name)'", hint: "there are \(allowed.listed)")
    case .incomplete(let what):
      self.init(.usage, "can't open '\(text)': \(what) is missing", hint: "addresses look like \(schemes.listed)")
    }
  }
}

extension BrokerTrouble {
  /// A remedy, as a clause.
  var remedy: String {
    switch self {
    case .unreachable: "check the broker's name and port, and that it runs"
    case .rejected: "check the user in mqtt://user@host/topic and the password in LODESTONE_MQTT_PASSWORD"
    case .untrusted(.unknownIssuer):
      "name a file with the certificate of its authority, or its own where it signed itself, in LODESTONE_MQTT_CA_FILE"
    case .untrusted(.otherHost): "name the broker as its certificate does"
    case .untrusted(.outOfDate): "set this machine's clock, or renew the broker's certificate"
    case .untrusted(.other): "renew the broker's certificate"
    case .other:
      "check that the broker runs, that it speaks mqtt:// at this port, or mqtts:// where that is named, and that it lets "
        + "you in (LODESTONE_MQTT_PASSWORD)"
    }
  }
}

extension Failure {
  /// Words why there is no client of a broker.
  init(_ error: MQTTError, name: String, to action: String = "publish at") {
    switch error {
    case .libraryMissing:
      self.init(
        .inputOutput, "can't \(action) \(name): libssl is missing", hint: "sudo apt-get install libssl3")
    case .badCertificates(let path):
      self.init(
        .inputOutput, "can't use the certificates in \(path)", hint: "name the broker's in LODESTONE_MQTT_CA_FILE")
    case .badPasswordFile(let path):
      self.init(
        .inputOutput, "can't read the password file \(path)",
        hint: "name a file that can be read in LODESTONE_MQTT_PASSWORD_FILE")
    case .away(let trouble, let reason):
      let code: Code = trouble == .unreachable ? .noInput : trouble == .rejected ? .notPermitted : .inputOutput
      self.init(code, "can't \(action) \(name): \(reason)", hint: trouble.remedy)
    case .denied:
      self.init(
        .notPermitted, "can't \(action) \(name): the broker does not permit it",
        hint: "let this user read the topic in the broker's access list, or name another: mqtt://user@host/topic")
    }
  }

  /// Words a sink that could not be opened.
  init(_ error: SinkError) {
    switch error {
    case .badAddress(let address):
      let form = Sinks.form(of: address) ?? Sinks.all.map { $0.example }.listed
      self.init(.usage, "can't publish at \(address)", hint: "try \(form)")
    case .network(let name, let error): self.init(error, name: name)
    case .port(let error): self.init(error)
    case .broker(let name, let error): self.init(error, name: name)
    case .link(let path, let error): self = .system("can't make the link \(path)", error.code)
    }
  }
}

extension NodeKind {
  /// The kind with its article.
  var words: String {
    switch self {
    case .directory: "a folder"
    case .regularFile: "a file"
    case .pipe: "a pipe"
    case .terminal: "a terminal"
    case .socket: "a socket"
    case .blockDevice: "a disk"
    case .characterDevice: "a device"
    case .unknown: "something else"
    }
  }
}
