import LodestoneCore
import Testing

@testable import Drivers

/// Fields that stay the same to the last digit for a minute: of a sensor that is stuck, and of a board that lies still
/// and prints few digits.
@Suite struct StuckFieldTests {
  private static func isStuck(_ field: Vector3, _ unit: FieldUnit?, rate: Double = 0) -> Bool {
    var message = WireMessage()
    (message.field, message.fieldUnit) = (field, unit)
    message.rotationRate = Vector3(0, 0, rate)
    message.rotationRateUnit = .degreesPerSecond
    var inference = UnitInference()
    inference.add(message)
    var assembler = SampleAssembler(scales: inference.conclude(), keepsTime: false)
    let samples = (0..<600).compactMap { assembler.sample(of: message, arrival: Double($0) / 10) }
    return samples.contains { $0.flags.contains(.stuck) }
  }

  @Test(arguments: [
    (Vector3(-12.92, 15.7, -43.49), FieldUnit.microtesla), (Vector3(-0.129, 0.157, -0.435), .gauss),
    (Vector3(-129, 157, -435), .milligauss), (Vector3(-12_920, 15_700, -43_490), .nanotesla),
    (Vector3(-0.0129, 0.0157, -0.0435), .millitesla), (Vector3(-388, 471, -1305), nil),
  ])
  func aStuckSensorIsTold(field: Vector3, unit: FieldUnit?) { #expect(Self.isStuck(field, unit)) }

  /// Whole microteslas of a DFRobot's BMM150 or a micro:bit, and hundredths of a gauss.
  @Test(arguments: [
    (Vector3(-13, 16, -43), FieldUnit.microtesla), (Vector3(-0.13, 0.57, -0.29), .gauss),
    (Vector3(-0.013, 0.016, -0.043), .millitesla), (Vector3(-13, 16, -43), nil),
  ])
  func fewDigitsAreNoStuckSensor(field: Vector3, unit: FieldUnit?) {
    #expect(!Self.isStuck(field, unit))
    // A gyroscope knows better.
    #expect(Self.isStuck(field, unit, rate: 40))
  }
}
