import LodestoneCore
import Support
import Testing

@testable import Calibration

@Test func optionalKeysAreReadBack() throws {
  var profile = Profile.example
  profile.forceCorrection = ForceCorrection(zero: Vector3(0.03, -0.01, 0.002), gain: Vector3(1.01, 0.99, 1))
  profile.forceCorrection.zeroDeviation = Vector3(0.009, 0.002, 0.006)
  profile.forceIsUsed = false
  (profile.countsPerMicrotesla, profile.countsPerGravity) = (68.42, 13_960)
  profile.laser = LaserAxis(along: Vector3(0.6 / 32, 1, -0.8 / 32).direction ?? .zero, deviation: 0.0625)
  #expect(profile.laser?.name == "y")
  profile.gyroscopeZero = GyroscopeZero(
    rate: Vector3(1.25, -0.5, 3), deviation: Vector3(0.1, 0.05, 0.06), temperature: 31.5)
  profile.gyroscopeGain = GyroscopeGain(
    matrix: Matrix3(Vector3(1.03, 0.02, 0), Vector3(-0.01, 0.98, 0.01), Vector3(0, 0, 1.005)), deviation: 0.002)
  profile.fieldLag = FieldLag(seconds: 0.0305, deviation: 0.0009)
  profile.temperature = 28.25
  profile.causes = [
    Cause(name: "current_A", slope: Vector3(0.75, -0.5, 0.25), deviation: 0.004, range: 0...30, lag: 0.125),
    Cause(name: "rudder", slope: Vector3(0, 0.0625, 0), deviation: 0.001, range: -35...35),
  ]
  let bytes = try profile.json()
  #expect(try Profile(json: bytes) == profile)
  for (key, bad) in [
    ("\"counts_per_uT\": 68.42", "\"counts_per_uT\": 0"), ("\"counts_per_g\": 13960", "\"counts_per_g\": null"),
    ("\"laser_axis\": [0.01", "\"laser_axis\": [0.02"), ("\"laser_axis_deviation_deg\": 0.0625", "\"other\": 0.0625"),
    ("[0.03, -0.01, 0.002]", "[0.03, -0.01]"),
    ("[1.01, 0.99, 1]", "[1.01, 0.99, 0]"), ("\"accelerometer_left_out\": true", "\"accelerometer_left_out\": 1"),
    ("[1.25, -0.5, 3]", "[1.25, -0.5, 36]"), ("\"gyroscope_zero_deviation_dps\"", "\"gyroscope_zero_deviation\""),
    ("[1.03, 0.02, 0]", "[1.03, 0.02]"), ("1.005", "2.005"),
    ("\"gyroscope_gain_deviation\": 0.002", "\"gyroscope_gain_deviation\": -1"),
    ("\"gyroscope_gain_deviation\"", "\"gyroscope_deviation\""),
    ("\"gyroscope_temperature_C\": 31.5", "\"gyroscope_temperature_C\": 301"),
    ("\"field_lag_s\": 0.0305", "\"field_lag_s\": 2"), ("\"field_lag_deviation_s\"", "\"lag_deviation_s\""),
    ("\"temperature_C\": 28.25", "\"temperature_C\": null"), ("[0.75, -0.5, 0.25]", "[0.75, -0.5]"),
    ("\"to\": 30", "\"to\": 0"), ("\"lag_s\": 0.125", "\"lag_s\": 2"), ("\"name\": \"rudder\"", "\"name\": 1"),
  ] {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(key))
    #expect(throws: ProfileProblem.self) { try Profile(json: Array(text.replacing(key, with: bad).utf8)) }
  }
}

@Suite struct ProfileTests {
  @Test func roundTripIsExact() throws {
    let profile = Profile.example
    #expect(try Profile(json: profile.json()) == profile)
  }

  @Test func roundTripKeepsEveryBitOfAwkwardNumbers() throws {
    var profile = Profile.example
    profile.correction.hardIron = Vector3(0.1 + 0.2, -1.0 / 3, Double.leastNonzeroMagnitude)
    profile.fieldStrength = 48.000000000000007
    let read = try Profile(json: profile.json())
    #expect(read.correction.hardIron.x.bitPattern == profile.correction.hardIron.x.bitPattern)
    #expect(read.correction.hardIron.y.bitPattern == profile.correction.hardIron.y.bitPattern)
    #expect(read.correction.hardIron.z.bitPattern == profile.correction.hardIron.z.bitPattern)
    #expect(read.fieldStrength.bitPattern == profile.fieldStrength.bitPattern)
  }

