import LodestoneCore

/// Iron on the board that its calibration does not know, as a fusion follows it: taken off the field, or left in it
/// where a table corrects headings or somebody wants to see what it does; and how much of it north has followed.
struct BoardIron: Sendable {
  /// News of it by a field.
  struct News: Sendable {
    /// The change of `value` in µT, and how far north is off for that, in radians.
    var (change, north): (Vector3, Double)
    /// It has become known, or is another: fields that were usual before are not any more.
    var isAnother: Bool
  }

  /// To be taken off a field, in µT, in the device's axes.
  var value: Vector3 { isLeft ? .zero : carried.value }
  /// Known, and left in the field, in µT, in the device's axes.
  var left: Vector3 { isLeft ? carried.value : .zero }
  /// The variance of north that is stated for it, in rad².
  var northVariance: Double { followed.owed * followed.owed + carried.statedVariance(along: followed.east) }
  /// The part of it that is in north.
  var followed = FollowedIron()

  private var carried = CarriedIron()
  private var isLeft = false
  /// A table of deviations corrects what it makes of headings: it is not looked for.
  private var isCorrected = false

  /// The frame is another one.
  mutating func restart() { carried.restart() }

  /// The calibration is another one, or iron has been made up to explain a turn.
  mutating func forget() { carried = CarriedIron() }

  /// Leaves it in the field from here on.
  /// - Parameter isCorrected: a table corrects what it makes of headings; else that is stated.
  mutating func leave(isCorrected: Bool) {
    isLeft = true
    self.isCorrected = self.isCorrected || isCorrected
    if isCorrected { forget() }
  }

  /// Takes a field: see `CarriedIron.add`. Returns nil where iron is left in it.
  /// - Parameter isTrusted: the attitude is right; what a turn that was missed makes of a field is no iron.
  mutating func learn(
    field: Vector3, attitude: Matrix3, turnedByField: Double, lean: Double, off: CarriedIron.Misfit?, step: Double,
    isTrusted: Bool
  ) -> News? {
    let change =
      isTrusted && !isCorrected
      ? carried.add(
        field: field, attitude: attitude, turnedByField: turnedByField, lean: lean, off: off, step: step) : .zero
    guard !isLeft else { return nil }
    return News(change: change, north: followed.learn(change), isAnother: carried.isAnother())
  }

  /// The variance of a field along a direction of the device by what of it stays in the field unknown, in µT².
  func variance(along direction: Vector3) -> Double { isLeft ? 0 : carried.variance(along: direction) }
}
