import LodestoneCore

/// A rate that comes again and again to the last digit while force or field show that the board turns otherwise: a
/// register or a bus may send what it sent.
struct HeldRate: Sendable {
  /// It counts for nothing until it changes.
  private(set) var isHeld = false
  /// The attitude when it was new.
  private(set) var attitude = Quaternion.identity
  /// The rate before it, in radians per second, and the time of that; nil where there was none.
  private(set) var before: (value: Vector3, time: Double)?
  private var value = Vector3.zero
  /// Samples in which it has come again.
  private var run = 0
  /// New rates so far, and those that came again and were none that is held.
  private var (fresh, again) = (0, 0)
  /// The force and the field in the frame that others are held against since it came again.
  private var (force, field) = (Vector3?.none, Vector3?.none)
  /// When one of them was last another one.
  private var changed = -Double.infinity

  /// Samples in a row, and new rates before them that tell how often one comes again by chance.
  private static let (longest, fewest) = (6, 50)
  /// A difference in radians per second from the rate before, or from none.
  private static let jump = Angle.radians(10)
  /// Seconds after which a board whose force and field stay the same is believed to be at rest.
  private static let patience = 1.0
  /// A change of the force in the frame, in g, and one of the field as a share of it, that a board at rest does not
  /// show.
  private static let (forceChange, fieldShare) = (0.1, 0.05)

  /// Takes a rate in radians per second, beside it the attitude and the rate before.
  @inline(__always)
  mutating func add(_ new: Vector3, attitude: Quaternion, before: (value: Vector3, time: Double)?) {
    guard new != value else {
      run &+= 1
      return
    }
    (fresh, again) = (fresh &+ 1, again &+ (isHeld ? 0 : run))
    (value, run, isHeld, force, field, changed) = (new, 0, false, nil, nil, -.infinity)
    (self.attitude, self.before) = (attitude, before)
  }

  /// Whether the rate turns out to be held with this sample: it is far from the one before it or from none, and since
  /// then force or field have shown another turn.
  /// - Parameters:
  ///   - f: the force in g, in the device frame; nil where none was measured.
  ///   - b: the field in µT, likewise.
  ///   - now: the attitude by the rates so far.
  ///   - bias: the gyroscope's, in radians per second.
  mutating func isFound(force f: Vector3?, field b: Vector3?, attitude now: Quaternion, bias: Vector3, at time: Double)
    -> Bool
  {
    guard run > 0, let before, isHeld || isOdd(beside: before.value, bias: bias) else { return false }
    let isOtherForce = Self.replaces(&force, by: f.map { now * $0 }, limit: Self.forceChange)
    let isOtherField = Self.replaces(&field, by: b.map { now * $0 }, limit: Self.fieldShare * (b?.length ?? 0))
    if isOtherForce || isOtherField { changed = time }
    let wasHeld = isHeld
    isHeld = run >= Self.longest && time - before.time > LostSamples.gap && time - changed < Self.patience
    if wasHeld, !isHeld { restart() }
    return isHeld && !wasHeld
  }

  /// Begins again where the attitude is found anew.
  mutating func restart() { (isHeld, before) = (false, nil) }

  /// The rate is far from the one before it or from none, and one that comes again is rare.
  private func isOdd(beside before: Vector3, bias: Vector3) -> Bool {
    fresh >= Self.fewest && again * 10 < fresh
      && max((value - before).squaredLength, (value - bias).squaredLength) > Self.jump * Self.jump
  }

  /// Whether a vector in the frame is another one than that before, which it stands for from then on.
  private static func replaces(_ before: inout Vector3?, by new: Vector3?, limit: Double) -> Bool {
    guard let new else { return false }
    guard let last = before, (new - last).squaredLength <= limit * limit else {
      defer { before = new }
      return before != nil
    }
    return false
  }
}
