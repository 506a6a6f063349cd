import LodestoneCore
import Drivers
import Glibc
import Support
import Testing

@testable import LodestonePorts

@Suite struct IIOTests {
  private static let device = "sys/bus/iio/devices/iio:device0"

  /// A device with these attributes; its node is a pipe.
  func system(_ name: String = "lis3mdl", _ attributes: [String: String]) -> FakeSystem {
    let system = FakeSystem()
    system.write(name + "\n", to: Self.device + "/name")
    for (attribute, text) in attributes { system.write(text + "\n", to: "\(Self.device)/\(attribute)") }
    mkfifo("\(system.root)/dev/iio:device0", 0o600)
    return system
  }

  static func raw(_ x: Int, _ y: Int, _ z: Int, kind: String = "magn") -> [String: String] {
    ["in_\(kind)_x_raw": "\(x)", "in_\(kind)_y_raw": "\(y)", "in_\(kind)_z_raw": "\(z)"]
  }

  func open(_ system: FakeSystem) throws -> IIODevice {
    try IIODevice(try #require(listIIODevices(in: system.roots).first))
  }

  @Test func lists() throws {
    let system = system(
      "lis3mdl\u{7}", Self.raw(0, 0, 0).merging(["sampling_frequency": "10", "label": "compass"]) { $1 })
    system.write("bmi160\n", to: "sys/bus/iio/devices/iio:device1/name")
    system.write("0\n", to: "sys/bus/iio/devices/iio:device1/in_accel_x_raw")
    let listings = listIIODevices(in: system.roots)
    #expect(listings.map { $0.name } == ["lis3mdl"])
    #expect(listings[0].number == 0)
    #expect(listings[0].node == system.root + "/dev/iio:device0")
    #expect(listings[0].label == "compass")
    #expect(listings[0].rate == 10)
    #expect(listings[0].senses == .field)
  }

  static func describe(_ system: FakeSystem, _ number: Int, _ name: String, _ kinds: String...) {
    let folder = "sys/bus/iio/devices/iio:device\(number)"
    system.write(name + "\n", to: folder + "/name")
    for (attribute, text) in kinds.flatMap({ raw(0, 0, 1, kind: $0) }) {
      system.write(text, to: "\(folder)/\(attribute)")
    }
  }

  /// A magnetometer among other devices of the kernel, and those whose accelerometer and gyroscope go with it, if any
  /// do.
  private static let families: [([String], String?, String?)] = [
    // The pieces of one part, others beside them.
    (["lsm303dlhc_magn", "lsm303dlhc_accel", "bma253"], "lsm303dlhc_accel", nil),
    (["lsm9ds1_magn", "lsm9ds1_accel", "lsm9ds1_gyro", "bmi160"], "lsm9ds1_accel", "lsm9ds1_gyro"),
    // Parts of a board; those of a hub behind HID.
    (["ak8963", "mpu6050"], "mpu6050", "mpu6050"), (["lis3mdl", "bma253", "l3gd20_gyro"], "bma253", "l3gd20_gyro"),
    (["magn_3d", "accel_3d", "gyro_3d"], "accel_3d", "gyro_3d"), (["lis3mdl", "l3gd20_gyro"], nil, "l3gd20_gyro"),
    // Of two gyroscopes the one in the accelerometer's part.
    (["lis3mdl", "lsm6ds3_accel", "lsm6ds3_gyro", "l3gd20_gyro"], "lsm6ds3_accel", "lsm6ds3_gyro"),
    (["lis3mdl", "bmi160", "l3gd20_gyro"], "bmi160", "bmi160"),
    // The lid and the base of a laptop; two magnetometers.
    (["lis3mdl", "accel-display", "accel-base"], nil, nil), (["lis3mdl", "qmc5883l", "bma253", "gyro_3d"], nil, nil),
    (["lis3mdl", "accel-display", "accel-base", "gyro_3d", "l3gd20_gyro"], nil, nil), (["lis3mdl"], nil, nil),
  ]

  @Test(arguments: families)
  func findsWhatMovesWithAMagnetometer(_ names: [String], _ force: String?, _ turning: String?) throws {
    let system = FakeSystem()
    for (number, name) in names.enumerated() {
      let isField = ["magn", "ak8963", "lis3mdl", "qmc5883l"].contains { name.contains($0) }
      let isBoth = ["mpu6050", "bmi160"].contains(name)
      let kinds = isBoth ? ["accel", "anglvel"] : [isField ? "magn" : name.contains("gyro") ? "anglvel" : "accel"]
      for kind in kinds { Self.describe(system, number, name, kind) }
    }
    let magnetometer = try #require(listIIODevices(in: system.roots).first)
    for (sense, expected) in [(Senses.acceleration, force), (.rotationRate, turning)] {
      let found = iioNeighbour(sense, beside: magnetometer, in: system.roots)
      #expect(found?.name == expected)
      #expect(found.map { $0.senses == sense } ?? true)
    }
  }

  /// hid-sensor-gyro-3d.c and bmi160 have a rate for the gyroscope beside that of the accelerometer, inv_mpu_core.c one
  /// for the device.
  @Test(
    arguments: [
      ("sampling_frequency", Senses.rotationRate), ("in_anglvel_sampling_frequency", .rotationRate),
      ("sampling_frequency", .acceleration), ("in_accel_sampling_frequency", .acceleration),
    ])
  func tellsTheRateOfWhatMovesWithAMagnetometer(name: String, sense: Senses) throws {
    let system = FakeSystem()
    Self.describe(system, 0, "lis3mdl", "magn")
    Self.describe(system, 1, "bmi160", "accel", "anglvel")
    let folder = "sys/bus/iio/devices/iio:device1/"
    system.write("25\n", to: folder + name)
    system.write("25 100 800\n", to: folder + name + "_available")
    let magnetometer = try #require(listIIODevices(in: system.roots).first)
    let neighbour = try IIODevice(try #require(iioNeighbour(sense, beside: magnetometer, in: system.roots)))
    #expect(neighbour.rate == 25)
    try neighbour.set(rate: 90)
    #expect(neighbour.rate == 100)
  }

  @Test func aMagnetometerWithAnAccelerometerOfItsOwnTakesNoOther() throws {
    let system = FakeSystem()
    Self.describe(system, 0, "mpu9250", "magn", "accel")
    Self.describe(system, 1, "bma253", "accel")
    let magnetometer = try #require(listIIODevices(in: system.roots).first)
    #expect(iioNeighbour(.acceleration, beside: magnetometer, in: system.roots) == nil)
  }

  /// st_magn at ±4 gauss: 146 microgauss a count; 1 gauss is 100 µT.
  @Test func turnsCountsIntoMicrotesla() throws {
    let system = system("lis3mdl", Self.raw(3000, -1000, 2).merging(["in_magn_scale": "0.000146"]) { $1 })
    let field = try #require(try open(system).measure().field)
    #expect((field.microtesla - Vector3(43.8, -14.6, 0.0292)).length < 1e-9)
  }

  @Test func addsOffsetsFirstAndTakesScalesOfEachAxis() throws {
    let attributes = [
      "in_magn_offset": "-100", "in_magn_x_scale": "0.01", "in_magn_y_scale": "0.02", "in_magn_z_scale": "0.03",
      "in_temp_raw": "250", "in_temp_scale": "125", "in_temp_offset": "-50",
    ]
    let system = system("x", Self.raw(101, 101, 101).merging(attributes) { $1 })
    let measurement = try open(system).measure()
    #expect((try #require(measurement.field).microtesla - Vector3(1, 2, 3)).length < 1e-9)
    #expect(measurement.temperature == 25)
  }

  @Test func turnsByTheMountMatrix() throws {
    let attributes = ["in_magn_scale": "0.01", "in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"]
    let system = system("x", Self.raw(10, 20, 30).merging(attributes) { $1 })
    let field = try #require(try open(system).measure().field)
    #expect((field.microtesla - Vector3(20, -10, 30)).length < 1e-9)
  }

  @Test(arguments: ["1, 0, 0; 0, 1, 0", "0, 0, 0; 0, 0, 0; 0, 0, 0", "nan, 0, 0; 0, 1, 0; 0, 0, 1", "", "x"])
  func ignoresAMountMatrixThatIsNone(_ text: String) throws {
    let system = system(
      "x", Self.raw(10, 20, 30).merging(["in_magn_scale": "0.01", "mount_matrix": text]) { $1 })
    let field = try #require(try open(system).measure().field)
    #expect((field.microtesla - Vector3(10, 20, 30)).length < 1e-9)
  }

  @Test func readsAccelerationAndRotationInTheirUnits() throws {
    var attributes = Self.raw(1, 0, 0).merging(Self.raw(0, 0, 1000, kind: "accel")) { $1 }
    attributes.merge(Self.raw(0, 100, 0, kind: "anglvel")) { $1 }
    attributes.merge(["in_accel_scale": "0.00980665", "in_anglvel_scale": "0.017453292519943295"]) { $1 }
    let measurement = try open(system("imu", attributes)).measure()
    #expect((try #require(measurement.acceleration).g - Vector3(0, 0, 1)).length < 1e-12)
    #expect((try #require(measurement.rotationRate).degreesPerSecond - Vector3(0, 100, 0)).length < 1e-9)
  }

  /// mmc5633.c gives the unsigned code, 16384 counts a gauss around 2^19; tlv493d.c a tenth of the scale.
  @Test func correctsDriversThatAreWrong() throws {
    let counts = Self.raw(524_288 + 8192, 524_288, 524_288 - 8192)
    let memsic = system("mmc5633", counts.merging(["in_magn_scale": "0.00006103515625"]) { $1 })
    #expect(
      (try #require(try open(memsic).measure().field).microtesla - Vector3(50, 0, -50)).length < 1e-9)
    // hmc5843_core.c: 9174 nanogauss a count where the data sheet has 1090 counts a gauss.
    let honeywell = system("hmc5883l", Self.raw(109, 0, -218).merging(["in_magn_scale": "0.000009174"]) { $1 })
    #expect((try #require(try open(honeywell).measure().field).microtesla - Vector3(10, 0, -20)).length < 1e-3)
    let infineon = system("tlv493d", Self.raw(10, 0, 0).merging(["in_magn_scale": "0.098"]) { $1 })
    #expect((try #require(try open(infineon).measure().field).microtesla - Vector3(980, 0, 0)).length < 1e-9)
    // ak8975.c reads fuse values where these have none: (0 + 128) / 256 of 0.3 µT is half of what a count is.
    for name in ["ak09916", "ak09918"] {
      let scales = ["x", "y", "z"].map { ("in_magn_\($0)_scale", "0.000750") }
      let part = system(name, Self.raw(100, 0, -300).merging(scales) { $1 })
      #expect((try #require(try open(part).measure().field).microtesla - Vector3(15, 0, -45)).length < 1e-9)
    }
  }

  /// AKM's data sheet MS1526-E, "Sensitivity adjustment", and AKM's own library: a count of an AK09911 is
  /// 0.6 µT · (ASA / 128 + 1), 0.975 µT for a fuse of 80 and 1.06875 for one of 100; ak8975.c has 0.6 µT · (ASA + 128)
  /// / 256.
  @Test(arguments: [("0.004875", 0.975), ("0.008976", 1.7952), ("0.010687", 1.0687)])
  func takesTheAK09911sFusesForItsOwn(_ scale: String, _ microtesla: Double) throws {
    let scales = ["x", "y", "z"].map { ("in_magn_\($0)_scale", scale) }
    let part = system("ak09911", Self.raw(100, 0, -50).merging(scales) { $1 })
    let field = try #require(try open(part).measure().field).microtesla
    #expect((field - Vector3(100, 0, -50) * microtesla).length < 1e-9)
  }

  /// The ends of the type in which the driver gives its numbers, and codes that are none: the −4096 of Honeywell's
  /// parts (data sheet 900405, "Data output registers") and the S32_MIN of bmc150_magn.c, which would be −134 T.
  @Test(
    arguments: [
      ("lis3mdl", "le:s16/16>>0", 32767, true), ("lis3mdl", "le:s16/16>>0", -32768, true),
      ("lis3mdl", "le:s16/16>>0", 32766, false), ("lis3mdl", "le:s16/16>>0", -4096, false),
      ("rm3100", "be:s24/32>>8", 32767, false), ("hmc5883l", "be:s16/16>>0", -4096, true),
      ("bmc150_magn", "le:s32/32>>0", 32767, false), ("i2c-BMC150B:00", "le:s32/32>>0", -2_147_483_648, true),
      ("x", "le:u20/32>>0", 1_048_575, true), ("x", "", 32767, false),
    ])
  func saysThatAnAxisIsPastItsRange(_ name: String, _ type: String, _ count: Int, _ isPast: Bool) throws {
    let attributes = ["in_magn_scale": "0.000146", "scan_elements/in_magn_x_type": type]
    let measurement = try open(system(name, Self.raw(7, count, 9).merging(attributes) { $1 })).measure()
    #expect(measurement.saturated == isPast)
    #expect((measurement.field == nil) == [-4096, -2_147_483_648].contains(isPast ? count : 0))
  }

  /// ak8975.c answers EINVAL while a field is past the range.
  /// st_sensors_core.c up to Linux 7.0 reads the parts' words low byte first: 300, −200 and 40 counts of an LSM303DLHC,
  /// then a z past its range (F000), then numbers that might be either. A kernel that is right is left alone.
  @Test func readsNumbersWhoseBytesAreSwapped() throws {
    let scale = ["in_magn_x_scale": "0.001", "in_magn_y_scale": "0.001", "in_magn_z_scale": "0.001"]
    let system = system("lsm303dlhc_magn", Self.raw(0x2C01, 0x38FF, 0x2800).merging(scale) { $1 })
    let device = try open(system)
    func field() throws -> Vector3? { try device.measure().field?.microtesla }
    func show(_ x: Int, _ y: Int, _ z: Int) {
      for (attribute, text) in Self.raw(x, y, z) { system.write(text + "\n", to: "\(Self.device)/\(attribute)") }
    }
    #expect((try #require(try field()) - Vector3(30, -20, 4)).length < 1e-9)
    show(0x2C01, 0x38FF, 0x00F0)
    let past = try device.measure()
    #expect(past.saturated && past.field == nil)
    show(0x0001, 0x0002, 0x0003)
    #expect((try #require(try field()) - Vector3(25.6, 51.2, 76.8)).length < 1e-9)
    let right = try open(self.system("lsm303dlhc_magn", Self.raw(300, -200, 40).merging(scale) { $1 }))
    #expect((try #require(try right.measure().field?.microtesla) - Vector3(30, -20, 4)).length < 1e-9)
  }

  @Test func takesARefusalForAFieldPastTheRangeWhereTheDriverMeansThat() {
    let refusal = PortError.system(path: "in_magn_x_raw", SystemError("pread", code: EINVAL))
    #expect(IIOCalibration.isPast(refusal, driver: "ak8963"))
    #expect(!IIOCalibration.isPast(refusal, driver: "lis3mdl"))
    #expect(!IIOCalibration.isPast(.gone(path: "in_magn_x_raw"), driver: "ak8963"))
  }

  @Test(arguments: ["", "abc", "99999999999999999999999", "\u{0}"]) func refusesWhatIsNoNumber(_ text: String) throws {
    let system = system("x", Self.raw(1, 2, 3).merging(["in_magn_y_raw": text]) { $1 })
    let device = try open(system)
    #expect(throws: PortError.self) { try device.measure() }
  }

  @Test func tellsRates() throws {
    let list = system("x", Self.raw(0, 0, 0).merging(["sampling_frequency_available": "80 0.625 10"]) { $1 })
    #expect(try open(list).rates == [0.625, 10, 80])
    let range = system("x", Self.raw(0, 0, 0).merging(["sampling_frequency_available": "[0.5 0.5 100]"]) { $1 })
    #expect(try open(range).rates == [0.5, 100])
  }

  /// As the driver writes it: some take no decimals.
  @Test(arguments: [
    ("sampling_frequency", "1 10 20 40 80", 15.0, "20"), ("in_magn_sampling_frequency", "1.5 75 0.5", 2, "75"),
    ("sampling_frequency", "10 20", 500, "20"), ("sampling_frequency", "[0.5 0.5 100]", 7, "7"),
    ("sampling_frequency", "[0.5 0.5 100]", 1000, "100"),
  ])
  func setsARateAsTheDriverWritesItAndPutsItBack(
    _ name: String, _ offered: String, _ rate: Double, _ written: String
  ) throws {
    let system = system("x", Self.raw(0, 0, 0).merging([name: "1", name + "_available": offered]) { $1 })
    let path = "\(system.root)/\(Self.device)/\(name)"
    var device: IIODevice? = try open(system)
    try device?.set(rate: rate)
    #expect(smallText(path) == written)
    #expect(device?.rate == Double(written))
    device = nil
    #expect(smallText(path) == "1")
  }

  @Test(
    arguments: [
      ("le:s16/16>>0", [0x34, 0x12], 0x1234), ("le:s16/16>>0", [0xFF, 0xFF], -1), ("le:s12/16>>4", [0xF0, 0xFF], -1),
      ("be:s24/32>>8", [0xFF, 0xFF, 0xFE, 0x55], -2), ("be:u24/32>>8", [0x00, 0x01, 0x00, 0x55], 256),
      ("le:u20/32>>0", [0x00, 0x00, 0x08, 0xFF], 524_288),
      ("le:s64/64>>0", [0xFE, 255, 255, 255, 255, 255, 255, 255], -2),
    ] as [(String, [UInt8], Int64)])
  func decodesElements(_ text: String, _ bytes: [UInt8], _ value: Int64) throws {
    let type = try #require(IIOScanType(text))
    #expect(type.size == bytes.count)
    #expect(type.value(bytes[...]) == value)
  }

  @Test(arguments: [
    "", "le", "le:s16", "xx:s16/16>>0", "le:f32/32>>0", "le:s17/16>>0", "le:s16/16>>1", "le:s16/16X2>>0",
    "le:s0/16>>0", "le:s16/24>>0", "le:s-1/16>>0", "be:s16/16>>-1", "le:s16/999999999999999999999>>0",
  ])
  func refusesOtherTypes(_ text: String) { #expect(IIOScanType(text) == nil) }

  private static let scan = [
    "scan_elements/in_magn_x_en": "0", "scan_elements/in_magn_x_index": "0",
    "scan_elements/in_magn_x_type": "le:s16/16>>0", "scan_elements/in_magn_y_en": "0",
    "scan_elements/in_magn_y_index": "2", "scan_elements/in_magn_y_type": "le:s16/16>>0",
    "scan_elements/in_magn_z_en": "0", "scan_elements/in_magn_z_index": "1",
    "scan_elements/in_magn_z_type": "le:s16/16>>0", "scan_elements/in_timestamp_en": "0",
    "scan_elements/in_timestamp_index": "4", "scan_elements/in_timestamp_type": "le:s64/64>>0",
    "scan_elements/in_temp_en": "1", "scan_elements/in_temp_index": "3", "scan_elements/in_temp_type": "le:s16/16>>0",
    "buffer/enable": "0", "buffer/length": "0", "trigger/current_trigger": "", "in_magn_scale": "0.01",
  ]

  /// The hmc5843's buffer holds X, Z, Y; the time stamp begins at the next multiple of 8.
  @Test func readsABuffer() throws {
    let system = system("hmc5843", Self.raw(0, 0, 0).merging(Self.scan) { $1 })
    system.write("other\n", to: "sys/bus/iio/devices/trigger0/name")
    system.write("hmc5843-dev0\n", to: "sys/bus/iio/devices/trigger1/name")
    let device = try open(system)
    try device.startBuffer(in: system.roots)
    let folder = "\(system.root)/\(Self.device)"
    #expect(smallText(folder + "/buffer/enable") == "1")
    #expect(smallText(folder + "/trigger/current_trigger") == "hmc5843-dev0")
    #expect(smallText(folder + "/scan_elements/in_magn_y_en") == "1")
    #expect(smallText(folder + "/scan_elements/in_temp_en") == "0")
    #expect(device.descriptor != nil)
    let pipe = Glibc.open("\(system.root)/dev/iio:device0", O_WRONLY)
    defer { close(pipe) }
    #expect(try device.next() == nil)
    let frame: [UInt8] = [10, 0, 30, 0, 20, 0, 0xEE, 0xEE, 1, 2, 0, 0, 0, 0, 0, 0]
    _ = write(pipe, frame, 9)
    #expect(try device.next() == nil)
    _ = write(pipe, Array(frame[9...]), 7)
    let sample = try #require(try device.next())
    #expect((try #require(sample.measurement.field).microtesla - Vector3(10, 20, 30)).length < 1e-9)
    #expect(sample.nanoseconds == 513)
    #expect(try device.next() == nil)
  }

  @Test func putsABufferBackAsItWasFound() throws {
    let system = system("hmc5843", Self.raw(0, 0, 0).merging(Self.scan) { $1 })
    system.write("hmc5843-dev0\n", to: "sys/bus/iio/devices/trigger1/name")
    let names = Self.scan.keys.sorted()
    func state() -> [String] { names.map { smallText("\(system.root)/\(Self.device)/\($0)") ?? "?" } }
    let before = state()
    var device: IIODevice? = try open(system)
    try device?.startBuffer(in: system.roots)
    #expect(state() != before)
    device = nil
    #expect(state() == before)
  }

  /// A buffer that runs though nobody has its node open is what a killed program has left.
  @Test func takesOverABufferThatWasLeftRunning() throws {
    let running = Self.scan.merging(["buffer/enable": "1", "scan_elements/in_temp_en": "1"]) { $1 }
    let system = system("hmc5843", Self.raw(3, 2, 1).merging(running) { $1 })
    system.write("hmc5843-dev0\n", to: "sys/bus/iio/devices/trigger1/name")
    var device: IIODevice? = try open(system)
    try device?.startBuffer(in: system.roots)
    let folder = "\(system.root)/\(Self.device)"
    #expect(smallText(folder + "/buffer/enable") == "1" && smallText(folder + "/scan_elements/in_temp_en") == "0")
    device = nil
    #expect(smallText(folder + "/buffer/enable") == "0")
  }

  /// hmc5843 of Linux 6.1 has the rate beside the magnetometer's channels, and the list of rates beside the device's.
  @Test func findsARateAndItsListApart() throws {
    let system = system(
      "hmc5843",
      Self.raw(0, 0, 0).merging([
        "in_magn_sampling_frequency": "10.000000", "sampling_frequency_available": "0.5 1 2 5 10 20 50",
      ]) { $1 })
    let device = try open(system)
    #expect(device.rate == 10 && device.rates == [0.5, 1, 2, 5, 10, 20, 50])
    try device.set(rate: 15)
    #expect(smallText("\(system.root)/\(Self.device)/in_magn_sampling_frequency") == "20")
  }

  @Test func aForeignTriggersRateIsTheRate() throws {
    let scan = Self.scan.merging(["trigger/current_trigger": "timer", "sampling_frequency": "100"]) { $1 }
    let system = system("hmc5843", Self.raw(0, 0, 0).merging(scan) { $1 })
    system.write("timer\n", to: "sys/bus/iio/devices/trigger0/name")
    system.write("5\n", to: "sys/bus/iio/devices/trigger0/sampling_frequency")
    let device = try open(system)
    #expect(device.rate == 100)
    try device.startBuffer(in: system.roots)
    #expect(device.rate == 5)
    #expect(smallText("\(system.root)/\(Self.device)/trigger/current_trigger") == "timer")
  }

  @Test func tellsADeviceWithoutABuffer() throws {
    let device = try open(system("x", Self.raw(0, 0, 0)))
    #expect(throws: PortError.self) { try device.startBuffer() }
    #expect(try device.measure().field == MagneticField(microtesla: 0, 0, 0))
  }
}
