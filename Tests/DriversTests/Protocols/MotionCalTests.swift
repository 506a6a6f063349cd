import LodestoneCore
import Testing

@testable import Drivers

@Suite struct MotionCalTests {
  @Test func rawCountsHaveFixedScales() {
    let message = MotionCal.hear("Raw:0,4096,8192,16,-32,8,-18,33,-217\r\n").messages.first
    #expect(message?.field == Vector3(-1.8, 3.3, -21.7))
    #expect(message?.acceleration == Vector3(0, 0.5, 1))
    #expect(message?.rotationRate == Vector3(1, -2, 0.5))
    #expect(message?.fieldUnit == .microtesla)
  }

  @Test func unifiedValuesAreInSIUnits() {
    let message = MotionCal.hear("Uni:0.1,0.2,9.81,0,0,0.5,-18.0,33.0,-42.5\n").messages.first
    #expect(message?.accelerationUnit == .metresPerSecondSquared)
    #expect(message?.rotationRateUnit == .radiansPerSecond)
    #expect(message?.field == Vector3(-18, 33, -42.5))
  }

  /// Adafruit's example prints one moment both ways, which were two samples.
  @Test func ofBothWaysOneIsRead() {
    let lines = "Raw:0,4096,8192,16,-32,8,-18,33,-217\nUni:0,4.9,9.81,0.02,-0.03,0.01,-1.8,3.3,-21.7\n"
    let heard = MotionCal.hear(String(repeating: lines, count: 4))
    #expect(heard.messages.count == 4 && heard.messages.allSatisfy { $0.accelerationUnit == .g })
  }

  @Test func otherLinesArePassedOver() {
    let heard = MotionCal.hear("Ori: 1.0, 2.0, 3.0\nCal1:0,0,0,0,0,0,1,2,3,48\nhello\nRaw:1,2,3\n")
    #expect(heard.otherCount == 2)
    #expect(heard.rejections == [.unrecognized, .malformed])
  }
}
