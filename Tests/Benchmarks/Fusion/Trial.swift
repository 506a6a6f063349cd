import Calibration
import Glibc
import LodestoneCore
import Navigation

/// A trial of BROAD (Laidig, Caruso, Cereatti and Seel, 2021, doi 10.3390/data6070072).
struct Trial {
  var name: String
  var recording: TruthRecording

  /// Those in a folder, in the order of their names: a folder with all of BROAD prints all of it.
  static func all(in folder: String) -> [Trial] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(folder)/truth/broad_*.csv", 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      guard let path = found.gl_pathv[index].map({ String(cString: $0) }) else { return nil }
      let name = path.split(separator: "/").last.map { $0.dropFirst("broad_".count).dropLast(".csv".count) } ?? ""
      return TruthRecording(path).map { Trial(name: String(name), recording: $0) }
    }
  }

  static let header = """
    trial                               total   heading inclination   says  holds  figure   with a profile: median  says  holds
    """

  /// Attitudes of a tracker without a calibration, in motion, beside VQF's.
  func attitudes(from start: Double = 0, counting first: Double = 0) -> (ours: Score, vqf: Score) {
    var tracker = AttitudeTracker(profile: nil)
    let frame = DeviceFrame()
    var vqf = VQF(step: recording.step)
    var (ours, theirs) = (Score(), Score())
    for index in recording.samples.indices where recording.samples[index].time >= start {
      let sample = frame.read(recording.samples[index])
      tracker.add(sample)
      if let rate = sample.rotationRate?.degreesPerSecond, let force = sample.acceleration?.g {
        vqf.add(rate: rate * (.pi / 180), force: force * 9.80665, field: sample.field?.field.microtesla)
      }
      guard recording.moves[index], sample.time >= first, let truth = recording.attitudes[index] else { continue }
      theirs.add(vqf.attitude, truth: truth)
      guard let estimate = tracker.estimate, let field = sample.field?.field.microtesla else { continue }
      ours.add(
        estimate.attitude, truth: truth, figure: tracker.accuracy(of: Vector3(0, 1, 0), field: field).degrees)
    }
    return (ours, theirs)
  }

  /// Headings with a profile that may be a poor one.
  func headings(_ profile: Profile, from start: Double = 0, counting first: Double = 0) -> Score {
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    var compass = Compass(settings, profile: profile)
    let frame = DeviceFrame(profile)
    var score = Score()
    for index in recording.samples.indices where recording.samples[index].time >= start {
      let reading = compass.read(frame.read(recording.samples[index]))
      guard recording.moves[index], recording.samples[index].time >= first, let reading,
        let truth = recording.attitudes[index], let heading = reading.magneticHeading
      else { continue }
      let top = truth * Vector3(0, 1, 0)
      guard hypot(top.x, top.y) > 0.5 else { continue }
      score.add(
        off: Angle.shortestTurn(from: Angle.degrees(atan2(top.x, top.y)), to: heading.degrees), figure: reading.accuracy
      )
    }
    return score
  }

  static func line(_ name: String, _ ours: Score, _ vqf: Score, _ headings: Score?) -> String {
    func pair(_ a: Double, _ b: Double) -> String { fixed(a, 2, 7) + "/" + fixed(b, 2) }
    let profile = headings.map {
      fixed($0.median, 2, 18) + fixed($0.stated, 1, 8) + fixed(100 * $0.holds, 1, 7) + fixed(100 * $0.withFigure, 0, 6)
    }
    return padded(name, 32) + pair(ours.total, vqf.total) + pair(ours.heading, vqf.heading)
      + pair(ours.inclination, vqf.inclination) + fixed(ours.stated, 1, 7) + fixed(100 * ours.holds, 1, 7)
      + fixed(100 * ours.withFigure, 0, 6) + (profile ?? "")
  }

  /// A row for each trial, with headings by a profile that the first one's movements made.
  static func printTable(_ trials: [Trial]) {
    let result = trials.first.map { Calibrator().fit($0.recording.samples) }?.result
    let profile = result.map { Profile($0, device: "board", created: 0) }
    var (ours, theirs, sums) = ([Score](), [Score](), Score())
    for trial in trials {
      let (attitudes, vqf) = trial.attitudes()
      let headings = profile.map { trial.headings($0) }
      print(line(trial.name, attitudes, vqf, headings))
      ours.append(attitudes)
      theirs.append(vqf)
      if let headings { sums.add(headings) }
    }
    func mean(_ scores: [Score], _ value: (Score) -> Double) -> String {
      fixed(scores.reduce(0) { $0 + value($1) } / Double(max(1, scores.count)), 2)
    }
    for (name, value) in [
      ("total", { (score: Score) in score.total }), ("heading", { $0.heading }), ("inclination", { $0.inclination }),
    ] {
      print("mean of the trials, \(name): \(mean(ours, value)), VQF \(mean(theirs, value))")
    }
  }
}
