import Calibration
import Core
import Navigation

/// Says on standard error what a user must know of the calibration behind the headings: that there is none, that the
/// board is assumed level, or that the calibration no longer fits.
struct CalibrationWatch {
  private let profile: Profile?
  private let notices: Notices
  private var health: CalibrationHealth?
  private var isFirst = true

  /// A field in a hand that moves says nothing of the inclination.
  private var rest = Stillness()

  init(_ profile: Profile?, notices: Notices) {
    self.profile = profile
    self.notices = notices
    health = profile.map { CalibrationHealth(strength: $0.fieldStrength, inclination: $0.inclination) }
  }

  /// Looks at a corrected field, its inclination, and the acceleration that told which way is up.
  mutating func see(
    _ field: MagneticField?, _ inclination: Double?, _ acceleration: Acceleration?, at time: Double
  ) {
    guard let field else { return }
    if isFirst { begin(hasAcceleration: acceleration != nil) }
    guard health != nil else { return }
    let isStill = acceleration.map { rest.add($0.g, at: time) } ?? false
    let event = health?.add(time: time, strength: field.strength, inclination: isStill ? inclination : nil)
    if let event { notices.say(words(event)) }
  }

  private mutating func begin(hasAcceleration: Bool) {
    isFirst = false
    if profile == nil { notices.say("not calibrated: headings may be far off; lodestone calibrate mends that") }
    if !hasAcceleration { notices.say("no accelerometer: the device is assumed to be level") }
  }

  private func words(_ event: CalibrationHealth.Event) -> String {
    switch event {
    case .fitsAgain: return "the calibration fits again"
    case .noLongerFits(let share, let dip):
      let age = profile.map { CalibrationAge.words(since: $0.created) } ?? ""
      let turn = dip.map { ", its inclination \(number($0, 1))° off" } ?? ""
      return "the calibration no longer fits: the field is \(number(share * 100, 1)) % off\(turn); it is \(age) old"
    }
  }
}
