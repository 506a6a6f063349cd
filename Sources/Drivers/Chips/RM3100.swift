/// PNI RM3100: three coils, ±800 µT, the lowest noise of the chips here; slower the finer it counts.
/// Source: PNI user manual 1017252 r03, "Register map".
struct RM3100: SingleRangeChip {
  static let name = "rm3100"
  static let part = "PNI RM3100"
  static let addresses: [UInt8] = [0x20, 0x21, 0x22, 0x23]
  static let senses: Senses = .field
  static let registers = [
    Register(0x00, "POLL"), Register(0x01, "CMM"), Register(0x04, "CCX_MSB"), Register(0x05, "CCX_LSB"),
    Register(0x06, "CCY_MSB"), Register(0x07, "CCY_LSB"), Register(0x08, "CCZ_MSB"), Register(0x09, "CCZ_LSB"),
    Register(0x0B, "TMRC"), Register(0x33, "BIST"), Register(0x34, "STATUS"), Register(0x35, "HSHAKE"),
    Register(0x36, "REVID"),
  ]

  private static let identity = Identity(0x36, [0x22])
  private static let poll: UInt8 = 0x00
  private static let continuous: UInt8 = 0x01
  private static let cycleCounts: UInt8 = 0x04
  private static let updateRate: UInt8 = 0x0B
  private static let output: UInt8 = 0x24
  private static let builtInTest: UInt8 = 0x33
  private static let status: UInt8 = 0x34
  static let range = 800.0

  /// A rate with the cycle count that leaves time for three axes.
  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// TMRC.
    let code: UInt8
    let cycles: UInt8
    /// Gain at this cycle count, from the manual's table of cycle counts.
    let countsPerMicrotesla: Double
    /// The time to measure three axes at this cycle count, in seconds: the manual's single-axis rates divided by three.
    let duration: Double

    init(_ value: Double, _ code: UInt8, fine: Resolution = .fine) {
      self.value = value
      self.code = code
      (cycles, countsPerMicrotesla, duration) =
        switch fine {
        case .fine: (200, 75, 1 / 147.0)
        case .middle: (100, 38, 1 / 283.0)
        case .coarse: (50, 20, 1 / 533.0)
        }
    }

    enum Resolution { case fine, middle, coarse }
  }

  /// TMRC, and the rates that three axes reach where they are less than the timer's. One edition prints 0.015 Hz
  /// for 9E; the period beside it, 6.7 s, makes it 0.15.
  private static let rateTable = [
    Rate(0.075, 0x9F), Rate(0.15, 0x9E), Rate(0.3, 0x9D), Rate(0.6, 0x9C), Rate(1.2, 0x9B), Rate(2.3, 0x9A),
    Rate(4.5, 0x99), Rate(9, 0x98), Rate(18, 0x97), Rate(37, 0x96), Rate(75, 0x95), Rate(147, 0x94),
    Rate(283, 0x93, fine: .middle), Rate(533, 0x92, fine: .coarse),
  ]
  private static let compassRate = rateTable[10]

  let address: UInt8
  private var rate = compassRate

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// The timer halves 600 Hz with each code; the table rounds what that gives.
  var timing: Timing {
    let timer = Double(1 << Int(rate.code - 0x92)) / 600
    return Timing(period: max(timer, rate.duration), latency: rate.duration / 2)
  }

  /// REVID, and cycle counts that count: zeros are no working part.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
    let counts = try bus.get(cycleCounts, count: 6, at: address)
    guard (0..<3).allSatisfy({ (1...1000).contains(counts.uint16BE(2 * $0)) }) else {
      throw .implausible(chip: name, what: "cycle counts", read: counts.all)
    }
  }

  /// Stop, cycle counts, rate, start: a changed rate takes effect only when continuous mode is started again. The part
  /// has no reset: its own test, which one that broke off has left on, is turned off.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.compassRate)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.continuous, 0x00, at: address)
    try bus.put(Self.builtInTest, 0x00, at: address)
    let counts = [0, rate.cycles, 0, rate.cycles, 0, rate.cycles]
    try bus.send([Self.cycleCounts] + counts, at: address)
    let kept = try bus.get(Self.cycleCounts, count: 6, at: address).all
    for (offset, (written, read)) in zip(counts, kept).enumerated() where written != read {
      throw .notAccepted(
        chip: Self.name, register: Self.cycleCounts + UInt8(offset), written: written, read: read)
    }
    try bus.put(Self.updateRate, rate.code, at: address)
    try bus.put(Self.continuous, 0x71, at: address)
  }

  /// The chip flags no overflow: a field past the ±800 µT it is specified for is called saturated.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.status, at: address)[0] & 0x80 != 0 else { return nil }
    let bytes = try bus.get(Self.output, count: 9, at: address)
    let counts = Counts(bytes.int24BE(0), bytes.int24BE(3), bytes.int24BE(6))
    let limit = Int(Self.range * rate.countsPerMicrotesla)
    return counts.measurement(microteslaPerCount: 1 / rate.countsPerMicrotesla, within: -limit...limit)
  }

  /// "Built-in self test": each coil must oscillate (XOK, YOK, ZOK).
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.continuous, 0x00, at: address)
    try bus.put(Self.builtInTest, 0x8F, at: address)
    try bus.put(Self.poll, 0x70, at: address)
    try bus.wait(
      for: "data ready", in: Self.status, mask: 0x80, value: 0x80, every: 5, limit: 200, at: address, of: Self.name)
    let result = try bus.get(Self.builtInTest, at: address)[0]
    try bus.put(Self.builtInTest, 0x00, at: address)
    return SelfTest(
      zip(["x", "y", "z"], [4, 5, 6] as [UInt8]).map { axis, bit in
        SelfTest.Check("\(axis) oscillates", Double(result >> bit & 1), in: 1...1)
      })
  }
}
