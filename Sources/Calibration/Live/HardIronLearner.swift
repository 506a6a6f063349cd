import LodestoneCore
import Glibc

// Learning while carried. Each window of 8 s in which the board turned by 10° or more tells a hard iron hᵢ with
// covariance Cᵢ. What they tell adds up,
//
//     A = Σ wᵢ Cᵢ⁻¹,    wᵢ = (1 + zᵢ²/4)⁻²,    zᵢ² = dᵢᵀ Cᵢ⁻¹ dᵢ / 3,                                           (1)
//
// dᵢ the window's hᵢ less that of all: steel that passes makes a window that lies apart, and counts for little. The
// covariance grows by the mean of zᵢ². A window counts only where the field turned as the gyroscope says and is about
// as strong as the Earth's.

/// Follows the hard iron of a calibrated board while it is carried and turned, by how the field turns with the
/// gyroscope. A value without clock: time comes with the samples. A second costs about as much as a few thousand
/// multiplications.
public struct HardIronLearner: Sendable {
  /// The hard iron learnt, and the calibration to use with it.
  public struct Finding: Equatable, Sendable {
    /// The calibration to go on with: with the hard iron as it is now where that has moved; with the one before, less
    /// sure, where it seems to have; else the one there was.
    public let profile: Profile
    /// How far the hard iron lies from that of the calibration, in µT.
    public let distance: Double
    /// The standard deviation of that distance, in µT.
    public let deviation: Double
    /// Predicted heading error with the hard iron as it is now: root mean square over all headings and tilts to 30°, in
    /// degrees.
    public let headingError: Double
    /// Whether the hard iron lies elsewhere than in the calibration, and is known well enough to be used.
    public let hasMoved: Bool
    /// Whether it has been so for a minute.
    public let isSettled: Bool
    /// Whether the board was tilted as well as turned level meanwhile: it was handled, and is not a part of a vehicle.
    public let isTilted: Bool
  }

  private let earlier: EarlierCalibration
  private let softIron: Matrix3
  /// The gyroscope's zero, gain and lag: from the calibration, and as learnt since.
  private let knownGyroscope: LearningGyroscope
  private var gyroscope: LearningGyroscope
  private var moments: [LearningWindow.Moment] = []
  private var glitches = RateGlitches()
  private var windows: [Window] = []
  private var movedSince: Double?

  /// A window that counts.
  private struct Window {
    let hardIron: Vector3
    let information: SymmetricMatrix
    let tilts: Tilts

    /// The mean over the axes of the squared distance, in squared standard deviations.
    func distance(from hardIron: Vector3) -> Double {
      let off = self.hardIron - hardIron
      return information.quadratic([off.x, off.y, off.z]) / 3
    }
  }

  /// Seconds of a window, between two of its rates at most, and its moments at most.
  private static let (span, longestStep, mostMoments) = (8.0, 0.3, 10_000)
  /// Windows that are remembered: the hard iron is to be the one of now.
  private static let memory = 60
  /// Largest noise of a window, relative to the calibration's, and largest relative error of its field strength.
  private static let (mostNoise, mostOff) = (6.0, 0.12)
  /// The noise of a magnetometer nobody measured, and the least that is believed, in µT.
  private static let (ordinaryNoise, leastNoise) = (0.5, 0.1)
  /// Standard deviations past which the hard iron seems to have moved, and has moved, degrees it must be known to, and
  /// seconds until it is saved.
  private static let (doubtful, apart, sure, patience) = (3.0, 4.0, 1.5, 60.0)
  /// Degrees of heading that the move must make at least.
  private static let worthwhile = 1.0
  /// Fewest windows for a move; latest windows that mean another hard iron if each lies past this squared distance.
  private static let (fewest, another, farApart) = (3, 4, 9.0)
  /// Radians by which a board is tilted that is no part of a vehicle, root mean square.
  private static let tilted = 0.15

