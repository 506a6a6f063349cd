import LodestoneCore
import Testing

@testable import Drivers

@Suite struct RazorTests {
  @Test func theYawIsAHeading() throws {
    let own = try #require(Razor.hear("#YPR=-142.28,-5.38,33.52\r\n").messages.first?.own)
    #expect(abs(try #require(own.magnetic).degrees - 217.72) < 1e-9)
    #expect(own.pitch == -5.38)
    #expect(own.roll == 33.52)
  }

  /// Pololu's MinIMU-9, alone and with the counts of its sensors.
  @Test(arguments: ["", ",AN:1,-2,3,10,-5,256,-141,171,-474"])
  func rollPitchAndYawAreAHeading(counts: String) throws {
    let own = try #require(Razor.hear("!ANG:33.52,-5.38,-142.28\(counts)\r\n").messages.first?.own)
    #expect(abs(try #require(own.magnetic).degrees - 217.72) < 1e-9 && own.pitch == -5.38 && own.roll == 33.52)
    #expect(Razor.hear("!ANG:33.52,-5.38\r\n").messages.isEmpty)
  }

  @Test func theLinesOfACycleMakeOneMessage() {
    let heard = Razor.hear("#A-R=1,2,256\n#M-R=10,20,30\n#G-R=0,0,1\n#A-R=1,2,257\n#M-R=11,20,30\n#G-R=0,0,2\n")
    #expect(heard.messages.map { $0.field } == [Vector3(10, 20, 30), Vector3(11, 20, 30)])
    #expect(heard.messages.map { $0.acceleration } == [Vector3(-1, -2, -256), Vector3(-1, -2, -257)])
    #expect(heard.messages.first?.rotationRate == Vector3(0, 0, 1))
  }

  /// The firmware's `accel` "stores the NEGATED acceleration (equals gravity, if board not moving)", and its z points
  /// down: on a level board z reads +256, and the specific force, which points up, is along −z.
  @Test func gravityIsTurnedIntoSpecificForce() throws {
    let line = try #require(Razor.hear("#A-C=0.00,0.00,256.00\r\n").messages.first)
    #expect(line.acceleration == Vector3(0, 0, -256))
    var bytes = Array("#SYNCH00\r\n".utf8)
    for value in [0, 0, 256, 210, -48, 433, 0, 0, 0] as [Float] { bytes.append(little: value.bitPattern) }
    #expect(try #require(RazorBinary.hear(bytes).messages.first).acceleration == Vector3(0, 0, -256))
  }

  /// As the firmware's comment on `#ox` shows it.
  @Test func anglesComeWithMotionToo() throws {
    let message = try #require(
      Razor.hear("#YPRAG=-142.28,-5.38,33.52,0.1,0.1,1.0,0.01,0.01,0.01\r\n").messages.first)
    #expect(abs(try #require(message.own?.magnetic).degrees - 217.72) < 1e-9)
    #expect(abs(try #require(message.gravities).z + 1.0 / 256) < 1e-12)
    #expect(message.rotationRate == Vector3(0.01, 0.01, 0.01))
    #expect(message.rotationRateUnit == .radiansPerSecond)
    #expect(Razor.hear("#YPRAG=-142.28,-5.38,33.52\r\n").rejections == [.malformed])
  }

  /// The firmware scales the calibrated field to 100 (MAGN_X_SCALE), unless it was given the ellipsoid.
  @Test func aFieldInHundredthsIsNormalized() {
    let normalized = Razor.hear("#M-C=40.00,-30.00,86.60\r\n#M-C=10.00,-30.00,30.00\r\n").messages
    #expect(normalized.map { $0.field } == [Vector3(0.4, -0.3, 0.866), Vector3(0.1, -0.3, 0.3)])
    #expect(normalized.allSatisfy { $0.fieldIsNormalized })
    let counts = Razor.hear("#M-C=210.50,-48.25,433.00\r\n#M-C=10.00,-30.00,86.00\r\n").messages
    #expect(counts.map { $0.field } == [Vector3(210.5, -48.25, 433), Vector3(10, -30, 86)])
    #expect(counts.allSatisfy { !$0.fieldIsNormalized })
  }

  /// `#osbt` sends a frame raw and then the same calibrated.
  @Test func ofRawAndCalibratedLinesTheRawAreTaken() {
    let frame = "#A-R=1,2,250\n#M-R=10,20,30\n#G-R=0,0,1\n#A-C=1,2,256\n#M-C=40,-30,86\n#G-C=0,0,0\n"
    let messages = Razor.hear(frame + frame).messages
    #expect(messages.map { $0.field } == [Vector3(10, 20, 30), Vector3(10, 20, 30)])
  }

  @Test func oneSensorAloneIsACycle() {
    let heard = Razor.hear("#M-C=1,2,3\n#M-C=4,5,6\n")
    #expect(heard.messages.map { $0.field } == [Vector3(1, 2, 3), Vector3(4, 5, 6)])
  }

  @Test func aDamagedLineTakesItsCycleWithIt() {
    let heard = Razor.hear("#A-R=1,1,1\n#M-R=1,1\n#G-R=1,1,1\n#A-R=2,2,2\n#M-R=2,2,2\n#G-R=2,2,2\n")
    #expect(heard.messages.last?.acceleration == Vector3(-2, -2, -2))
    #expect(!heard.messages.contains { $0.acceleration == Vector3(-1, -1, -1) && $0.field == Vector3(2, 2, 2) })
  }
}
