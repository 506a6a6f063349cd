/// The settings that a user may choose for a chip. Nil leaves one to the driver, whose defaults suit a compass.
public struct ChipSettings: Equatable, Sendable {
  /// The field that must be measurable, in µT: the smallest range that holds it is taken. A large range costs
  /// resolution, a small one saturates near magnets.
  public var fieldRange: Double?
  /// The specific force that must be measurable, in g.
  public var accelerationRange: Double?
  /// The rotation rate that must be measurable, in degrees per second.
  public var rotationRange: Double?
  /// Measurements a second: the next faster rate the chip offers is taken. A fast one costs noise.
  public var rate: Double?

  /// Settings; what is left out is up to the driver.
  public init(
    fieldRange: Double? = nil, accelerationRange: Double? = nil, rotationRange: Double? = nil, rate: Double? = nil
  ) {
    self.fieldRange = fieldRange
    self.accelerationRange = accelerationRange
    self.rotationRange = rotationRange
    self.rate = rate
  }
}

/// One row of a table of ranges or rates: its value, and what the chip's registers and numbers make of it.
protocol Choice {
  /// Full scale or rate.
  var value: Double { get }
}

/// A row of a full-scale table.
struct Scale: Choice {
  /// Full scale, in the unit of the setting.
  let value: Double
  /// The bits that select it in its register.
  let bits: UInt8
  /// The size of one count, in g or degrees per second.
  let perCount: Double

  init(_ value: Double, bits: UInt8, perCount: Double) {
    self.value = value
    self.bits = bits
    self.perCount = perCount
  }
}

extension Chip {
  /// The smallest offered value that is not below what is asked, or the driver's default where nothing is asked.
  /// `offered` ascends.
  static func choose<Row: Choice>(
    _ setting: ChipError.Setting, _ asked: Double?, from offered: [Row], default fallback: Row
  ) throws(ChipError) -> Row {
    guard let asked else { return fallback }
    // A ten-thousandth of slack: 155.6 and 0.88 G do not survive every way of writing them down.
    if asked > 0, let row = offered.first(where: { $0.value >= asked * 0.9999 }) { return row }
    throw .notOffered(chip: name, setting: setting, asked: asked, offered: offered.map { $0.value })
  }

  /// Throws where more is asked than the chip's only range.
  static func check(_ setting: ChipError.Setting, _ asked: Double?, upTo only: Double) throws(ChipError) {
    guard let asked, !(asked > 0 && only >= asked * 0.9999) else { return }
    throw .notOffered(chip: name, setting: setting, asked: asked, offered: [only])
  }
}

/// A magnetometer with one range.
protocol SingleRangeChip: Chip {
  /// Full scale in µT.
  static var range: Double { get }
}

extension SingleRangeChip {
  var fieldRanges: [Double] { [Self.range] }
  var fieldRange: Double? { Self.range }
}
