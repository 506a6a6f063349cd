import LodestoneCore
import Testing

@testable import Drivers

/// Tables of headings that a device has worked out itself, and rows of ROS.
@Suite struct HeadingTableTests {
  private static func headings(_ header: String, _ row: (Int) -> String) -> [WireMessage] {
    CSV.hear(header + "\n" + (0..<6).map { row($0) + "\r\n" }.joined()).messages
  }

  /// Sensor Logger, a micro:bit, Lodestone's own table, one of one's own, and one with decimal commas.
  @Test(arguments: [
    ("time,seconds_elapsed,magneticBearing", "1764230400000000000,%.1,40.%"), ("Time (seconds),heading", "%.1,40.%"),
    ("time_s,magnetic_heading_deg,true_heading_deg,accuracy_deg,quality,field_uT", "%.1,40.%,,,device,"),
    ("time_ms;Heading (deg)", "%100;40,%"), ("\"t (ms)\",\"hdg\"", "%100,40.%"),
  ])
  func namedHeadingsAreRead(header: String, row: String) {
    let messages = Self.headings(header) { row.replacing("%", with: String($0)) }
    #expect(messages.count == 6)
    for (number, message) in messages.enumerated() {
      #expect(abs((message.own?.magnetic?.degrees ?? 0) - 40 - Double(number) / 10) < 1e-9)
      #expect(message.field == nil)
    }
    let times = messages.compactMap { $0.time }
    #expect(times.count == 6 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 1) < 0.9 })
  }

  @Test func trueHeadingsAreTrue() {
    let messages = Self.headings("Date,Heading,True heading") { "2026-03-01T12:00:0\($0)Z,40.5,44.5" }
    #expect(messages.map { $0.own?.magnetic?.degrees } == Array(repeating: 40.5, count: 6))
    #expect(messages.map { $0.own?.trueNorth?.degrees } == Array(repeating: 44.5, count: 6))
  }

  /// What `ros2 topic echo --csv` prints of a MagneticField and of an Imu, and nothing of another count.
  @Test func rowsOfROSAreRead() {
    let zeros = Array(repeating: "0.0", count: 9).joined(separator: ",")
    let field = (0..<4).map { "176423040\($0),500000000,imu_link,-1.29e-05,1.57e-05,-4.35e-05,\(zeros)\n" }
    let fields = CSV.hear(field.joined()).messages
    #expect(fields.map { $0.field } == Array(repeating: Vector3(-1.29e-05, 1.57e-05, -4.35e-05), count: 4))
    #expect(fields.map { $0.time } == (0..<4).map { 1_764_230_400.5 + Double($0) })
    #expect(fields.allSatisfy { $0.fieldUnit == .tesla })
    let motion = "12,0,,0.0,0.0,0.0,1.0,\(zeros),0.1,0.2,0.3,\(zeros),0.25,1.02,9.75,\(zeros)\n"
    let motions = CSV.hear(String(repeating: motion, count: 4)).messages
    #expect(motions.map { $0.acceleration } == Array(repeating: Vector3(0.25, 1.02, 9.75), count: 4))
    #expect(motions.map { $0.rotationRate } == Array(repeating: Vector3(0.1, 0.2, 0.3), count: 4))
    for other in ["12,0,imu_link,1,2,3\n", "12,0,imu_link,1,2,3,\(zeros),4\n", "12,0.5,imu_link,1,2,3,\(zeros)\n"] {
      #expect(CSV.hear(String(repeating: other, count: 4)).messages.isEmpty)
    }
  }

  /// SensorLog names an iPhone's compass by the heading that it gives; beside it the magnetometer with the phone's own
  /// iron is another one.
  @Test func theCompassOfSensorLogIsAField() {
    func log(_ name: String, _ unit: String) -> String {
      ["X", "Y", "Z"].map { name + $0 + unit }.joined(separator: ",")
    }
    let compass = "loggingTime(txt),locationHeadingTimestamp_since1970(s)," + log("locationHeading", "(µT)")
    let row = { (second: Int) in "2026-11-27T12:00:0\(second).000+01:00,176423040\(second).0,-12.9,15.7,-43.5" }
    let fields = Self.headings(compass, row)
    let header = compass + "," + log("magnetometer", "(µT)") + "," + log("accelerometerAcceleration", "(G)")
    var decoder = CSV()
    let rows = [1, 2].map { row($0) + ",1,2,3,0,0,-1\n" }.joined()
    let both = decoder.hear(Array((header + "\n" + rows).utf8)).messages
    #expect(fields.count == 6 && both.count == 2)
    for message in fields + both {
      #expect(message.field == Vector3(-12.9, 15.7, -43.5) && message.fieldUnit == .microtesla)
    }
    #expect(both.last?.acceleration == Vector3(0, 0, 1) && decoder.otherCompass != nil)
  }

  /// A hole is no heading, headings that may be in radians wait, and a table with a field is one of fields.
  @Test func whatIsNoHeadingIsNotRead() {
    #expect(Self.headings("time_s,heading_deg") { $0 == 2 ? "\($0)," : "\($0),40" }.count == 5)
    #expect(Self.headings("time_s,heading_deg") { "\($0),4030" }.isEmpty)
    var decoder = CSV()
    #expect(decoder.hear(Array("time_s,heading\n0,0.71\n1,0.72\n2,0.73\n".utf8)).messages.isEmpty)
    #expect(decoder.doubt == .headingUnit)
    let fields = Self.headings("time_s,heading_deg,mx,my,mz") { "\($0),40,-12.9,15.7,-43.5" }
    #expect(fields.count == 6 && fields.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) && $0.own == nil })
    #expect(Self.headings("Heading: 40.3, Pitch: 1.2") { _ in "40.3,1.2" }.isEmpty)
    for banner in ["HMC5883L heading test, v1", "this is the heading test, v1, ready"] {
      #expect(!Self.headings(banner) { _ in "-12.9,15.7,-43.5" }.contains { $0.own != nil })
    }
  }
}
