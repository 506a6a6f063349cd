import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// The size of a field that is told from how a board is turned: about all axes, on a table, or about one that leans.
@Suite struct TurnedSizeTests {
  /// Away from the hard iron, in µT.
  private static let hardIron = Vector3(30, 10, -20)

  /// The field in µT of a board that is turned round about its axis, from attitudes that lean by so many degrees.
  private static func turns(lean degrees: Double) -> [Vector3] {
    let lean = Quaternion(rotation: Vector3(Angle.radians(degrees), 0, 0))
    return (0..<200).map { step in
      let turn = Quaternion(rotation: Vector3(0, 0, Double(step) * 0.0628))
      return lean * (turn * Vector3(20, 0, -44)) + hardIron
    }
  }

  /// The field of a board that is turned about all axes.
  private static var sphere: [Vector3] {
    (0..<400).map { step in
      let height = 1 - 2 * (Double(step) + 0.5) / 400
      let (across, angle) = ((1 - height * height).squareRoot(), Double(step) * 2.399963)
      return Vector3(across * cos(angle), across * sin(angle), height) * 48.33 + hardIron
    }
  }

  /// The meaning of fields that are printed as counts, beside those of an accelerometer.
  private static func basis(
    _ fields: [Vector3], counts: Double, profileCounts: Double?
  ) -> WireScales.Field.Basis {
    var inference = UnitInference()
    inference.expectation = FieldExpectation(strength: 48.33, countsPerMicrotesla: profileCounts) { $0 - hardIron }
    for field in fields {
      var message = WireMessage()
      let scaled = field * counts
      message.field = Vector3(scaled.x.rounded(), scaled.y.rounded(), scaled.z.rounded())
      message.acceleration = Vector3(0, 0, 16_384)
      inference.add(message)
    }
    return inference.conclude().field.basis
  }

  /// A board that is turned on a table shows the horizontal part of its field as a circle, and is no other board.
  @Test(arguments: [0.0, 20, 45, 80]) func countsThatGoRoundInACircleAreThoseOfTheCalibration(lean: Double) {
    let basis = Self.basis(Self.turns(lean: lean), counts: 15, profileCounts: 15)
    guard case .calibratedCounts(15, _) = basis else {
      Issue.record("\(basis)")
      return
    }
    guard case .otherScale(15, let times?) = Self.basis(Self.turns(lean: lean), counts: 60, profileCounts: 15) else {
      Issue.record("another range passes")
      return
    }
    #expect(times > 3)
  }

  /// In nanotesla or milligauss counts may be so few that the corrected field is what the hard iron was.
  @Test(arguments: [3.3, 6.67, 16.4, 120]) func countsAreNoUnitOfACalibrationInMicrotesla(perMicrotesla: Double) {
    // Of a circle two thirds of the size may be a disturbed field.
    let circles = perMicrotesla == 6.67 ? [] : [Self.turns(lean: 0), Self.turns(lean: 45)]
    for fields in [Self.sphere] + circles {
      let basis = Self.basis(fields, counts: perMicrotesla, profileCounts: nil)
      if case .calibrated(let unit) = basis { Issue.record("\(unit)") }
    }
  }

  /// The range of a chip is that in which the whole field is the Earth's, and not its horizontal part.
  @Test(arguments: [0.0, 45]) func aChipsRangeIsToldByTheWholeField(lean: Double) throws {
    let sizes = [CountSize(range: 200, microtesla: 1 / 120), CountSize(range: 800, microtesla: 1 / 30)]
    for (range, counts) in [(200.0, 120.0), (800, 30)] {
      let size = try #require(FieldSize(Self.turns(lean: lean).map { $0 * counts }))
      #expect(size.isRing)
      #expect(WireScales.Field(countsOf: "chip", sizes: sizes, size: size)?.range == range)
    }
  }

  @Test func aSphereIsNoRing() throws {
    let size = try #require(FieldSize(Self.sphere))
    #expect(size.isShell && !size.isRing && abs(size.strength - 48.33) < 1)
  }

  /// A magnet that passes a board at rest moves the tips along a line, and back.
  @Test(arguments: [4, 12]) func aMagnetThatPassesMakesNoSphere(width: Int) throws {
    let fields = (0..<600).map { number in
      let away = Double(number % 100 - 50) / Double(width)
      let magnet = Vector3(800, -270, 400) * exp(-away * away)
      return Vector3(-12.92, 15.7, -43.49) + magnet + Vector3(0.05, -0.05, 0.05) * Double(number % 5 - 2)
    }
    let size = try #require(FieldSize(fields))
    #expect(size.radius == nil && !size.isShell)
    #expect(abs(size.strength - 48) < 1)
  }

  /// One that lay still before it was turned shows a sphere all the same.
  @Test func aBoardThatIsTurnedAtLastShowsASphere() throws {
    let rest = (0..<1200).map { Vector3(48.33, 0, 0) + Self.hardIron + Vector3(0.1, 0.1, -0.1) * Double($0 % 3 - 1) }
    let size = try #require(FieldSize(rest + Self.sphere))
    #expect(size.isShell && abs(size.strength - 48.33) < 3)
  }
}
