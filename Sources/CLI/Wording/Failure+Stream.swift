import Drivers
import Instruments
import LodestoneCore
import LodestonePorts

// The words for streams that could not be opened, or broke.

extension Failure {
  /// Words a stream that could not be opened, or broke.
  init(_ error: StreamError) {
    switch error {
    // Its address and its link.
    case .badAddress(let text, let problem): self.init(badAddress: text, problem)
    case .port(let error): self.init(error)
    case .unreachable(let name, let error): self.init(error, name: name)
    case .broker(let name, let error): self.init(error, name: name, to: "read")
    case .gone(let name): self.init(.gone, "\(name) has gone", hint: "plug it in again")
    case .source(let name, let reason): self.init(.inputOutput, "can't read \(name): \(reason)")
    case .disconnected(let name):
      let hint = "see whether what serves it still runs; without --no-reconnect it is tried again"
      self.init(.gone, "the connection to \(name) broke", hint: hint)
    // The device that is sought.
    case .chip(let name, let error): self.init(chip: error, of: name)
    case .noBridge(let address): self.init(noBridge: address)
    case .notInKernel(let address, let found): self.init(notInKernel: address, found)
    case .chipTaken(let name, let address, let driver): self.init(chipAt: address, of: name, takenBy: driver)
    case .noChip(let name, let wanted, let found):
      self.init(.noInput, "can't find \(wanted ?? "a magnetometer") at \(name)", hint: Self.hint(chips: found))
    case .severalChips(let name, let found):
      let hint = "choose one with --device \(name)/\(found.first ?? "")"
      self.init(.noInput, "more than one magnetometer at \(name): \(found.listed)", hint: hint)
    case .noDevice(let found): self.init(noDeviceOf: found)
    // A device or file whose contents are of no use.
    case .nothingValid(let name, let sample, let isEmpty, let given):
      self.init(nothingIn: name, isEmpty ? nil : sample, as: given)
    case .nothingOfUse(let name, let kind): self.init(nothingOfUse: name, kind)
    case .useless(let name, let fault): self.init(useless: name, fault)
    case .noPositions(let name):
      let hint = "a receiver's log has sentences such as $GPRMC and $GPGGA, or gpsd's TPV reports"
      self.init(.badData, "\(name) holds no positions", hint: hint)
    case .onlyPositions(let name):
      self.init(.badData, "\(name) holds positions and nothing else", hint: "lodestone location reads it")
    case .noReceiver(let name):
      let hint = "give gpsd://host, a receiver's port such as /dev/ttyACM0, or a log of its sentences"
      self.init(.usage, "\(name) sends no positions: not a GNSS receiver", hint: hint)
    case .nothingSought(let name): self.init(nothingSoughtOf: name)
    case .oneRate(let name):
      let hint = "as in --rate 50; beside a magnetometer on usb: or i2c: a gyroscope can have another"
      self.init(.usage, "\(name) has one rate for all that it measures", hint: hint)
    // Its field.
    case .zeroField(let name):
      let hint = "the sensor is dead, or its driver reads nothing"
      self.init(.badData, "the field of \(name) is zero on all axes", hint: hint)
    case .anglesForField(let name): self.init(anglesForFieldOf: name)
    case .damagedField(let name, let fault):
      self.init(.badData, "numbers of \(name) \(fault.words)", hint: fault.remedy)
    case .noCounts(let name):
      self.init(.usage, "the field of \(name) is not in counts: its unit is known", hint: "leave --unit counts out")
    case .otherUnit(let name, let unit): self.init(unit: unit, isStatedBy: name)
    case .ambiguousUnit(let name, let units, let isTurned): self.init(units: units, of: name, isTurned: isTurned)
    case .otherScale(let name, let counts, let times): self.init(scaleOf: name, counts, times: times)
    }
  }

  private init(badAddress text: String, _ problem: BadAddress) {
    var schemes: [String] = []
    // A colon at its end is not the sentence's.
    let name = text.hasSuffix(":") ? "'\(text)'" : text
    for scheme in AddressSchemes.all where !schemes.contains(scheme.example) { schemes.append(scheme.example) }
    switch problem {
    case .unknownScheme(let scheme):
      self.init(
        .usage, "can't open '\(text)': unknown kind of device '\(scheme)'", hint: "try one like \(schemes.listed)")
    case .unknownOption(let option, let allowed):
      self.init(.usage, "can't open \(name): no option '\(option)'", hint: "there are \(allowed.listed)")
    case .badValue(let option, let value, let expected):
      self.init(
        .usage, "can't open \(name): '\(value)' is not a valid value for \(option)", hint: "it takes \(expected)")
    case .unknownName(let unknown, let allowed):
      self.init(.usage, "can't open \(name): nothing is called '\(unknown)'", hint: "there are \(allowed.listed)")
    case .incomplete(let what):
      self.init(.usage, "can't open '\(text)': \(what) is missing", hint: "addresses look like \(schemes.listed)")
    case .noBus:
      self.init(
        .usage, "can't open '\(text)': it is not a bus with chips", hint: "name one, as in usb: or i2c:/dev/i2c-1")
    }
  }
}

