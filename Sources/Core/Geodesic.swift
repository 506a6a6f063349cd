import Glibc

// With reduced latitudes, tan β = (1 − f) tan φ, a geodesic of the ellipsoid is a great circle of a sphere. Along it
// sin α cos β = sin α₀ stays the same; σ is the arc since it crossed the equator northwards, ω the longitude on the
// sphere. On the ellipsoid, with k = e′ cos α₀,
//
//   s = b ∫ √(1 + k² sin² σ) dσ                                                        (1)
//   λ = ω − f sin α₀ ∫ (2 − f) / (1 + (1 − f) √(1 + k² sin² σ)) dσ                     (2)
//   m = b (√(1 + k² sin² σ₂) cos σ₁ sin σ₂ − √(1 + k² sin² σ₁) sin σ₁ cos σ₂
//          − cos σ₁ cos σ₂ ∫ k² sin² σ / √(1 + k² sin² σ) dσ)                          (3)
//
// The integrands are so smooth that twelve points of Gauss and Legendre leave nothing of a double's digits. Given are
// the points, wanted is the azimuth α₁. When the first point is the one farther from the equator, and south of it, λ₁₂
// grows with α₁ from 0 to π: the azimuth has a bracket, in which Newton's method, dλ₁₂/dα₁ = m / (a cos α₂ cos β₂),
// cannot get lost, be the points antipodes. Source: C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87
// (2013), equations 5 to 9, 38 and 46.

/// The shortest line between two points on the ellipsoid of WGS 84: right to ten micrometres.
public struct Geodesic: Equatable, Sendable {
  /// Its length in metres.
  public let distance: Double
  /// Its direction at the first point, in degrees clockwise from true north, 0 ..< 360; nil where both points are the
  /// same. Between antipodes more than one line is the shortest; it is that of one of them.
  public let bearing: Double?

  /// The geodesic from one point to another.
  public init(from start: Coordinate, to end: Coordinate) {
    let turn = Angle.shortestTurn(from: start.longitude, to: end.longitude)
    let isSwapped = abs(start.latitude) < abs(end.latitude)
    let (far, near) = isSwapped ? (end.latitude, start.latitude) : (start.latitude, end.latitude)
    let north = far < 0 ? 1.0 : -1.0
    let line = CanonicalLine(
      from: ReducedLatitude(degrees: far * north), to: ReducedLatitude(degrees: near * north),
      longitude: Angle.radians(abs(turn)))
    distance = line.length
    let end = isSwapped ? line.last : line.first
    let east = turn < 0 ? -1.0 : 1.0
    let azimuth = atan2(end.sine * east, end.cosine * (isSwapped ? -north : north))
    bearing = line.length > 0 ? Angle.wrapped(degrees: Angle.degrees(azimuth)) : nil
  }
}

/// A latitude on the sphere that stands for the ellipsoid.
private struct ReducedLatitude {
  let sine, cosine: Double

  /// A geodetic latitude. What is within 10 µm of the equator is on it: there the azimuth would be past a double's
  /// digits.
  init(degrees: Double) {
    let latitude = Angle.radians(abs(degrees) < 1e-10 ? 0 : degrees)
    let (sine, cosine) = ((1 - Ellipsoid.flattening) * sin(latitude), cos(latitude))
    let length = (sine * sine + cosine * cosine).squareRoot()
    self.sine = sine / length
    self.cosine = cosine / length
  }
}

/// A direction as sine and cosine, clockwise from north.
private struct Azimuth {
  var sine, cosine: Double
}

/// A geodesic whose first point is south of the equator and the farther from it, and which goes east.
private struct CanonicalLine {
  let length: Double
  let first, last: Azimuth

  init(from start: ReducedLatitude, to end: ReducedLatitude, longitude: Double) {
    let arc: Arc
    if longitude == 0 {
      arc = Arc(from: start, to: end, Azimuth(sine: 0, cosine: 1))
    } else if start.sine == 0, longitude <= (1 - Ellipsoid.flattening) * .pi {
      length = Ellipsoid.equatorialRadius * longitude
      first = Azimuth(sine: 1, cosine: 0)
      last = first
      return
    } else {
      arc = Self.arc(from: start, to: end, longitude: longitude)
    }
    length = (1 - Ellipsoid.flattening) * Ellipsoid.equatorialRadius * arc.lengthIntegral
    first = arc.first
    last = arc.last
  }

