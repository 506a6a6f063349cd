import LodestoneCore
import Testing

@testable import Drivers

/// Rows of several sensors in one file, each behind its own word.
@Suite struct TaggedTablesTests {
  private static func messages(_ text: String) -> [WireMessage] { CSV.hear(text).messages }

  private static let head =
    "# \n# Header Description:\n# \n# Raw,utcTimeMillis,TimeNanos,LeapSecond\n# \n"
    + "# UncalAccel,utcTimeMillis,elapsedRealtimeNanos,UncalAccelXMps2,UncalAccelYMps2,UncalAccelZMps2,BiasXMps2,"
    + "BiasYMps2,BiasZMps2\n# \n"
    + "# UncalGyro,utcTimeMillis,elapsedRealtimeNanos,UncalGyroXRadPerSec,UncalGyroYRadPerSec,UncalGyroZRadPerSec,"
    + "DriftXRadPerSec,DriftYRadPerSec,DriftZRadPerSec\n# \n"
    + "# UncalMag,utcTimeMillis,elapsedRealtimeNanos,UncalMagXMicroT,UncalMagYMicroT,UncalMagZMicroT,BiasXMicroT,"
    + "BiasYMicroT,BiasZMicroT\n# \n# OrientationDeg,utcTimeMillis,elapsedRealtimeNanos,yawDeg,rollDeg,pitchDeg\n# \n"

  private static func rows(_ number: Int) -> String {
    let (utc, boot) = (1_777_903_200_000 + 100 * number, 10_012_395_000_000 + 100_000_000 * number)
    let start = "\(utc),\(boot)"
    return "Raw,\(utc),123456000000,\nUncalAccel,\(start),0.25,1.02,9.75,0.0,0.0,0.0\n"
      + "UncalGyro,\(start),0.05,0.01,-0.09,0.0,0.0,0.0\nUncalMag,\(start),-12.9,15.7,-43.5,3.0,-2.0,1.0\n"
      + "OrientationDeg,\(start),40.3,0.3,-1.1\nFix,GPS,48.2,16.37,200.0,0.0,3.0,,\(utc)\n"
  }

  /// GnssLogger (google/gps-measurement-tools): the columns stand in comments.
  @Test func gnssLoggerIsRead() {
    let messages = Self.messages(Self.head + (0..<20).map { Self.rows($0) }.joined())
    #expect(messages.count == 20, "\(messages.count)")
    #expect(messages.allSatisfy { $0.microtesla == Vector3(-12.9, 15.7, -43.5) }, "\(messages.prefix(2))")
    #expect(messages.allSatisfy { $0.acceleration == Vector3(0.25, 1.02, 9.75) })
    #expect(messages.allSatisfy { $0.accelerationUnit == .metresPerSecondSquared })
    #expect(messages.allSatisfy { $0.rotationRateUnit == .radiansPerSecond })
    let times = messages.compactMap { $0.time }
    #expect(times.count == 20 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-3 }, "\(times)")
  }

  /// As it is found in a stream, and without the gyroscope, as for phones that have none.
  @Test func gnssLoggerIsFound() {
    let messages = LineStampsTests.hear(Self.head + (0..<20).map { Self.rows($0) }.joined())
    #expect(messages.count == 20 && messages.allSatisfy { $0.field != nil && $0.acceleration != nil })
    let lines = (0..<20).flatMap { Self.rows($0).split(separator: "\n") }.filter { !$0.hasPrefix("UncalGyro") }
    #expect(LineStampsTests.hear(Self.head + lines.joined(separator: "\n") + "\n").count == 20)
  }

  /// NumPy's comment names columns and no rows.
  @Test func aCommentOfNamesAloneIsNoTag() {
    let text = "# t mx my mz\n" + (0..<20).map { "0.\($0 + 10) -12.9 15.7 -43.5\n" }.joined()
    #expect(Self.messages(text).count == 20)
    let words = "# Sensor,x,y,z\n" + (0..<20).map { "\($0),-12.9,15.7,-43.5\n" }.joined()
    #expect(Self.messages(words).allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) })
  }

  /// An x-IMU3's magnetometer tells multiples of the field that it was calibrated in.
  @Test func anXIMU3InTextIsRead() {
    let lines = (0..<20).map { number in
      let time = 12_395_000 + 100_000 * number
      return "I,\(time),2.6,0.4,-5.4,0.025,0.104,0.994\r\nT,\(time),24.5\r\nM,\(time),-0.2688,0.3271,-0.9063\r\n"
    }
    #expect(LineStampsTests.hear(lines.joined()).count { $0.acceleration != nil } == 20)
    let messages = Self.messages(lines.joined())
    #expect(messages.count == 20, "\(messages.count)")
    #expect(messages.allSatisfy { $0.field == Vector3(-0.2688, 0.3271, -0.9063) && $0.fieldIsNormalized })
    #expect(messages.allSatisfy { $0.acceleration == Vector3(0.025, 0.104, 0.994) && $0.accelerationUnit == .g })
    #expect(messages.allSatisfy { $0.rotationRate == Vector3(2.6, 0.4, -5.4) })
    #expect(messages.first?.time.map { abs($0 - 12.395) < 1e-9 } == true)
    // Rows of something else that begin with the letters.
    #expect(Self.messages((0..<20).map { "M,\($0),1.5\r\n" }.joined()).isEmpty)
  }

  /// A row that has lost its beginning has fewer columns than all before it; a table whose last columns are empty now
  /// and then has as many as ever.
  @Test func aRowWithFewerColumnsIsCutOff() {
    let head = "Time (s),Bx (uT),By (uT),Bz (uT),B (uT)\n"
    let rows = (10..<40).map { "3.\($0),-12.9,15.7,-43.5,48.0\n" }
    let cut = Self.messages(head + rows.joined() + "9,15.7,-43.5,48.0\n" + rows.joined())
    #expect(cut.count == 60 && cut.allSatisfy { $0.field == Vector3(-12.9, 15.7, -43.5) }, "\(cut.count)")
    let ragged = (10..<40).map { "3.\($0),-12.9,15.7,-43.5\($0 % 3 == 0 ? "" : ",48.0")\n" }
    #expect(Self.messages(head + ragged.joined()).count == 30)
    let shorter = (10..<40).map { "4.\($0),-12.9,15.7,-43.5\n" }
    #expect(Self.messages(head + rows.joined() + shorter.joined()).count > 50)
  }

  /// A time that was a clock's so far is none where only its end is left.
  @Test func aClockThatIsCutOffIsNoTime() {
    let head = "Time,mx,my,mz\n"
    let rows = (10..<40).map { "14:00:0\($0 % 10).\($0),-12.9,15.7,-43.5\n" }.sorted()
    let heard = Self.messages(head + rows.joined() + "05.1,-12.9,15.7,-43.5\n")
    #expect(heard.count == 30, "\(heard.count)")
    let seconds = (10..<40).map { "3.\($0),-12.9,15.7,-43.5\n" }
    #expect(Self.messages(head + seconds.joined()).count == 30)
    #expect(Self.messages(head + rows.prefix(4).joined() + seconds.joined()).count > 20)
  }

  /// Rows of a table of headings that are cut off are no table of a field.
  @Test func aRowBesideHeadingsIsNoField() {
    let rows = (10..<40).map { "40.\($0),-12.9,15.7,-43.5\n" }
    let heard = Self.messages("heading,x,y,z\n" + rows.joined() + "-12.9,15.7,-43.5\n" + rows.joined())
    #expect(heard.count == 60 && heard.allSatisfy { $0.own != nil }, "\(heard.count)")
  }
}
