import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// Vectors whose numbers become larger or smaller from one line to the next, and point where they did.
@Suite struct NumberJumpsTests {
  /// A board that turns by 2° a line, leaning by 6°.
  private static func message(_ number: Int, field: Double = 1, force: Double = 1) -> WireMessage {
    let angle = Angle.radians(2 * Double(number))
    var message = WireMessage()
    message.field = Vector3(-20.3 * sin(angle), 20.3 * cos(angle), -43.5) * field
    message.acceleration = Vector3(0.03 * sin(angle), 0.1, 0.994) * force
    return message
  }

  /// The assembler behind 60 messages, the last 30 of them with other factors.
  private static func assembler(field: Double = 1, force: Double = 1) -> SampleAssembler {
    var inference = UnitInference()
    for number in 0..<30 { inference.add(message(number)) }
    var assembler = SampleAssembler(scales: inference.conclude(), keepsTime: false)
    for number in 0..<60 {
      let message = number < 30 ? message(number) : message(number, field: field, force: force)
      _ = assembler.sample(of: message, arrival: Double(number) / 10)
    }
    return assembler
  }

  @Test(arguments: [9.80665, 1000, 0.10197, 0.001])
  func anAccelerationInAnotherUnitIsSeen(factor: Double) {
    let assembler = Self.assembler(force: factor)
    #expect(assembler.unitHasChanged && assembler.changeIsOfForce)
    var inference = UnitInference()
    for number in 0..<60 { inference.add(Self.message(number, force: number < 30 ? 1 : factor)) }
    #expect(inference.unitHasChanged)
    guard case .inferred(.g, _) = inference.conclude().acceleration.basis else {
      Issue.record("\(inference.conclude().acceleration)")
      return
    }
  }

  /// A field in another unit is still one, and no matter of the acceleration.
  @Test func aFieldInAnotherUnitIsSeen() {
    let assembler = Self.assembler(field: 10)
    #expect(assembler.unitHasChanged && !assembler.changeIsOfForce && assembler.rangeFactor == nil)
  }

  @Test(arguments: [2.0, 3, 4, 0.5, 0.25]) func anotherRangeIsSeen(factor: Double) throws {
    let assembler = Self.assembler(field: factor)
    #expect(assembler.unitHasChanged && !assembler.changeIsOfForce)
    #expect(abs(try #require(assembler.rangeFactor) / factor - 1) < 1e-9)
  }

  /// A board that is pushed, falls, or comes near to a magnet.
  @Test(arguments: [(1.3, 1.0), (2.5, 1.0), (1.0, 2.0), (1.0, 6.0), (1.0, 0.02)])
  func otherChangesAreNone(field: Double, force: Double) {
    let assembler = Self.assembler(field: field, force: force)
    #expect(!assembler.unitHasChanged && assembler.rangeFactor == nil)
  }

  /// A magnet twice as strong as the Earth's field turns it, and one that goes again does not stay.
  @Test func aMagnetIsNoRange() {
    var assembler = Self.assembler()
    for number in 60..<100 {
      var message = Self.message(number)
      let isNear = number % 10 < 5
      message.field = message.field.map { isNear ? $0 * 2 : $0 }
      _ = assembler.sample(of: message, arrival: Double(number) / 10)
    }
    #expect(!assembler.unitHasChanged)
    var magnet = Self.assembler()
    for number in 60..<100 {
      var message = Self.message(number)
      message.field = message.field.map { $0 + Vector3(70, 20, -30) }
      _ = magnet.sample(of: message, arrival: Double(number) / 10)
    }
    #expect(!magnet.unitHasChanged)
  }
}
