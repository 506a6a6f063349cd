import LodestoneCore

/// How far a guided calibration has come: what a screen or a page shows. Directions are in the device frame.
public struct CalibrationProgress: Sendable {
  /// The steps.
  public enum Phase: String, Sendable {
    /// No sample has come.
    case waiting
    /// Turn the board through all directions.
    case sweep
    /// Hold it still, eight ways.
    case rests
    /// Aim it at marks and roll it: where its laser or sight points.
    case rolls
    /// Turn it round level: the calibration of a board that cannot be tilted.
    case circles
    /// Nothing more is needed, or nothing more helps.
    case done
  }

  /// A reminder for the user after some seconds; nothing is wrong.
  public enum Reminder: String, Sendable {
    /// The board lies still though it should be turned.
    case lyingStill
    /// The position it is held in counts already.
    case alreadyHeld
    /// The board moves though it should be held still.
    case stillMoving
    /// The board is held, but not still enough for long enough.
    case unsteady
    /// The board is held still, but the accelerometer reads something far from 1 g.
    case forceOff
    /// The shot was at the mark that has enough, and not at another.
    case sameMark
    /// The shot was not at the mark of those before it, which count no more.
    case otherMark
    /// The board was only turned level so far, as in a boat or a car.
    case onlyLevel
  }

  /// How the calibration comes about; nil for a sweep.
  public package(set) var method: CalibrationQuality.Method?
  /// The current phase.
  public package(set) var phase = Phase.waiting
  /// Samples received.
  public package(set) var samples = 0
  /// The time from the first sample to the last, in seconds.
  public package(set) var seconds = 0.0
  /// Directions of the field that were met, each of length 1.
  public package(set) var met: [Vector3] = []
  /// Directions that are still missing, each of length 1.
  public package(set) var missing: [Vector3] = []
  /// The share of the directions needed that were met, 0 ... 1; 1 is enough. It never falls.
  public package(set) var directions = 0.0
  /// The direction of the field now, of length 1; nil before the first fit.
  public package(set) var fieldDirection: Vector3?
  /// The direction of the device that is up now, of length 1, as far as a board that is moved can tell; nil without an
  /// accelerometer.
  public package(set) var up: Vector3?
  /// Attitudes held still so far.
  public package(set) var rests = 0
  /// The rests that the last fit of the whole sweep did without, as the field was another one there.
  public package(set) var restsLeftOut = 0
  /// Whether the last fit of the whole sweep was refused because the field differs from place to place.
  public package(set) var isUneven = false
  /// Attitudes that must be held still.
  public package(set) var restsNeeded = Rests.needed
  /// The share of the rest under way that has passed: 0 while the board moves, or is held as before, 1 once it counts.
  public package(set) var restProgress = 0.0
  /// How to hold the board next; nil outside of the rests.
  public package(set) var nextPose: RestPose?
  /// The shot to take next; nil outside of the rolled shots.
  public package(set) var nextShot: AimedShot?
  /// Shots at each mark so far, in the order of time; empty where none are asked for.
  public package(set) var shots: [Int] = []
  /// Shots that a mark needs, and marks.
  public static let (shotsNeeded, marksNeeded) = (RolledShots.fewest, RolledShots.enough / RolledShots.fewest)
  /// The axis of the laser or the sight of an instrument that is held, in the device frame; nil where it is not known.
  public package(set) var laser: LaserAxis?
  /// How far the board was turned in a level calibration, in whole turns.
  public package(set) var circles = 0.0
  /// How far it must be turned, in whole turns.
  public let circlesNeeded = 2.0
  /// Whether the samples hold a specific force, so that rests make sense.
  public package(set) var hasAccelerometer = false
  /// The fit as it stands; nil before the first.
  public package(set) var result: CalibrationResult?
  /// The heading accuracy reached so far (95 %), in degrees; nil before the first fit, and while a sweep through all
  /// directions has only been level.
  public package(set) var accuracy: Double?
  /// The accuracy to reach, in degrees (95 %).
  public package(set) var target = 0.0
  /// Why the sweep would be refused if it ended now; nil when it would not.
  public package(set) var refusal: CalibrationRefusal?
  /// The problem that no further turning solves, such as a dead axis or a wrong unit; nil for none.
  public package(set) var problem: CalibrationRefusal?
  /// The warnings at the moment.
  public package(set) var warnings: Set<SweepWarning> = []
  /// The reminder at the moment; nil for none.
  public package(set) var reminder: Reminder?

  /// Progress before the first sample.
  package init() {}

  /// The request to the user who holds the device.
  public var request: HandRequest {
    switch phase {
    case .waiting, .sweep: .sweep
    case .circles: .circle
    case .rests: nextPose.map { .hold($0) } ?? .sweep
    case .rolls: nextShot.map { .aim($0) } ?? .still
    case .done: .none
    }
  }

  /// Whether the whole sweep, which is judged from the third rest on, would be refused for its field: further rests do
  /// not make that good.
  package var isSpoiled: Bool {
    guard phase == .rests, rests >= Rests.fewest else { return false }
    if case .disturbed? = refusal { return true }
    return isUneven && rests >= restsNeeded
  }

  /// Whether the board is held still and the rest under way will soon count.
  package var isKeptStill: Bool { restProgress > 0.3 && restProgress < 1 }

  /// Whether something was achieved since `previous` that deserves a bell: a step done, or a rest.
  public func deservesBell(after previous: CalibrationProgress) -> Bool {
    (phase != previous.phase && (phase == .rests || phase == .rolls || phase == .done)) || rests > previous.rests
  }
}
