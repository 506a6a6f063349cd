import LodestoneCore
import Glibc

/// The inverse of what the board does to the field: `b = S · (m − o)`. S need not be symmetric: it also turns the
/// magnetometer's axes onto the accelerometer's.
public struct Correction: Equatable, Sendable {
  /// o: what the board's own magnets and the chip's offset add, in µT, in the chip's axes.
  public var hardIron: Vector3
  /// S: undoes gain, non-orthogonality, induced magnetism and misalignment. No unit.
  public var softIron: Matrix3

  /// A correction by these parameters.
  public init(hardIron: Vector3, softIron: Matrix3) {
    self.hardIron = hardIron
    self.softIron = softIron
  }

  /// Leaves a field as it is: for a device without a profile.
  public static let none = Correction(hardIron: .zero, softIron: .identity)

  /// The largest element of a `softIron` and of its inverse: another unit makes ten times as much.
  private static let largestStretch = 20.0

  /// The `softIron` stretches no field by more than chips and iron do, and shrinks none so.
  var isOfOneUnit: Bool {
    guard let inverse = softIron.inverse else { return false }
    return [softIron, inverse].allSatisfy { matrix in
      (0..<3).allSatisfy { row in (0..<3).allSatisfy { abs(matrix[row][$0]) <= Self.largestStretch } }
    }
  }

  /// The radius, in µT, of the sphere that raw fields of a strength lie on, or of the one as large as their ellipsoid.
  func radius(of strength: Double) -> Double { strength / cbrt(abs(softIron.determinant)) }

  /// The corrected field, still in the chip's axes.
  @inlinable
  public func apply(to raw: MagneticField) -> CorrectedField {
    CorrectedField(MagneticField(microtesla: softIron * (raw.microtesla - hardIron)))
  }
}

/// A field that a `Correction` has been applied to, once. Nothing else can make one, so no field is corrected twice
/// or not at all.
@frozen
public struct CorrectedField: Equatable, Sendable {
  /// The corrected field.
  public let field: MagneticField

  @usableFromInline
  init(_ field: MagneticField) { self.field = field }
}
