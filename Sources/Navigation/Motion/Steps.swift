import LodestoneCore
import Glibc

/// Counts steps wherever on the body the board is: by how long the specific force is, whatever its direction.
///
/// A band from 0.9 to 2.2 Hz is what walking has in common; each of its waves is a step. The threshold follows the
/// strength of the walk. The first four count together, once they have followed each other like steps.
struct StepRecognizer: Sendable {
  /// Steps so far.
  private(set) var count = 0

  private static let (lowest, highest) = (0.9, 2.2)
  /// The smallest wave, in g, and its share of the strongest of the last seconds.
  private static let (least, share) = (0.012, 0.12)
  /// Seconds after which a strong wave is forgotten.
  private static let memory = 1.0
  /// The shortest and the longest time from one step to the next, in seconds.
  static let shortest = 0.28
  private static let longest = 1.4
  /// Steps in a row that are a walk.
  private static let needed = 4
  /// Intervals whose mean is the cadence.
  private static let counted = 8

  private var last = -Double.infinity
  private var low = (0.0, 0.0)
  private var slow = (0.0, 0.0)
  private var strongest = 0.0
  private var isArmed = false
  private var times: [Double] = []
  /// Steps in a row.
  private var run = 0

  /// Nobody has walked yet after so many steps.
  init(count: Int = 0) { self.count = count }

  /// Steps a minute; nil while nobody walks.
  func cadence(at time: Double) -> Double? {
    guard run >= Self.needed, let first = times.first, let newest = times.last, time - newest <= Self.longest,
      newest > first
    else { return nil }
    return Double(times.count - 1) / (newest - first) * 60
  }

  /// Takes the specific force in g. Returns how many steps more there are.
  mutating func add(_ force: Vector3, at time: Double) -> Int {
    let step = time - last
    last = time
    let length = force.length
    guard step > 0, step < 0.5 else {
      (low, slow, isArmed) = ((length, length), (length, 0), false)
      return 0
    }
    let wave = band(length, step)
    strongest = max(abs(wave), strongest * exp(-step / Self.memory))
    let threshold = max(Self.least, Self.share * strongest)
    if wave < -threshold { isArmed = true }
    guard isArmed, wave > threshold, time - (times.last ?? -.infinity) >= Self.shortest else { return 0 }
    isArmed = false
    return take(time)
  }

  /// The last waves were none of a walk.
  mutating func cancel() { (times, run) = ([], 0) }

  private mutating func band(_ length: Double, _ step: Double) -> Double {
    let quick = 1 - exp(-2 * .pi * Self.highest * step)
    low.0 += (length - low.0) * quick
    low.1 += (low.0 - low.1) * quick
    let lazy = 1 - exp(-2 * .pi * Self.lowest * step)
    slow.0 += (low.1 - slow.0) * lazy
    let rest = low.1 - slow.0
    slow.1 += (rest - slow.1) * lazy
    return rest - slow.1
  }

  private mutating func take(_ time: Double) -> Int {
    if let newest = times.last, time - newest > Self.longest { cancel() }
    times.append(time)
    if times.count > Self.counted + 1 { times.removeFirst() }
    run += 1
    guard run >= Self.needed else { return 0 }
    let new = run == Self.needed ? run : 1
    count += new
    return new
  }
}
