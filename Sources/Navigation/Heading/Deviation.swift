import LodestoneCore
import Glibc

// What iron that was fitted with the compass, and the calibration's remaining errors, make of its headings: a sum of
// five terms that mariners have used since Archibald Smith (1843),
//
//     δ(ψ) = A + B sin ψ + C cos ψ + D sin 2ψ + E cos 2ψ,                                                        (1)
//
// ψ the compass heading, δ = magnetic heading − compass heading, east positive. Fitted by least squares, each
// coefficient has a variance from the residual.

/// The deviation of an installed compass.
public struct Deviation: Equatable, Sendable {
  /// A, B, C, D, E in degrees, east positive.
  public let coefficients: [Double]
  /// The half-width that holds 95 % of each coefficient's errors, in degrees.
  public let uncertainties: [Double]
  /// The standard deviation of what (1) leaves, in degrees: headings less coefficients are its degrees of freedom.
  public let residual: Double
  /// The number of headings that it was fitted to; nil where that is not known.
  public let headingCount: Int?
  /// The number of headings before iron near the compass moved, or the compass did, as far as the order of the headings
  /// shows that for sure; else nil.
  public let changedAfter: Int?

  /// The names of the coefficients.
  public static let names = ["A", "B", "C", "D", "E"]
  /// The fewest headings a swing needs.
  public static let fewestHeadings = 8
  /// The widest gap between neighbouring headings, in degrees.
  public static let widestGap = 75.0
  /// With a larger A, in degrees, the compass is not mounted as it is said to be: fitters line it up to a few degrees.
  public static let largestConstant = 20.0
  /// With a larger residual, in degrees, the headings contradict each other, or are not what (1) describes.
  public static let largestResidual = 10.0

  /// A heading of the compass beside a reference, in degrees, both magnetic.
  public struct Mark: Equatable, Sendable {
    /// The heading of the compass.
    public var compass: Double
    /// The heading of the reference.
    public var reference: Double

    /// A pair of headings.
    public init(compass: Double, reference: Double) {
      self.compass = compass
      self.reference = reference
    }

    /// Reference less compass, −180 ..< 180.
    public var deviation: Double { Angle.shortestTurn(from: compass, to: reference) }
  }

  /// Why there is no deviation.
  public enum Refusal: Error, Equatable, Sendable {
    /// Fewer headings than `fewestHeadings`.
    case tooFew(Int)
    /// The headings leave a gap of `degrees`, which begins at the heading `from`.
    case gap(from: Double, degrees: Double)
    /// The five terms leave a residual of this many degrees.
    case contradictory(residual: Double)
  }

  /// By its coefficients A to E in degrees, as from a file; nil for another number of them, or for numbers that are
  /// none.
  public init?(coefficients: [Double], uncertainties: [Double] = [], residual: Double = 0, headingCount: Int? = nil) {
    guard coefficients.count == Self.names.count, coefficients.allSatisfy({ $0.isFinite && abs($0) <= 180 }) else {
      return nil
    }
    self.coefficients = coefficients
    self.uncertainties =
      uncertainties.count == coefficients.count ? uncertainties : coefficients.map { _ in 0 }
    self.residual = residual
    self.headingCount = headingCount
    changedAfter = nil
  }

  /// Fitted to a swing: at least eight headings spread over the circle, in the order they were taken.
  public init(_ marks: [Mark]) throws(Refusal) {
    let usable = marks.filter { $0.compass.isFinite && $0.reference.isFinite }
    guard usable.count >= Self.fewestHeadings else { throw .tooFew(usable.count) }
    if let gap = Self.gap(usable.map { Angle.wrapped(degrees: $0.compass) }), gap.degrees > Self.widestGap {
      throw .gap(from: gap.from, degrees: gap.degrees)
    }
    let rows = usable.map { Self.terms($0.compass) }
    // Deviations near ±180° are taken from their mean, so that none is counted on the wrong side.
    var middle = CircularMean()
    for mark in usable { middle.add(degrees: mark.deviation) }
    let offset = Angle.shortestTurn(from: 0, to: middle.degrees ?? 0)
    let values = usable.map { Angle.shortestTurn(from: offset, to: $0.deviation) }
    guard let (solution, inverse) = LeastSquares.solve(rows, values) else { throw .tooFew(usable.count) }
    let squares = LeastSquares.squares(rows, values, solution)
    let freedom = usable.count - Self.names.count
    let variance = squares / Double(freedom)
    guard variance <= Self.largestResidual * Self.largestResidual else {
      throw .contradictory(residual: variance.squareRoot())
    }
    coefficients = [Angle.shortestTurn(from: 0, to: solution[0] + offset)] + solution.dropFirst()
    let width = Quantile.student(freedom: freedom)
    uncertainties = (0..<Self.names.count).map { width * (max(0, inverse[$0][$0]) * variance).squareRoot() }
    residual = variance.squareRoot()
    headingCount = usable.count
    changedAfter = Self.change(usable.map { $0.compass }, values)
  }

  /// Fewest headings before and after a change, the chance of one where there is none, the share of the squares that it
  /// leaves at most, that of what terms in 4ψ leave, and the degrees by which it turns headings at least.
  private static let (fewestBeside, chance, mostLeft, mostOfFourth, leastChange) = (3, 0.005, 0.25, 0.5, 2.0)