  /// The arc that leads round the axis by an angle in radians. It is sought by the angle of its azimuth to due east,
  /// whose digits do not run out near the equator.
  private static func arc(from start: ReducedLatitude, to end: ReducedLatitude, longitude: Double) -> Arc {
    var (low, high) = (-Double.pi / 2, Double.pi / 2)
    var angle = guess(from: start, to: end, longitude: longitude)
    var arc = Arc(from: start, to: end, Azimuth(sine: cos(angle), cosine: sin(angle)))
    for _ in 0..<100 {
      let miss = arc.longitude - longitude
      guard abs(miss) > 1e-15 else { break }
      if miss > 0 { low = angle } else { high = angle }
      var next = angle + miss / arc.longitudeRate
      if !(next > low && next < high) { next = (low + high) / 2 }
      guard next != angle else { break }
      angle = next
      arc = Arc(from: start, to: end, Azimuth(sine: cos(angle), cosine: sin(angle)))
    }
    return arc
  }

  /// A first guess of the angle, by the sphere whose radius is that of the ellipsoid's parallels halfway.
  private static func guess(from start: ReducedLatitude, to end: ReducedLatitude, longitude: Double) -> Double {
    let middle = (start.cosine + end.cosine) / 2
    let turn = longitude / (1 - Ellipsoid.squaredEccentricity * middle * middle).squareRoot()
    guard turn < .pi else { return -.pi / 4 }
    return atan2(start.cosine * end.sine - start.sine * end.cosine * cos(turn), end.cosine * sin(turn))
  }
}

/// The geodesic that leaves a point in a direction, up to where it first reaches a latitude northwards.
private struct Arc {
  let first, last: Azimuth
  /// The difference of longitude in radians on the ellipsoid.
  let longitude: Double
  /// The change of the longitude with the first azimuth, without unit.
  let longitudeRate: Double
  /// The integral of (1).
  let lengthIntegral: Double

  init(from start: ReducedLatitude, to end: ReducedLatitude, _ azimuth: Azimuth) {
    let f = Ellipsoid.flattening
    let sine = azimuth.sine * start.cosine  // of α₀
    let northward = azimuth.cosine * start.cosine
    // cos² β₂ − cos² β₁, without losing digits near the equator.
    let difference =
      start.cosine < -start.sine
      ? (end.cosine - start.cosine) * (start.cosine + end.cosine) : (start.sine - end.sine) * (start.sine + end.sine)
    let northwardAtEnd = (northward * northward + max(difference, 0)).squareRoot()
    // At the equator the line comes from the south or goes there.
    let (startSine, endSine) = (start.sine == 0 ? -0.0 : start.sine, end.sine == 0 ? 0.0 : end.sine)
    let from = atan2(startSine, northward), to = atan2(endSine, northwardAtEnd)
    let turn = atan2(sine * endSine, northwardAtEnd) - atan2(sine * startSine, northward)
    let cosine = (azimuth.cosine * azimuth.cosine + pow(azimuth.sine * start.sine, 2)).squareRoot()
    let k2 = Ellipsoid.squaredEccentricity / ((1 - f) * (1 - f)) * cosine * cosine
    var integrals = SIMD4<Double>.zero
    for (place, weight) in GaussLegendre.twelve {
      let sigma = sin((to + from) / 2 + (to - from) / 2 * place)
      let square = k2 * sigma * sigma
      let root = (1 + square).squareRoot()
      let stretched: Double = (2 - f) / (1 + (1 - f) * root)
      integrals += weight * SIMD4<Double>(root, stretched, square / root, 0)
    }
    integrals *= (to - from) / 2
    lengthIntegral = integrals.x
    longitude = turn - f * sine * integrals.y
    let (sineFrom, cosineFrom, sineTo, cosineTo) = (sin(from), cos(from), sin(to), cos(to))
    let atEnd = (1 + k2 * sineTo * sineTo).squareRoot() * cosineFrom * sineTo
    let atStart = (1 + k2 * sineFrom * sineFrom).squareRoot() * sineFrom * cosineTo
    longitudeRate = (1 - f) * (atEnd - atStart - cosineFrom * cosineTo * integrals.z) / northwardAtEnd
    first = azimuth
    last = Azimuth(sine: sine, cosine: northwardAtEnd)  // both times cos β₂
  }
}

/// Places in −1 ... 1 and weights of a quadrature: the roots of a Legendre polynomial.
private enum GaussLegendre {
  static let twelve = nodes(12)

  private static func nodes(_ count: Int) -> [(place: Double, weight: Double)] {
    (1...count).map { index in
      var x = cos(.pi * (Double(index) - 0.25) / (Double(count) + 0.5))
      var slope = 0.0
      for _ in 0..<8 {
        var (before, value) = (1.0, x)
        for n in 2...count {
          (before, value) = (value, (Double(2 * n - 1) * x * value - Double(n - 1) * before) / Double(n))
        }
        slope = Double(count) * (x * value - before) / (x * x - 1)
        x -= value / slope
      }
      return (x, 2 / ((1 - x * x) * slope * slope))
    }
  }
}
