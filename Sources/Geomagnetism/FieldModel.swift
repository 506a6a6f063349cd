import LodestoneCore

/// A model of the Earth's main magnetic field: Gauss coefficients that are linear in time between epochs.
public struct FieldModel: Sendable {
  /// The name as people type it: `wmm2025`.
  public let name: String
  /// The name that its makers give it.
  public let title: String
  /// The dates it is made for, both ends included.
  public let life: ClosedRange<DecimalYear>

  private let degree: Int
  /// The beginning of each piece of the table; from the last on, its rates hold.
  private let epochs: [Double]
  /// One piece after the other, each in the order of the sum.
  private let terms: [Gauss]
  private let declinationErrors: [DeclinationError]

  /// Why a model says nothing.
  public enum Problem: Error, Equatable, Sendable {
    /// The date is not in the model's life, and extrapolation was not asked for.
    case dateOutsideLife(date: DecimalYear, model: String, life: ClosedRange<DecimalYear>)
  }

  /// The field at a place and date. Takes less than a microsecond and allocates nothing.
  /// - `extrapolating`: accepts dates outside the model's life; the uncertainty then grows as if the change
  ///   outside it were not known at all.
  public func evaluate(
    at place: Place, date: DecimalYear, extrapolating: Bool = false
  ) throws(Problem) -> EarthField {
    guard covers(date) || (extrapolating && date.value.isFinite) else {
      throw .dateOutsideLife(date: date, model: name, life: life)
    }
    let piece = epochs.lastIndex { $0 <= date.value } ?? 0
    let years = date.value - epochs[piece]
    let field = SphericalHarmonics.field(
      terms, from: piece * SphericalHarmonics.termCount(degree: degree), degree: degree, at: GeocentricPoint(place),
      longitude: place.longitude)
    let elements = MagneticElements(
      north: field.north.x + years * field.north.y, east: field.east.x + years * field.east.y,
      down: field.down.x + years * field.down.y)
    return EarthField(
      elements: elements, yearlyChange: elements.change(north: field.north.y, east: field.east.y, down: field.down.y),
      declinationUncertainty: declinationUncertainty(horizontal: elements.horizontal, date: date))
  }

  /// Whether a date is in the model's life. What is not a number is not.
  public func covers(_ date: DecimalYear) -> Bool {
    date.value >= life.lowerBound.value && date.value <= life.upperBound.value
  }

  private func declinationUncertainty(horizontal: Double, date: DecimalYear) -> Double {
    let error = declinationErrors.last { $0.from <= date.value } ?? declinationErrors[0]
    let yearsOutside = max(life.lowerBound.value - date.value, date.value - life.upperBound.value, 0)
    return error.degrees(horizontal: horizontal, yearsOutside: yearsOutside)
  }
}

/// The error of declination that a model states: √(offset² + (slope / H)²).
struct DeclinationError: Sendable {
  /// The first year it holds for.
  let from: Double
  /// The part of the error that does not depend on the field, in degrees.
  let offset: Double
  /// In degrees · nT.
  let slope: Double

  init(from: Double, offset: Double, slope: Double) {
    self.from = from
    self.offset = offset
    self.slope = slope
  }

  /// A declination's error from that of the east component in nT.
  init(from: Double, offset: Double, eastNanotesla: Double) {
    self.init(from: from, offset: offset, slope: Angle.degrees(eastNanotesla))
  }

  /// The field changes by 80 nT a year (root mean square of the vector over the globe; IAGA, "Health warning" of the
  /// IGRF), thus by 46 nT a component: what a model is wrong by for each year outside its life.
  private static let unknownChange = Angle.degrees(46)

  /// One standard deviation in degrees, at most 180.
  func degrees(horizontal: Double, yearsOutside: Double) -> Double {
    let outside = Self.unknownChange * yearsOutside
    let east = (slope * slope + outside * outside).squareRoot() / horizontal
    return min((offset * offset + east * east).squareRoot(), 180)
  }
}

// MARK: Published tables

extension FieldModel {
  /// A World Magnetic Model, from rows of n, m, g, h, and the changes of g and h in a year.
  init(
    name: String, title: String, life: ClosedRange<DecimalYear>, worldMagneticModel table: [Double],
    declinationErrors: [DeclinationError]
  ) {
    let rows = stride(from: 0, to: table.count, by: 6).map { table[$0..<($0 + 6)].map { $0 } }
    let degree = rows.reduce(0) { max($0, Int($1[0])) }
    var terms = [Gauss](repeating: .zero, count: SphericalHarmonics.termCount(degree: degree))
    for row in rows {
      let index = SphericalHarmonics.index(n: Int(row[0]), m: Int(row[1]), degree: degree)
      terms[index] = Gauss(row[2], row[3], row[4], row[5])
    }
    self.init(
      name: name, title: title, life: life, degree: degree, epochs: [life.lowerBound.value], terms: terms,
      declinationErrors: declinationErrors)
  }

  /// A reference field, from rows of n, m and one coefficient at each epoch; m < 0 stands for h of order −m.
  init(
    name: String, title: String, life: ClosedRange<DecimalYear>, epochs: [Double], coefficients table: [Double],
    declinationErrors: [DeclinationError]
  ) {
    let width = epochs.count + 2
    let starts = stride(from: 0, to: table.count, by: width)
    let degree = starts.reduce(0) { max($0, Int(table[$1])) }
    let pieces = epochs.count - 1
    let count = SphericalHarmonics.termCount(degree: degree)
    var terms = [Gauss](repeating: .zero, count: count * pieces)
    for start in starts {
      let order = Int(table[start + 1])
      let index = SphericalHarmonics.index(n: Int(table[start]), m: abs(order), degree: degree)
      let lane = order < 0 ? 1 : 0
      for piece in 0..<pieces {
        let (value, next) = (table[start + 2 + piece], table[start + 3 + piece])
        terms[piece * count + index][lane] = value
        terms[piece * count + index][lane + 2] = (next - value) / (epochs[piece + 1] - epochs[piece])
      }
    }
    self.init(
      name: name, title: title, life: life, degree: degree, epochs: [Double](epochs.dropLast()), terms: terms,
      declinationErrors: declinationErrors)
  }
}