  @Test func readsAFileWrittenByHand() throws {
    let profile = try Profile(json: Array(Self.handWritten.utf8))
    #expect(profile.device == "usb:serial=ABC123")
    #expect(profile.created == 1_767_225_600)  // 2026-01-01T00:00:00Z by `date -u +%s`
    #expect(profile.correction.hardIron == Vector3(12.5, -30.25, 4))
    #expect(profile.correction.softIron.row0 == Vector3(1.02, 0.01, -0.02))
    #expect(profile.inclination == nil)
    #expect(profile.quality.verdict == .poor)
    #expect(profile.quality.kind == .normOnly)
    #expect(profile.quality.ignored == [IgnoredStretch(from: 23, to: 27, reason: "the field changed by 15 µT")])
  }

  @Test func keysStandInTheirOrder() throws {
    let text = String(decoding: try Profile.example.json(), as: UTF8.self)
    let keys = [
      "format", "version", "device", "created", "hard_iron_uT", "soft_iron", "field_uT", "inclination_deg", "axes",
      "noise_uT", "parameters", "covariance", "quality", "verdict", "kind", "heading_error_deg",
      "heading_error_level_deg", "misalignment", "samples", "rests", "coverage_percent", "residual_uT", "ignored",
      "warnings",
    ]
    let positions = keys.map { key in text.ranges(of: "\"\(key)\":").first?.lowerBound }
    #expect(!positions.contains(nil))
    #expect(positions.compactMap { $0 } == positions.compactMap { $0 }.sorted())
  }

  @Test func rowsAndEntriesStandOnOneLine() throws {
    let lines = String(decoding: try Profile.example.json(), as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("  \"hard_iron_uT\": [12.5, -30.25, 4],"))
    #expect(lines.contains("    [0.01, 0.99, 0.005],"))
    #expect(lines.contains("    { \"name\": \"hard_iron_x_uT\", \"value\": 12.5 },"))
    #expect(lines.contains("    \"warnings\": [\"The temperature rose by 4 °C\"]"))
  }

  @Test func unknownKeysSurvive() throws {
    let text = Self.handWritten
      .replacing("\"format\"", with: "\"x_top\": {\"deep\": [1, {\"a\": null}]}, \"format\"")
      .replacing("\"verdict\"", with: "\"x_id\": 9007199254740993, \"verdict\"")
      .replacing("\"from_s\"", with: "\"x_note\": \"tab\\t\\u0007\", \"from_s\"")
    var profile = try Profile(json: Array(text.utf8))
    profile.device = "another"
    let written = try profile.json()
    let document = String(decoding: written, as: UTF8.self)
    #expect(document.contains("\"x_id\": 9007199254740993"))
    #expect(document.contains("\"x_note\": \"tab\\t\\u0007\""))
    #expect(document.contains("\"a\": null"))
    #expect(document.contains("\"device\": \"another\""))
    #expect(try Profile(json: written) == profile)
  }

  /// A calibration that refines another one keeps what the other one's file says besides; what it says of its own
  /// quality holds no longer.
  @Test func unknownKeysSurviveARefinement() throws {
    let text = Self.handWritten
      .replacing("\"version\": 1", with: "\"version\": 1.5")
      .replacing("\"format\"", with: "\"x_mast\": \"starboard\", \"format\"")
      .replacing("\"verdict\"", with: "\"x_id\": 7, \"verdict\"")
    var refined = try Profile(json: Array(Self.handWritten.utf8))
    refined.takeUnknown(from: try Profile(json: Array(text.utf8)))
    let written = String(decoding: try refined.json(), as: UTF8.self)
    #expect(written.contains("\"x_mast\": \"starboard\"") && written.contains("\"version\": 1.5"))
    #expect(!written.contains("x_id"))
  }

