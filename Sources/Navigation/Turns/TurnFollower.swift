import LodestoneCore
import Glibc

/// Follows a magnet that two axes see go round, sample by sample.
///
/// The angle from one sample to the next is that which is nearest to the last rate: so noise does no harm close to half
/// the sampling rate either. A start that is too sudden for that looks like a rotation past half the sampling rate; it
/// is taken for what it is within a few samples. A field that is far off the ellipse is garbled, and is left out; where
/// most of them are, there is another field.
struct TurnFollower: Sendable {
  /// Turns so far, positive from the ellipse's `cosine` towards its `sine`.
  private(set) var turns = 0.0
  /// Turns from sample to sample.
  private(set) var rate = 0.0
  /// How well angles follow the rate: 1 for a steady rotation or a standstill, 0 for noise.
  private(set) var coherence = 1.0
  /// The coherence of the last sample alone; 0 where it was left out.
  private(set) var steadiness = 1.0
  /// The mean square of what angles differ by from what the rate foretells, in square turns.
  private var surprises = 0.0
  private(set) var ellipse: MagnetEllipse
  /// The number of late samples off the ellipse, less that of those on it; 0 at least.
  private(set) var strangeness = 0
  private var angle: Double?
  /// Samples that were left out since the last angle.
  private var missed = 0
  /// Both limits of a sure ellipse, and the same as multiples of the usual distance.
  private static let (off, farOff, unusual, veryUnusual) = (0.5, 1.0, 1.5, 3.0)
  /// Turns after which an ellipse is sure, and both limits before: one that was found in an arc grows.
  private static let (sureTurns, offWhileGrowing) = (3.0, 3.0)
  private var doubt: (correction: Double, samples: Int)?

  private static let gain = 0.5
  /// A step by this many turns past the rate may as well be one the other way round.
  private static let doubtful = 0.33
  private static let patience = 8
  private static let memory = 1.0 / 64
  /// The noise of an angle that surprises of a standard deviation of one come from. The rate takes half of each
  /// surprise, so white noise of the angles surprises by 1 − 1.5 + 0.25 + …: √3.33 of its own.
  private static let noiseShare = 0.55

  init(_ ellipse: MagnetEllipse) { self.ellipse = ellipse }

  /// Shares of the amplitude past which a field is off the ellipse, and so far off that it tells no angle.
  private var limits: (off: Double, farOff: Double) {
    guard abs(turns) >= Self.sureTurns else { return (Self.offWhileGrowing, Self.offWhileGrowing) }
    return (max(Self.off, Self.unusual * ellipse.usual), max(Self.farOff, Self.veryUnusual * ellipse.usual))
  }

  /// Takes the field of the next sample.
  mutating func add(_ field: Vector3) {
    let now = ellipse.angle(of: field)
    let distance = now.map { ellipse.distance(of: field, at: $0) } ?? .infinity
    let limits = limits
    strangeness = distance > limits.off ? strangeness + 1 : max(0, strangeness - 1)
    guard let now, distance <= limits.farOff else {
      (missed, steadiness) = (missed + 1, 0)
      return
    }
    ellipse.follow(field, at: now)
    let steps = Double(missed + 1)
    defer { (angle, missed) = (now, 0) }
    guard let before = angle else { return }
    let (step, expected) = ((now - before) / (2 * .pi), rate * steps)
    let surprise = step - expected - (step - expected).rounded()
    turns += expected + surprise
    steadiness = cos(2 * .pi * surprise)
    coherence += (steadiness - coherence) * Self.memory
    surprises += (surprise * surprise - surprises) * Self.memory
    if abs(surprise) > Self.doubtful, doubt == nil { doubt = (surprise > 0 ? -1 : 1, Self.patience) }
    rate += surprise * Self.gain / steps
    settleDoubt()
  }

  private mutating func settleDoubt() {
    guard let (correction, samples) = doubt else { return }
    doubt = samples > 1 ? (correction, samples - 1) : nil
    guard abs(rate) > 0.5, correction * rate < 0 else { return }
    turns += correction
    rate += correction
    doubt = nil
  }

  /// Standard deviation of the angle's noise, in turns.
  var noise: Double { Self.noiseShare * surprises.squareRoot() }

  /// Whether the magnet turns faster than half the sampling rate: what is seen may be a slower rotation the other way.
  var isTooFast: Bool { abs(rate) > 0.48 }
}