  /// The headings before another B and C fit the later ones for sure, beside terms in 3ψ, which look alike in a swing
  /// that goes round once. With S and S' the sums of squares without and with those two, S'/S is below r with a chance
  /// of r^(f/2), f the degrees of freedom that are left, where nothing has changed. Two terms in 4ψ instead of a change
  /// must not explain as much.
  private static func change(_ compass: [Double], _ values: [Double]) -> Int? {
    let rows = compass.map { terms($0) + [sin(3 * Angle.radians($0)), cos(3 * Angle.radians($0))] }
    let freedom = rows.count - names.count - 4
    guard freedom > 0, let unchanged = LeastSquares.solve(rows, values)?.solution else { return nil }
    let squares = LeastSquares.squares(rows, values, unchanged)
    let places = fewestBeside...(rows.count - fewestBeside)
    let fits = places.compactMap { place -> (share: Double, size: Double, place: Int)? in
      let changed = rows.enumerated().map { $1 + ($0 < place ? [0, 0] : [$1[1], $1[2]]) }
      guard let solution = LeastSquares.solve(changed, values)?.solution, squares > 0 else { return nil }
      return (
        LeastSquares.squares(changed, values, solution) / squares,
        solution.suffix(2).reduce(0) { hypot($0, $1) }, place
      )
    }
    guard let best = fits.min(by: { $0.share < $1.share }), best.share < mostLeft, best.size > leastChange else {
      return nil
    }
    let fourth = zip(rows, compass).map { $0 + [sin(4 * Angle.radians($1)), cos(4 * Angle.radians($1))] }
    let left = LeastSquares.solve(fourth, values).map { LeastSquares.squares(fourth, values, $0.solution) } ?? squares
    guard best.share * squares < mostOfFourth * left else { return nil }
    return pow(best.share, Double(freedom) / 2) * Double(places.count) < chance ? best.place : nil
  }

  /// A in degrees, where it is a turn of the mounting rather than iron; else nil.
  public var mountingTurn: Double? { coefficients.first.flatMap { abs($0) > Self.largestConstant ? $0 : nil } }

  /// The deviation in degrees at a compass heading, east positive: (1).
  public func degrees(at compass: Double) -> Double {
    zip(Self.terms(compass), coefficients).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The half-width that holds 95 % of the errors of a corrected heading at a compass heading, in degrees: what the fit
  /// leaves, and its coefficients. They are taken as independent, as they are where the headings of the swing are
  /// evenly spread.
  public func uncertainty(at compass: Double) -> Double {
    let width = headingCount.map { Quantile.student(freedom: max(1, $0 - Self.names.count)) } ?? Quantile.normal
    let left = width * residual
    return zip(Self.terms(compass), uncertainties).reduce(left * left) { $0 + $1.0 * $1.0 * $1.1 * $1.1 }.squareRoot()
  }

  /// The magnetic heading of a compass heading.
  public func corrected(_ compass: Heading<MagneticNorth>) -> Heading<MagneticNorth> {
    Heading(degrees: compass.degrees + degrees(at: compass.degrees))
  }

  /// The deviation at each 15° of compass heading, from north round to 345°.
  public var table: [(compass: Double, deviation: Double)] {
    stride(from: 0.0, to: 360, by: 15).map { ($0, degrees(at: $0)) }
  }

  private static func terms(_ compass: Double) -> [Double] {
    let angle = Angle.radians(compass)
    return [1, sin(angle), cos(angle), sin(2 * angle), cos(2 * angle)]
  }

  /// The widest gap between headings in 0 ..< 360.
  static func gap(_ headings: [Double]) -> (from: Double, degrees: Double)? {
    let sorted = headings.sorted()
    guard let first = sorted.first else { return nil }
    let next = sorted.dropFirst() + [first + 360]
    return zip(sorted, next).map { (from: $0, degrees: $1 - $0) }.max { $0.degrees < $1.degrees }
  }
}

/// Linear least squares with few unknowns, by the normal equations.
enum LeastSquares {
  /// The solution x of min |A x − b|² and (AᵀA)⁻¹; nil where the rows do not determine it.
  static func solve(_ rows: [[Double]], _ values: [Double]) -> (solution: [Double], inverse: [[Double]])? {
    guard let count = rows.first?.count, count > 0, rows.count >= count else { return nil }
    var normal = (0..<count).map { _ in [Double](repeating: 0, count: count) }
    var right = [Double](repeating: 0, count: count)
    for (row, value) in zip(rows, values) {
      for i in 0..<count {
        right[i] += row[i] * value
        for j in 0..<count { normal[i][j] += row[i] * row[j] }
      }
    }
    guard let inverse = inverted(normal) else { return nil }
    return (inverse.map { zip($0, right).reduce(0) { $0 + $1.0 * $1.1 } }, inverse)
  }

  /// The sum of squares |A x − b|².
  static func squares(_ rows: [[Double]], _ values: [Double], _ solution: [Double]) -> Double {
    zip(rows, values).reduce(0) { sum, pair in
      let rest = pair.1 - zip(pair.0, solution).reduce(0) { $0 + $1.0 * $1.1 }
      return sum + rest * rest
    }
  }

  /// By Gauss and Jordan with row pivots; nil for a matrix that is as good as singular.
  private static func inverted(_ matrix: [[Double]]) -> [[Double]]? {
    let count = matrix.count
    var rows = matrix.enumerated().map { index, row in row + (0..<count).map { $0 == index ? 1.0 : 0 } }
    let scale = matrix.flatMap { $0 }.map { abs($0) }.max() ?? 0
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12 * scale
      else { return nil }
      rows.swapAt(column, pivot)
      let divisor = rows[column][column]
      rows[column] = rows[column].map { $0 / divisor }
      for other in 0..<count where other != column {
        let factor = rows[other][column]
        for place in 0..<(2 * count) { rows[other][place] -= factor * rows[column][place] }
      }
    }
    return rows.map { Array($0.suffix(count)) }
  }
}
