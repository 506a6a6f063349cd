import Calibration
import LodestoneCore

/// Watches the calibration behind an instrument, and tells that there is none, that its axes may be the other way up,
/// that the board is assumed level, that the chip is warmer or colder than then, or that the calibration no longer
/// fits.
public struct CalibrationWatch: Sendable {
  private let isCalibrated: Bool
  /// No place settles which way up the calibration's axes are.
  private let signIsOpen: Bool
  private var health: CalibrationHealth?
  private var temperature: TemperatureWatch?
  private var isFirst = true
  /// A field in a hand that moves says nothing of the inclination.
  private var rest = Stillness()
  @usableFromInline var lastLook = -Double.infinity
  /// All has been said that can be: there is nothing to compare samples with.
  @usableFromInline var isOver = false

  /// Seconds from one look to the next: what it looks for takes many.
  @inlinable static var interval: Double { 0.025 }

  /// A watch over a calibration, or over its absence.
  /// - Parameter hasPlace: the Earth's field where the device is is known: it is held against the calibration's.
  public init(_ profile: Profile?, hasPlace: Bool = false) {
    isCalibrated = profile != nil
    signIsOpen = profile?.signIsAssumed == true && !hasPlace
    temperature = TemperatureWatch(calibrated: profile?.temperature ?? profile?.gyroscopeZero?.temperature)
    health = profile.map { CalibrationHealth(strength: $0.fieldStrength, inclination: $0.inclination) }
  }

  /// Watches a calibration with another hard iron from now on.
  public mutating func follow(_ profile: Profile) {
    health = CalibrationHealth(strength: profile.fieldStrength, inclination: profile.inclination)
    isOver = false
  }

  /// Whether it is time for a look. Asked for each sample.
  @inlinable
  public func isDue(at time: Double) -> Bool {
    !isOver && !(time >= lastLook && time - lastLook < Self.interval)
  }

  /// Looks at a sample; what is to be said then, mostly nothing.
  public mutating func see(_ sample: borrowing DeviceSample) -> [InstrumentNotice] {
    guard let field = sample.field?.field.microtesla else { return [] }
    let (time, force) = (sample.time, sample.force)
    lastLook = time
    isOver = health == nil && temperature == nil
    var notices = isFirst ? begin(hasAcceleration: force != nil, isAlone: sample.forceAlone != nil, sample.own) : []
    if let notice = temperature?.see(sample.temperature, at: time) { notices.append(notice) }
    guard health != nil else { return notices }
    let isStill = force.map { rest.add($0, at: time) } ?? false
    let inclination = isStill ? sample.inclination : nil
    if let event = health?.add(time: time, field: field, inclination: inclination) {
      notices.append(.calibration(event))
    }
    return notices
  }

  private mutating func begin(hasAcceleration: Bool, isAlone: Bool, _ own: OwnHeading?) -> [InstrumentNotice] {
    isFirst = false
    if !isCalibrated, own?.magnetic != nil || own?.trueNorth != nil { return [.ownHeadings] }
    return (isCalibrated ? signIsOpen ? [.signAssumed] : [] : [.uncalibrated])
      + (hasAcceleration ? [] : isAlone ? [.forceLeftOut] : [.assumedLevel])
  }
}