  @Test func laterMinorVersionIsReadAndKept() throws {
    let profile = try Profile(json: Array(Self.handWritten.replacing("\"version\": 1", with: "\"version\": 1.5").utf8))
    #expect(String(decoding: try profile.json(), as: UTF8.self).contains("\"version\": 1.5"))
  }

  private static let scaled = ProfileProblem.outOfRange(
    key: "soft_iron", expected: "a matrix that scales by 1/20 to 20")

  @Test(arguments: [
    ("\"lodestone-profile\"", "\"other\"", ProfileProblem.notProfile),
    ("\"version\": 1", "\"version\": 2", .newerVersion(2)),
    ("\"device\"", "\"devise\"", .missing(key: "device")),
    ("\"kind\"", "\"kin\"", .missing(key: "quality.kind")),
    ("\"field_uT\": 48", "\"field_uT\": \"48\"", .wrongType(key: "field_uT", expected: "a number")),
    ("\"field_uT\": 48", "\"field_uT\": null", .wrongType(key: "field_uT", expected: "a number")),
    ("\"field_uT\": 48", "\"field_uT\": 1e999", .notFinite(key: "field_uT")),
    ("\"field_uT\": 48", "\"field_uT\": NaN", .notJSON),
    ("\"field_uT\": 48", "\"field_uT\": -48", .outOfRange(key: "field_uT", expected: "0.1 to 10000.0")),
    ("12.5, -30.25, 4", "12.5, -30.25", .wrongType(key: "hard_iron_uT", expected: "three numbers")),
    ("[0.01, 0.99, 0.005]", "[1.02, 0.01, -0.02]", .singularSoftIron),
    ("[0.01, 0.99, 0.005]", "[0, 0, 0]", .singularSoftIron),
    ("[0.01, 0.99, 0.005]", "[0, 1e6, 0]", Self.scaled),
    ("[0.01, 0.99, 0.005]", "[0, 0.01, 0]", Self.scaled),
    (
      "[0.01, 0.99, 0.005]", "[0.01, -0.99, 0.005]",
      .outOfRange(key: "soft_iron", expected: "right-handed, as the axes x,y,z are")
    ),
    ("\"x,y,z\"", "\"x,y,-z\"", .outOfRange(key: "soft_iron", expected: "left-handed, as the axes x,y,-z are")),
    ("[0.01, 0.99, 0.005]", "[0, 0, 1e999]", .notFinite(key: "soft_iron[1][2]")),
    ("[[4, 1], [1, 9]]", "[[4, 1]]", .covarianceNotSquare(parameterCount: 2)),
    ("[[4, 1], [1, 9]]", "[[4, 1], [2, 9]]", .covarianceNotSymmetric),
    ("[[4, 1], [1, 9]]", "[[4, 7], [7, 9]]", .covarianceNotPositive),
    ("[[4, 1], [1, 9]]", "[[4, 1], [1, 0]]", .covarianceNotPositive),
    ("[[4, 1], [1, 9]]", "[[4, 0], [0, -1]]", .covarianceNotPositive),
    ("2026-01-01T00:00:00Z", "yesterday", .outOfRange(key: "created", expected: "a time as in 2026-05-01T12:00:00Z")),
    ("\"poor\"", "\"fine\"", .outOfRange(key: "quality.verdict", expected: "one of good, fair, poor")),
    ("\"samples\": 0", "\"samples\": 0.5", .outOfRange(key: "quality.samples", expected: "a whole number")),
    ("\"x,y,z\"", "\"x,x,z\"", .outOfRange(key: "axes", expected: "three signed axes as in y,x,-z")),
  ])
  func refuses(_ good: String, _ bad: String, _ problem: ProfileProblem) {
    #expect(throws: problem) { try Profile(json: Array(Self.handWritten.replacing(good, with: bad).utf8)) }
  }

  /// As an estimator gives it for a quantity that it held fixed.
  @Test func zeroVarianceIsPositiveEnough() throws {
    let text = Self.handWritten.replacing("[[4, 1], [1, 9]]", with: "[[4, 0], [0, 0]]")
    #expect(try Profile(json: Array(text.utf8)).covariance == [[4, 0], [0, 0]])
  }

