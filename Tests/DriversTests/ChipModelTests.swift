import LodestoneCore
import Drivers
import Support
import Testing

/// Drivers and models were written apart, from the same data sheets: here they meet.
@Suite("Chips on models") struct ChipModelTests {
  private static let field = Vector3(21.3, -4.7, -42.9)

  /// Runs a chip by `Sampling` alone for `duration` seconds; each transfer takes 0.6 ms.
  func run(
    _ chip: inout any Chip, _ bus: inout VirtualI2CBus, for duration: Double,
    _ body: (Double, Int, Measurement) -> Void
  ) throws {
    var now = 0.0
    var sampling = Sampling(of: chip, at: now)
    while now < duration {
      let wait = max(0, sampling.nextPoll - now) + 0.0006
      bus.advance(by: wait)
      now += wait
      let measurement = try chip.measure(on: &bus)
      if case .sample(let time, let missed, _) = sampling.take(measurement, at: now), let measurement {
        body(time, missed, measurement)
      }
    }
  }

  @Test("every rate delivers the field, at its rate, with nothing missed", arguments: ModelledChip.all)
  func everyRate(model: ModelledChip) throws {
    for rate in try chip(model.name, at: model.address).rates where rate >= 5 && rate <= 400 {
      var chip = try chip(model.name, at: model.address)
      let part = model.make()
      part.field = { _ in Self.field }
      var bus = VirtualI2CBus([model.address: part])
      try chip.configure(ChipSettings(rate: rate), on: &bus)
      var fields: [Vector3] = []
      var missed = 0
      try run(&chip, &bus, for: 2) { _, skipped, measurement in
        missed += skipped
        if let field = measurement.field { fields.append(field.microtesla) }
      }
      let expected = 2 / chip.timing.period
      #expect(Double(fields.count) > expected * 0.7 && Double(fields.count) < expected * 1.05, "\(rate) Hz")
      #expect(missed == 0, "\(rate) Hz")
      let mean = fields.reduce(Vector3.zero, +) / Double(max(1, fields.count))
      let tolerance = 0.1 + 2 * model.resolution * (rate > 250 ? 4 : 1)
      #expect((mean - Self.field).length < tolerance, "\(rate) Hz: \(mean)")
    }
  }

  @Test("every range delivers the field, and flags what is past it", arguments: ModelledChip.all)
  func everyRange(model: ModelledChip) throws {
    for range in try chip(model.name, at: model.address).fieldRanges {
      var chip = try chip(model.name, at: model.address)
      let part = model.make()
      part.field = { time in time < 1 ? Vector3(0.8 * range, -0.4 * range, 0.1 * range) : Vector3(0, 2 * range, 0) }
      var bus = VirtualI2CBus([model.address: part])
      try chip.configure(ChipSettings(fieldRange: range), on: &bus)
      var last: Measurement?
      try run(&chip, &bus, for: 0.6) { _, _, measurement in last = measurement }
      let field = try #require(last?.field?.microtesla)
      #expect((field - Vector3(0.8, -0.4, 0.1) * range).length < 0.003 * range, "±\(range) µT: \(field)")
      #expect(last?.saturated == false)
      try run(&chip, &bus, for: 1) { _, _, measurement in last = measurement }
      #expect(last?.saturated == true, "±\(range) µT")
    }
  }

  @Test("time stamps tell when the field was what it was", arguments: ModelledChip.all)
  func stamps(model: ModelledChip) throws {
    var chip = try chip(model.name, at: model.address)
    let part = model.make()
    part.noise = 0
    // A ramp of 100 µT/s: 1 ms is 0.1 µT.
    part.field = { Vector3(100 * $0 - 60, 20, -40) }
    var bus = VirtualI2CBus([model.address: part])
    try chip.configure(ChipSettings(), on: &bus)
    let start = part.time
    let latency = chip.timing.latency
    let period = chip.timing.period
    var count = 0
    try run(&chip, &bus, for: 1) { time, _, measurement in
      guard time > 0.3, let field = measurement.field else { return }
      count += 1
      // The models sample at the end of a conversion.
      let taken = (field.microtesla.x + 60) / 100 - start
      #expect(abs(time + latency - taken) < 0.35 * period + 0.005)
    }
    #expect(Double(count) > 0.6 * 0.7 / period, "\(count)")
  }

