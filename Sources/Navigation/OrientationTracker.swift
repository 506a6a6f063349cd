import LodestoneCore

/// How the device is held, from gravity: with hysteresis, and half a second late, so that neither a hand that trembles
/// on a border nor a single push makes the heading jump by 90°.
public struct OrientationTracker: Sendable {
  /// The orientation at the last sample.
  public private(set) var orientation = Orientation.unknown
  /// The last of the four upright ones: what the heading axis goes by while the screen lies flat. Portrait at first.
  public private(set) var upright = Orientation.portrait

  /// A tracker that has seen nothing yet.
  public init() {}

  /// Borders lie at 45°; each is left only 5° beyond it.
  private enum Border {
    static var enterFlat: Double { Angle.radians(40).cosine }
    static var leaveFlat: Double { Angle.radians(50).cosine }
    static var enterEdge: Double { Angle.radians(40).cosine }
    static var leaveEdge: Double { Angle.radians(50).cosine }
  }

  /// Seconds for which the device must be held another way before that counts.
  private static let patience = 0.5
  /// An orientation that does not count yet, and the time in seconds at which it began; nil while there is none.
  private var coming: (orientation: Orientation, since: Double)?

  /// Takes the direction that points up, of length 1, in the device frame, at a time in seconds. The first one counts
  /// at once.
  public mutating func update(up: Vector3, at time: Double) {
    let now = next(up: up)
    guard now != orientation, orientation != .unknown else {
      coming = nil
      hold(now)
      return
    }
    guard let coming, coming.orientation == now, time >= coming.since else {
      coming = (now, time)
      return
    }
    guard time - coming.since >= Self.patience else { return }
    self.coming = nil
    hold(now)
  }

  private mutating func hold(_ now: Orientation) {
    orientation = now
    if now.screenTop != nil { upright = now }
  }

  private func next(up: Vector3) -> Orientation {
    let wasFlat = orientation == .faceUp || orientation == .faceDown
    if abs(up.z) > (wasFlat ? Border.leaveFlat : Border.enterFlat) { return up.z > 0 ? .faceUp : .faceDown }
    guard let edge = Vector3(up.x, up.y, 0).direction else { return orientation }
    if let top = orientation.screenTop, top.dot(edge) > Border.leaveEdge { return orientation }
    for candidate in [Orientation.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight] {
      if let top = candidate.screenTop, top.dot(edge) > Border.enterEdge { return candidate }
    }
    return orientation.screenTop == nil ? nearestEdge(edge) : orientation
  }

  private func nearestEdge(_ edge: Vector3) -> Orientation {
    abs(edge.x) > abs(edge.y)
      ? (edge.x > 0 ? .landscapeLeft : .landscapeRight) : (edge.y > 0 ? .portrait : .portraitUpsideDown)
  }
}
