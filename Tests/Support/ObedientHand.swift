import Calibration
import LodestoneCore
import Instruments

/// A simulated person with a simulated board who does what a guided calibration asks, as well as a person can: it
/// misses by up to 10° about each axis and trembles. Whoever asks, a library, a terminal's words or a page's events,
/// the hand takes a request and gives samples.
public struct ObedientHand {
  /// The result of a calibration.
  public struct Run {
    /// How it ended.
    public var progress: CalibrationProgress
    /// The fitted calibration.
    public var outcome: CalibrationOutcome
    /// Every pose that was asked for, in order.
    public var asked: [RestPose] = []
    /// The accuracy shown when the first rest was asked for and after each rest, in degrees.
    public var accuracies: [Double] = []
    /// From the first rest asked for to the end.
    public var secondsOfRests = 0.0
  }

  private var board: VirtualBreakout
  private let lies: Double
  private let turns: Bool

  /// - Parameters:
  ///   - tremor: of the hand, in g.
  ///   - start: heading, pitch and roll of the board at the start.
  ///   - lies: seconds before it begins to do what it is asked.
  ///   - turns: it turns about as it is asked; otherwise it faces one way all the time.
  public init(
    seed: UInt64, tremor: Double, start: (heading: Double, pitch: Double, roll: Double), lies: Double = 0.5,
    turns: Bool = true
  ) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .hand
    settings.seed = seed
    settings.sensor = seed &+ 1000
    settings.tremor = tremor
    settings.miss = 10
    settings.sway = 0
    (settings.heading, settings.pitch, settings.roll) = start
    board = VirtualBreakout(settings)
    self.lies = lies
    self.turns = turns
  }

  /// The next sample.
  public mutating func next() -> Sample { board.next().sample }

  /// Does what is asked from now on.
  public mutating func follow(_ request: HandRequest) {
    guard case .hold(let pose) = request, !turns else { return board.follow(request) }
    board.follow(.hold(RestPose(up: pose.up, turnDegrees: 0)))
  }

  /// Goes through a guided calibration, four minutes at most.
  public mutating func calibrate(_ guide: GuidedCalibration = GuidedCalibration()) -> Run {
    var guide = guide
    var run = Run(progress: guide.progress, outcome: guide.finished())
    var began: Double?
    while true {
      let sample = next()
      guide.add(sample)
      if sample.time > lies { follow(guide.progress.request) }
      let progress = guide.progress
      if let pose = progress.nextPose, pose != run.asked.last { run.asked.append(pose) }
      if progress.phase == .rests || progress.phase == .done {
        began = began ?? sample.time
        run.secondsOfRests = sample.time - (began ?? sample.time)
        if run.accuracies.isEmpty || progress.rests > run.progress.rests {
          run.accuracies += [progress.accuracy].compactMap { $0 }
        }
      }
      run.progress = progress
      if progress.phase == .done || sample.time > 240 { break }
    }
    run.outcome = guide.finished()
    return run
  }

  /// The true heading error of a correction in degrees: root mean square over headings and tilts up to 30°.
  public func headingError(_ correction: Correction) -> Double {
    board.headingError(of: correction)
  }
}
