import LodestoneCore
import Glibc

// The main field is the gradient of a potential, in spherical coordinates r, θ (colatitude), λ:
//
//   V = a Σₙ Σₘ (a/r)ⁿ⁺¹ (gₙₘ cos mλ + hₙₘ sin mλ) Pₙₘ(cos θ),   B = −∇V,   1 ≤ n ≤ N, 0 ≤ m ≤ n,     (1)
//
// with a = 6371.2 km and Schmidt's quasi-normalized Legendre functions. Coefficients are linear in time, and so is the
// field: one sum with (g, h) and their rates side by side gives the field and its change, at any date, without making
// coefficients for that date first.
//
// For m > 0 the sum runs over Qₙₘ = tⁿ⁺² Pₙₘ / sin θ, t = a/r. Q is finite at the poles, where the east component
// m P / sin θ and the derivative need it, so a pole is a place like any other:
//
//   Qₙₘ = (2n−1)/kₙₘ t cos θ Qₙ₋₁,ₘ − kₙ₋₁,ₘ/kₙₘ t² Qₙ₋₂,ₘ,   kₙₘ = √(n² − m²)                       (2)
//   tⁿ⁺² dPₙₘ/dθ = n cos θ Qₙₘ − kₙₘ t Qₙ₋₁,ₘ                                                       (3)
//   Qₘₘ = √((2m−1)/2m) t sin θ Qₘ₋₁,ₘ₋₁,   Q₁₁ = t³                                                 (4)
//
// For m = 0 it runs over tⁿ⁺² Pₙ₀, and the derivative follows by differentiating (2).
// Source: Chulliat et al., The US/UK World Magnetic Model for 2020–2025: Technical Report, NOAA, section 1.2.

/// g, h in nT at an epoch, and their change in nT a year.
typealias Gauss = SIMD4<Double>

extension Gauss {
  /// g · direction.x + h · direction.y in lane 0, and the same of their changes in lane 1.
  @inline(__always)
  func projected(on direction: SIMD2<Double>) -> SIMD2<Double> {
    evenHalf * SIMD2(repeating: direction.x) + oddHalf * SIMD2(repeating: direction.y)
  }
}

/// A point in geocentric spherical coordinates, with what turns a field there into the geodetic frame.
struct GeocentricPoint {
  /// Sine and cosine of θ, the geocentric colatitude; the sine is never negative.
  let cosine, sine: Double
  /// Reference radius over the distance from the Earth's centre.
  let ratio: Double
  /// Sine and cosine of the geodetic latitude minus the geocentric.
  let tiltCosine, tiltSine: Double

  /// The radius that the coefficients refer to, in metres.
  private static let referenceRadius = 6_371_200.0

  init(_ place: Place) {
    let latitude = Angle.radians(place.latitude)
    let sinLatitude = sin(latitude)
    // An exact zero at the poles.
    let cosLatitude = abs(place.latitude) == 90 ? 0 : cos(latitude)
    let squaredEccentricity = Ellipsoid.squaredEccentricity
    let curvature = Ellipsoid.equatorialRadius / (1 - squaredEccentricity * sinLatitude * sinLatitude).squareRoot()
    let fromAxis = (curvature + place.altitude) * cosLatitude
    let fromEquator = (curvature * (1 - squaredEccentricity) + place.altitude) * sinLatitude
    let perRadius = 1 / (fromAxis * fromAxis + fromEquator * fromEquator).squareRoot()
    cosine = fromEquator * perRadius
    sine = fromAxis * perRadius
    ratio = Self.referenceRadius * perRadius
    tiltCosine = cosine * sinLatitude + sine * cosLatitude
    tiltSine = sine * sinLatitude - cosine * cosLatitude
  }
}

/// A field in the geodetic frame: in lane 0 at the epoch, in nT; in lane 1 its change in a year.
struct SynthesizedField {
  var north = SIMD2<Double>.zero
  var east = SIMD2<Double>.zero
  var down = SIMD2<Double>.zero
}

/// The sum (1) over one set of coefficients.
enum SphericalHarmonics {
  /// The highest degree there is room for.
  static let highestDegree = 13

  /// The number of (n, m) in a model of this degree, n from 1.
  static func termCount(degree: Int) -> Int { degree * (degree + 3) / 2 }

  /// The place of (n, m) in the order of the sum: by m, then by n.
  static func index(n: Int, m: Int, degree: Int) -> Int {
    m == 0 ? n - 1 : degree + (m - 1) * degree - (m - 1) * (m - 2) / 2 + n - m
  }

