import LodestoneCore

/// The order in which poses are asked for: the next is the first of the fixed order that was neither held nor asked
/// before.
struct PoseSequence: Sendable {
  /// The pose asked for now; nil before the first.
  private(set) var asked: RestPose?
  /// Poses that were asked for and are not asked for again.
  private(set) var answered: [RestPose] = []

  private let order: [RestPose]

  /// Poses of a fixed order.
  init(_ order: [RestPose] = RestPose.inOrder) { self.order = order }

  /// How near to an attitude that was held a pose counts as held, in degrees: as far as a hand misses it and another
  /// attitude begins.
  private static let near = 25.0

  /// The pose asked for is over: a rest came, there or elsewhere. One that a hand cannot reach is never insisted on.
  mutating func answer() {
    if let asked { answered.append(asked) }
    asked = nil
  }

  /// Asks for the next pose unless one is asked for.
  mutating func askNext(held: [Vector3]) {
    guard asked == nil else { return }
    let new = order.filter { pose in !answered.contains { $0.up == pose.up } }
    let free = new.filter { pose in
      !held.contains { $0.angle(to: pose.up) < Angle.radians(Self.near) }
    }
    asked = free.first ?? new.first ?? order.first
    if asked.map({ pose in !new.contains { $0.up == pose.up } }) ?? false { answered = [] }
  }
}
