import LodestoneCore
import Drivers
import Support
import Testing

/// Rules for every chip of the registry, before its author has written a test.
@Suite("Every chip") struct ChipsTests {
  private static let registered: [String] = Chips.all.map { $0.name }

  @Test("that is declared is registered")
  func listing() throws {
    let declared = try DeclaredTypes.conforming(to: "Chip", below: "Sources/Drivers")
    #expect(declared == Chips.all.map { "\($0)" }.sorted())
  }

  @Test("has a fixture here")
  func fixtures() {
    #expect(ChipFixture.all.map { $0.name }.sorted() == Self.registered.sorted())
  }

  @Test("has a name of its own, and addresses that a chip can have")
  func names() {
    let all = Chips.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(all).count == all.count)
    for chip in Chips.all {
      #expect(chip.name == chip.name.lowercased())
      #expect(!chip.addresses.isEmpty)
      #expect(chip.addresses.allSatisfy { (0x08...0x77).contains($0) || [0x78, 0x7C].contains($0) })
      #expect(!chip.senses.isEmpty && !chip.registers.isEmpty)
      #expect(Chips.named(chip.name.uppercased())?.name == chip.name)
    }
    #expect(Chips.named("iis2mdc")?.name == "lis2mdl")
    #expect(Chips.named("LSM6DSO")?.name == "lsm6ds")
    #expect(Chips.named("nothing") == nil)
  }

  @Test("refuses a bus of zeros and a bus of ones, and writes nothing to it", arguments: registered)
  func deadBus(name: String) throws {
    for byte in [0x00, 0xFF] as [UInt8] {
      let part = try #require(Chips.named(name))
      for address in part.addresses {
        var chip = part.init(address: address)
        var bus = ConstantBus(byte: byte)
        var refusal: ChipError?
        do { try chip.configure(ChipSettings(), on: &bus) } catch { refusal = error }
        let error = try #require(refusal, "\(name) took \(byte) for a chip")
        if case .bus = error { Issue.record("\(name) blames the bus: \(error)") }
        // A BMM150 in suspend shows nothing before its power bit is written.
        if name != "bmm150" { #expect(bus.written.isEmpty) }
      }
    }
  }

  @Test("passes on an error of any transfer", arguments: ChipFixture.all)
  func busErrors(fixture: ChipFixture) throws {
    var count = 0
    _ = try run(fixture, failing: 0..<0, count: &count)
    for index in 0..<count {
      var seen = 0
      #expect(throws: ChipError.bus(.timeout), "transfer \(index)") {
        try run(fixture, failing: index..<index + 1, count: &seen)
      }
    }
  }

  /// Configures and measures; transfers of these numbers fail.
  private func run(_ fixture: ChipFixture, failing: Range<Int>, count: inout Int) throws {
    var chip = try chip(fixture.name, at: fixture.address)
    let model = fixture.make()
    var bus = FailingBus(VirtualI2CBus([fixture.address: model]), failing: failing)
    defer { count = bus.count }
    try chip.configure(ChipSettings(), on: &bus)
    model.show(fixture.ready)
    _ = try chip.measure(on: &bus)
    _ = try chip.temperature(on: &bus)
    _ = try chip.dump(on: &bus)
  }

  @Test("survives any bytes, and delivers finite numbers", arguments: ChipFixture.all)
  func anyBytes(fixture: ChipFixture) throws {
    var (chip, bus, _) = try running(fixture)
    bus.chips[fixture.address] = Noise()
    for _ in 0..<300 {
      guard let measurement = try chip.measure(on: &bus) else { continue }
      #expect(measurement.field?.microtesla.isFinite ?? true)
      #expect(measurement.acceleration?.g.isFinite ?? true)
      #expect(measurement.temperature?.isFinite ?? true)
    }
    for _ in 0..<30 {
      try? chip.configure(ChipSettings(), on: &bus)
      _ = try? chip.selfTest(on: &bus)
    }
  }

  /// All flags raised and counts of −1 on each axis; a chip that has died behind an adapter reads so, or as zeros.
  @Test("takes neither ones nor zeros for a measurement", arguments: ChipFixture.all, [UInt8(0xFF), 0x00])
  func deadLine(fixture: ChipFixture, byte: UInt8) throws {
    var (chip, bus, model) = try running(fixture)
    model.show(fixture.ready)
    _ = try chip.measure(on: &bus)
    var dead = ConstantBus(byte: byte)
    for _ in 0..<3 {
      let measurement = try? chip.measure(on: &dead)
      #expect(measurement == nil || measurement?.saturated == true, "\(String(describing: measurement))")
    }
  }

  @Test("refuses answers that are too short or too long", arguments: ChipFixture.all)
  func wrongCount(fixture: ChipFixture) throws {
    for change in [-1, 1] {
      var (chip, bus, model) = try running(fixture)
      model.show(fixture.ready)
      _ = try chip.measure(on: &bus)
      var cut = MiscountingBus(bus: bus, change: change)
      #expect(throws: ChipError.self) { try chip.measure(on: &cut) }
      #expect(throws: ChipError.self) { try chip.configure(ChipSettings(), on: &cut) }
    }
  }

  @Test("talks to its own address only", arguments: ChipFixture.all)
  func ownAddress(fixture: ChipFixture) throws {
    let (_, bus, _) = try running(fixture)
    for event in bus.events {
      switch event {
      case .start(let address, _, _), .repeatedStart(let address, _, _): #expect(address == fixture.address)
      default: break
      }
    }
  }

  /// A configured chip on its bus.
  private func running(
    _ fixture: ChipFixture, _ settings: ChipSettings = ChipSettings()
  ) throws -> (any Chip, VirtualI2CBus, any FixtureChip) {
    var chip = try chip(fixture.name, at: fixture.address)
    let model = fixture.make()
    var bus = VirtualI2CBus([fixture.address: model])
    try chip.configure(settings, on: &bus)
    return (chip, bus, model)
  }

  @Test("tells nothing from zero, and zero from too much", arguments: ChipFixture.all)
  func readings(fixture: ChipFixture) throws {
    var (chip, bus, model) = try running(fixture)
    model.show(fixture.idle)
    model.rest()
    model.show(fixture.idle)
    #expect(try chip.measure(on: &bus) == nil)
    #expect(try chip.measure(on: &bus) == nil)

    (chip, bus, model) = try running(fixture)
    model.show(fixture.ready)
    let zero = try #require(try chip.measure(on: &bus) ?? chip.measure(on: &bus))
    let senses = type(of: chip).senses
    #expect(!zero.saturated)
    #expect((zero.field != nil) == senses.contains(.field))
    #expect((zero.acceleration != nil) == senses.contains(.acceleration))
    #expect((zero.rotationRate != nil) == senses.contains(.rotationRate))
    if let field = zero.field { #expect(field.strength < 3) }

    #expect((fixture.saturated != nil) == senses.contains(.field))
    if let saturated = fixture.saturated {
      (chip, bus, model) = try running(fixture)
      model.show(saturated)
      let measurement = try #require(try chip.measure(on: &bus) ?? chip.measure(on: &bus))
      #expect(measurement.saturated)
    }
  }

  @Test("offers ascending ranges and rates, takes each, and refuses more", arguments: ChipFixture.all)
  func settings(fixture: ChipFixture) throws {
    let (chip, _, _) = try running(fixture)
    #expect(chip.rates == chip.rates.sorted() && !chip.rates.isEmpty)
    #expect(chip.fieldRanges == chip.fieldRanges.sorted())
    #expect(chip.fieldRanges.isEmpty == !type(of: chip).senses.contains(.field))
    for rate in chip.rates {
      let (set, _, _) = try running(fixture, ChipSettings(rate: rate))
      #expect(set.timing.period > 0 && set.timing.period.isFinite)
      #expect(set.timing.latency >= 0 && set.timing.latency <= max(set.timing.period, 0.02))
    }
    for range in chip.fieldRanges {
      let (set, _, _) = try running(fixture, ChipSettings(fieldRange: range))
      #expect(set.fieldRange == range)
    }
    for asked in [(chip.rates.last ?? 0) * 1.01, -1, 0, .infinity] {
      #expect(throws: ChipError.notOffered(chip: fixture.name, setting: .rate, asked: asked, offered: chip.rates)) {
        try running(fixture, ChipSettings(rate: asked))
      }
    }
    #expect(throws: ChipError.self) { try running(fixture, ChipSettings(rate: .nan)) }
  }

  /// A transfer over a slow bridge takes up to 4 ms: set up in 0.3 s besides the data sheet's own waits.
  @Test("is set up with few transfers", arguments: ChipFixture.all)
  func transfers(fixture: ChipFixture) throws {
    var chip = try chip(fixture.name, at: fixture.address)
    var bus = FailingBus(VirtualI2CBus([fixture.address: fixture.make()]), failing: 0..<0)
    try chip.configure(ChipSettings(), on: &bus)
    #expect(bus.count <= 60)
  }

  @Test("shows its registers", arguments: ChipFixture.all)
  func dump(fixture: ChipFixture) throws {
    var (chip, bus, _) = try running(fixture)
    let values = try chip.dump(on: &bus)
    #expect(values.map { $0.register } == type(of: chip).registers)
    #expect(values.allSatisfy { (1...2).contains($0.bytes.count) })
    _ = chip
  }
}

/// Acknowledges everything and reads the same byte everywhere.
private struct ConstantBus: I2CBus {
  let byte: UInt8
  /// Writes of more than the one byte that only names a register.
  var written: [[UInt8]] = []

  init(byte: UInt8) { self.byte = byte }

  mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    if bytes.count > 1 { written.append(bytes) }
  }
  func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] { [UInt8](repeating: byte, count: count) }
  mutating func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try write(bytes, to: address)
    return try read(count, from: address)
  }
  func wait(milliseconds: Double) {}
}

/// Takes everything and says anything, the same in every run.
private final class Noise: VirtualChip {
  private var state: UInt64 = 0x2545_F491_4F6C_DD1D

  func write(_ bytes: [UInt8]) -> Int { bytes.count }
  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
  }
}

/// Delivers more or fewer bytes than were asked for.
private struct MiscountingBus: I2CBus {
  let bus: VirtualI2CBus
  let change: Int

  func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) { try bus.write(bytes, to: address) }
  func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try bus.read(count + change, from: address)
  }
  func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try bus.write(bytes, thenRead: count + change, at: address)
  }
  func wait(milliseconds: Double) { bus.wait(milliseconds: milliseconds) }
}
