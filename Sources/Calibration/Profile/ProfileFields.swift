import LodestoneCore

/// One object of a profile file, read key by key. Every error names the key with the path to it.
struct ProfileFields {
  private let document: JSONValue
  private let path: String

  init(_ document: JSONValue, path: String = "") {
    self.document = document
    self.path = path
  }

  private func value(_ key: String) throws(ProfileProblem) -> JSONValue {
    guard let value = document[key] else { throw .missing(key: path + key) }
    return value
  }

  func text(_ key: String) throws(ProfileProblem) -> String { try Self.text(value(key), path + key) }

  func number(
    _ key: String, in range: ClosedRange<Double> = -1e300...1e300
  ) throws(ProfileProblem) -> Double {
    try Self.number(value(key), path + key, in: range)
  }

  func numberOrNull(_ key: String, in range: ClosedRange<Double>) throws(ProfileProblem) -> Double? {
    try value(key) == .null ? nil : number(key, in: range)
  }

  func has(_ key: String) -> Bool { document[key] != nil }

  /// nil where there is no such key.
  func optionalText(_ key: String) throws(ProfileProblem) -> String? { document[key] == nil ? nil : try text(key) }

  /// nil where there is no such key.
  func optionalNumber(_ key: String, in range: ClosedRange<Double>) throws(ProfileProblem) -> Double? {
    document[key] == nil ? nil : try number(key, in: range)
  }

  /// Three numbers; nil where there is no such key.
  func vector(_ key: String, in range: ClosedRange<Double>) throws(ProfileProblem) -> Vector3? {
    document[key] == nil ? nil : try Self.vector(value(key), path + key, in: range)
  }

  func count(_ key: String) throws(ProfileProblem) -> Int {
    guard let count = Int(exactly: try number(key, in: 0...1e12)) else {
      throw .outOfRange(key: path + key, expected: "a whole number")
    }
    return count
  }

  /// The flag under a key; false where there is none.
  func flag(_ key: String) throws(ProfileProblem) -> Bool {
    switch document[key] {
    case nil: return false
    case .bool(let flag): return flag
    default: throw .wrongType(key: path + key, expected: "true or false")
    }
  }

