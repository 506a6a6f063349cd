import Core
import Glibc

/// What the calibration screen shows: plain values, filled by the command.
public struct CalibrationState: Equatable, Sendable {
  /// The steps in their order.
  public enum Phase: Int, Comparable, Sendable {
    /// Nothing has arrived yet.
    case waiting
    /// Figure-eights until the sphere is covered.
    case sweep
    /// Hold still, eight ways.
    case rests
    /// Nothing more is needed.
    case done

    /// Earlier steps come first.
    public static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
  }

  /// The fit of this moment.
  public struct Fit: Equatable, Sendable {
    /// In the sensor's axes.
    public var hardIron: MagneticField
    /// The field's strength after correction, in µT.
    public var strength: Double
    /// Root mean square of what the fit leaves over, in µT.
    public var residual: Double
    /// The field's dip below the horizontal in degrees; nil without an accelerometer.
    public var dip: Double?

    /// A fit.
    public init(hardIron: MagneticField, strength: Double, residual: Double, dip: Double? = nil) {
      self.hardIron = hardIron
      self.strength = strength
      self.residual = residual
      self.dip = dip
    }
  }

  /// What stands in the way just now.
  public enum Warning: Hashable, Sendable {
    /// The field changed though the board's motion does not explain it, by so many µT where known.
    case magneticDisturbance(microtesla: Double?)
    /// Motion too fast or a rest too restless.
    case shaking
    /// The sensor is at the end of its range.
    case saturated
    /// The field has not changed in any digit for longer than noise allows.
    case frozen
    /// An axis of the sensor (x, y or z) does not change.
    case stuckAxis(Character)
    /// So many samples have been lost so far.
    case samplesLost(Int)
    /// The field measures so many µT: not the Earth's, or not in this unit.
    case implausibleField(microtesla: Double)
    /// Another, in the command's words.
    case other(String)
  }

  /// The device's address or name; from outside.
  public var device = ""
  /// The step.
  public var phase = Phase.waiting
  /// Stopped by the user for a while.
  public var isPaused = false
  /// Directions of the device frame, spread over the sphere.
  public var directions: [CoveredDirection] = []
  /// The share of the sphere covered, 0 ... 1.
  public var coverage = 0.0
  /// Where the field points now, in the device frame.
  public var fieldDirection: Vector3?
  /// Rests found.
  public var rests = 0
  /// Rests wanted.
  public var restsWanted = 8
  /// The board is being held still just now.
  public var isStill = false
  /// The pose that would help most: the direction of the device frame to bring upward.
  public var nextPoseUp: Vector3?
  /// The live fit, once there is one.
  public var fit: Fit?
  /// The predicted heading error in degrees, once there is one.
  public var accuracy: Double?
  /// The error to reach, in degrees.
  public var target = 1.0
  /// What no further sweeping will mend, in the command's words; it takes the place of the instruction.
  public var problem: String?
  /// What to do about the problem, in the command's words.
  public var remedy: String?
  /// What stands in the way, most important first.
  public var warnings: [Warning] = []
  /// Samples a second.
  public var rate: Double?
  /// Samples taken.
  public var samples = 0
  /// Since the start, in seconds.
  public var elapsed = 0.0

  /// Nothing yet.
  public init() {}
}

extension CalibrationState {
  /// What to do next, in one sentence.
  var instruction: String {
    if let problem { return terminalSafe(problem) }
    if isPaused { return "Paused. Press space to go on." }
    switch phase {
    case .waiting: return "Waiting for samples from the sensor."
    case .sweep where coverage < 0.7: return "Turn the board slowly, in figure-eights, through all directions."
    case .sweep: return "Go on: bring the mark ◆ to where the globe is still empty."
    case .rests:
      if isStill { return "Good. Keep still until the bell." }
      guard let pose = nextPoseUp.flatMap(RestPose.init) else { return "Hold the board still in a new position." }
      return "Now hold it still: \(pose.description)."
    case .done: return "Done. The calibration is complete."
    }
  }

