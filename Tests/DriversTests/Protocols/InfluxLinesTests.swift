import LodestoneCore
import Testing

@testable import Drivers

/// InfluxDB's line protocol, as another lodestone writes it.
@Suite struct InfluxLinesTests {
  /// Quantities, flags, a device with blanks and commas in its name, and a stamp in nanoseconds.
  @Test func aSampleIsWhole() throws {
    let line = #"sample,device=a\ b\,c mx_uT=-12.9,my_uT=15.7,mz_uT=-43.5,ax_g=0.1,ay_g=0,az_g=1,temperature_C=21.5"#
    let text = line + #",flags="low saturated" 1772359200250000000"# + "\n"
    let message = try #require(InfluxLines.hear(text + text + text).messages.first)
    #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.fieldUnit == .microtesla)
    #expect(message.acceleration == Vector3(0.1, 0, 1) && message.temperature == 21.5 && message.saturated)
    #expect(abs((message.time ?? 0) - 1_772_359_200.25) < 1e-6)
  }

  /// Absent headings are left out, and their corrected field is none of a chip.
  @Test(arguments: ["heading", "heading,device=x"]) func aReadingWithoutHeadingSaysNothing(_ head: String) {
    let lines = [
      "\(head) magnetic_heading_deg=183.95,accuracy_deg=76.78,pitch_deg=1.5,roll_deg=-2.5,bx_uT=-13.5,by_uT=-13.9,bz_uT=-10.8",
      "\(head) quality=\"uncalibrated\",field_uT=20.186,bx_uT=-3.997,by_uT=-16.326,bz_uT=-11.180",
    ]
    let heard = InfluxLines.hear(lines.map { $0 + "\n" }.joined())
    var own = OwnHeading(magnetic: Heading(degrees: 183.95), pitch: 1.5, roll: -2.5)
    own.accuracy = 76.78
    #expect(heard.messages.count == 1 && heard.messages.first?.own == own && heard.otherCount == 1)
    #expect(heard.messages.first?.field == nil)
    for line in lines { #expect(LabelledLines.hear(line + "\n" + line + "\n").messages.isEmpty) }
  }

  /// Those of other programs are labelled lines, and damaged ones are none.
  @Test(arguments: [
    "mag,host=pi x=-12.9,y=15.7,z=-43.5 1764230400000000000", "heading magnetic=45", "sample 12 of 20",
    "sample mx_uT=-12.9,my_uT=15.7,mz_uT=", "sample mx_uT=-12.9,my_uT=15.7,mz_uT=-43.5 17642304x",
    "sample mx_uT=-12.9,my_uT=15.7,mz_uT=-43.5,", "sample,device=a", #"heading quality="good"#,
  ])
  func othersAreNot(_ line: String) {
    let heard = InfluxLines.hear(line + "\n" + line + "\n")
    #expect(heard.messages.isEmpty && heard.rejections.count == 2, "\(heard)")
  }
}