  func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws(ProfileProblem) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try text(key)) else {
      let words = Word.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw .outOfRange(key: path + key, expected: "one of " + words)
    }
    return word
  }

  /// UTC as ISO 8601, with or without a fraction of a second, which is dropped.
  func time(_ key: String) throws(ProfileProblem) -> Int {
    let text = try text(key)
    guard text.hasSuffix("Z"), let time = CalendarTime(iso: text), time.unixTime >= 0 else {
      throw .outOfRange(key: path + key, expected: "a time as in 2026-05-01T12:00:00Z")
    }
    return Int(time.unixTime)
  }

  /// Three signed axes as a mounting is written.
  func axes(_ key: String) throws(ProfileProblem) -> String {
    let text = try text(key)
    guard text.utf8.count <= 16, (try? Mounting(text)) != nil else {
      throw .outOfRange(key: path + key, expected: "three signed axes as in y,x,-z")
    }
    return text
  }

  func object(_ key: String) throws(ProfileProblem) -> ProfileFields {
    let value = try value(key)
    guard case .object = value else { throw .wrongType(key: path + key, expected: "an object") }
    return ProfileFields(value, path: path + key + ".")
  }

  /// nil where there is no such key.
  func optionalObject(_ key: String) throws(ProfileProblem) -> ProfileFields? {
    document[key] == nil ? nil : try object(key)
  }

  func texts(_ key: String, limit: Int) throws(ProfileProblem) -> [String] {
    try list(key, limit: limit) { (element, path) throws(ProfileProblem) in try Self.text(element, path) }
  }

  func objects<Element>(
    _ key: String, limit: Int, _ make: (ProfileFields) throws(ProfileProblem) -> Element
  ) throws(ProfileProblem) -> [Element] {
    try list(key, limit: limit) { (element, path) throws(ProfileProblem) in
      guard case .object = element else { throw .wrongType(key: path, expected: "an object") }
      return try make(ProfileFields(element, path: path + "."))
    }
  }

  /// `hard_iron_uT`, and a `soft_iron` as sensors have it: it may be mirrored where `axes` are.
  func correction() throws(ProfileProblem) -> Correction {
    let hardIron = try Self.vector(value("hard_iron_uT"), path + "hard_iron_uT", in: -1e6...1e6)
    let softIron = try matrix("soft_iron", in: -1e6...1e6)
    let volume = softIron.row0.length * softIron.row1.length * softIron.row2.length
    guard abs(softIron.determinant) > 1e-6 * volume, let inverse = softIron.inverse, inverse.isFinite else {
      throw .singularSoftIron
    }
    let correction = Correction(hardIron: hardIron, softIron: softIron)
    guard correction.isOfOneUnit else {
      throw .outOfRange(key: path + "soft_iron", expected: "a matrix that scales by 1/20 to 20")
    }
    let axes = try axes("axes")
    let isMirrored = (try? Mounting(axes)).map { $0.matrix.determinant < 0 } ?? false
    guard (softIron.determinant < 0) == isMirrored else {
      throw .outOfRange(
        key: path + "soft_iron", expected: "\(isMirrored ? "left" : "right")-handed, as the axes \(axes) are")
    }
    return correction
  }

  /// Three rows of three numbers.
  private func matrix(_ key: String, in range: ClosedRange<Double>) throws(ProfileProblem) -> Matrix3 {
    let rows = try list(key, limit: 3) { (row, path) throws(ProfileProblem) in try Self.vector(row, path, in: range) }
    guard rows.count == 3 else { throw .wrongType(key: path + key, expected: "three rows of three numbers") }
    return Matrix3(rows[0], rows[1], rows[2])
  }

  /// `laser_axis` with its deviation; nil where there is none.
  func laser() throws(ProfileProblem) -> LaserAxis? {
    guard let line = try vector("laser_axis", in: -1...1) else { return nil }
    let deviation = try number("laser_axis_deviation_deg", in: 0...180)
    guard let laser = LaserAxis(along: line, deviation: deviation) else {
      throw .outOfRange(key: path + "laser_axis", expected: "a direction of length 1 near an axis")
    }
    return laser
  }

  /// `gyroscope_gain` with its deviation; nil where there is none.
  func gyroscopeGain() throws(ProfileProblem) -> GyroscopeGain? {
    guard document["gyroscope_gain"] != nil else { return nil }
    return GyroscopeGain(
      matrix: try matrix("gyroscope_gain", in: -2...2), deviation: try number("gyroscope_gain_deviation", in: 0...1))
  }

  /// `field_lag_s` with its deviation; nil where there is none.
  func fieldLag() throws(ProfileProblem) -> FieldLag? {
    guard let seconds = try optionalNumber("field_lag_s", in: -1...1) else { return nil }
    return FieldLag(seconds: seconds, deviation: try number("field_lag_deviation_s", in: 0...1))
  }

  /// `gyroscope_zero_dps` with its deviation; nil where there is none.
  func gyroscopeZero() throws(ProfileProblem) -> GyroscopeZero? {
    let (largest, uncertain) = (GyroscopeZero.largest, GyroscopeZero.largestDeviation)
    guard let rate = try vector("gyroscope_zero_dps", in: -largest...largest) else { return nil }
    let key = "gyroscope_zero_deviation_dps"
    let deviation = try Self.vector(value(key), path + key, in: 0...uncertain)
    return GyroscopeZero(
      rate: rate, deviation: deviation,
      temperature: try optionalNumber("gyroscope_temperature_C", in: Sample.temperatures))
  }

  /// `covariance`: as many rows and columns as parameters, symmetric, no negative variance.
  func covariance(of parameterCount: Int) throws(ProfileProblem) -> [[Double]] {
    let rows = try list("covariance", limit: max(parameterCount, 1)) { (row, path) throws(ProfileProblem) in
      try Self.numbers(row, path, in: -1e300...1e300, limit: max(parameterCount, 1))
    }
    guard rows.count == parameterCount, rows.allSatisfy({ $0.count == parameterCount }) else {
      throw .covarianceNotSquare(parameterCount: parameterCount)
    }
    try Covariance.check(rows)
    return rows
  }
}

