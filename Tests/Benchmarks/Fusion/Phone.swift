import Calibration
import Glibc
import LodestoneCore
import Navigation

/// A phone that a walker carries, calibrated by its own sweep: true headings against motion capture.
struct Phone {
  var walk: String

  static let all = [
    "phone_Guillaume_Nexus5_NoDist_Texting", "phone_Jakob_iPhone5_NoDist_Texting",
    "phone_Thibaud_iPhone4S_NoDist_Texting", "phone_Jakob_Nexus5_Dist_Texting",
    "carried_Guillaume_Nexus5_NoDist_AR", "carried_Guillaume_iPhone5_NoDist_Phoning", "carried_Jakob_iPhone4S_Dist_AR",
    "carried_Thibaud_iPhone5_NoDist_Swinging",
  ].map { Phone(walk: $0) }

  static let header = "recording                                 median   95 %    says  holds  figure  VQF's median"
  /// Held at the chest, nothing disturbed it.
  var isUndisturbedTexting: Bool { walk.contains("NoDist_Texting") }
  /// East of true north at the place of the recordings (Grenoble, 2016), in degrees.
  private static let declination = 1.5

  /// The sweep of the same model.
  private var sweep: String {
    walk.contains("Nexus5") ? "nexus5_cal_d2" : walk.contains("iPhone5") ? "iphone5_cal_d3" : "iphone4s_cal_d2"
  }

  func line(_ ours: Score, _ vqf: Score, _ notices: [InstrumentNotice]) -> String {
    padded(walk, 40) + fixed(ours.median, 2, 8) + fixed(ours.large, 1, 7) + fixed(ours.stated, 1, 8)
      + fixed(100 * ours.holds, 1, 7) + fixed(100 * ours.withFigure, 1, 8) + fixed(vqf.median, 2, 9)
      + notices.map { "  \($0)" }.joined()
  }

  func measure(in folder: String) -> (ours: Score, vqf: Score, notices: [InstrumentNotice])? {
    guard let sweep = TruthRecording("\(folder)/sweeps/\(sweep).csv"),
      let recording = TruthRecording("\(folder)/truth/\(walk).csv"),
      let result = Calibrator().fit(sweep.samples).result
    else { return nil }
    let profile = Profile(result, device: walk, created: 0)
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    var compass = Compass(settings, profile: profile)
    compass.follow(EarthReference(declination: Declination(degrees: Self.declination)))
    let frame = DeviceFrame(profile)
    var vqf = VQF(step: recording.step)
    var (ours, theirs, notices) = (Score(), Score(), [InstrumentNotice]())
    for (raw, truth) in zip(recording.samples, recording.headings) {
      let sample = frame.read(raw)
      if let rate = sample.rotationRate?.degreesPerSecond, let force = sample.acceleration?.g {
        vqf.add(rate: rate * (.pi / 180), force: force * 9.80665, field: sample.field?.field.microtesla)
      }
      let reading = compass.read(sample)
      if let notice = compass.nextNotice() { notices.append(notice) }
      guard let reading, let truth, let heading = reading.trueHeading else { continue }
      ours.add(off: Angle.shortestTurn(from: truth, to: heading.degrees), figure: reading.accuracy)
      let top = vqf.attitude * Vector3(0, 1, 0)
      let theirHeading = Angle.degrees(atan2(top.x, top.y)) + Self.declination
      theirs.add(off: Angle.shortestTurn(from: truth, to: theirHeading))
    }
    return ours.headings.isEmpty ? nil : (ours, theirs, notices)
  }
}
