import LodestoneCore

/// Recognizes a push to a side: it begins when an axis exceeds 0.3 g, and ends when all have been below that for 0.1 s.
struct MovementRecognizer: Sendable {
  private static let limit = 0.3
  private static let patience = 0.1
  /// A stop that is as strong as the start, within this share, does not count.
  private static let alike = 0.8

  /// The strongest push of each direction, in g, and when it first exceeded the limit.
  private var peaks: InlineArray<6, Double> = .init(repeating: 0)
  private var begins: InlineArray<6, Double> = .init(repeating: .infinity)
  private var begin: Double?
  private var lastStrong = 0.0

  /// Forgets a push that turned out to be something else.
  mutating func cancel() {
    begin = nil
    peaks = .init(repeating: 0)
    begins = .init(repeating: .infinity)
  }

  /// Takes the acceleration beside gravity in g; a movement when one has ended.
  mutating func add(_ push: Vector3, at time: Double) -> MotionReading.Event? {
    var isStrong = false
    for side in 0..<6 {
      let strength = side % 2 == 0 ? push[side / 2] : -push[side / 2]
      guard strength > Self.limit else { continue }
      isStrong = true
      peaks[side] = max(peaks[side], strength)
      begins[side] = min(begins[side], time)
    }
    if isStrong {
      begin = begin ?? time
      lastStrong = time
      return nil
    }
    guard let began = begin, time - lastStrong >= Self.patience else { return nil }
    defer { cancel() }
    return ended(began)
  }

  private func ended(_ began: Double) -> MotionReading.Event {
    var side = 0
    for other in 1..<6 where peaks[other] > peaks[side] { side = other }
    let opposite = side ^ 1
    if peaks[opposite] >= Self.alike * peaks[side], begins[opposite] < begins[side] { side = opposite }
    return MotionReading.Event(
      kind: .movement, direction: Self.directions[side], peak: peaks[side], duration: lastStrong - began)
  }

  private static let directions: [MotionReading.Event.Direction] = [
    .right, .left, .top, .bottom, .towardsFace, .awayFromFace,
  ]
}

/// Recognizes a shake: three or more swings of at least 0.75 g, each opposite to the one before on its axis, one of them
/// of 1.25 g; over when 0.25 s pass without one.
struct ShakeRecognizer: Sendable {
  /// Swings are being made.
  var isUnderWay: Bool { count >= Self.needed }

  private static let swing = 0.75
  private static let strong = 1.25
  private static let needed = 3
  private static let patience = 0.25

  private var axis = 0
  private var isPositive = false
  private var count = 0
  private var peak = 0.0
  private var begin = 0.0
  private var last = 0.0
  private var isTold = false

  /// Takes the acceleration beside gravity in g; a shake when enough has been seen of one, once.
  mutating func add(_ push: Vector3, at time: Double) -> MotionReading.Event? {
    if count > 0, time - last > Self.patience { (count, peak, isTold) = (0, 0, false) }
    let strongest =
      abs(push.x) >= abs(push.y) ? (abs(push.x) >= abs(push.z) ? 0 : 2) : (abs(push.y) >= abs(push.z) ? 1 : 2)
    let strength = push[strongest]
    guard abs(strength) >= Self.swing else { return nil }
    if count == 0 {
      (axis, isPositive, count, begin) = (strongest, strength > 0, 1, time)
    } else if strongest == axis, (strength > 0) != isPositive {
      isPositive = strength > 0
      count += 1
    }
    peak = max(peak, abs(strength))
    last = time
    guard count >= Self.needed, peak >= Self.strong, !isTold else { return nil }
    isTold = true
    return MotionReading.Event(
      kind: .shake, direction: axis == 0 ? .x : axis == 1 ? .y : .z, peak: peak, duration: time - begin)
  }
}

/// Recognizes a jolt by change: two axes that change by more than 0.7 g from one sample to the next, armed again below
/// 0.2 g, one in an interval.
struct JoltRecognizer: Sendable {
  private static let fires = 0.7
  private static let arms = 0.2

  private let interval: Double
  private var before: Vector3?
  private var isArmed = true
  private var last = -Double.infinity

  init(interval: Double) { self.interval = interval }

  /// Takes the specific force in g; a jolt when there is one.
  mutating func add(_ force: Vector3, at time: Double) -> MotionReading.Event? {
    defer { before = force }
    guard let before else { return nil }
    let change = force - before
    let strong = (0..<3).count { abs(change[$0]) > Self.fires }
    if (0..<3).allSatisfy({ abs(change[$0]) < Self.arms }) { isArmed = true }
    guard isArmed, strong >= 2, time - last >= interval else { return nil }
    (isArmed, last) = (false, time)
    return MotionReading.Event(kind: .jolt, peak: change.length)
  }
}
