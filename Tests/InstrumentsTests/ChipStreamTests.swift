import Glibc
import LodestoneCore
import Drivers
import LodestonePorts
import Support
import Testing

@testable import Instruments

@Suite(.waiting) struct ChipStreamTests {
  /// A dip of the supply that the magnetometer survives: by its data sheet an LSM6DSOX is powered down after power-on
  /// (CTRL1_XL 00), acknowledges, and never has anything ready.
  @Test func anAccelerometerThatLostItsPowerIsSetUpAgain() throws {
    let motion = LSM6DSOXModel()
    let start = MonotonicTime.now
    let bus = VirtualI2CBus([0x1C: LIS3MDLModel(), 0x6A: motion]) { MonotonicTime.now - start }
    let source = try ChipSource("lis3mdl", on: bus)
    func hasForce() throws -> Bool {
      var sample = Sample(time: 0)
      let isThere = try source.next(into: &sample)
      try #require(isThere)
      return sample.acceleration != nil
    }
    #expect(try (0..<100).contains { _ in try hasForce() })
    motion.powerOn()
    #expect(try (0..<100).contains { _ in try !hasForce() })
    #expect(try (0..<400).contains { _ in try hasForce() })
  }

  /// A dip of the supply takes a chip's range away. An HMC5883L then measures once by itself, at ±1.3 G, and says from
  /// then on that it is ready: at the gain of ±8.1 G its counts would be 4.7 times the field. The chip is set up again,
  /// and what was missed is told.
  @Test(arguments: ModelledChip.all)
  func aMagnetometerThatLostItsPowerIsNotReadWithItsOldRange(part: ModelledChip) throws {
    let model = part.make()
    model.field = { _ in Vector3(20, -5, -43) }
    let start = MonotonicTime.now
    let bus = VirtualI2CBus([part.address: model]) { MonotonicTime.now - start }
    let range = try #require(Chips.named(part.name)).init(address: part.address).fieldRanges.last
    let source = try ChipSource(part.name, on: bus, settings: ChipSettings(fieldRange: range))
    func samples() throws -> [Sample] {
      try (0..<20).map { _ in
        var sample = Sample(time: 0)
        let isThere = try source.next(into: &sample)
        try #require(isThere)
        return sample
      }
    }
    _ = try samples()
    model.powerOn()
    let after = try samples()
    for field in after.compactMap({ $0.field?.microtesla }) { #expect((field - Vector3(20, -5, -43)).length < 1.5) }
    #expect(after.contains { $0.flags.contains(.gap) })
  }

  /// A transfer fails while the range is changed. The chip measures on with the old one, at which the counts of the new
  /// one would be half of the field or twice. On a slow bus it has one more of those ready when the next try is over.
  @Test(arguments: ModelledChip.all.filter { ["lis3mdl", "lsm303d", "hmc5883l"].contains($0.name) }, [0, 2, 5, 8, 11])
  func aRangeThatIsNotSetIsNotCountedWith(part: ModelledChip, transfer: Int) throws {
    let driver = try #require(Chips.named(part.name))
    let ranges = driver.init(address: part.address).fieldRanges
    let (finest, field) = (try #require(ranges.first), Vector3(20, -5, -43))
    let model = part.make()
    model.field = { _ in field }
    let start = MonotonicTime.now
    let bus = RefusingBus(VirtualI2CBus([part.address: model]) { MonotonicTime.now - start })
    bus.pause = 3000
    var request = ChipRequest(driver, ChipSettings(fieldRange: finest))
    request.autoRange = true
    let stream = try ChipStream(OneBus(bus), request, reconnects: true)
    func samples(_ count: Int) throws -> [Sample] {
      var (samples, poller): ([Sample], Poller) = ([], Poller())
      while samples.count < count {
        switch try stream.next() {
        case .sample(let sample): samples.append(sample)
        case .waiting: try poller.wait(until: stream.wakeTime)
        default: break
        }
      }
      return samples
    }
    _ = try samples(3)
    let strong = Vector3(0.95 * finest, -5, -43)
    model.field = { _ in strong }
    bus.refuse(transfer, from: part.name == "hmc5883l" ? 0x0A : 0x0F)
    let after = try samples(12)
    for measured in after.compactMap({ $0.field?.microtesla }) {
      #expect((measured - field).length < 3 || (measured - strong).length < 3, "\(measured)")
    }
    #expect(after.contains { $0.flags.contains(.rangeChanged) })
  }

  /// Adafruit's NXP 9-DoF board, on which the gyroscope stands by after power-on.
  @Test func anFXOS8700IsReadWithTheGyroscopeBesideIt() throws {
    let (six, gyroscope) = (FXOS8700Model(), FXAS21002CModel())
    six.field = { _ in Vector3(20, -5, -43) }
    gyroscope.rotationRate = Vector3(-30, 60, 90)
    let start = MonotonicTime.now
    let bus = VirtualI2CBus([0x1F: six, 0x21: gyroscope]) { MonotonicTime.now - start }
    let source = try ChipSource("fxos8700", on: bus)
    var sample = Sample(time: 0)
    for _ in 0..<20 {
      let isThere = try source.next(into: &sample)
      try #require(isThere)
    }
    let rate = try #require(sample.rotationRate?.degreesPerSecond)
    #expect((rate - Vector3(-30, 60, 90)).length < 0.1)
    #expect(sample.acceleration != nil && sample.field != nil)
    // A dip of the supply that the other part survives.
    gyroscope.powerOn()
    func hasRate() throws -> Bool {
      let isThere = try source.next(into: &sample)
      try #require(isThere)
      return sample.rotationRate != nil
    }
    #expect(try (0..<100).contains { _ in try !hasRate() })
    #expect(try (0..<400).contains { _ in try hasRate() })
  }

  /// MPU-9150: WHO_AM_I of an MPU-6050, an AK8975 behind its bypass, whose axes are turned into those of the
  /// accelerometer.
  @Test func anMPU9150IsReadWithItsMagnetometer() throws {
    let host = MPU9250Model(identity: 0x68)
    host.acceleration = Vector3(0, 0, 1)
    host.rotationRate = Vector3(10, 0, -20)
    let magnetometer = AKMModel(.ak8975) { host.isOpen }
    magnetometer.field = { _ in Vector3(-5, 20, 43) }
    let start = MonotonicTime.now
    let bus = VirtualI2CBus([0x68: host, 0x0C: magnetometer]) { MonotonicTime.now - start }
    let source = try ChipSource("mpu9150", on: bus)
    var sample = Sample(time: 0)
    for _ in 0..<10 {
      let isThere = try source.next(into: &sample)
      try #require(isThere)
    }
    let field = try #require(sample.field?.microtesla)
    #expect((field - Vector3(20, -5, -43)).length < 0.6)
    #expect(sample.acceleration != nil && sample.rotationRate != nil)
  }
}

/// One bus, always the same.
private final class OneBus: ChipLink {
  let name = "bus"
  var identity: String { name }
  private let bus: any I2CBus

  init(_ bus: any I2CBus) { self.bus = bus }

  func open(resetting: Bool) -> any I2CBus { bus }
}

/// Refuses one transfer of a set-up.
private final class RefusingBus: I2CBus {
  /// Microseconds that a transfer takes.
  var pause: UInt32 = 0
  private let bus: VirtualI2CBus
  private var first: UInt8?
  private var left: Int?

  init(_ bus: VirtualI2CBus) { self.bus = bus }

  /// The transfer to refuse, counted from the next read of this register, the identity, on.
  func refuse(_ transfer: Int, from register: UInt8) { (first, left) = (register, transfer) }

  private func step(_ bytes: [UInt8], _ address: UInt8) throws(BusError) {
    usleep(pause)
    guard let left, first == nil || bytes == first.map({ [$0] }) else { return }
    first = nil
    self.left = left > 0 ? left - 1 : nil
    if left == 0 { throw .addressNotAcknowledged(address) }
  }

  func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try step(bytes, address)
    try bus.write(bytes, to: address)
  }
  func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try step([], address)
    return try bus.read(count, from: address)
  }
  func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try step(bytes, address)
    return try bus.write(bytes, thenRead: count, at: address)
  }
  func wait(milliseconds: Double) { bus.wait(milliseconds: milliseconds) }
}