// MARK: - The device that is sought

extension Failure {
  private init(noBridge address: String?) {
    let problem = address.map { "no such bridge is attached: \($0)" } ?? "no USB-to-I2C bridge is attached"
    self.init(.noInput, problem, hint: Self.listHint)
  }

  private init(notInKernel address: String, _ found: [String]) {
    let list = address.hasPrefix("i2c:") ? Self.busHint : Self.listHint
    self.init(
      .noInput, "can't open \(address): the kernel has no such device",
      hint: found.isEmpty ? list : "there are \(found.listed)")
  }

  private init(chipAt address: UInt8, of name: String, takenBy driver: String) {
    self.init(
      .tryAgain, "can't use \(name): the kernel's driver \(driver) has the chip at \(hexadecimal([address]))",
      hint: "use it through the kernel as --device iio:, or unbind the driver")
  }

  private init(noDeviceOf found: [String]) {
    guard found.isEmpty else {
      self.init(.noInput, "more than one device is attached: \(found.listed)", hint: "choose one with --device")
      return
    }
    self.init(
      .noInput, "no device is attached", hint: "plug one in, or try --device sim: for the built-in simulation")
  }
}

// MARK: - What it holds

extension Failure {
  /// - Parameters:
  ///   - sample: what the recording begins with; nil for an empty one.
  ///   - given: the protocol that the address names; nil for none.
  private init(nothingIn name: String, _ sample: String?, as given: String?) {
    guard let sample else {
      self.init(.badData, "\(name) is empty", hint: "see whether the program that writes it has run, and what it said")
      return
    }
    if given == nil, sample.hasPrefix(RecordingHeader.mark) {
      self.init(
        .badData, "\(name) holds no samples: it is a recording that ended before the first one", hint: "record again")
      return
    }
    let beginning = sample.isEmpty ? "" : "; it begins with: \(sample)"
    if let given {
      self.init(
        .badData, "\(name) holds no message of \(given)\(beginning)",
        hint: "leave ?protocol=\(given) out: the protocol is found by what the file holds")
      return
    }
    self.init(
      .badData, "\(name) holds no samples\(beginning)",
      hint: "print a line such as mx:12.3,my:-4.5,mz:38.1 in µT, or name all columns of a table in their order, "
        + "\(WireFault.columnNames), and the unit with --field-unit. \(WireFault.oneAxis)")
  }

  private init(nothingOfUse name: String, _ kind: String) {
    self.init(
      .badData, "\(name) holds messages (\(kind)), and no heading, field or motion in them",
      hint: "a compass without a heading, and a receiver without a fix, send empty fields; sentences of your own are "
        + "not read: print mx:12.3,my:-4.5,mz:38.1 in µT")
  }

  private init(useless name: String, _ fault: WireFault) {
    switch fault {
    case .missingFieldAxes(let axes):
      let missing = "\(axes.count == 1 ? "axis" : "axes") \(axes.joined(separator: " and "))"
      self.init(.badData, "the field of \(name) lacks its \(missing)", hint: fault.hint)
    case .unreadable(let what, _): self.init(.badData, "can't read \(name): it is \(what)", hint: fault.hint)
    default: self.init(.badData, "\(name): \(fault.words)", hint: fault.hint)
    }
  }

  private init(nothingSoughtOf name: String) {
    self.init(
      .usage, "nothing is wanted of \(name): no cause is named, and the calibration has none",
      hint: "calibrate with one: lodestone calibrate --cause NAME --cause-device ADDRESS")
  }
}

// MARK: - Its field

extension Failure {
  private init(anglesForFieldOf name: String) {
    self.init(
      .badData, "the x, y and z of \(name) look like heading, roll and pitch in degrees, and not like a magnetic field",
      hint: "print them as Orientation: 40.3, 0.3, -1.1; if they are a field, give --field-unit")
  }

  private init(unit: FieldUnit, isStatedBy name: String) {
    self.init(
      .usage, "the field of \(name) is in \(unit.symbol): it says so itself",
      hint: "leave --field-unit and --chip out; where the data names a wrong unit, correct it there")
  }

  private init(units: [FieldUnit], of name: String, isTurned: Bool) {
    let names = units.map { $0.symbol }.joined(separator: " or ")
    self.init(
      .badData, "the field of \(name) could be in \(names)\(isTurned ? "" : ": the board was not turned")",
      hint: isTurned ? "say which with --field-unit" : "turn the board, or say which with --field-unit")
  }

  private init(scaleOf name: String, _ counts: Double, times: Double?) {
    let kind = "the calibration was made for counts, \(number(counts, counts < 100 ? 2 : 0)) of them to the µT"
    let own = times.map { "those of \(name) are \(number($0, 2)) times as large" } ?? "\(name) says its unit"
    self.init(
      .badData, "\(kind); \(own)",
      hint: "set the chip's range as it was, or calibrate this stream; --profile none reads it without a calibration")
  }
}
