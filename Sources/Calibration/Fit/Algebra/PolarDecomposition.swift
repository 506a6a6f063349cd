import LodestoneCore
import Glibc

extension Matrix3 {
  /// R of the polar decomposition M = R · P, R orthonormal and P symmetric positive, by Newton's iteration
  /// R ← (R + R⁻ᵀ) / 2 (Higham 1986, equation 3.1), which converges for every invertible matrix.
  var orthonormalFactor: Matrix3 {
    var factor = self
    for _ in 0..<100 {
      guard let inverse = factor.inverse else { return factor }
      let next = (factor + inverse.transposed) * 0.5
      if next == factor { break }
      factor = next
    }
    return factor
  }

  /// The angle of a rotation in radians, 0 ... π, exact for small ones.
  var rotationAngle: Double {
    let axis = Vector3(row2.y - row1.z, row0.z - row2.x, row1.x - row0.y)
    return atan2(axis.length, row0.x + row1.y + row2.z - 1)
  }
}
