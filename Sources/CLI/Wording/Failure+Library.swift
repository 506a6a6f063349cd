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
      let verb = DeviceAddress(name).isRecording || name == "it" ? "holds" : "sends"
      let words = tells.words(of: "\(name == "-" ? "it" : name) \(verb)", missing: needs)
      self.init(.badData, words, hint: tells.hint(needs))
    case .noReadings(let count, _, isFieldZero: true):
      self.init(
        .badData, "the field is zero in all \(count) samples",
        hint: "the sensor does not measure: check its supply, wiring and the program that reads it")
    case .noReadings(let count, let seconds?, isFieldZero: false) where count == 1 || (0..<3).contains(seconds):
      self.init(
        .badData, "no reading came of \(Self.samples(count)) in \(number(seconds, 1)) s",
        hint: "record or read for longer: some instruments need a second or two to find gravity, zero and rates")
    case .noReadings(let count, _, isFieldZero: false):
      self.init(
        .badData, "no reading came of \(Self.samples(count))",
        hint: "--verbose tells what was left out; a recording without times needs its rate: FILE?rate=50")
    case .system(let what): self.init(.inputOutput, what)
    }
  }

  private static func samples(_ count: Int) -> String { "\(count) \(count == 1 ? "sample" : "samples")" }

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
      self.init(
        .noInput, "can't use \(path): it is \(kind.words), not a serial port",
        hint: "lodestone devices lists the ports; a recording is a file or a pipe")
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

  static let listHint = "lodestone devices lists what is attached"

  /// The hint for a bus of the kernel that is not there: on most machines it has to be switched on first.
  static let busHint =
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