  /// The field of `terms[first...]`, in the order of `index(n:m:degree:)`, at a point and longitude in degrees.
  static func field(
    _ terms: [Gauss], from first: Int, degree: Int, at point: GeocentricPoint, longitude: Double
  ) -> SynthesizedField {
    var outward = SIMD2<Double>.zero
    var south = SIMD2<Double>.zero
    var east = SIMD2<Double>.zero
    terms.withUnsafeBufferPointer { terms in
      let zonal = zonalSums(terms, from: first, degree: degree, at: point)
      outward = zonal.outward.evenHalf
      south = -zonal.south.evenHalf
      var next = first + degree
      let step = SIMD2(cos(Angle.radians(longitude)), sin(Angle.radians(longitude)))
      var turn = step  // cos mλ, sin mλ
      var diagonal = point.ratio * point.ratio * point.ratio
      recursion.steps.withUnsafeBufferPointer { steps in
        for m in 1...degree {
          let sums = sectoralSums(terms, from: next, steps, m: m, degree: degree, diagonal: diagonal, at: point)
          next += degree - m + 1
          outward += sums.outward.projected(on: turn * point.sine)
          south -= sums.south.projected(on: turn)
          east += sums.east.projected(on: SIMD2(turn.y, -turn.x) * Double(m))
          turn = SIMD2(turn.x * step.x - turn.y * step.y, turn.y * step.x + turn.x * step.y)
          diagonal *= steps[m * (highestDegree + 1)].w * point.ratio * point.sine
        }
      }
    }
    let cosine = SIMD2(repeating: point.tiltCosine)
    let sine = SIMD2(repeating: point.tiltSine)
    return SynthesizedField(
      north: -south * cosine - outward * sine, east: east, down: south * sine - outward * cosine)
  }

  /// The sums over n of one order, with g and h and their rates still apart.
  private struct Sums {
    var outward = Gauss.zero
    var south = Gauss.zero
    var east = Gauss.zero
  }

  @inline(__always)
  private static func zonalSums(
    _ terms: UnsafeBufferPointer<Gauss>, from first: Int, degree: Int, at point: GeocentricPoint
  ) -> Sums {
    var sums = Sums()
    var (before, last) = (0.0, point.ratio * point.ratio)
    var (slopeBefore, slopeLast) = (0.0, 0.0)
    for n in 1...degree {
      let count = Double(n)
      let a = (2 * count - 1) / count * point.ratio
      let b = (count - 1) / count * point.ratio * point.ratio
      let slope = a * (point.cosine * slopeLast - point.sine * last) - b * slopeBefore
      let value = a * point.cosine * last - b * before
      (before, last, slopeBefore, slopeLast) = (last, value, slopeLast, slope)
      let term = terms[first + n - 1]
      sums.outward += term * Gauss(repeating: (count + 1) * value)
      sums.south += term * Gauss(repeating: slope)
    }
    return sums
  }

  @inline(__always)
  private static func sectoralSums(
    _ terms: UnsafeBufferPointer<Gauss>, from first: Int, _ steps: UnsafeBufferPointer<SIMD4<Double>>, m: Int,
    degree: Int, diagonal: Double, at point: GeocentricPoint
  ) -> Sums {
    let x = point.ratio * point.cosine
    let y = point.ratio * point.ratio
    var (before, last) = (0.0, diagonal)
    var count = Double(m)
    let term = terms[first]
    var sums = Sums(
      outward: term * Gauss(repeating: (count + 1) * diagonal),
      south: term * Gauss(repeating: count * point.cosine * diagonal), east: term * Gauss(repeating: diagonal))
    for n in stride(from: m + 1, through: degree, by: 1) {
      let constants = steps[m * (highestDegree + 1) + n]
      let value = constants.x * x * last - constants.y * y * before
      (before, last) = (last, value)
      count += 1
      let slope = count * point.cosine * value - constants.z * point.ratio * before
      let term = terms[first + n - m]
      sums.outward += term * Gauss(repeating: (count + 1) * value)
      sums.south += term * Gauss(repeating: slope)
      sums.east += term * Gauss(repeating: value)
    }
    return sums
  }

  private static let recursion = Recursion()

  /// The constants of (2), (3) and (4).
  private struct Recursion: Sendable {
    /// The factors of the recursion, at m · 14 + n: (2n−1)/kₙₘ, kₙ₋₁,ₘ/kₙₘ and kₙₘ; fourth, at m · 14, the factor from
    /// Qₘₘ to the next.
    let steps: [SIMD4<Double>]

    init() {
      let width = highestDegree + 1
      func k(_ n: Int, _ m: Int) -> Double { Double(max(n * n - m * m, 0)).squareRoot() }
      var steps = [SIMD4<Double>](repeating: .zero, count: width * width)
      for m in 0..<width {
        for n in stride(from: m + 1, to: width, by: 1) {
          let root = k(n, m)
          steps[m * width + n] = SIMD4(Double(2 * n - 1) / root, k(n - 1, m) / root, root, 0)
        }
        let order = Double(m)
        steps[m * width].w = ((2 * order + 1) / (2 * order + 2)).squareRoot()
      }
      self.steps = steps
    }
  }
}
