import Lodestone

/// A way to carry a simulated board, with the figure to reach.
struct SimulatedRide: Sendable {
  var name: String
  /// Root mean square in degrees; nil where there is none.
  var goal: Double?
  /// The calibration tells what the gyroscope reads at rest.
  var hasZero = true
  var change: @Sendable (inout VirtualBreakout.Settings) -> Void

  static let all = [
    SimulatedRide(name: "at rest") { $0.motion = .still },
    SimulatedRide(name: "walk, 0.2 g", goal: 1.9) { ($0.motion, $0.push) = (.walk, 0.2) },
    SimulatedRide(name: "walk, 0.2 g, bias of 5°/s that nobody measured", hasZero: false) {
      ($0.motion, $0.push, $0.gyroscopeBias) = (.walk, 0.2, 5)
    },
    SimulatedRide(name: "walk, 0.2 g, bias 2°/s from where it was measured") {
      ($0.motion, $0.push, $0.gyroscopeBias) = (.walk, 0.2, 2)
    },
    SimulatedRide(name: "vibration, 0.3 g", goal: 2) { ($0.motion, $0.turnRate, $0.vibration) = (.spin, 10, 0.3) },
    SimulatedRide(name: "car, 0.3 g for 5 s", goal: 4) { ($0.motion, $0.leverArm) = (.drive, 0) },
    SimulatedRide(name: "boat, mast of 10 m", goal: 5) { ($0.motion, $0.leverArm) = (.sail, 10) },
    SimulatedRide(name: "passing steel", goal: 3.7) {
      $0.motion = .walk
      $0.magnet = VirtualBreakout.Settings.Magnet(peak: Vector3(7, 5, 5), period: 10)
    },
  ]

  func line() -> String {
    var (squares, within, count) = (0.0, 0.0, 0.0)
    for seed in 1...6 { run(UInt64(seed), &squares, &within, &count) }
    let root = fixed((squares / max(count, 1)).squareRoot(), 2)
    let goal = goal.map { " (goal \(fixed($0, 1)))" } ?? ""
    return "\(name): \(root)\(goal), \(fixed(100 * within / max(count, 1), 1)) % within"
  }

  private func run(_ seed: UInt64, _ squares: inout Double, _ within: inout Double, _ count: inout Double) {
    var board = VirtualBreakout.Settings()
    (board.motion, board.seed, board.sensor) = (.figureEight, seed, seed + 50)
    var sweep = VirtualBreakout(board)
    guard let result = Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result else { return }
    var profile = Profile(result, device: "board", created: 0)
    if !hasZero { profile.gyroscopeZero = nil }
    board.seed = seed + 500
    change(&board)
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    var compass = Compass(settings, profile: profile)
    let frame = DeviceFrame(profile)
    var breakout = VirtualBreakout(board)
    for _ in 0..<6000 {
      let (sample, truth) = breakout.next()
      guard let reading = compass.read(frame.read(sample)), truth.time > 10, let heading = reading.magneticHeading
      else {
        continue
      }
      let off = abs(Angle.shortestTurn(from: truth.heading.degrees, to: heading.degrees))
      squares += off * off
      within += off <= reading.accuracy ?? 0 ? 1 : 0
      count += 1
    }
  }
}
