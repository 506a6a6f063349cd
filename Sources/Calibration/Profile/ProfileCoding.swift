import LodestoneCore

extension Profile {
  /// No profile is larger than this many bytes.
  public static let sizeLimit = 1 << 20
  static let format = "lodestone-profile"
  private static let parameterLimit = 64

  /// Reads a profile file.
  public init(json bytes: [UInt8]) throws(ProfileProblem) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(byteCount: bytes.count) }
    guard let document = JSONValue(parsing: bytes) else { throw .notJSON }
    try self.init(document)
  }

  /// Whether bytes are those of a profile, be it damaged or of another version.
  public static func isMeant(by bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.first { !$0.isWhitespace } == "{" && text.contains("\"\(format)\"")
  }

  /// The file's bytes, which `init(json:)` reads back as an equal profile: keys in a fixed order, those this version
  /// does not know after its own. Throws for values that no file may hold.
  public func json() throws(ProfileProblem) -> [UInt8] {
    let document = known.merging(unknown)
    let readBack = try Profile(document)
    guard readBack.created == created else { throw .outOfRange(key: "created", expected: "a time from 1970 to 9999") }
    let bytes = [UInt8](document.printed.utf8)
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(byteCount: bytes.count) }
    return bytes
  }

  /// Takes over the keys that this version does not know, and the minor version, of the profile that this one refines.
  /// The earlier one's quality and parameters stay behind with all their keys: they were found anew.
  public mutating func takeUnknown(from earlier: Profile) {
    guard case .object(let members) = earlier.unknown else { return }
    unknown = .object(members.filter { !["quality", "parameters", "covariance"].contains($0.key) })
    version = max(version, earlier.version)
  }

  private init(_ document: JSONValue) throws(ProfileProblem) {
    guard document["format"] == .string(Self.format) else { throw .notProfile }
    let fields = ProfileFields(document)
    let version = try fields.number("version", in: 1...1e6)
    guard version < 2 else { throw .newerVersion(Int(version)) }
    try self.init(
      device: fields.text("device"), created: fields.time("created"), correction: fields.correction(),
      fieldStrength: fields.number("field_uT", in: 0.1...1e4),
      inclination: fields.numberOrNull("inclination_deg", in: -90...90), axes: fields.axes("axes"),
      noise: fields.numberOrNull("noise_uT", in: 0...1e6),
      parameters: fields.objects("parameters", limit: Self.parameterLimit) { (entry) throws(ProfileProblem) in
        Parameter(name: try entry.text("name"), value: try entry.number("value"))
      },
      covariance: [], quality: CalibrationQuality(fields.object("quality")))
    covariance = try fields.covariance(of: parameters.count)
    accelerometerIsReversed = try fields.flag("accelerometer_reversed")
    signIsAssumed = try fields.flag("axes_sign_assumed")
    forceCorrection = try ForceCorrection(
      zero: fields.vector("accelerometer_zero_g", in: -1...1) ?? .zero,
      gain: fields.vector("accelerometer_gain", in: 0.5...2) ?? Vector3(1, 1, 1),
      skew: fields.vector("accelerometer_skew", in: -0.3...0.3) ?? .zero)
    forceCorrection.zeroDeviation = try fields.vector("accelerometer_zero_deviation_g", in: 0...1)
    forceIsUsed = try !fields.flag("accelerometer_left_out")
    laser = try fields.laser()
    gyroscopeZero = try fields.gyroscopeZero()
    gyroscopeGain = try fields.gyroscopeGain()
    fieldLag = try fields.fieldLag()
    causes = try fields.causes()
    temperature = try fields.optionalNumber("temperature_C", in: Sample.temperatures)
    countsPerMicrotesla = try fields.optionalNumber("counts_per_uT", in: 1e-6...1e9)
    countsPerGravity = try fields.optionalNumber("counts_per_g", in: 1e-6...1e9)
    strengthIsAssumed = try fields.flag("field_strength_assumed")
    flightController = try fields.flightController()
    self.version = version
    unknown = document.subtracting(known)
  }

  /// Members that are written only where they apply.
  private var optional: JSONValue {
    var optional = JSONValue.members()
    if accelerometerIsReversed { optional = optional.merging(.members(("accelerometer_reversed", .bool(true)))) }
    if signIsAssumed { optional = optional.merging(.members(("axes_sign_assumed", .bool(true)))) }
    if forceCorrection != .none {
      optional = optional.merging(
        .members(
          ("accelerometer_zero_g", .numbers(forceCorrection.zero)),
          ("accelerometer_gain", .numbers(forceCorrection.gain))))
    }
    if forceCorrection.skew != .zero {
      optional = optional.merging(.members(("accelerometer_skew", .numbers(forceCorrection.skew))))
    }
    if let deviation = forceCorrection.zeroDeviation {
      optional = optional.merging(.members(("accelerometer_zero_deviation_g", .numbers(deviation))))
    }
    if !forceIsUsed { optional = optional.merging(.members(("accelerometer_left_out", .bool(true)))) }
    if let laser { optional = optional.merging(laser.known) }
    if let zero = gyroscopeZero { optional = optional.merging(zero.known) }
    if let gain = gyroscopeGain { optional = optional.merging(gain.known) }
    if let lag = fieldLag { optional = optional.merging(lag.known) }
    if !causes.isEmpty { optional = optional.merging(.members(("causes", .array(causes.map { $0.known })))) }
    if let temperature { optional = optional.merging(.members(("temperature_C", .number(temperature)))) }
    if let countsPerMicrotesla {
      optional = optional.merging(.members(("counts_per_uT", .number(countsPerMicrotesla))))
    }
    if let countsPerGravity { optional = optional.merging(.members(("counts_per_g", .number(countsPerGravity)))) }
    if strengthIsAssumed { optional = optional.merging(.members(("field_strength_assumed", .bool(true)))) }
    if let flightController { optional = optional.merging(.members(("flight_controller", flightController.known))) }
    return optional
  }

  private var known: JSONValue {
    required.merging(optional)
  }

  private var required: JSONValue {
    .members(
      ("format", .string(Self.format)), ("version", .number(version)), ("device", .string(device)),
      ("created", .string(CalendarTime.text(unixTime: created))),
      ("hard_iron_uT", .numbers(correction.hardIron)),
      ("soft_iron", .array((0..<3).map { .numbers(correction.softIron[$0]) })),
      ("field_uT", .number(fieldStrength)), ("inclination_deg", .orNull(inclination)), ("axes", .string(axes)),
      ("noise_uT", .orNull(noise)),
      ("parameters", .array(parameters.map { .members(("name", .string($0.name)), ("value", .number($0.value))) })),
      ("covariance", .array(covariance.map { .array($0.map { .number($0) }) })), ("quality", quality.known))
  }
}

