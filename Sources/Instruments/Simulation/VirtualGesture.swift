import Glibc
import LodestoneCore

/// The gestures of a hand that holds a board: a push to a side, or a shake.
public enum VirtualGesture {
  /// One gesture.
  public enum Kind: String, CaseIterable, Sendable {
    case right, left, top, bottom
    case towardsFace = "towards-face"
    case awayFromFace = "away-from-face"
    case shakeX = "shake-x"
    case shakeY = "shake-y"
    case shakeZ = "shake-z"

    /// The direction of the first push, in the device frame. A board moved out of its face is moved towards the one who
    /// looks at it.
    var direction: Vector3 {
      switch self {
      case .right, .shakeX: Vector3(1, 0, 0)
      case .left: Vector3(-1, 0, 0)
      case .top, .shakeY: Vector3(0, 1, 0)
      case .bottom: Vector3(0, -1, 0)
      case .towardsFace, .shakeZ: Vector3(0, 0, 1)
      case .awayFromFace: Vector3(0, 0, -1)
      }
    }

    /// Whether it is a shake and no push.
    public var isShake: Bool { self == .shakeX || self == .shakeY || self == .shakeZ }
  }

  /// The gestures that a run has.
  public enum Choice: String, CaseIterable, Sendable {
    case none, pushes, shakes, all
  }

  /// One gesture every four seconds, which one, drawn from the seed.
  struct Schedule: Sendable {
    private let choice: Choice
    private let strength: Double
    private let seed: UInt64
    /// Seconds from one to the next.
    private static let period = 4.0
    /// Seconds that a push and its stop take; the stop is as strong as the push.
    private static let pushSeconds = 0.5
    /// Seconds that a shake takes, and its swings per second.
    private static let shakeSeconds = 1.0
    private static let swingsPerSecond = 4.0

    init(_ settings: VirtualBreakout.Settings) {
      choice = settings.motion == .shake && settings.gestures == .none ? .all : settings.gestures
      strength = settings.strength
      seed = settings.seed
    }

    /// The gesture at a time; nil between gestures.
    func gesture(at time: Double) -> Kind? { now(time)?.kind }

    /// The acceleration of the gesture, added to the specific force, in the device frame, in g.
    func acceleration(at time: Double) -> Vector3 {
      guard let (kind, age) = now(time) else { return .zero }
      let wave =
        kind.isShake
        ? sin(2 * .pi * Self.swingsPerSecond * age) : sin(2 * .pi * age / Self.pushSeconds)
      return kind.direction * (strength * wave)
    }

    private func now(_ time: Double) -> (kind: Kind, age: Double)? {
      guard choice != .none, time >= Self.period else { return nil }
      let turn = (time / Self.period).rounded(.down)
      var random = RandomNumbers(seed: seed &* 0x9E37_79B9 &+ UInt64(turn))
      let kinds = Kind.allCases.filter { choice == .all || $0.isShake == (choice == .shakes) }
      let kind = kinds[Int(random.uniform() * Double(kinds.count))]
      let age = time - turn * Self.period - random.uniform()
      let length = kind.isShake ? Self.shakeSeconds : Self.pushSeconds
      return age >= 0 && age < length ? (kind, age) : nil
    }
  }
}