  /// A learner for a calibration; nil for one without the parameters of a full one.
  public init?(_ profile: Profile) {
    guard let earlier = EarlierCalibration(profile), let softIron = profile.correction.softIron.inverse else {
      return nil
    }
    (self.earlier, self.softIron) = (earlier, softIron)
    gyroscope = LearningGyroscope(profile)
    knownGyroscope = gyroscope
  }

  /// Takes a sample as the device sent it; what has been learnt, whenever a window has told more.
  public mutating func add(_ sample: borrowing Sample) -> Finding? {
    guard let rate = sample.rotationRate?.degreesPerSecond, rate.isFinite, sample.time.isFinite else { return nil }
    guard !sample.flags.contains(.rateSaturated) else {
      moments = []
      return nil
    }
    let time = sample.time
    let step = time - (moments.last?.time ?? time)
    if !(0..<Self.longestStep).contains(step) { moments = [] }
    let field = sample.flags.isDisjoint(with: [.saturated, .stuck]) ? sample.field?.microtesla : nil
    let raw = field.flatMap { $0.isFinite ? $0 : nil }, force = sample.acceleration?.g
    moments.append(
      (sample.time, raw, force.flatMap { $0.isFinite ? $0 : nil }, glitches.sound(rate, step: step) * (.pi / 180)))
    guard let begin = moments.first?.time,
      sample.time - begin >= Self.span || moments.count >= Self.mostMoments
    else { return nil }
    let isNews = learn()
    moments = []
    return isNews ? finding(at: sample.time) : nil
  }

  /// Takes the window that is full; false for one that says nothing.
  private mutating func learn() -> Bool {
    gyroscope.next(from: knownGyroscope)
    let start = windows.isEmpty ? earlier.parameters.hardIron : sum(windows[...]).hardIron
    guard let window = LearningWindow(moments, softIron: softIron, hardIron: start, gyroscope: gyroscope),
      window.noise < Self.mostNoise * max(earlier.profile.noise ?? Self.ordinaryNoise, Self.leastNoise),
      abs(window.field.length / earlier.profile.fieldStrength - 1) < Self.mostOff,
      let information = window.covariance.inverse
    else { return false }
    gyroscope = window.gyroscope
    windows.append(Window(hardIron: window.hardIron, information: information, tilts: window.tilts))
    if windows.count > Self.memory { windows.removeFirst() }
    forget()
    return true
  }

  /// Forgets what was before the hard iron became another one.
  private mutating func forget() {
    let last = windows.suffix(Self.another)
    guard windows.count > 2 * Self.another else { return }
    let earlier = sum(windows.dropLast(Self.another)).hardIron
    if last.allSatisfy({ $0.distance(from: earlier) > Self.farApart }) { windows = Array(last) }
  }

  /// (1), in rounds: the hard iron of windows and its covariance.
  private func sum(_ windows: ArraySlice<Window>) -> (hardIron: Vector3, covariance: SymmetricMatrix) {
    var weights = [Double](repeating: 1, count: windows.count)
    var (hardIron, covariance) = (earlier.parameters.hardIron, SymmetricMatrix(size: 3))
    for _ in 0..<8 {
      var (matrix, right) = (SymmetricMatrix(size: 3), [0.0, 0, 0])
      for (window, weight) in zip(windows, weights) {
        let counted = window.information.scaled(by: weight)
        matrix.add(counted)
        let told = counted.times([window.hardIron.x, window.hardIron.y, window.hardIron.z])
        for axis in 0..<3 { right[axis] += told[axis] }
      }
      guard let solved = matrix.solve(right), let inverse = matrix.inverse else { break }
      hardIron = Vector3(solved[0], solved[1], solved[2])
      let squares = windows.map { $0.distance(from: hardIron) }
      weights = squares.map { 1 / ((1 + $0 / 4) * (1 + $0 / 4)) }
      let total = weights.reduce(0, +)
      let mean = zip(weights, squares).reduce(0) { $0 + $1.0 * $1.1 } / max(total, 1e-9)
      covariance = inverse.scaled(by: max(1, mean))
    }
    return (hardIron, covariance)
  }