  @Test("self-tests leave the chip working", arguments: ModelledChip.all)
  func upkeep(model: ModelledChip) throws {
    var chip = try chip(model.name, at: model.address)
    let part = model.make()
    part.field = { _ in Self.field }
    var bus = VirtualI2CBus([model.address: part])
    try chip.configure(ChipSettings(), on: &bus)
    if let test = try chip.selfTest(on: &bus) { #expect(test.passed, "\(test)") }
    try chip.configure(ChipSettings(), on: &bus)
    var last: Measurement?
    try run(&chip, &bus, for: 0.5) { _, _, measurement in last = measurement }
    try expect(last?.field?.microtesla, near: Self.field, within: 0.3 + 2 * model.resolution)
  }

  @Test("a chip that loses its power is restored by configuring it again", arguments: ModelledChip.all)
  func powerLoss(model: ModelledChip) throws {
    var chip = try chip(model.name, at: model.address)
    let part = model.make()
    var bus = VirtualI2CBus([model.address: part])
    try chip.configure(ChipSettings(), on: &bus)
    part.powerOn()
    var count = 0
    try run(&chip, &bus, for: 0.5) { _, _, _ in count += 1 }
    #expect(count == 0)
    try chip.configure(ChipSettings(), on: &bus)
    try run(&chip, &bus, for: 0.5) { _, _, _ in count += 1 }
    #expect(count > 5)
  }

  @Test("the probe finds them all on one bus, and a motion sensor beside one")
  func probe() throws {
    var bus = VirtualI2CBus(
      Dictionary(uniqueKeysWithValues: ModelledChip.all.map { ($0.address, $0.make() as any VirtualChip) }))
    bus.chips[0x6A] = LSM6DSOXModel()
    let found = try Probe.chips(on: &bus).map { "\($0)" }
    #expect(
      found == [
        "bmm150@0x10", "lis3mdl@0x1c", "lsm303d@0x1d", "hmc5883l@0x1e", "fxos8700@0x1f", "rm3100@0x20", "mmc5603@0x30",
        "lsm6ds@0x6a",
      ])
  }

  @Test(
    "chips with both sensors read gravity beside the field, at every range", arguments: ["lsm303d", "fxos8700"])
  func gravity(name: String) throws {
    for range in [2.0, 4, 6, 8, 16] where name == "lsm303d" || [2, 4, 8].contains(range) {
      let model = try #require(ModelledChip.all.first { $0.name == name })
      let part = try #require(model.make() as? MotionChipModel)
      part.field = { _ in Self.field }
      part.acceleration = Vector3(-0.6, 0.3, 1.4)
      var chip = try chip(name, at: model.address)
      var bus = VirtualI2CBus([model.address: part])
      try chip.configure(ChipSettings(accelerationRange: range), on: &bus)
      var count = 0
      try run(&chip, &bus, for: 1) { _, _, measurement in
        count += 1
        #expect(((measurement.acceleration?.g ?? .zero) - Vector3(-0.6, 0.3, 1.4)).length < 0.002, "±\(range) g")
        #expect(((measurement.field?.microtesla ?? .zero) - Self.field).length < 0.5)
      }
      #expect(count > 30)
    }
  }

  @Test("the LSM6DSOX reads gravity and rotation at every range")
  func motion() throws {
    let part = LSM6DSOXModel()
    part.acceleration = { _ in Vector3(0.6, 0, 0.8) }
    part.rotationRate = { _ in Vector3(-30, 60, 90) }
    for (force, rotation) in zip([2.0, 4, 8, 16, 16], [125.0, 250, 500, 1000, 2000]) {
      var chip = try chip("lsm6ds", at: 0x6A)
      var bus = VirtualI2CBus([0x6A: part])
      try chip.configure(ChipSettings(accelerationRange: force, rotationRange: rotation), on: &bus)
      var last: Measurement?
      try run(&chip, &bus, for: 0.2) { _, _, measurement in last = measurement }
      try expect(last?.acceleration?.g, near: Vector3(0.6, 0, 0.8), within: 0.002)
      try expect(last?.rotationRate?.degreesPerSecond, near: Vector3(-30, 60, 90), within: 0.3)
      #expect(last?.temperature == 24)
    }
  }
}
