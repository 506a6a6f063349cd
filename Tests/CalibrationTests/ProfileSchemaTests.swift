import LodestoneCore
import FoundationEssentials
import Support
import Testing

@testable import Calibration

/// What the program writes is what `Calibration/profile.schema.json` promises.
@Suite struct ProfileSchemaTests {
  private static let schemaPath: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/Calibration/profile.schema.json"
  }()

  private func validator() throws -> SchemaValidator {
    SchemaValidator(schema: try document(CommandRun.contents(of: Self.schemaPath)))
  }

  private func document(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }

  /// With everything that a profile may have.
  private static var complete: Profile {
    var complete = Profile.example
    (complete.accelerometerIsReversed, complete.signIsAssumed) = (true, true)
    complete.forceCorrection = ForceCorrection(zero: Vector3(0.03, -0.01, 0.002), gain: Vector3(1.01, 0.99, 1))
    complete.forceCorrection.zeroDeviation = Vector3(0.009, 0.002, 0.006)
    complete.forceIsUsed = false
    (complete.countsPerMicrotesla, complete.countsPerGravity) = (68.42, 13_960)
    complete.laser = LaserAxis(along: Vector3(0, 0, 1), deviation: 0.05)
    var controller = FlightController(firmware: FlightController.betaflight)
    (controller.version, controller.board) = ("4.5.1", FlightController.boardTurn(angles: Vector3(0, 0, 90)))
    controller.compass = FlightController.Turn(preset: "CW270FLIP")
    complete.flightController = controller
    complete.gyroscopeZero = GyroscopeZero(
      rate: Vector3(1.25, -0.5, 3), deviation: Vector3(0.1, 0.05, 0.06), temperature: 31.5)
    complete.gyroscopeGain = GyroscopeGain(matrix: Matrix3(diagonal: Vector3(1.03, 0.98, 1)), deviation: 0.002)
    complete.fieldLag = FieldLag(seconds: 0.0305, deviation: 0.0009)
    (complete.temperature, complete.quality.method, complete.strengthIsAssumed) = (28.25, .held, true)
    complete.causes = [Cause(name: "current_A", slope: Vector3(0.75, -0.5, 0.25), deviation: 0.004, range: 0...30)]
    return complete
  }

  @Test func profilesAreValid() throws {
    let validator = try validator()
    #expect(try validator.violations(in: document(Profile.example.json())) == [])
    let complete = Self.complete
    #expect(try Profile(json: complete.json()).flightController == complete.flightController)
    #expect(try validator.violations(in: document(complete.json())) == [])
    let imported = Profile(
      imported: Correction(hardIron: Vector3(1, 2, 3), softIron: .identity), fieldStrength: 48, device: "board",
      created: 0, form: "motioncal")
    #expect(try validator.violations(in: document(imported.json())) == [])
    #expect(try validator.violations(in: document(Array(ProfileTests.handWritten.utf8))) == [])
  }

  /// The schema names every key that is written, and requires it.
  @Test func everyKeyIsNamed() throws {
    let schema = try validator().schema
    let written = try document(Profile.example.json())
    for (schema, written) in [(schema, written), (schema["properties"]?["quality"], written["quality"])] {
      guard case .object(let members) = written, case .array(let required) = schema?["required"] else {
        Issue.record("no object")
        return
      }
      #expect(Set(members.map { $0.key }) == Set(required.map { if case .string(let name) = $0 { name } else { "" } }))
      for member in members { #expect(schema?["properties"]?[member.key] != nil) }
    }
  }

  /// Keys that may be left out are named too, and descriptions name no other key.
  @Test func everyOptionalKeyIsNamed() throws {
    let schema = try validator().schema
    let written = try document(Self.complete.json())
    for (schema, written) in [(schema, written), (schema["properties"]?["quality"], written["quality"])] {
      guard case .object(let members) = written else {
        Issue.record("no object")
        return
      }
      for member in members { #expect(schema?["properties"]?[member.key] != nil, "\(member.key)") }
    }
    let keys = Self.keys(of: schema)
    #expect(keys.contains("field_strength_assumed") && keys.contains("uT_per_unit"))
    for text in Self.descriptions(in: schema) {
      let words = text.split { !($0.isLetter || $0 == "_") }.map { String($0) }
      for word in words where word.contains("_") { #expect(keys.contains(word), "\(word): \(text)") }
    }
  }

  /// The names of all properties within.
  private static func keys(of value: JSONValue) -> Set<String> {
    switch value {
    case .object(let members):
      members.reduce(into: []) { keys, member in
        if member.key == "properties", case .object(let named) = member.value { keys.formUnion(named.map { $0.key }) }
        keys.formUnion(Self.keys(of: member.value))
      }
    case .array(let values): values.reduce(into: []) { $0.formUnion(Self.keys(of: $1)) }
    default: []
    }
  }

  private static func descriptions(in value: JSONValue) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { member in
        if member.key == "description", case .string(let text) = member.value { return [text] }
        return descriptions(in: member.value)
      }
    case .array(let values): values.flatMap { descriptions(in: $0) }
    default: []
    }
  }

  @Test(arguments: [
    ("\"lodestone-profile\"", "\"other\""), ("\"version\": 1", "\"version\": 2"), ("\"device\"", "\"devise\""),
    ("\"field_uT\": 48", "\"field_uT\": \"48\""), ("\"field_uT\": 48", "\"field_uT\": -1"),
    ("12.5, -30.25, 4", "12.5, -30.25"), ("[0.01, 0.99, 0.005]", "[0.01, 0.99]"), ("\"poor\"", "\"fine\""),
    ("\"samples\": 0", "\"samples\": 0.5"), ("\"inclination_deg\": null", "\"inclination_deg\": 91"),
    ("\"reason\"", "\"because\""), ("\"warnings\": []", "\"warnings\": [1]"),
  ])
  func schemaAndReaderRefuseAlike(_ good: String, _ bad: String) throws {
    let bytes = Array(ProfileTests.handWritten.replacing(good, with: bad).utf8)
    #expect(try validator().violations(in: document(bytes)) != [])
    #expect(throws: ProfileProblem.self) { try Profile(json: bytes) }
  }

  @Test func unknownKeywordIsNoticed() throws {
    let validator = SchemaValidator(schema: try document(Array(#"{"multipleOf": 2}"#.utf8)))
    #expect(validator.violations(in: .number(4)) == ["$: multipleOf"])
  }
}
