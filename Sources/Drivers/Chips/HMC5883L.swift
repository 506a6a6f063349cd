import LodestoneCore

/// Honeywell HMC5883L: three axes, ±0.88 to ±8.1 gauss, 75 samples a second.
/// Source: Honeywell data sheet 900405. The HMC5983 has the same registers, gains and identity. The HMC5843 answers
/// with the same identity but has other gains and sends x, y, z in order: the identity cannot tell them apart.
struct HMC5883L: HMC5883Family.Member {
  static let name = "hmc5883l"
  static let aliases = ["hmc5983"]
  static let part = "Honeywell HMC5883L or HMC5983"
  static let addresses: [UInt8] = [0x1E]

  /// Table 9, gain settings: the same gain for the three axes. One published driver lists 220 for the last row; the
  /// data sheet and the Linux driver give 230.
  static let ranges = [
    HMC5883Family.Range(88, gain: 0x00, countsPerGauss: 1370),
    HMC5883Family.Range(130, gain: 0x20, countsPerGauss: 1090),
    HMC5883Family.Range(190, gain: 0x40, countsPerGauss: 820),
    HMC5883Family.Range(250, gain: 0x60, countsPerGauss: 660),
    HMC5883Family.Range(400, gain: 0x80, countsPerGauss: 440),
    HMC5883Family.Range(470, gain: 0xA0, countsPerGauss: 390),
    HMC5883Family.Range(560, gain: 0xC0, countsPerGauss: 330),
    HMC5883Family.Range(810, gain: 0xE0, countsPerGauss: 230),
  ]
  static let compassRange = ranges[1]
  static let rateTable = HMC5883Family.rates

  /// MA in CRA: averages of eight.
  static let averaging: UInt8 = 0x60

  let address: UInt8
  var range = compassRange
  var rate = HMC5883Family.compassRate

  init(address: UInt8) { self.address = address }

  /// "Self test operation", page 19: the positive bias at ±4.7 G makes 1.16 G on x and y and 1.08 G on z; 243 to 575
  /// counts pass. The first result after the change of gain is dropped.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    let biased = HMC5883Family.Range(470, gain: 0xA0, countsPerGauss: 390)
    try HMC5883Family.start(Self.self, controlA: 0x71, biased, at: address, on: &bus)
    bus.wait(milliseconds: 2000 / 15)
    let counts = try HMC5883Family.counts(at: address, on: &bus)
    try bus.put(HMC5883Family.controlA, 0x70, at: address)
    let limits = 243.0...575.0
    return SelfTest(counts.scaled(by: 1), unit: "counts", x: limits, y: limits, z: limits)
  }
}
