import Calibration
import LodestoneCore
import Navigation
import Support

/// One kind of scene, many times.
struct SceneRow {
  var name: String
  var scene: FieldScene

  init(_ name: String, _ change: (inout FieldScene) -> Void) {
    self.name = name
    scene = FieldScene()
    change(&scene)
  }

  static var header: String {
    columns("scene", ["claims %", "unwarned %", "holds %", "limits %", "peaks", "± median"])
  }

  static var all: [SceneRow] { nothing + magnets }

  private static var nothing: [SceneRow] {
    let (yaw, tilt) = (Vector3(0, 0, 1), Vector3(1, 0, 0))
    return [
      SceneRow("noise 0.3 µT") { _ in },
      SceneRow("steps of 0.6 µT, quiet") { ($0.white, $0.step) = (0.05, 0.6) },
      SceneRow("1/f noise 0.3 µT") { ($0.white, $0.pink) = (0.02, 0.3) },
      SceneRow("drift 0.05 µT/s") { $0.drift = 0.05 },
      SceneRow("hum 2 µT at 40 Hz") { ($0.hum.amplitude, $0.rate) = (2, 40) },
      SceneRow("hum 2 µT at 75 Hz") { ($0.hum.amplitude, $0.rate) = (2, 75) },
      SceneRow("hum 2 µT at 100 Hz") { ($0.hum.amplitude, $0.rate) = (2, 100) },
      SceneRow("hum 2 µT at 50.02 Hz") { ($0.hum.amplitude, $0.rate) = (2, 50.02) },
      SceneRow("turned by 10°") { $0.turn = (yaw, 10) },
      SceneRow("turned by 8°, gyroscope") {
        $0.turn = (yaw, 8)
        ($0.hasAccelerometer, $0.hasGyroscope) = (true, true)
      },
      SceneRow("tilted by 2.5°, accel.") {
        $0.turn = (tilt, 2.5)
        $0.hasAccelerometer = true
      },
    ]
  }

  private static var magnets: [SceneRow] {
    [0.5, 1, 3, 13, 100].map { strength in SceneRow("magnet \(strength) µT") { $0.magnet = strength } } + [
      SceneRow("magnet 3 µT, drift") { ($0.magnet, $0.drift) = (3, 0.05) }
    ]
  }

  func line(seeds: Int) -> String {
    var (lines, claims, unwarned, holds, limits, limitsHold, peaks) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
    var figures: [Double] = []
    for seed in 1...max(seeds, 1) {
      var last: FieldReading?
      for reading in readings(seed: UInt64(seed)) {
        last = reading
        lines += 1
        if let limit = reading.atMost {
          limits += 1
          if scene.magnet <= limit { limitsHold += 1 }
        } else {
          claims += 1
          if reading.flags.isDisjoint(with: [.turned, .drifting, .alternating]) { unwarned += 1 }
        }
        guard let magnitude = reading.magnitude, let uncertainty = reading.uncertainty else { continue }
        figures.append(uncertainty)
        if abs(magnitude - scene.magnet) <= uncertainty { holds += 1 }
      }
      if last?.peak != nil { peaks += 1 }
    }
    let median = figures.isEmpty ? Double.nan : figures.sorted()[figures.count / 2]
    return columns(
      name,
      [
        text(100 * claims / lines), text(100 * unwarned / lines), text(100 * holds / Double(figures.count)),
        text(100 * limitsHold / limits), "\(peaks) of \(seeds)", text(median),
      ])
  }

  private func readings(seed: UInt64) -> [FieldReading] {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: 65,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    var settings = Teslameter.Settings()
    settings.gainUncertainty = 0
    var meter = Teslameter(settings, profile: profile)
    return scene.samples(seed: seed).compactMap { sample in
      meter.read(sample).flatMap { scene.magnet == 0 || sample.time > 5.2 ? $0 : nil }
    }
  }
}