extension LaserAxis {
  fileprivate var known: JSONValue {
    .members(("laser_axis", .numbers(direction)), ("laser_axis_deviation_deg", .number(deviation)))
  }
}

extension GyroscopeZero {
  fileprivate var known: JSONValue {
    let zero = JSONValue.members(
      ("gyroscope_zero_dps", .numbers(rate)), ("gyroscope_zero_deviation_dps", .numbers(deviation)))
    return temperature.map { zero.merging(.members(("gyroscope_temperature_C", .number($0)))) } ?? zero
  }
}

extension GyroscopeGain {
  fileprivate var known: JSONValue {
    .members(
      ("gyroscope_gain", .array((0..<3).map { .numbers(matrix[$0]) })),
      ("gyroscope_gain_deviation", .number(deviation)))
  }
}

extension FlightController {
  fileprivate var known: JSONValue {
    var known = JSONValue.members(("firmware", .string(firmware)))
    if let version { known = known.merging(.members(("version", .string(version)))) }
    if let board { known = known.merging(.members(("board_deg", .numbers(board.degrees)))) }
    if let compass { known = known.merging(.members(("compass_deg", .numbers(compass.degrees)))) }
    return known
  }
}

extension ProfileFields {
  fileprivate func flightController() throws(ProfileProblem) -> FlightController? {
    guard let fields = try optionalObject("flight_controller") else { return nil }
    var told = FlightController(firmware: try fields.text("firmware"))
    told.version = try fields.optionalText("version")
    told.board = try fields.vector("board_deg", in: -720...720).map { FlightController.Turn(degrees: $0) }
    told.compass = try fields.vector("compass_deg", in: -720...720).map { FlightController.Turn(degrees: $0) }
    return told
  }
}

extension FieldLag {
  fileprivate var known: JSONValue {
    .members(
      ("field_lag_s", .number(seconds)), ("field_lag_deviation_s", .number(deviation)))
  }
}

extension CalibrationQuality {
  /// The `quality` object alone, as the file has it.
  public var json: String { known.printed }

  fileprivate init(_ fields: ProfileFields) throws(ProfileProblem) {
    self.init(
      verdict: try fields.word("verdict"), kind: try fields.word("kind"), misalignment: try fields.word("misalignment"))
    headingErrorDegrees = try fields.numberOrNull("heading_error_deg", in: 0...180)
    headingErrorLevelDegrees = try fields.numberOrNull("heading_error_level_deg", in: 0...180)
    samples = try fields.count("samples")
    rests = try fields.count("rests")
    coveragePercent = try fields.number("coverage_percent", in: 0...100)
    residual = try fields.numberOrNull("residual_uT", in: 0...1e6)
    ignored = try fields.objects("ignored", limit: 10_000) { (entry) throws(ProfileProblem) in
      try IgnoredStretch(from: entry.number("from_s"), to: entry.number("to_s"), reason: entry.text("reason"))
    }
    warnings = try fields.texts("warnings", limit: 10_000)
    method = try fields.optionalText("method").flatMap { Method(rawValue: $0) }
  }

  /// The `quality` object.
  package var known: JSONValue {
    method.map { required.merging(.members(("method", .string($0.rawValue)))) } ?? required
  }

  private var required: JSONValue {
    .members(
      ("verdict", .string(verdict.rawValue)), ("kind", .string(kind.rawValue)),
      ("heading_error_deg", .orNull(headingErrorDegrees)),
      ("heading_error_level_deg", .orNull(headingErrorLevelDegrees)),
      ("misalignment", .string(misalignment.rawValue)), ("samples", .number(Double(samples))),
      ("rests", .number(Double(rests))), ("coverage_percent", .number(coveragePercent)),
      ("residual_uT", .orNull(residual)),
      (
        "ignored",
        .array(
          ignored.map {
            .members(("from_s", .number($0.from)), ("to_s", .number($0.to)), ("reason", .string($0.reason)))
          })
      ),
      ("warnings", .array(warnings.map { .string($0) })))
  }
}