  /// A second sentence that says why or how.
  var explanation: String {
    if problem != nil { return terminalSafe(remedy ?? "") }
    if isPaused { return "Samples are not used meanwhile." }
    switch phase {
    case .waiting: return "Is it connected, and does it send?"
    case .sweep: return "Every face, edge and corner should once point to the ground."
    case .rests: return "A second or two in each position; it need not be exact."
    case .done: return "You can put the board down."
    }
  }

  /// Something was achieved since `previous` that deserves a bell: a step done, or a rest.
  public func deservesBell(after previous: CalibrationState) -> Bool {
    (phase > previous.phase && previous.phase != .waiting) || rests > previous.rests
  }
}

extension CalibrationState.Warning {
  /// What is wrong and what to do, in a line.
  var text: String {
    switch self {
    case .magneticDisturbance(let change):
      let size = change.map { " (\(Figures.fixed($0, decimals: 0, plus: true)) µT)" } ?? ""
      return "Magnetic disturbance\(size): keep away from iron and magnets."
    case .shaking: return "Shaking: move more slowly and smoothly."
    case .saturated: return "Saturated: the field is beyond the sensor's range; take magnets away."
    case .frozen: return "The same numbers again and again: does the sensor still measure?"
    case .stuckAxis(let axis): return "Axis \(terminalSafe(String(axis))) does not change: is the sensor in order?"
    case .samplesLost(let count): return "\(count) samples lost: check cable, baud rate and load."
    case .implausibleField(let field):
      let earth = MagneticField.earthStrength
      return "Field of \(Figures.fixed(field, decimals: 0)) µT; the Earth's is "
        + "\(Figures.fixed(earth.lowerBound, decimals: 0)) to \(Figures.fixed(earth.upperBound, decimals: 0)): right unit?"
    case .other(let text): return terminalSafe(text)
    }
  }

  /// What to say when it is over.
  var ending: String {
    switch self {
    case .magneticDisturbance: return "The magnetic disturbance is over."
    case .shaking: return "The motion is smooth again."
    case .saturated: return "The field is within the sensor's range again."
    case .frozen: return "The numbers change again."
    case .stuckAxis(let axis): return "Axis \(terminalSafe(String(axis))) changes again."
    case .samplesLost: return "No more samples are lost."
    case .implausibleField: return "The field is plausible again."
    case .other(let text): return "Over: " + terminalSafe(text)
    }
  }

  /// The same kind of warning, whatever its numbers.
  func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.magneticDisturbance, .magneticDisturbance), (.samplesLost, .samplesLost): true
    case (.implausibleField, .implausibleField): true
    default: self == other
    }
  }

  var style: Style {
    switch self {
    case .saturated, .frozen, .stuckAxis, .implausibleField: .alarm
    default: .warning
    }
  }
}

/// How to hold the board, in words: which side is up, and which edge is raised besides.
struct RestPose: CustomStringConvertible {
  private let up: Vector3

  /// The direction of the device frame to bring upward; nil for none.
  init?(up: Vector3) {
    guard let direction = up.direction else { return nil }
    self.up = direction
  }

  var description: String {
    let sides = [
      (up.z, "face up", "its face turned up"), (-up.z, "face down", "its face turned down"),
      (up.y, "top edge up", "the top edge raised"), (-up.y, "bottom edge up", "the bottom edge raised"),
      (up.x, "right edge up", "the right edge raised"), (-up.x, "left edge up", "the left edge raised"),
    ].sorted { $0.0 > $1.0 }
    let (main, second) = (sides[0], sides[1])
    let tilt = Angle.degrees(atan2(second.0, main.0))
    guard tilt >= 12 else { return main.1 }
    return "\(main.1), \(second.2) \(Int((tilt / 15).rounded()) * 15)°"
  }
}
