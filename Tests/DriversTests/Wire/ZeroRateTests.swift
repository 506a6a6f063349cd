import Drivers
import LodestoneCore
import Testing

/// Rates of exactly nothing that a program prints when it could not read its gyroscope.
@Suite struct ZeroRateTests {
  /// The rates about z, in degrees per second, that come of those that were sent; nil for one that is left out.
  private func rates(of sent: [Double]) -> [Double?] {
    var assembler = SampleAssembler(scales: .unimportant, keepsTime: true)
    return sent.enumerated().map { index, rate in
      var message = WireMessage()
      (message.time, message.rotationRate) = (Double(index) * 0.02, Vector3(0, 0, rate))
      (message.rotationRateUnit, message.acceleration) = (.degreesPerSecond, Vector3(0, 0, 1))
      return assembler.sample(of: message, arrival: 0)?.rotationRate?.degreesPerSecond.z
    }
  }

  @Test func oneInATurnIsLeftOut() {
    #expect(rates(of: [40, 41, 0, 42]) == [40, 41, nil, 42])
  }

  @Test func aBoardThatHasStoppedSendsThemOn() {
    #expect(rates(of: [40, 0, 0, 0]) == [40, nil, 0, 0])
    #expect(rates(of: [5, 0, 4]) == [5, 0, 4])
  }
}
