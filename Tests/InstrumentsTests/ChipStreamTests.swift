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
