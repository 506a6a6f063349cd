/// The common parts of Memsic's MMC5603 and MMC5983MA: a bridge that SET and RESET pulses restore, and the bits of
/// three control registers that cannot be read back. Where those lie, and the other registers, differ. Sources: Memsic
/// data sheets of both.
enum MMC5Family {
  /// The addresses of the control registers.
  struct Control {
    let control0: UInt8
    let control1: UInt8
    let control2: UInt8
  }

  /// AUTO_SR of CONTROL_0: each measurement is taken after SET and after RESET, which removes the bridge's offset.
  static let automaticSetReset: UInt8 = 0x20
  fileprivate static let set: UInt8 = 0x08
  fileprivate static let reset: UInt8 = 0x10
  /// SW_RST of CONTROL_1.
  fileprivate static let softwareReset: UInt8 = 0x80

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CONTROL_2 with CMM_EN.
    let control2: UInt8
    /// BW in CONTROL_1.
    let bandwidth: UInt8
    /// Duration of one measurement, in seconds.
    let duration: Double
    var timing: Timing { Timing(period: 1 / value, latency: duration / 2) }

    init(_ value: Double, control2: UInt8, bandwidth: UInt8, duration: Double) {
      self.value = value
      self.control2 = control2
      self.bandwidth = bandwidth
      self.duration = duration
    }
  }
}

extension MMC5Family {
  /// A chip of this kind. Its own are its registers, its rates, and how it is started and read.
  protocol Member: IdentifiedChip, SingleRangeChip {
    static var control: MMC5Family.Control { get }
    static var rateTable: [MMC5Family.Rate] { get }
    static var compassRate: MMC5Family.Rate { get }
    /// Milliseconds that a reset takes.
    static var resetTime: Double { get }
    /// The output rate that is set.
    var rate: MMC5Family.Rate { get set }
    /// Begins measuring at `rate`.
    func start(on bus: inout some I2CBus) throws(ChipError)
  }
}

extension MMC5Family.Member {
  static var senses: Senses { .field }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.compassRate)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control.control1, MMC5Family.softwareReset, at: address)
    bus.wait(milliseconds: Self.resetTime)
    try pulse(on: &bus)
    try start(on: &bus)
  }

  /// SET, then RESET: 375 ns each in the MMC5603, 500 ns in the MMC5983MA, 1 ms to settle. Published start-ups end
  /// with RESET.
  private func pulse(on bus: inout some I2CBus) throws(ChipError) {
    for direction in [MMC5Family.set, MMC5Family.reset] {
      try bus.put(Self.control.control0, direction, at: address)
      bus.wait(milliseconds: 1)
    }
  }
}
