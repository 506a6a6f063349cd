import Checks
import Lodestone

// A program with a sensor that Lodestone does not know: a source of its own, and a chip of its own on its own bus.

/// A sensor behind a library of one's own: it points east, level.
struct MyBoard: SampleSource {
  private var count = 0

  mutating func next(into sample: inout Sample) -> Bool {
    guard count < 50 else { return false }
    sample = Sample(
      time: Double(count) / 10, field: MagneticField(microtesla: -20, Double(count % 2) / 10, -43),
      acceleration: Acceleration(g: Vector3(0, 0, 1)))
    count += 1
    return true
  }
}

/// A magnetometer of one's own: 0.1 µT a count, a hundred times a second.
struct MyChip: Chip {
  static let name = "mychip", addresses: [UInt8] = [0x2A], senses = Senses.field
  let address: UInt8
  var timing: Timing { Timing(period: 0.01, latency: 0.005) }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try Identity(0x00, [0x42]).check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(0x01, 0x80, at: address)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try bus.get(0x02, count: 6, at: address).counts16LE(0).measurement(microteslaPerCount: 0.1)
  }
}

/// A bus of one's own, with that chip on it.
struct MyBus: I2CBus {
  private var count: UInt8 = 0

  func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) { try check(address) }

  func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try check(address)
    return [UInt8](repeating: 0, count: count)
  }

  mutating func write(_ bytes: [UInt8], thenRead length: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try check(address)
    count &+= 1
    return bytes == [0x00] ? [0x42] : [200, 0, count % 3, 0, 0, 254]
  }

  func wait(milliseconds: Double) {}

  private func check(_ address: UInt8) throws(BusError) {
    if address != 0x2A { throw .addressNotAcknowledged(address) }
  }
}

let compass = try CompassSession(source: MyBoard(), profile: .none)
var headings: [Double] = []
while let reading = try compass.next() { headings.append(reading.magneticHeading?.degrees ?? .nan) }
try check(headings.count == 50 && headings.allSatisfy { abs($0 - 90) < 1 }, "the board points east: \(headings)")

Chips.register(MyChip.self)
let device = try Device(source: ChipSource("mychip", on: MyBus()), profile: .none)
var samples: [Sample] = []
while samples.count < 20, let sample = try device.nextSample() { samples.append(sample) }
try check(
  samples.allSatisfy { $0.field?.microtesla.x == 20 }, "two hundred counts of a tenth of a microtesla: \(samples)")
print("\(headings.count) headings, \(samples.count) samples of \(device.stream.identity)")
