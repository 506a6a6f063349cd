import LodestoneCore

/// The size of one count of a chip's field in one of its ranges, for streams of raw counts.
public struct CountSize: Equatable, Sendable {
  /// Full scale in µT.
  public var range: Double
  /// µT in one count, for each axis.
  public var microtesla: Vector3

  /// A size that the three axes share.
  init(range: Double, microtesla: Double) {
    self.init(range: range, microtesla: Vector3(microtesla, microtesla, microtesla))
  }

  init(range: Double, microtesla: Vector3) {
    self.range = range
    self.microtesla = microtesla
  }
}
