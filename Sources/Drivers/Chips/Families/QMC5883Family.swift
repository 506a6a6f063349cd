/// The common parts of QST's QMC5883L and QMC5883P: the output rates, and how a range is chosen. Their registers
/// differ. Sources: QST data sheets of both, "Register map".
enum QMC5883Family {
  /// A row of the full-scale table.
  struct Range: Choice {
    /// Full scale in µT.
    let value: Double
    /// RNG in its register.
    let bits: UInt8
    let microteslaPerCount: Double
  }

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// ODR in CONTROL_1.
    let bits: UInt8
    /// Period and latency: one over-sampling for all rates, which fits into the 5 ms of the fastest.
    var timing: Timing { Timing(period: 1 / value, latency: 0.0025) }
  }

  fileprivate static let rates = [
    Rate(value: 10, bits: 0x00), Rate(value: 50, bits: 0x04), Rate(value: 100, bits: 0x08),
    Rate(value: 200, bits: 0x0C),
  ]
  static let compassRate = rates[2]
}

extension QMC5883Family {
  /// A chip of this kind. Its own are its registers, its ranges, and how it is set up and read.
  protocol Member: IdentifiedChip {
    /// Ascending; the first is the one for a compass.
    static var ranges: [QMC5883Family.Range] { get }
    /// The range that is set.
    var range: QMC5883Family.Range { get set }
    /// The output rate that is set.
    var rate: QMC5883Family.Rate { get set }
  }
}

extension QMC5883Family.Member {
  static var senses: Senses { .field }
  static var countSizes: [CountSize] {
    ranges.map { CountSize(range: $0.value, microtesla: $0.microteslaPerCount) }
  }
  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { QMC5883Family.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  /// Range and rate for what is asked.
  mutating func choose(_ settings: ChipSettings) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: QMC5883Family.rates, default: QMC5883Family.compassRate)
  }
}
