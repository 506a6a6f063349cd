import Glibc

/// Follows a magnet of which one axis sees no more than how its field swings: y = cos θ and noise.
///
/// One sample does not tell the angle, but a row of them does: of all ways through 48 angles and 23 rates the likeliest
/// is kept (Viterbi's algorithm), with the half turns it has made. Which way round a magnet turns does not show; where
/// it turns back, θ goes on at −θ.
struct SwingFollower: Sendable {
  /// Half turns of the likeliest way so far.
  private(set) var halfTurns = 0
  /// Turns from sample to sample on that way, the mean over the last samples.
  private(set) var rate = 0.0
  /// The residual of the swings, in µT: noise, and changes that are no rotation.
  private(set) var residual: Double
  /// The amplitude in µT.
  private(set) var amplitude: Double
  private(set) var center: Double
  /// The number of late samples far past both ends, less that of those between them; 0 at least.
  private(set) var strangeness = 0
  /// Amplitudes from the middle past which a field is none of the swing: garbled, or another one.
  private static let farOff = 2.0

  private static let angles = 48
  /// The number of rates, in bins a sample: up to a little less than half a turn, since a magnet that shows nothing at
  /// each half turn cannot be told from one that stands.
  private static let rates = 23
  /// The cost of each bin a sample, so that of two ways that fit as well the slower is taken.
  private static let haste: Float = 0.05
  /// The cost of a rate that changes by one bin, by any; of a magnet that turns back.
  private static let change: Float = 0.7
  private static let anyChange: Float = 20
  private static let turnBack: Float = 20
  /// How much more noise there is than what the likeliest way leaves: it follows a part of the noise.
  private static let caution = 1.5
  /// The share of a sample in what is learnt of the swings.
  private static let share = 0.02

  /// The cost of the likeliest way to each state, and its half turns. A state is an angle and a rate.
  private var ways: [Way]
  private var nextWays: [Way]
  private let waves: [Float]
  /// Half turns of the likeliest way; those it has more than the one that was followed before, and for how many
  /// samples.
  private var last = 0
  private var jump = 0
  private var trial = 0
  private static let patience = 24

  fileprivate struct Way {
    var cost: Float
    var halfTurns: Int32
  }

  /// A magnet whose field swings between two ends, in µT.
  init(low: Double, high: Double, noise: Double) {
    center = (low + high) / 2
    amplitude = (high - low) / 2
    residual = noise
    ways = .init(repeating: Way(cost: 0, halfTurns: 0), count: Self.angles * Self.rates)
    nextWays = ways
    waves = (0..<Self.angles).map { Float(cos(2 * .pi * Double($0) / Double(Self.angles))) }
  }

  /// Takes the field of the next sample along the axis, in µT.
  mutating func add(_ field: Double) {
    let isOff = abs(field - center) > Self.farOff * amplitude
    strangeness = isOff ? strangeness + 1 : max(0, strangeness - 1)
    let noise = max(Self.caution * residual, 0.05 * amplitude)
    let (offset, slope, weight) = (Float(field - center), Float(amplitude), Float(0.5 / (noise * noise)))
    let costs = waves.map { min((offset - slope * $0) * (offset - slope * $0) * weight, 12) }
    let best = ways.withUnsafeBufferPointer { old in
      nextWays.withUnsafeMutableBufferPointer { new in Self.step(old, new, costs) }
    }
    swap(&ways, &nextWays)
    learn(isOff ? nil : field, best)
  }

  /// One step of every way. Returns the state of the likeliest.
  private static func step(
    _ old: UnsafeBufferPointer<Way>, _ new: UnsafeMutableBufferPointer<Way>, _ costs: [Float]
  ) -> Int {
    var (least, likeliest) = (Float.greatestFiniteMagnitude, 0)
    for angle in 0..<angles {
      let row = angle * rates
      var any = old[row]
      for rate in 1..<rates where old[row + rate].cost < any.cost { any = old[row + rate] }
      any.cost += anyChange
      let mirror = (angles - angle) % angles * rates
      let passed = halves(at: angle)
      for rate in 0..<rates {
        var best = any
        best.take(old[row + rate], 0)
        if rate > 0 { best.take(old[row + rate - 1], change) }
        if rate + 1 < rates { best.take(old[row + rate + 1], change) }
        if rate <= 1 {
          best.take(old[mirror], turnBack)
          best.take(old[mirror + 1], turnBack)
        }
        let reached = angle + rate
        let end = reached < angles ? reached : reached - angles
        best.halfTurns += Int32(halves(at: reached) - passed)
        best.cost += costs[end] + haste * Float(rate)
        let state = end * rates + rate
        new[state] = best
        if best.cost < least { (least, likeliest) = (best.cost, state) }
      }
    }
    for state in new.indices { new[state].cost -= least }
    return likeliest
  }

  /// The number of half turns that are over at an angle. Each is over when cos θ has passed −½ or ½ on its way to the
  /// other end: a magnet that stands anywhere makes none, whatever the noise.
  private static func halves(at angle: Int) -> Int { (angle + angles / 6) / (angles / 2) }

  private mutating func learn(_ field: Double?, _ best: Int) {
    let (angle, bins) = (best / Self.rates, best % Self.rates)
    let start = (angle + Self.angles - bins) % Self.angles
    follow(Int(ways[best].halfTurns), step: Self.halves(at: start + bins) - Self.halves(at: start))
    rate += (Double(bins) / Double(Self.angles) - rate) * 0.1
    guard let field else { return }
    let wave = Double(waves[angle])
    let miss = field - center - amplitude * wave
    residual += (abs(miss) * 1.25 - residual) * Self.share / 4
    // A magnet that stands tells one place alone.
    let share = Self.share * min(1, rate * 20)
    center += miss * share
    amplitude = max(1, amplitude + miss * wave * share)
  }

  /// Another way may be the likeliest for a few samples: the half turns that it has more count once it has stayed that.
  /// Those that it has less are not taken back; they are waited for.
  /// - Parameters:
  ///   - count: the half turns of the likeliest way.
  ///   - step: those it made in this sample; the rest of what is new belongs to a way that was not followed before.
  private mutating func follow(_ count: Int, step: Int) {
    let other = count - step - last
    last = count
    if other != 0 { (jump, trial) = (max(0, jump + other), 0) }
    trial += 1
    if trial >= Self.patience { jump = 0 }
    halfTurns = max(halfTurns, count - jump)
  }

  /// Whether the magnet turns about as fast as half the sampling rate, where a slower rotation looks alike.
  var isTooFast: Bool { rate > 0.452 }
}

extension SwingFollower.Way {
  /// Takes another way where that is likelier.
  @inline(__always)
  fileprivate mutating func take(_ other: Self, _ extra: Float) {
    guard other.cost + extra < cost else { return }
    self = other
    cost += extra
  }
}
