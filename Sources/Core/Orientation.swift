/// How the device is held, as its user sees it.
public enum Orientation: String, CaseIterable, Sendable {
  case portrait
  case portraitUpsideDown = "portrait-upside-down"
  /// Turned counter-clockwise out of portrait: the left edge down, +x to the top of the screen.
  case landscapeLeft = "landscape-left"
  /// Turned clockwise out of portrait: the right edge down, −x to the top of the screen.
  case landscapeRight = "landscape-right"
  case faceUp = "face-up"
  case faceDown = "face-down"
  case unknown

  /// The axis of the device frame that points to the top of the screen; nil where the screen lies flat or is unknown.
  public var screenTop: Vector3? {
    switch self {
    case .portrait: Vector3(0, 1, 0)
    case .portraitUpsideDown: Vector3(0, -1, 0)
    case .landscapeLeft: Vector3(1, 0, 0)
    case .landscapeRight: Vector3(-1, 0, 0)
    case .faceUp, .faceDown, .unknown: nil
    }
  }
}

/// The axis along which a heading is read once the screen is held upright.
public enum Pointing: String, CaseIterable, Sendable {
  /// The top edge while it has a direction, the back when the device is held upright; with hysteresis.
  case auto
  /// Always the top edge.
  case top
  /// Always where the back (−z) points.
  case back
}
