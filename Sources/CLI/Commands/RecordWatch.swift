import Calibration
import LodestoneCore
import Lodestone
import Navigation

/// Watches whether a recording gets what it is made for: samples of sensors, and values of the causes that are named.
struct RecordWatch {
  private var parts = PartsWatch(needed: [.field, .acceleration, .rotation, .alongProbe])
  /// The causes that have not come yet: each by its name, and by its place in a sample; nil for the temperature.
  private var missing: [(name: String, place: Int?)]
  private var firstSample: Double?
  private let say: (String) -> Void

  /// Seconds without a value of a cause after which the user is told.
  private static let patience = 3.0

  /// - Parameters:
  ///   - causes: the names that the user gave.
  ///   - sought: the names that the stream was asked for, in order.
  init(causes: [String], sought: [String], say: @escaping (String) -> Void) {
    missing = causes.map { name in (name, CauseValues.isTemperature(name) ? nil : sought.firstIndex(of: name)) }
    self.say = say
  }

  /// Takes note of a sample, and says what it is time to say.
  mutating func see(_ sample: Sample) {
    if !parts.isOver, parts.see(DeviceParts(sample), at: sample.time) { sayUseless() }
    guard !missing.isEmpty else { return }
    let (temperature, causes) = (sample.temperature, sample.causes)
    missing.removeAll { cause in (cause.place.map { causes[$0] } ?? temperature) != nil }
    let start = firstSample ?? sample.time
    firstSample = start
    if sample.time - start >= Self.patience { sayMissing() }
  }

  /// Takes note of a position, of which nothing is recorded.
  mutating func see(_ position: Position) {
    if !parts.isOver, parts.see(.position, at: position.time) { sayUseless() }
  }

  /// Says which causes have not come, where the recording was too short to say so on the way.
  mutating func end() { if firstSample != nil { sayMissing() } }

  /// Why there is nothing to record; nil where the device tells something of use.
  var problem: SessionError? { parts.isInVain ? .nothingOfUse(tells: parts.seen, needs: parts.needed) : nil }

  private func sayUseless() { say(parts.seen.words(of: "the device sends", parts.needed)) }

  /// Each once.
  private mutating func sayMissing() {
    for (name, _) in missing {
      let refusal = CalibrationRefusal.causeMissing(name)
      say("\(refusal.words): \(refusal.hint)")
    }
    missing = []
  }
}
