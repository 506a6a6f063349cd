import LodestoneCore
import Drivers
import Glibc
import LodestonePorts
import Support
import Testing

@testable import Instruments

/// A kernel's magnetometer made of plain files: without a buffer, read one by one.
@Suite(.waiting) struct ChipIIOTests {
  /// Makes the attributes of the first device below a folder.
  private func attributes(_ values: [String: String], in folder: String) throws -> SystemRoots {
    let device = "\(folder)/sys/bus/iio/devices/iio:device0"
    for (name, text) in values {
      let file = "\(device)/\(name)"
      var path = ""
      for part in file.split(separator: "/").dropLast() {
        path += "/\(part)"
        mkdir(path, 0o700)
      }
      try CommandRun.write(text + "\n", to: file)
    }
    return SystemRoots(sys: "\(folder)/sys", dev: "\(folder)/dev", proc: "\(folder)/proc")
  }

  private static let values = [
    "name": "lis3mdl", "in_magn_x_raw": "1260", "in_magn_y_raw": "767", "in_magn_z_raw": "-2938",
    "in_magn_scale": "0.000146", "sampling_frequency": "1000",
  ]

  @Test func readsTheFieldAtTheDevicesRate() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values, in: folder)
      let listing = try #require(listIIODevices(in: roots).first)
      let stream = try IIOStream(listing, rate: nil, reconnects: true)
      #expect(stream.identity == "iio-lis3mdl")
      var samples: [Sample] = []
      var notices = 0
      while samples.count < 5 {
        switch try stream.next() {
        case .sample(let sample): samples.append(sample)
        case .notice: notices += 1
        default: break
        }
      }
      #expect(notices == 1)
      // st_magn at ±4 gauss: 146 microgauss a count.
      let field = try #require(samples.last?.field?.microtesla)
      #expect((field - Vector3(18.396, 11.1982, -42.8948)).length < 1e-9)
      for (one, next) in zip(samples, samples.dropFirst()) { #expect(next.time >= one.time) }
    }
  }

  /// Turns a stream until it has brought so many samples; how often it let others have a turn, and what it said.
  private func run(
    _ stream: IIOStream, samples wanted: Int
  ) throws -> (waits: Int, notices: [StreamNotice], last: Sample?) {
    var (samples, waits) = (0, 0)
    var notices: [StreamNotice] = []
    var last: Sample?
    while samples < wanted {
      switch try stream.next() {
      case .sample(let sample): (samples, last) = (samples + 1, sample)
      case .notice(let notice): notices.append(notice)
      case .waiting: waits += 1
      default: break
      }
    }
    return (waits, notices, last)
  }

  /// Without a turn for others in between, nothing would be written and no signal be seen.
  @Test func aDriverThatIsSlowerThanItsRateLetsOthersHaveATurn() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values.merging(["sampling_frequency": "100000"]) { $1 }, in: folder)
      let stream = try IIOStream(try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true)
      #expect(try run(stream, samples: 5).waits >= 4)
    }
  }

  /// Drivers of sensors behind HID tell a rate of 0 until one is set, and some take none: that is no rate to wait for.
  @Test func aRateOfZeroIsNone() throws {
    try TemporaryFolder.with { folder in
      let zero = ["sampling_frequency": "0", "sampling_frequency_available": "0"]
      let roots = try attributes(Self.values.merging(zero) { $1 }, in: folder)
      let listing = try #require(listIIODevices(in: roots).first)
      #expect(listing.rate == nil)
      let notices = try run(IIOStream(listing, rate: nil, reconnects: true), samples: 3).notices
      guard case .chipsFound(_, magnetometer: _, motion: _, let rate?) = notices.first else {
        Issue.record("announced \(notices)")
        return
      }
      #expect(rate > 0 && rate <= 20)
    }
  }

  /// A compass at one reading a second is none; what is announced is what comes.
  @Test func aSlowRateIsRaisedAndAnnounced() throws {
    try TemporaryFolder.with { folder in
      let values = ["sampling_frequency": "1", "sampling_frequency_available": "1 10 25 100"]
      let roots = try attributes(Self.values.merging(values) { $1 }, in: folder)
      var stream: IIOStream? = try IIOStream(
        try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true)
      let notices = try run(try #require(stream), samples: 1).notices
      guard case .chipsFound("iio:lis3mdl", magnetometer: "lis3mdl", motion: nil, let rate?) = notices.first else {
        Issue.record("announced \(notices)")
        return
      }
      // What a machine reads that is busy with other things may be less.
      #expect(notices.count == 1 && rate > 0 && rate <= 20)
      #expect(listIIODevices(in: roots).first?.rate == 100)
      stream = nil
      #expect(listIIODevices(in: roots).first?.rate == 1)
    }
  }

  /// Further files of a buffered device: its axes, and one that is not asked for.
  private static let buffer: [String: String] = {
    var values = ["buffer/enable": "0", "buffer/length": "0", "trigger/current_trigger": ""]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      let name = "scan_elements/in_magn_\(axis)"
      values.merge([name + "_en": "0", name + "_index": "\(index)", name + "_type": "le:s16/16>>0"]) { $1 }
    }
    return Self.values.merging(values) { $1 }
  }()

  /// A stream through a buffer whose trigger somebody has chosen, and the other end of it: one frame has come.
  private func bufferedStream(in folder: String) throws -> (stream: IIOStream, frames: Int32) {
    let roots = try attributes(Self.buffer.merging(["trigger/current_trigger": "timer"]) { $1 }, in: folder)
    _ = try attributes(["../trigger0/name": "timer", "../trigger0/sampling_frequency": "5"], in: folder)
    mkdir("\(folder)/dev", 0o700)
    let node = "\(folder)/dev/iio:device0"
    mkfifo(node, 0o600)
    let stream = try IIOStream(try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true, in: roots)
    let frames = open(node, O_WRONLY)
    #expect(write(frames, [10, 0, 20, 0, 30, 0] as [UInt8], 6) == 6)
    return (stream, frames)
  }

  /// A trigger that was chosen before us keeps its pace, whatever the device's own rate says.
  @Test func aForeignTriggersPaceIsAnnounced() throws {
    try TemporaryFolder.with { folder in
      let (stream, frames) = try bufferedStream(in: folder)
      defer { close(frames) }
      let notices = try run(stream, samples: 1).notices
      #expect(notices == [.chipsFound("iio:lis3mdl", magnetometer: "lis3mdl", motion: nil, rate: 5)])
    }
  }

  /// A buffer that nothing comes through any more is given up for single readings, and what was missed is told.
  @Test func aBufferThatFallsSilentLeavesAGap() throws {
    try TemporaryFolder.with { folder in
      let (stream, frames) = try bufferedStream(in: folder)
      defer { close(frames) }
      #expect(try run(stream, samples: 1).notices.count == 1)
      let (_, notices, single) = try run(stream, samples: 1)
      #expect(single?.flags == .gap)
      guard case .gap(let seconds)? = notices.first, notices.count == 1 else {
        Issue.record("told \(notices)")
        return
      }
      #expect(seconds > 1.9)
    }
  }

  /// A program that was stopped, or slept with its machine, gives up no buffer for that: it reads on, and tells the
  /// gap.
  @Test func aBufferIsKeptOverAStop() throws {
    try TemporaryFolder.with { folder in
      let (stream, frames) = try bufferedStream(in: folder)
      defer { close(frames) }
      _ = try run(stream, samples: 1)
      usleep(4_500_000)  // the length of the stop is what is measured
      guard case .waiting = try stream.next() else {
        Issue.record("the buffer was given up")
        return
      }
      #expect(write(frames, [11, 0, 20, 0, 30, 0] as [UInt8], 6) == 6)
      let (_, notices, next) = try run(stream, samples: 1)
      #expect(next?.flags == .gap && stream.descriptor != nil)
      guard case .gap(let seconds)? = notices.first, notices.count == 1 else {
        Issue.record("told \(notices)")
        return
      }
      #expect(seconds > 4)
    }
  }

  /// The accelerometer is another device of the kernel on most boards: it is read beside the field, by its own mount
  /// matrix.
  @Test func theAccelerometerOfAnotherDeviceIsRead() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values, in: folder)
      let other = [
        "name": "bma253", "in_accel_x_raw": "0", "in_accel_y_raw": "-1000", "in_accel_z_raw": "0",
        "in_accel_scale": "0.00980665", "mount_matrix": "1, 0, 0; 0, 0, 1; 0, -1, 0",
      ]
      _ = try attributes(Dictionary(uniqueKeysWithValues: other.map { ("../iio:device1/\($0)", $1) }), in: folder)
      let listing = try #require(listIIODevices(in: roots).first)
      let stream = try IIOStream(listing, rate: nil, reconnects: true, in: roots)
      let (_, notices, sample) = try run(stream, samples: 1)
      let force = try #require(sample?.acceleration?.g)
      #expect((force - Vector3(0, 0, 1)).length < 1e-9)
      guard case .chipsFound("iio:lis3mdl", magnetometer: "lis3mdl", motion: "bma253"?, _) = notices.first else {
        Issue.record("announced \(notices)")
        return
      }
    }
  }

  /// A gyroscope as another device: HID's `gyro_3d` or a piece of the accelerometer's part.
  private static func gyroscope(_ number: Int, named name: String) -> [String: String] {
    // 500, −250 and 100 counts of 0.001 rad/s; the mount matrix makes (x, z, −y) of (x, y, z).
    let own = [
      "name": name, "in_anglvel_x_raw": "500", "in_anglvel_y_raw": "-250", "in_anglvel_z_raw": "100",
      "in_anglvel_scale": "0.001", "in_anglvel_mount_matrix": "1, 0, 0; 0, 0, 1; 0, -1, 0",
    ]
    return Dictionary(uniqueKeysWithValues: own.map { ("../iio:device\(number)/\($0)", $1) })
  }

  private static let turning = Vector3(0.5, 0.1, 0.25) * (180 / .pi)

  @Test(arguments: [(1, "bmi160", "bmi160"), (2, "gyro_3d", "bmi160 and gyro_3d")])
  func theGyroscopeOfAnotherDeviceIsRead(number: Int, name: String, announced: String) throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values, in: folder)
      let force = [
        "name": "bmi160", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "1000",
        "in_accel_scale": "0.00980665",
      ]
      _ = try attributes(Dictionary(uniqueKeysWithValues: force.map { ("../iio:device1/\($0)", $1) }), in: folder)
      _ = try attributes(Self.gyroscope(number, named: name), in: folder)
      let listing = try #require(listIIODevices(in: roots).first)
      let stream = try IIOStream(listing, rate: 50, reconnects: true, in: roots)
      let (_, notices, first) = try run(stream, samples: 1)
      var sample = first
      // A machine that is busy with other things may be too slow for a rate now and then.
      for _ in 0..<200 where sample?.rotationRate == nil { sample = try run(stream, samples: 1).last }
      let rate = try #require(sample?.rotationRate?.degreesPerSecond)
      #expect((rate - Self.turning).length < 1e-9)
      #expect(sample?.acceleration?.g == Vector3(0, 0, 1) && sample?.field != nil)
      guard case .chipsFound("iio:lis3mdl", magnetometer: "lis3mdl", let motion, _) = notices.first else {
        Issue.record("announced \(notices)")
        return
      }
      #expect(motion == announced)
      let listed = try #require(DeviceListing.kernelDevices(roots).first)
      #expect(listed.sensors == ["field", "acceleration", "rotation"])
    }
  }

  /// By fewer rates than 25 a second a hand's turns are not followed: a rate that is asked for is not raised for them.
  @Test func aSlowStreamIsReadWithoutAGyroscope() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values.merging(Self.gyroscope(1, named: "gyro_3d")) { $1 }, in: folder)
      let stream = try IIOStream(
        try #require(listIIODevices(in: roots).first), rate: 5, reconnects: true, in: roots)
      let (_, notices, sample) = try run(stream, samples: 3)
      #expect(sample?.field != nil && sample?.rotationRate == nil)
      guard case .chipsFound(_, magnetometer: _, motion: nil, _) = notices.first else {
        Issue.record("announced \(notices)")
        return
      }
    }
  }

  /// A number that cannot be read costs its own quantity and no other.
  @Test func aGyroscopeThatCannotBeReadTakesNothingElse() throws {
    try TemporaryFolder.with { folder in
      var values = Self.values.merging(Self.gyroscope(1, named: "gyro_3d")) { $1 }
      values["../iio:device1/in_anglvel_y_raw"] = "none"
      let roots = try attributes(values, in: folder)
      let stream = try IIOStream(
        try #require(listIIODevices(in: roots).first), rate: 50, reconnects: true, in: roots)
      let (_, notices, sample) = try run(stream, samples: 5)
      #expect(sample?.field != nil && sample?.rotationRate == nil && notices.count == 1)
    }
  }

  /// A device whose readings take `seconds` each, asked at every field; the share of fields that had a rate, and how
  /// often it was read.
  private func rates(
    taking seconds: Double, every period: Double, paced: Bool, fields: Int = 40
  ) throws -> (with: Int, read: Int) {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values.merging(Self.gyroscope(1, named: "gyro_3d")) { $1 }, in: folder)
      let magnetometer = try #require(listIIODevices(in: roots).first)
      let gyroscope = try #require(IIONeighbour(.gyroscope, beside: magnetometer, in: roots))
      var (now, calls, with, read) = (0.0, 0, 0, 0)
      for index in 0..<fields {
        now = max(now, Double(index) * period)
        calls = 0
        let measured = try gyroscope.measurement(at: now, room: paced ? period : nil) {
          defer { (calls, now) = (calls + 1, now + (calls == 0 ? seconds : 0)) }
          return now
        }
        if calls > 1 { read += 1 } else { now -= seconds }
        if measured?.rotationRate != nil { with += 1 }
      }
      return (with, read)
    }
  }

  /// 25 fields a second leave 40 ms: a driver that takes 5 ms is read at each, one that takes 80 is tried and left.
  @Test func aGyroscopeIsReadWhereThereIsTime() throws {
    #expect(try rates(taking: 0.005, every: 0.04, paced: true) == (40, 40))
    #expect(try rates(taking: 0.08, every: 0.04, paced: true) == (0, 3))
    // Of twenty fields a second the first alone has a rate: nobody knows by then how often they come.
    #expect(try rates(taking: 0.005, every: 0.05, paced: true).with == 1)
    // A rate is of its moment: one that takes 60 ms is none of the field's.
    #expect(try rates(taking: 0.06, every: 0.1, paced: true).with == 0)
    // Through a buffer that brings a hundred fields a second, a quarter of the time goes into it.
    let buffered = try rates(taking: 0.006, every: 0.01, paced: false, fields: 120)
    #expect(buffered.read <= 50 && buffered.with >= 35)
  }

  /// At rest a force is 1 g long; 5 m/s² is what a part with twice the range says in the counts of its smaller sister.
  @Test(arguments: [("5", true), ("9.7", false)]) func aForceThatIsNotGravityIsTold(z: String, isTold: Bool) throws {
    try TemporaryFolder.with { folder in
      let force = ["in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "1", "in_accel_scale": z]
      let roots = try attributes(Self.values.merging(force) { $1 }, in: folder)
      let stream = try IIOStream(try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true)
      var told: [Double] = []
      var time = 0.0
      while time < 2.5 || isTold && told.isEmpty && time < 60 {
        switch try stream.next() {
        case .sample(let sample): time = sample.time
        case .notice(let notice): if case .oddGravity(_, let length) = notice { told.append(length) }
        default: break
        }
      }
      #expect(told.count == (isTold ? 1 : 0))
      #expect(told.allSatisfy { abs($0 - 5 / 9.80665) < 1e-9 })
    }
  }

  /// hmc5843.c hands out the code by which the part says that an axis is past its range.
  @Test func aFieldPastTheRangeIsFlagged() throws {
    try TemporaryFolder.with { folder in
      let values = ["name": "hmc5883l", "in_magn_y_raw": "-4096", "in_magn_scale": "0.000009174"]
      let roots = try attributes(Self.values.merging(values) { $1 }, in: folder)
      let stream = try IIOStream(try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true)
      #expect(try run(stream, samples: 1).last?.flags == .saturated)
    }
  }

  @Test(arguments: [("0.0000000001", 1), ("0.000146", 0), ("40", 1)])
  func aFieldThatNothingHasIsSaidOnce(scale: String, count: Int) throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(Self.values.merging(["in_magn_scale": scale]) { $1 }, in: folder)
      let stream = try IIOStream(try #require(listIIODevices(in: roots).first), rate: nil, reconnects: true)
      let notices = try run(stream, samples: 4).notices
      #expect(notices.count { if case .implausibleField = $0 { true } else { false } } == count)
    }
  }

  @Test func aDeviceWithoutThreeAxesIsNone() throws {
    try TemporaryFolder.with { folder in
      let roots = try attributes(["name": "x", "in_magn_x_raw": "1"], in: folder)
      #expect(listIIODevices(in: roots).isEmpty)
    }
  }
}
