import LodestoneCore
import Testing

@testable import Calibration

@Suite struct RestsTests {
  private static func rests(_ measurements: [SweepPoint]) -> [Rest] {
    var finder = RestFinder()
    var found = measurements.compactMap { finder.add($0, time: $0.time) }
    if let last = finder.finish() { found.append(last) }
    return found
  }

  private static func moment(_ time: Double, raw: Vector3, force: Vector3?) -> SweepPoint {
    SweepPoint(time: time, raw: raw, force: force)
  }

  @Test func twoSecondsOfStillnessAreOneRest() throws {
    let found = Self.rests(
      (0..<100).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(0, 0.6, 0.8)) })
    #expect(found.count == 1)
    let rest = try #require(found.first)
    #expect(rest.count == 100)
    #expect((rest.up - Vector3(0, 0.6, 0.8)).length < 1e-12)
    #expect((rest.raw - Vector3(20, 0, -43)).length < 1e-12)
    #expect(rest.scatter == 0)
  }

  /// A board that lies on for a quarter of an hour leaves room for the positions that come after.
  @Test func lyingOnTakesNoRoom() {
    func rest(_ up: Vector3) -> Rest {
      Rest(raw: up * 40, force: up, up: up, from: 0, to: 4, count: 200, scatter: 0.3)
    }
    var rests = Rests()
    for _ in 0..<300 { rests.add(rest(Vector3(0, 0, 1))) }
    for up in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(-1, 0, 0)] { rests.add(rest(up)) }
    #expect(rests.distinct(centre: Vector3(1, 2, 3)) == 5)
  }

  @Test func halfASecondIsNone() {
    let found = Self.rests(
      (0..<25).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(0, 0, 1)) })
    #expect(found.isEmpty)
  }

  /// The field turns by 20° a second while gravity stays as it is: a board that is turned about the vertical.
  @Test func aTurnIsNoRest() {
    let found = Self.rests(
      (0..<200).map { index in
        let turned = Matrix3(rotation: Vector3(0, 0, Angle.radians(20) * Double(index) * 0.02)) * Vector3(20, 0, -43)
        return Self.moment(Double(index) * 0.02, raw: turned, force: Vector3(0, 0, 1))
      })
    #expect(found.isEmpty)
  }

  @Test func shakingIsNoRest() {
    let found = Self.rests(
      (0..<200).map { index in
        let push: Double = index / 10 % 2 == 0 ? 0.03 : -0.03
        return Self.moment(Double(index) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(push, 0, 1))
      })
    #expect(found.isEmpty)
  }

  @Test func withoutGravityThereIsNone() {
    #expect(Self.rests((0..<200).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: nil) }).isEmpty)
  }

  /// Lying on a table for a minute is one attitude, and takes bounded room.
  @Test func aLongStillnessIsOneAttitude() {
    var rests = Rests()
    for rest in Self.rests(
      (0..<3000).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(0, 0, 1)) })
    { rests.add(rest) }
    #expect(rests.all.count > 5)
    #expect(rests.distinct(centre: .zero) == 1)
    #expect(!rests.sufficeForRotation(centre: .zero))
  }

  /// 0.6 mrad a tenth of a second is 0.006 rad; ten of them leave a third of it.
  @Test func longerRestsCountMore() throws {
    let found = Self.rests(
      (0..<50).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(0, 0, 1)) })
    let rest = try #require(found.first)
    let deviation = rest.angleDeviation(noise: 0, strength: 48)
    #expect(abs(deviation - (0.006 * 0.006 / 10 + 0.0015 * 0.0015).squareRoot()) < 1e-5)
  }

  @Test func timeThatRunsBackEndsARest() {
    let forth = (0..<60).map { Self.moment(Double($0) * 0.02, raw: Vector3(20, 0, -43), force: Vector3(0, 0, 1)) }
    #expect(Self.rests(forth + forth).count <= 3)
  }
}
