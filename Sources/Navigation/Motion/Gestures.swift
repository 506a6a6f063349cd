import LodestoneCore

/// Recognizes a shake: three or more swings, each opposite to the one before on its axis, one of them strong; over when
/// 0.25 s pass without one.
struct ShakeRecognizer: Sendable {
  /// Whether swings are being made.
  var isUnderWay: Bool { count >= Self.needed }
  /// Whether swings follow each other faster than steps do.
  var isFasterThanSteps: Bool { isUnderWay && newest - begin < Double(count - 1) * StepRecognizer.shortest / 2 }

  private let axes: MotionAxes
  /// The strong one, in g.
  private let strong: Double
  /// A swing has this share of the strong one: 0.75 g of 1.25.
  private static let swingShare = 0.6
  private static let needed = 3
  private static let patience = 0.25

  private var axis = 0
  private var isPositive = false
  private var count = 0
  private var peak = 0.0
  private var begin = 0.0
  /// The beginning of the newest swing, in seconds.
  private var newest = 0.0
  private var last = 0.0
  private var isTold = false

  /// A recognizer for some axes.
  init(threshold: Double, axes: MotionAxes) {
    strong = threshold
    self.axes = axes
  }

  /// Takes the acceleration beside gravity in g; a shake when enough has been seen of one, once.
  mutating func add(_ push: Vector3, at time: Double) -> MotionReading.Event? {
    if count > 0, time - last > Self.patience { (count, peak, isTold) = (0, 0, false) }
    guard let strongest = axes.strongest(of: push) else { return nil }
    let strength = push[strongest]
    guard abs(strength) >= Self.swingShare * strong else { return nil }
    if count == 0 {
      (axis, isPositive, count, begin) = (strongest, strength > 0, 1, time)
    } else if strongest == axis, (strength > 0) != isPositive {
      isPositive = strength > 0
      newest = time
      count += 1
    }
    peak = max(peak, abs(strength))
    last = time
    guard count >= Self.needed, peak >= strong, !isTold else { return nil }
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

/// Recognizes free fall: less than 0.3 g for 0.1 s. What falls weighs the same all the while; a push away from the face
/// with 1 g passes through nothing on its way, and is less than 0.16 s below 0.3 g: what changes is believed after
/// that.
struct FallRecognizer: Sendable {
  private static let limit = 0.3
  private static let (patience, changingPatience) = (0.1, 0.17)
  /// Seconds after which the force must be steady, and the span in g that it must keep within.
  private static let (settling, steady) = (0.02, 0.1)
  /// The length of a fall in seconds from which on nothing else was meant.
  private static let longFall = 0.2

  private var begin: Double?
  private var isTold = false
  /// The least and the most of each axis since it has settled.
  private var extent: (least: Vector3, most: Vector3)?

  /// Whether it has fallen for so long that what follows is the landing.
  private(set) var isLong = false

  /// Takes the specific force in g; a fall once it has lasted.
  mutating func add(_ force: Vector3, at time: Double) -> MotionReading.Event? {
    guard force.length < Self.limit else {
      (begin, isTold, isLong) = (nil, false, false)
      extent = nil
      return nil
    }
    let began = begin ?? time
    begin = began
    isLong = time - began >= Self.longFall
    if time - began >= Self.settling - 1e-6 { extend(by: force) }
    let isSteady = extent.map { ($0.most - $0.least).length < Self.steady } ?? true
    let patience = isSteady ? Self.patience : Self.changingPatience
    guard !isTold, time - began >= patience - 1e-6 else { return nil }
    isTold = true
    return MotionReading.Event(kind: .freeFall, duration: time - began)
  }

  private mutating func extend(by force: Vector3) {
    var (least, most) = extent ?? (force, force)
    for axis in 0..<3 { (least[axis], most[axis]) = (min(least[axis], force[axis]), max(most[axis], force[axis])) }
    extent = (least, most)
  }
}

/// Axes of the device.
public struct MotionAxes: Equatable, Sendable {
  private let contained: InlineArray<3, Bool>

  /// All three axes.
  public static let all = MotionAxes(contained: [true, true, true])

  private init(contained: InlineArray<3, Bool>) { self.contained = contained }

  /// Axes from letters, as in `xy`; nil for none, for others and for one twice.
  public init?(_ letters: String) {
    var contained = InlineArray<3, Bool>(repeating: false)
    for letter in letters {
      guard let index = ["x", "y", "z"].firstIndex(of: letter), !contained[index] else { return nil }
      contained[index] = true
    }
    guard !letters.isEmpty else { return nil }
    self.contained = contained
  }

  /// Whether an axis is one of them; x is 0.
  public func contains(_ axis: Int) -> Bool { (0..<3).contains(axis) && contained[axis] }

  /// The one of them along which a vector is longest.
  func strongest(of vector: Vector3) -> Int? {
    var found: Int?
    for axis in 0..<3 where contained[axis] {
      if let best = found, abs(vector[axis]) <= abs(vector[best]) { continue }
      found = axis
    }
    return found
  }

  /// How long a vector is along that.
  func largest(of vector: Vector3) -> Double {
    var largest = 0.0
    for axis in 0..<3 where contained[axis] { largest = max(largest, abs(vector[axis])) }
    return largest
  }

  /// Equality of the axes.
  public static func == (one: MotionAxes, other: MotionAxes) -> Bool {
    (0..<3).allSatisfy { one.contained[$0] == other.contained[$0] }
  }
}
