import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Units in the headers of tables, as programs for schools and people who write by ISO 80000 put them.
@Suite struct HeaderUnitsTests {
  struct Header: CustomTestStringConvertible, Sendable {
    let names: [String]
    let time: Double
    let unit: FieldUnit

    var testDescription: String { names.joined(separator: ",") }

    init(_ names: [String], time: Double = 2, _ unit: FieldUnit = .millitesla) {
      (self.names, self.time, self.unit) = (names, time, unit)
    }

    /// One name of each axis.
    init(_ clock: String, _ axis: String, time: Double = 2, _ unit: FieldUnit = .millitesla) {
      self.init([clock] + ["x", "y", "z"].map { axis.replacing("?", with: $0) }, time: time, unit)
    }
  }

  static let headers = [
    Header("\"Time (s) Run #1\"", "\"Magnetic Field Strength - ? (mT) Run #1\""),
    Header("Data Set 1:Time(s)", "Data Set 1:? magnetic field(mT)"),
    Header("Latest: Time (ms)", "Latest: ? magnetic field (G)", time: 0.002, .gauss),
    Header("time (s)", "Hall ? [mT]"), Header("t/s", "B?/mT"), Header("t / ms", "B_? / µT", time: 0.002, .microtesla),
    Header("Zeit/s", "Magnetfeld ?/µT", .microtesla), Header("t in s", "B_? in mT"),
    Header(["t (s)", "Bx (mT)", "By (mT)", "Bz (mT)", "|B| (mT)"]),
    Header(["\"t (s)\"", "\"Bx (mT)\"", "\"By (mT)\"", "\"Bz (mT)\"", "\"|B| (mT)\""]),
  ]

  @Test(arguments: headers, [",", ";"])
  func unitsAreRead(_ header: Header, _ separator: String) {
    let row = ["2", "3", "4", "5", "7"].prefix(header.names.count)
    let text = [header.names, Array(row)].map { $0.joined(separator: separator) }.joined(separator: "\n") + "\n"
    let message = CSV.hear(text).messages.first
    #expect(message?.field == Vector3(3, 4, 5) && message?.fieldUnit == header.unit)
    #expect(message?.time == header.time)
  }

  @Test func unitsBehindAStrokeMayHaveStrokesThemselves() {
    let heard = CSV.hear("t/s,a_x/(m/s²),a_y/(m/s²),a_z/(m/s²),ω_x/(rad/s)\n2,3,4,5,6\n")
    #expect(heard.messages.first?.acceleration == Vector3(3, 4, 5))
    #expect(heard.messages.first?.accelerationUnit == .metresPerSecondSquared)
  }

  /// A stroke or an `in` that no unit of the quantity follows says nothing.
  @Test(arguments: ["x/m,y/m,z/m", "x in,y in,z in", "x (in),y (in),z (in)", "mx LSB/gauss,my LSB/gauss,mz LSB/gauss"])
  func whatIsNoUnitOfTheFieldIsNone(header: String) {
    #expect(CSV.hear(header + "\n1,2,3\n").messages.first?.fieldUnit == nil)
  }
}
