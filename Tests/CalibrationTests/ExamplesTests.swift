import LodestoneCore
import FoundationEssentials
import Geomagnetism
import Instruments
import Support
import Testing

@testable import Calibration

/// The sweeps in `Calibration/examples` are fitted as their accepted profiles say.
@Suite struct ExamplesTests {
  private static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Calibration"
  private static let accepted = ["disturbed", "figure-eight", "level", "no-accelerometer", "reversed-accelerometer"]
  private static let refused = ["planar-refused"]

  /// The field in µT and its dip at 48.2° N, 16.37° E in mid-2026, where one of the sweeps is said to have been made.
  private static func place() throws -> CalibrationSettings.Place {
    let date = DecimalYear(2026.5)
    let field = try FieldModel.nearest(to: date).evaluate(at: Place(latitude: 48.2, longitude: 16.37), date: date)
    return CalibrationSettings.Place(fieldStrength: field.strength, inclination: field.inclination)
  }

  private static func outcome(_ name: String) throws -> CalibrationOutcome {
    let stream = try AddressSchemes.open("\(folder)/examples/\(name).csv", OpenOptions())
    var samples: [Sample] = []
    reading: while true {
      switch try stream.next() {
      case .sample(let sample): samples.append(sample)
      case .ended: break reading
      default: continue
      }
    }
    var settings = CalibrationSettings()
    if name == "reversed-accelerometer" { settings.place = try place() }
    return Calibrator(settings: settings).fit(samples)
  }

  private static func profile(_ name: String) throws -> Profile {
    try Profile(json: CommandRun.contents(of: "\(folder)/examples/\(name).json"))
  }

  @Test(arguments: accepted)
  func isFittedAsItWasAccepted(_ name: String) throws {
    let accepted = try Self.profile(name)
    let outcome = try Self.outcome(name)
    #expect(outcome.refusal == nil)
    let fitted = Profile(try #require(outcome.result), device: accepted.device, created: accepted.created)
    let difference = ProfileComparison(accepted, fitted)
    #expect(difference.hardIron.length < 0.05)
    if let heading = difference.heading { #expect(heading.worst < 0.1) }
    #expect(abs(difference.scale) < 0.1 && difference.turn < 0.1)
    #expect(abs(fitted.fieldStrength - accepted.fieldStrength) < 0.05)
    #expect((fitted.inclination == nil) == (accepted.inclination == nil))
    #expect(abs((fitted.inclination ?? 0) - (accepted.inclination ?? 0)) < 0.1)
    #expect(fitted.axes == accepted.axes)
    #expect(fitted.accelerometerIsReversed == accepted.accelerometerIsReversed)
    #expect(fitted.quality.verdict == accepted.quality.verdict && fitted.quality.kind == accepted.quality.kind)
    #expect(fitted.quality.rests == accepted.quality.rests)
    #expect(fitted.quality.ignored.count == accepted.quality.ignored.count)
    #expect(abs((fitted.quality.headingErrorDegrees ?? 0) - (accepted.quality.headingErrorDegrees ?? 0)) < 0.05)
  }

  @Test func planarIsRefused() throws {
    guard case .planar = try Self.outcome("planar-refused").refusal else {
      Issue.record("not refused as planar")
      return
    }
  }

  @Test(arguments: accepted)
  func profileKeepsToTheSchema(_ name: String) throws {
    func document(_ path: String) throws -> JSONValue {
      try JSONDecoder().decode(JSONValue.self, from: Data(CommandRun.contents(of: "\(Self.folder)/\(path)")))
    }
    let validator = SchemaValidator(schema: try document("profile.schema.json"))
    #expect(try validator.violations(in: document("examples/\(name).json")) == [])
  }

  /// Nothing lies in the folder that no test reads, and the folder's table names all of it.
  @Test func folderIsComplete() throws {
    let sweeps = (Self.accepted + Self.refused).map { $0 + ".csv" }
    let names = try PackageFolder.files(below: "Calibration/examples").compactMap {
      $0.split(separator: "/").last.map(String.init)
    }
    #expect(Set(names) == Set(sweeps + Self.accepted.map { $0 + ".json" } + ["README.md"]))
    let text = String(decoding: try CommandRun.contents(of: "\(Self.folder)/examples/README.md"), as: UTF8.self)
    for sweep in sweeps { #expect(text.contains("(\(sweep))")) }
  }
}