// MARK: Values

extension ProfileFields {
  private static func text(_ value: JSONValue, _ key: String) throws(ProfileProblem) -> String {
    guard case .string(let text) = value else { throw .wrongType(key: key, expected: "a text") }
    guard text.utf8.count <= 4096 else { throw .outOfRange(key: key, expected: "at most 4096 bytes") }
    return text
  }

  private static func number(
    _ value: JSONValue, _ key: String, in range: ClosedRange<Double>
  ) throws(ProfileProblem) -> Double {
    let number: Double
    switch value {
    case .number(let value): number = value
    case .integer(let value): number = Double(value)
    default: throw .wrongType(key: key, expected: "a number")
    }
    guard number.isFinite else { throw .notFinite(key: key) }
    guard range.contains(number) else {
      throw .outOfRange(key: key, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func numbers(
    _ value: JSONValue, _ key: String, in range: ClosedRange<Double>, limit: Int
  ) throws(ProfileProblem) -> [Double] {
    try list(value, key, limit: limit) { (element, path) throws(ProfileProblem) in
      try number(element, path, in: range)
    }
  }

  private static func vector(
    _ value: JSONValue, _ key: String, in range: ClosedRange<Double>
  ) throws(ProfileProblem) -> Vector3 {
    let numbers = try numbers(value, key, in: range, limit: 3)
    guard numbers.count == 3 else { throw .wrongType(key: key, expected: "three numbers") }
    return Vector3(numbers[0], numbers[1], numbers[2])
  }

  private func list<Element>(
    _ key: String, limit: Int, _ make: (JSONValue, String) throws(ProfileProblem) -> Element
  ) throws(ProfileProblem) -> [Element] {
    try Self.list(value(key), path + key, limit: limit, make)
  }

  private static func list<Element>(
    _ value: JSONValue, _ key: String, limit: Int, _ make: (JSONValue, String) throws(ProfileProblem) -> Element
  ) throws(ProfileProblem) -> [Element] {
    guard case .array(let values) = value else { throw .wrongType(key: key, expected: "a list") }
    guard values.count <= limit else { throw .outOfRange(key: key, expected: "at most \(limit) entries") }
    var elements: [Element] = []
    for (index, value) in values.enumerated() { elements.append(try make(value, "\(key)[\(index)]")) }
    return elements
  }
}

/// The test of whether a matrix of numbers is a covariance.
private enum Covariance {
  static func check(_ rows: [[Double]]) throws(ProfileProblem) {
    guard rows.indices.allSatisfy({ rows[$0][$0] >= 0 }) else { throw .covarianceNotPositive }
    var correlation = rows
    for i in rows.indices {
      for j in rows.indices {
        let scale = rows[i][i].squareRoot() * rows[j][j].squareRoot()
        // A quantity that was held fixed has no variance, and then no covariance either.
        guard scale > 0 || rows[i][j] == 0 else { throw .covarianceNotPositive }
        correlation[i][j] = scale > 0 ? rows[i][j] / scale : i == j ? 1 : 0
      }
    }
    for i in rows.indices {
      for j in 0..<i where abs(correlation[i][j] - correlation[j][i]) > 1e-6 { throw .covarianceNotSymmetric }
    }
    guard isPositive(correlation) else { throw .covarianceNotPositive }
  }

  /// Cholesky's decomposition succeeds, with room for the rounding of a nearly singular estimate.
  private static func isPositive(_ matrix: [[Double]]) -> Bool {
    var lower = matrix
    for i in matrix.indices {
      for j in 0...i {
        var sum = matrix[i][j] + (i == j ? 1e-6 : 0)
        for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
        if i > j {
          lower[i][j] = sum / lower[j][j]
        } else {
          guard sum > 0 else { return false }
          lower[i][i] = sum.squareRoot()
        }
      }
    }
    return true
  }
}
