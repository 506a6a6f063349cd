/// The common parts of chips with an accelerometer and a gyroscope at one rate. Their second ranges, ±4 g and ±500 °/s,
/// are those for a compass: a hand's quick turn is past 250 °/s and an engine's shaking past 2 g, and a count stays far
/// below the noise.
enum MotionFamily {
  /// An accelerometer and a gyroscope in one part, at one rate. Its own are its registers, its tables, and how it is
  /// set up and read.
  protocol Member: IdentifiedChip {
    associatedtype Rate: Choice
    /// The accelerometer's ranges in g, ascending.
    static var accelerationRanges: [Scale] { get }
    /// The gyroscope's ranges in degrees per second, ascending.
    static var rotationRanges: [Scale] { get }
    /// The ranges where nobody asks for others.
    static var compassAccelerationRange: Scale { get }
    static var compassRotationRange: Scale { get }
    static var rateTable: [Rate] { get }
    static var compassRate: Rate { get }
    /// The range of the accelerometer that is set.
    var acceleration: Scale { get set }
    /// The range of the gyroscope that is set.
    var rotation: Scale { get set }
    /// The output rate that is set.
    var rate: Rate { get set }
  }
}

extension MotionFamily.Member {
  static var senses: Senses { [.acceleration, .rotationRate] }
  var rates: [Double] { Self.rateTable.map { $0.value } }

  /// Ranges and rate for what is asked.
  mutating func choose(_ settings: ChipSettings) throws(ChipError) {
    acceleration = try Self.choose(
      .accelerationRange, settings.accelerationRange, from: Self.accelerationRanges,
      default: Self.compassAccelerationRange)
    rotation = try Self.choose(
      .rotationRange, settings.rotationRange, from: Self.rotationRanges, default: Self.compassRotationRange)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.compassRate)
  }
}
