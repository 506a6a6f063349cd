import LodestoneCore
import Testing

@testable import Drivers

/// Columns of the field along a probe of one axis, told from those of strengths and of axes.
@Suite struct ProbeColumnTests {
  private static func messages(_ header: String, _ row: String = "1.5,0.25") -> [WireMessage] {
    CSV.hear("\(header)\n\(row)\n").messages
  }

  /// Vernier's Logger Pro and Graphical Analysis, PASCO's Capstone and SPARKvue, sketches, and pupils in German.
  @Test(
    arguments: [
      ("Time (s),Magnetic Field (mT)", .millitesla), ("Latest: Time (s),Latest: Magnetic Field (mT)", .millitesla),
      ("Data Set 1:Time(s),Data Set 1:Magnetic Field(G)", .gauss),
      ("Run 1: Time (s),Run 1: Magnetic Field (T)", .tesla),
      ("Time (s) Run #1,Magnetic Field Strength (100% scale) (T) Run #1", .tesla),
      ("Time (s),Field Strength (100% scale) (T)", .tesla), ("time_s,B_mT", .millitesla),
      ("time_s,B(mT)", .millitesla), ("time_s,probe_uT", .microtesla), ("Zeit (s),Magnetfeld B / mT", .millitesla),
    ] as [(String, FieldUnit)])
  func namesOfAProbe(_ header: String, _ unit: FieldUnit) throws {
    let message = try #require(Self.messages(header).first)
    #expect(message.alongProbe == 0.25 && message.fieldUnit == unit && message.time == 1.5)
    #expect(message.field == nil)
  }

  /// The strength of a phone or a proton magnetometer, a heading's field, an axis, another quantity, two probes.
  @Test(arguments: [
    "time_s,B", "time_s,|B| (mT)", "time_s,Magnetic field (µT)", "time_s,mag_nT", "time_s,field_uT",
    "time_s,Total Field (mT)", "time_s,B rms (mT)", "time_s,Bz (mT)", "time_s,Absolute field (mT)",
    "time_s,Field (V/m)", "heading_deg,field_mT",
    "B1 (mT),B2 (mT)", "B (mT),probe (mT)",
  ])
  func namesOfAnythingElse(_ header: String) {
    #expect(Self.messages(header).allSatisfy { $0.alongProbe == nil })
  }

  /// Where the board was reset its header comes again; a hole is no field.
  @Test func aHeaderThatComesAgainIsPassedOver() {
    let heard = CSV.hear("time_s,B (mT)\n1,0.5\ntime_s,B (mT)\n2,0.25\n3,\n")
    #expect(heard.messages.map { $0.alongProbe } == [0.5, 0.25])
    #expect(heard.messages.map { $0.time } == [1, 2])
  }

  @Test func theUserMayNameIt() throws {
    var decoder = try #require(CSV(columns: "t,probe,_", fieldUnit: .millitesla))
    let heard = decoder.hear(Array("t,value,note\n1,-0.5,7\n2,0.25,8\n".utf8))
    #expect(heard.messages.map { $0.alongProbe } == [-0.5, 0.25])
    #expect(CSV(columns: "t,probe") == nil && CSV(columns: "t,B(mT)") != nil && CSV(columns: "t,mx") == nil)
  }
}
