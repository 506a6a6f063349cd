import LodestoneCore

extension UnitInference {
  /// Nameless axes that are the angles of a BNO055: heading, roll and pitch, in sixteenths of a degree. Its example
  /// calls them X, Y and Z. The heading counts from 0 to 360, and alone while the board lies or is turned on a table.
  static func areAngles(_ vectors: [Vector3], _ size: FieldSize) -> Bool {
    guard vectors.count > 3, !size.isWhole,
      vectors.allSatisfy({ (0...360).contains($0.x) && abs($0.y) <= 180 && abs($0.z) <= 180 && isInSixteenths($0) })
    else { return false }
    if vectors.allSatisfy({ abs($0.y) < 10 && abs($0.z) < 10 }) { return true }
    return !size.isSteady
      && [1, 2].allSatisfy { axis in span(vectors.map { $0[axis] }) < 0.6 * span(vectors.map { $0.x }) }
  }

  /// Whether all components are sixteenths, rounded to two decimals at least.
  private static func isInSixteenths(_ vector: Vector3) -> Bool {
    (0..<3).allSatisfy { abs((vector[$0] * 16).rounded() / 16 - vector[$0]) < 0.0051 }
  }

  private static func span(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
}
