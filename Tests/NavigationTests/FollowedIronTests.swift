import Calibration
import Glibc
import Instruments
import LodestoneCore
@testable import Navigation
import Testing

/// The error that a calibration leaves in a north which many fields have been followed to.
@Suite struct FollowedIronTests {
  private static let (horizontal, down) = (20.0, 44.0)
  private static var place: Vector3 { Vector3(0, horizontal, -down) }
  /// The parameters of a board without errors, in the order of their names.
  private static let parameters: [Double] = [0, 0, 0, log(48.3), 1, 1, 1, 0, 0, 0, atan2(horizontal, -down), 0, 0, 0]
  /// Their standard deviations: 0.4 µT of hard iron, 1 % of soft iron, 0.3° of rotation.
  private static let deviations: [Double] = [
    0.4, 0.4, 0.4, 0, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0, 0.005, 0.005, 0.005,
  ]

  private static func model() throws -> HeadingErrorModel {
    var covariance = [Double](repeating: 0, count: 14 * 14)
    for (index, deviation) in deviations.enumerated() { covariance[15 * index] = deviation * deviation }
    return try #require(
      HeadingErrorModel(
        correction: .none, parameters: parameters, covariance: covariance,
        reference: .init(strength: 48.3, inclination: Angle.degrees(atan2(down, horizontal))), noise: 0))
  }

  /// Attitudes with the gains by which north follows their fields: the board turns by so many degrees, and wobbles.
  private static func series(turning: Double) -> [(attitude: Matrix3, gain: Double)] {
    (0..<80).map { index in
      let (turn, wobble) = (Double(index) / 80 * turning, Angle.radians(20) * sin(Double(index) / 7))
      let attitude = Matrix3(rotation: Vector3(0, 0, Angle.radians(turn))) * Matrix3(rotation: Vector3(wobble, 0, 0))
      return (attitude, index == 0 ? 1 : 0.04)
    }
  }

  private static func deviation(over series: [(attitude: Matrix3, gain: Double)]) throws -> Double {
    var followed = FollowedIron()
    for (attitude, gain) in series {
      followed.follow(place, attitude: attitude, horizontal: horizontal, gain: gain)
    }
    return try model().calibration.variance(of: followed).squareRoot()
  }

  /// Boards with errors of that size, each corrected by its wrong calibration, field by field.
  @Test(arguments: [0.0, 70, 180, 400])
  func theDeviationIsThatOfManyBoards(_ turning: Double) throws {
    let series = Self.series(turning: turning)
    var random = RandomNumbers(seed: 7)
    var squares = 0.0
    let boards = 1500
    for _ in 0..<boards {
      let d = Self.deviations.map { $0 * random.normal() }
      let stretch = Matrix3(Vector3(1 + d[4], d[7], d[8]), Vector3(d[7], 1 + d[5], d[9]), Vector3(d[8], d[9], 1 + d[6]))
      let wrong = Correction(
        hardIron: Vector3(d[0], d[1], d[2]), softIron: Matrix3(rotation: Vector3(d[11], d[12], d[13])) * stretch)
      var north = 0.0
      for (attitude, gain) in series {
        let field =
          attitude * wrong.apply(to: MagneticField(microtesla: attitude.transposed * Self.place)).field.microtesla
        north += (atan2(field.x, field.y) - north) * gain
      }
      squares += north * north
    }
    let seen = (squares / Double(boards)).squareRoot()
    #expect(abs(try Self.deviation(over: series) / seen - 1) < 0.07)
  }

  /// A hand that turns a board once round has most of its calibration's error taken out.
  @Test func aTurnTakesMostOfItOut() throws {
    let (held, turned) = (
      try Self.deviation(over: Self.series(turning: 0)), try Self.deviation(over: Self.series(turning: 360))
    )
    #expect(turned < 0.5 * held)
  }
}
