import Lodestone

/// A phone in the hand of a walker, calibrated by its own sweep.
struct Phone {
  var walk: String
  var sweep: String
  var isUndisturbed = true

  /// What the lines come to, in degrees and shares.
  struct Outcome {
    var median = 0.0
    var largeError = 0.0
    var accuracy = 0.0
    var within = 0.0
    var withFigure = 0.0
  }

  static let all = [
    Phone(walk: "Guillaume_Nexus5_NoDist_Texting", sweep: "nexus5_cal_d2"),
    Phone(walk: "Jakob_iPhone5_NoDist_Texting", sweep: "iphone5_cal_d3"),
    Phone(walk: "Thibaud_iPhone4S_NoDist_Texting", sweep: "iphone4s_cal_d2"),
    Phone(walk: "Jakob_Nexus5_Dist_Texting", sweep: "nexus5_cal_d2", isUndisturbed: false),
  ]
  static let header = "recording                        median   95 %   stated   within   with a figure"
  /// East of true north at the place of the recordings (Grenoble, 2016), in degrees.
  private static let declination = 1.5

  func line(_ outcome: Outcome) -> String {
    let name = walk + String(repeating: " ", count: max(0, 32 - walk.count))
    let share = "\(fixed(outcome.within * 100, 1)) %   \(fixed(outcome.withFigure * 100, 1)) %"
    return
      "\(name) \(fixed(outcome.median, 2))   \(fixed(outcome.largeError, 1))   ±\(fixed(outcome.accuracy, 1))   \(share)"
  }

  func measure(in folder: String) -> Outcome? {
    guard let sweep = TruthRecording("\(folder)/sweeps/\(sweep).csv"),
      let recording = TruthRecording("\(folder)/truth/phone_\(walk).csv"),
      let result = Calibrator().fit(sweep.samples).result
    else { return nil }
    let profile = Profile(result, device: walk, created: 0)
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    var compass = Compass(settings, profile: profile)
    compass.follow(EarthReference(declination: Declination(degrees: Self.declination)))
    let frame = DeviceFrame(profile)
    var (errors, figures, within): ([Double], [Double], Double) = ([], [], 0)
    for (sample, truth) in zip(recording.samples, recording.headings) {
      guard let reading = compass.read(frame.read(sample)), let truth, let heading = reading.trueHeading else {
        continue
      }
      let off = abs(Angle.shortestTurn(from: truth, to: heading.degrees))
      errors.append(off)
      guard let accuracy = reading.accuracy else { continue }
      figures.append(accuracy)
      within += off <= accuracy ? 1 : 0
    }
    guard !errors.isEmpty, !figures.isEmpty else { return nil }
    errors.sort()
    figures.sort()
    return Outcome(
      median: errors[errors.count / 2], largeError: errors[errors.count * 95 / 100],
      accuracy: figures[figures.count / 2], within: within / Double(figures.count),
      withFigure: Double(figures.count) / Double(errors.count))
  }
}
