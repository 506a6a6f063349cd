import Glibc
import LodestoneCore

/// The size of a raw field, in the numbers of the wire.
public struct FieldSize: Equatable, Sendable {
  /// The median magnitude, hard iron and all.
  public let median: Double
  /// The radius of what the tips lie on, where the device was turned about; nil where it was not.
  public let radius: Double?
  /// The tips lie on a sphere or a circle: the radius is the field's, however large the hard iron.
  public let isShell: Bool
  /// The lengths, or the distances from the middle, are much alike, as those of a field are.
  public let isSteady: Bool
  /// Whether they lie on a circle, as those of a board that is turned on a table or about another axis: its radius is
  /// that of the field's part across the axis alone.
  public let isRing: Bool
  /// Whether all components are whole numbers: they may be counts.
  public let isWhole: Bool

  /// The best that is known of the field's strength.
  public var strength: Double { isShell ? radius ?? median : median }

  /// The best that is known of the field's strength where this is its unit: of a circle the magnitude, where that is
  /// nearer to the Earth's field than the radius.
  public func strength(in unit: FieldUnit) -> Double {
    guard isRing else { return strength }
    return [strength, median].min {
      MagneticField.earthMisfit($0 * unit.microtesla) < MagneticField.earthMisfit($1 * unit.microtesla)
    } ?? strength
  }

  /// The best that is known of the field's strength where no unit is: of a circle the magnitude.
  public var strengthOfCounts: Double { isRing ? median : strength }

  /// The size of fields; nil for none. Outliers are left out by quantiles.
  init?(_ fields: [Vector3]) {
    guard let median = fields.map({ $0.length }).median, median > 0 else { return nil }
    var (center, usual) = (Vector3.zero, Vector3.zero)
    var extents: [Double] = []
    for axis in 0..<3 {
      let sorted = fields.map { $0[axis] }.sorted()
      let low = sorted[sorted.count / 100], high = sorted[sorted.count - 1 - sorted.count / 100]
      (center[axis], usual[axis]) = ((low + high) / 2, sorted[sorted.count / 2])
      extents.append((high - low) / 2)
    }
    extents.sort()
    let distances = fields.map { ($0 - center).length }
    let radius = distances.median ?? 0
    let spread = Self.beside(usual, fields, radius).map { abs(($0 - center).length - radius) }.median ?? .infinity
    // A device at rest shows a small cloud whose distances spread; two clusters have one long axis.
    let isTurned =
      fields.count >= 30 && extents[1] > 0.3 * extents[2] && radius > 0.05 * median && spread < 0.25 * radius
    self.median = median
    isWhole = fields.allSatisfy { $0.isWhole }
    let unsteadiness = fields.map { abs($0.length - median) }.median ?? 0
    isSteady = unsteadiness < 0.35 * median || spread < 0.25 * radius
    self.radius = isTurned ? radius : nil
    isShell = isTurned && spread < 0.06 * radius
    isRing = isShell && Self.thickness(fields, about: center) < 0.3 * radius
  }

  /// The tips that tell whether all lie on a shell: of a board that lay still for most of the time those away from
  /// where it lay, as one place is on any, and a magnet that passes may be on none.
  private static func beside(_ usual: Vector3, _ fields: [Vector3], _ radius: Double) -> [Vector3] {
    guard 2 * fields.count(where: { ($0 - usual).length < 0.1 * radius }) > fields.count else { return fields }
    return fields.filter { ($0 - usual).length > 0.5 * radius }
  }

  /// Half of what tips span across the plane that the first one and another lie in, with their middle; outliers are
  /// left out.
  private static func thickness(_ fields: [Vector3], about center: Vector3) -> Double {
    guard let first = fields.first.map({ $0 - center }) else { return 0 }
    let planes = fields.map { first.cross($0 - center) }
    guard let normal = planes.max(by: { $0.squaredLength < $1.squaredLength })?.direction else { return 0 }
    let heights = fields.map { normal.dot($0 - center) }.sorted()
    return (heights[heights.count - 1 - heights.count / 100] - heights[heights.count / 100]) / 2
  }
}

extension [Double] {
  /// The middle value; nil for none.
  var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}

extension Vector3 {
  /// Whether all components are whole numbers. Apart, because rounding is a call that would be made for each message.
  @inline(never)
  var isWhole: Bool { x == x.rounded() && y == y.rounded() && z == z.rounded() }
}
