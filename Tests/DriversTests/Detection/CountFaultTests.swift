import LodestoneCore
import Testing

@testable import Drivers

/// Counts as sketches put them together without care: the numbers are those of a field of 48 µT, by the data sheets of
/// the chips.
@Suite struct CountFaultTests {
  /// A board that lies flat and is turned: µT.
  private static let turned = [
    Vector3(-12.9, 15.7, -43.5), Vector3(-8.2, 18.6, -43.4), Vector3(-1.1, 20.2, -43.6), Vector3(5.6, 19.5, -43.5),
    Vector3(11.9, 16.4, -43.4), Vector3(16.6, 11.6, -43.5),
  ]
  private static let still = [
    Vector3(-12.9, 15.7, -43.5), Vector3(-12.7, 15.8, -43.3), Vector3(-12.8, 15.5, -43.6), Vector3(-13.1, 15.6, -43.4),
  ]

  private static func counts(_ fields: [Vector3], _ scale: Double, _ write: (Int) -> Int) -> [Vector3] {
    fields.map { field in
      func axis(_ value: Double) -> Double { Double(write(Int((value * scale).rounded()))) }
      return Vector3(axis(field.x), axis(field.y), axis(field.z))
    }
  }

  private static func low(_ bits: Int) -> (Int) -> Int { { $0 & ((1 << bits) - 1) } }

  /// HMC5883L in 12 bits, BMM150 in 13, AK8975 in 14, QMC5883L in 16, MMC5983MA in 18, MMC5603 in 20, RM3100 in 24.
  @Test(arguments: [(12, 10.9), (13, 3.3), (14, 3.3), (16, 30), (18, 163.84), (20, 163.84), (24, 75), (32, 10)])
  func lostSignsAreFound(bits: Int, scale: Double) {
    for fields in [Self.turned, Self.still] {
      let found = CountFault(ofField: Self.counts(fields, scale, Self.low(bits)))
      #expect(found == .unsigned(bits: bits))
      #expect(CountFault(ofField: Self.counts(fields, scale) { $0 }) == nil)
    }
  }

  /// Signed counts that happen to be above zero on all axes, in the southern hemisphere or upside down.
  @Test(arguments: [
    Vector3(3500, 120, 900), Vector3(30_000, 300, 2000), Vector3(2100, 2000, 2200), Vector3(519, 171, 142),
    Vector3(12_000, 5000, 58_000), Vector3(33_000, 33_000, 12_000),
  ])
  func countsAboveZeroAreNone(field: Vector3) {
    let fields = (0..<8).map { field + Vector3(Double($0 % 3), Double($0 % 2), Double($0 % 5)) }
    #expect(CountFault(ofField: fields) == nil)
    #expect(CountMiddle.of(fields) == nil)
  }

  @Test func swappedBytesAreFound() {
    func swapped(_ value: Int) -> Int { Int(Int16(bitPattern: UInt16(truncatingIfNeeded: value).byteSwapped)) }
    for fields in [Self.turned, Self.still] {
      #expect(CountFault(ofField: Self.counts(fields, 30, swapped)) == .swappedBytes)
      #expect(CountFault(ofField: Self.counts(fields, 30) { swapped($0) & 0xFFFF }) == .swappedBytes)
      // Eight bits in the high byte.
      #expect(CountFault(ofField: Self.counts(fields, 1) { $0 << 8 }) == nil)
    }
  }

  /// A board in accelerometer counts of 12 bits, 1000 to the g, that leans to one side and then to the other.
  @Test func accelerationsInFewerBitsLoseTheirSign() {
    let forces = [-0.1, -0.02, 0.03, 0.1].map { Vector3($0, 0.1, 0.99) }
    #expect(CountFault(ofAcceleration: Self.counts(forces, 1000, Self.low(12))) == .unsigned(bits: 12))
    #expect(CountFault(ofAcceleration: Self.counts(forces, 1000) { $0 }) == nil)
    let rising = [0.2, 0.5, 0.8, 0.97].map { Vector3($0, 0.1, (1 - $0 * $0).squareRoot()) }
    #expect(CountFault(ofAcceleration: Self.counts(rising, 4096) { $0 }) == nil)
  }

  /// MMC5983MA and MMC5603: 2¹⁷ and 2¹⁹ are no field. A calibration that was made with the whole numbers goes on.
  @Test(arguments: [131_072.0, 524_288, 32_768])
  func theMiddleOfTheRangeIsTakenOff(middle: Double) {
    let scale = middle == 32_768 ? 40.96 : 163.84
    let fields = Self.counts(Self.turned, scale) { $0 + Int(middle) }
    var inference = UnitInference()
    for field in fields {
      var message = WireMessage()
      message.field = field
      inference.add(message)
    }
    let scales = inference.conclude()
    #expect(scales.field.zero == middle && scales.field.isUnscaled)
    var assembler = SampleAssembler(scales: scales, keepsTime: true)
    var message = WireMessage()
    message.field = fields[0]
    let field = assembler.sample(of: message, arrival: 0)?.field?.microtesla ?? .zero
    #expect(field.angle(to: Self.turned[0]) < 0.01)

    let iron = Vector3(middle, middle, middle) / scale
    inference.expectation = FieldExpectation(
      strength: 48, countsPerMicrotesla: scale, correct: { $0 - iron })
    #expect(inference.conclude().field.zero == 0)
  }

  /// A board that says its unit may lose signs as well, as DFRobot's SEN0386 does behind a library: 65 523 µT. One
  /// beside a magnet has lost none.
  @Test func lostSignsAreFoundInAUnit() {
    func basis(_ fields: [Vector3]) -> WireScales.Field.Basis {
      var inference = UnitInference()
      for field in fields {
        var message = WireMessage()
        (message.field, message.fieldUnit) = (field, .microtesla)
        inference.add(message)
      }
      return inference.conclude().field.basis
    }
    #expect(basis(Self.counts(Self.turned, 1, Self.low(16))) == .damaged(.unsigned(bits: 16)))
    for magnet in [Vector3(3900, 200, 100), Vector3(58_000, 900, 20), Vector3(60_000, 30_000, 50_000)] {
      guard case .doubted = basis((0..<8).map { magnet + Vector3(Double($0 % 3), 0, 1) }) else {
        Issue.record("\(magnet)")
        continue
      }
    }
  }
}
