import LodestoneCore
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
}