  @Test func refusesWhatIsTooLargeOrNoText() {
    let spaces = [UInt8](repeating: 0x20, count: Profile.sizeLimit + 1)
    #expect(throws: ProfileProblem.tooLarge(byteCount: spaces.count)) { try Profile(json: spaces) }
    #expect(throws: ProfileProblem.notJSON) { try Profile(json: []) }
    #expect(throws: ProfileProblem.notJSON) { try Profile(json: [0xff, 0xfe, 0x00]) }
    #expect(throws: ProfileProblem.notJSON) { try Profile(json: Array(Self.handWritten.utf8.dropLast(3))) }
    #expect(throws: ProfileProblem.notProfile) { try Profile(json: Array("[]".utf8)) }
  }

  @Test func survivesHostileDepthAndWidth() {
    let limit = Profile.sizeLimit
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: limit)
    #expect(throws: ProfileProblem.notJSON) { try Profile(json: deep) }
    let wide = Array(("[" + String(repeating: "[],", count: limit / 30) + "[]]").utf8)
    #expect(throws: ProfileProblem.notProfile) { try Profile(json: wide) }
  }

  @Test func cutAnywhereIsRefused() {
    let bytes = Array(Self.handWritten.utf8)
    for length in 0..<(bytes.count - 2) {
      #expect(throws: ProfileProblem.self) { try Profile(json: Array(bytes[..<length])) }
    }
  }

  /// A byte changed anywhere: read as a profile that can be written, or refused; never a trap.
  @Test func flippedBytesAreEndured() {
    let bytes = Array(Self.handWritten.utf8)
    for index in bytes.indices {
      for change: UInt8 in [0x01, 0x10] {
        var flipped = bytes
        flipped[index] ^= change
        guard let profile = try? Profile(json: flipped) else { continue }
        #expect(throws: Never.self) { try Profile(json: profile.json()) }
      }
    }
  }

  @Test func writesNothingThatItWouldNotRead() {
    var profile = Profile.example
    profile.fieldStrength = .nan
    #expect(throws: ProfileProblem.notFinite(key: "field_uT")) { try profile.json() }
    profile = .example
    profile.created = .max
    #expect(throws: ProfileProblem.self) { try profile.json() }
  }

  @Test func anAssumedSignIsKept() throws {
    var profile = Profile.example
    #expect(!String(decoding: try profile.json(), as: UTF8.self).contains("axes_sign_assumed"))
    profile.signIsAssumed = true
    #expect(try Profile(json: profile.json()) == profile)
  }

  /// Written only where it is so: files of boards without the fault have no such key.
  @Test func reversedAccelerometerIsKept() throws {
    var profile = Profile.example
    #expect(!String(decoding: try profile.json(), as: UTF8.self).contains("accelerometer_reversed"))
    profile.accelerometerIsReversed = true
    #expect(try Profile(json: profile.json()) == profile)
    #expect(String(decoding: try profile.json(), as: UTF8.self).contains("\"accelerometer_reversed\": true"))
    let wrong = Self.handWritten.replacing("\"axes\"", with: "\"accelerometer_reversed\": 1, \"axes\"")
    #expect(throws: ProfileProblem.wrongType(key: "accelerometer_reversed", expected: "true or false")) {
      try Profile(json: Array(wrong.utf8))
    }
  }

  static let handWritten = """
    {
      "format": "lodestone-profile", "version": 1,
      "device": "usb:serial=ABC123", "created": "2026-01-01T00:00:00Z",
      "hard_iron_uT": [12.5, -30.25, 4],
      "soft_iron": [[1.02, 0.01, -0.02], [0.01, 0.99, 0.005], [-0.02, 0.005, 0.99]],
      "field_uT": 48, "inclination_deg": null, "axes": "x,y,z", "noise_uT": 0.3,
      "parameters": [{"name": "a", "value": 1}, {"name": "b", "value": 2}],
      "covariance": [[4, 1], [1, 9]],
      "quality": {
        "verdict": "poor", "kind": "norm-only", "heading_error_deg": null, "heading_error_level_deg": null,
        "misalignment": "unknown", "samples": 0, "rests": 0, "coverage_percent": 0, "residual_uT": null,
        "ignored": [{"from_s": 23, "to_s": 27, "reason": "the field changed by 15 µT"}], "warnings": []
      }
    }

    """
}
