import Glibc
import Lodestone

/// A trial of BROAD (Laidig, Caruso, Cereatti and Seel, 2021, doi 10.3390/data6070072), without a calibration.
struct Trial {
  var name: String
  /// VQF 2.1's figures with its defaults: total, heading, inclination, in degrees.
  var vqf: (total: Double, heading: Double, inclination: Double)

  static let all = [
    Trial(name: "broad_02_undisturbed_slow_rotation_B", vqf: (1.15, 1.07, 0.41)),
    Trial(name: "broad_34_disturbed_attached_magnet_3cm", vqf: (3.36, 3.30, 0.62)),
  ]

  func line(in folder: String) -> String? {
    guard let recording = TruthRecording("\(folder)/truth/\(name).csv") else { return nil }
    var tracker = AttitudeTracker(profile: nil)
    let frame = DeviceFrame()
    var (total, heading, inclination, count) = (0.0, 0.0, 0.0, 0.0)
    for (sample, truth) in zip(recording.samples, recording.attitudes) {
      tracker.add(frame.read(sample))
      guard let estimate = tracker.estimate, let truth else { continue }
      let off = estimate.attitude * truth.conjugate
      total += square(2 * acos(min(1, abs(off.w))))
      heading += square(2 * atan2(abs(off.v.z), abs(off.w)))
      inclination += square(2 * acos(min(1, hypot(off.w, off.v.z))))
      count += 1
    }
    func root(_ sum: Double, _ vqf: Double) -> String {
      "\(fixed(Angle.degrees((sum / count).squareRoot()), 3)) (VQF \(fixed(vqf, 2)))"
    }
    return
      "\(name): total \(root(total, vqf.total))   heading \(root(heading, vqf.heading))   inclination \(root(inclination, vqf.inclination))"
  }

  private func square(_ value: Double) -> Double { value * value }
}
