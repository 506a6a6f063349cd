import Calibration
import LodestoneCore

/// Measures what alternates in a field, window by window: the root mean square of what is left of it without its mean,
/// and its spectrum. No zero-point is needed.
public struct AlternatingField: Instrument {
  /// A field in µT.
  public static let needs = DeviceParts.strength
  /// Windows.
  public typealias Reading = AlternatingReading
  /// A strong field needs a wide range.
  public static let followsRange = true

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// Seconds of a window. Frequencies are told apart by one over it.
    public var window = 1.0
    /// The fewest samples of a window, whatever its seconds: sixteen or more. Among fewer than forty a line is hardly
    /// told from noise.
    public var fewest = 40

    /// A reading a second.
    public init() {}
  }

  /// The spectrum of the last window; nil before there is one.
  public private(set) var spectrum: FieldSpectrum?
  private let window: Double
  private let fewest: Int
  private let gainUncertainty: Double
  private var series = FieldSeries()
  private var repeats = FieldRepeats()
  private var isSaturated = false

  /// The largest number of samples in a window: the time of a spectrum grows with its square.
  public static let mostSamples = 2048
  /// A gap of more samples than this, as after an unplugged cable, begins a window anew: its times would be no steady
  /// ones.
  private static let longestGap = 10.0
  /// Seconds after which a field that has hardly changed is one that stands, not one that is sent again and again.
  private static let patience = 3.0
  /// Seconds between samples that are no gap, however dense those before were: some links send them in bursts.
  private static let burst = 0.25

  /// A meter of any device.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    window = settings.window
    gainUncertainty = FieldMeter.gainUncertainty(of: profile)
    fewest = max(settings.fewest, FieldSpectrum.fewest)
  }

  /// A reading at the end of each window.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout AlternatingReading) -> Bool {
    guard let field = sample.field?.field.microtesla else { return false }
    if let rate = series.rate, let begin = series.begin {
      let step = sample.time - begin - series.duration
      if step > max(Self.longestGap / rate, Self.burst) || Fusion.isSetBack(step) { restart() }
    }
    if sample.flags.contains(.saturated) { isSaturated = true }
    series.add(field, at: sample.time)
    repeats.add(field)
    guard isFull else { return false }
    return close(into: &reading, at: sample.time)
  }

  /// The window has passed, and a spectrum can be made of it.
  private var isFull: Bool {
    guard series.count >= fewest else { return false }
    let interval = series.duration / Double(series.count - 1)
    guard series.count < Self.mostSamples else { return true }
    guard series.duration + interval >= window - interval / 2 else { return false }
    if repeats.isUndecided { return series.duration >= Self.patience }
    return repeats.perMeasurement == nil || repeats.measurements > fewest
  }

  private mutating func restart() {
    series = FieldSeries()
    repeats = FieldRepeats()
    isSaturated = false
  }

  private mutating func close(into reading: inout AlternatingReading, at time: Double) -> Bool {
    let next = FieldSpectrum(series, gainUncertainty: gainUncertainty)
    defer { restart() }
    guard let next else { return false }
    spectrum = next
    let squares = series.meanSquares
    reading = AlternatingReading()
    reading.time = time
    reading.isSaturated = isSaturated
    guard !isSaturated else { return true }
    reading.rms = (squares.x + squares.y + squares.z).squareRoot()
    reading.axes = Vector3(squares.x.squareRoot(), squares.y.squareRoot(), squares.z.squareRoot())
    guard let line = next.lines.first(where: { $0.isSignificant }) else { return true }
    reading.frequency = line.frequency
    reading.frequencyUncertainty = line.frequencyUncertainty
    reading.amplitude = line.amplitude
    reading.minorAmplitude = line.minorAmplitude
    reading.amplitudeUncertainty = line.amplitudeUncertainty
    (reading.isAtNyquist, reading.isUneven) = (line.isAtNyquist, line.isUneven)
    if case .alias? = line.mains { reading.isAlias = true } else { reading.isMains = line.mains != nil }
    return true
  }
}

/// The alternating field within a window, in µT, in the device frame.
public struct AlternatingReading: Record, Equatable {
  /// The time of the window's last sample, in seconds.
  public var time = 0.0
  /// Root mean square of the field's length without its mean, the sensor's noise in it; nil where an axis was
  /// saturated.
  public var rms: Double?
  /// Root mean square of the field along each axis without its mean; nil where an axis was saturated.
  public var axes: Vector3?
  /// The frequency of the strongest line that stands out of the noise, in hertz, up to half the sampling rate; nil for
  /// none.
  public var frequency: Double?
  /// Half-width of its 95 % interval.
  public var frequencyUncertainty: Double?
  /// The largest excursion of that line: half of the longer axis of the ellipse that the field describes.
  public var amplitude: Double?
  /// Half of its shorter axis.
  public var minorAmplitude: Double?
  /// Half-width of the 95 % interval of both; nil where it is not known.
  public var amplitudeUncertainty: Double?
  /// The line stands at half the sampling rate: its amplitude is not known.
  public var isAtNyquist = false
  /// The samples' times are uneven, and nothing tells when they were taken: the amplitude of that line is not known.
  public var isUneven = false
  /// The mains, or a harmonic of them, have the frequency of that line.
  public var isMains = false
  /// The mains may be behind that line, folded back at half the sampling rate: the frequency is not theirs.
  public var isAlias = false
  /// An axis was at the end of the sensor's range: nothing can be said.
  public var isSaturated = false

  /// A reading without a value.
  public init() {}

  /// The kind of record: what alternates.
  public static let schema = RecordSchema("alternating", of: AlternatingReading.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.field("rms"), rms)
    columns.add(.field("rms_x"), .field("rms_y"), .field("rms_z"), axes)
    columns.add(.number("frequency", .hertz, decimals: 5), frequency)
    columns.add(.number("frequency_uncertainty", .hertz, decimals: 5), frequencyUncertainty)
    columns.add(.field("amplitude"), amplitude)
    columns.add(.field("amplitude_minor"), minorAmplitude)
    columns.add(.field("amplitude_uncertainty"), amplitudeUncertainty)
    columns.add(
      .flags("flags", ["saturated", "mains", "half-rate", "alias", "uneven"]),
      (isSaturated ? 1 : 0) | (isMains ? 2 : 0) | (isAtNyquist ? 4 : 0) | (isAlias ? 8 : 0) | (isUneven ? 16 : 0))
  }
}