  private mutating func finding(at time: Double) -> Finding? {
    let (hardIron, covariance) = sum(windows[...])
    let off = hardIron - earlier.parameters.hardIron
    var both = covariance
    for i in 0..<3 { for j in 0..<3 { both[i, j] += earlier.profile.covariance[i][j] } }
    guard let information = both.inverse, let learnt = earlier.learnt(hardIron, covariance) else { return nil }
    let distances = information.quadratic([off.x, off.y, off.z]).squareRoot()
    let left = learnt.quality.headingErrorDegrees ?? 180
    let isApart = change(by: off) > max(min(left, Self.sure), Self.worthwhile)
    let hasMoved = windows.count >= Self.fewest && distances > Self.apart && left <= Self.sure && isApart
    movedSince = hasMoved ? movedSince ?? time : nil
    let direction = off.direction ?? Vector3(1, 0, 0)
    return Finding(
      profile: hasMoved ? learnt : isApart && distances > Self.doubtful ? earlier.doubted(by: off) : earlier.profile,
      distance: off.length, deviation: covariance.quadratic([direction.x, direction.y, direction.z]).squareRoot(),
      headingError: left, hasMoved: hasMoved, isSettled: movedSince.map { time - $0 >= Self.patience } ?? false,
      isTilted: windows.reduce(into: Tilts()) { $0.add($1.tilts) }.spread > Self.tilted)
  }

  /// Degrees of heading that another hard iron makes, root mean square all round.
  private func change(by off: Vector3) -> Double {
    let horizontal = earlier.profile.fieldStrength * max(sin(earlier.parameters.angle), 0.1)
    return Angle.degrees(off.length * (2.0 / 3).squareRoot() / horizontal)
  }
}

extension EarlierCalibration {
  /// The calibration, its hard iron less sure by this distance in µT on every axis: a gyroscope carries north from one
  /// attitude to the next.
  func doubted(by off: Vector3) -> Profile {
    var doubted = profile
    for axis in 0..<3 { doubted.covariance[axis][axis] += off.squaredLength / 3 }
    return doubted
  }

  /// The calibration with another hard iron in µT, of this covariance in µT². Soft iron moves a little with it.
  func learnt(_ hardIron: Vector3, _ covariance: SymmetricMatrix) -> Profile? {
    let priors = priors(moved: (hardIron - parameters.hardIron).length)
    var moved = parameters
    moved.hardIron = hardIron
    let correction = moved.correction(axes: axes.matrix)
    var all = SymmetricMatrix(size: Parameters.fieldCount)
    for i in 0..<Parameters.fieldCount {
      for j in 0..<Parameters.fieldCount {
        if i < 3, j < 3 {
          all[i, j] = covariance[i, j]
        } else if i >= 3, j >= 3 {
          all[i, j] = profile.covariance[i][j]
        }
      }
      if (4..<Parameters.normCount).contains(i) || i >= Parameters.rotationIndex {
        all[i, i] = max(all[i, i], priors.deviation[i] * priors.deviation[i])
      }
    }
    let values = Array(moved.values.prefix(Parameters.fieldCount))
    guard
      let twelve = CorrectionCovariance(parameters: values, covariance: all, correction: correction, force: .none)
    else { return nil }
    let errors = Judgement.predicted(twelve, strength: moved.strength, angle: moved.angle)
    var learnt = profile
    learnt.correction = correction
    learnt.parameters = zip(Parameters.names, values).map { Profile.Parameter(name: $0, value: $1) }
    learnt.covariance = (0..<all.size).map { row in Array(all.elements[row * all.size..<(row + 1) * all.size]) }
    learnt.quality.method = .touchUp
    learnt.quality.headingErrorDegrees = errors.overall
    learnt.quality.headingErrorLevelDegrees = errors.level
    learnt.quality.verdict = Verdict.grade(errors.overall, signIsAmbiguous: profile.signIsAssumed)
    return learnt
  }
}
