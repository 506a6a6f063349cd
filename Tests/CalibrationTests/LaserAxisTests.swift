import Glibc
import LodestoneCore
import Support
import Testing

@testable import Calibration

/// Where the laser of an instrument points that is held in rolled shots.
@Suite struct LaserAxisTests {
  private static func profile(_ samples: [Sample]) throws -> Profile {
    Profile(try #require(Calibrator().fit(samples).result), device: "cave", created: 0)
  }

  /// Root mean square in degrees by which azimuths are off along x, after a turn, over shots at targets that are not
  /// steep.
  private static func error(_ profile: Profile, _ shots: [CaveInstrument.Shot], _ turn: Matrix3) -> Double {
    let squares = shots.filter { abs($0.inclination) < 45 }.compactMap { shot -> Double? in
      guard let (raw, force) = shot.mean, let up = profile.forceCorrection.apply(to: force).direction,
        let east = (profile.correction.softIron * (raw - profile.correction.hardIron)).cross(up).direction
      else { return nil }
      let (e, n) = ((turn * east).x, (turn * up.cross(east)).x)
      let off = Angle.shortestTurn(from: shot.azimuth, to: Angle.degrees(atan2(e, n)))
      return off * off
    }
    return (squares.reduce(0, +) / Double(max(squares.count, 1))).squareRoot()
  }

  /// The line is found as surely as is said, and azimuths are those of the laser: 2° beside the chips make 1.6°, and
  /// they are 0.1 to 0.2° off.
  @Test func aLaserIsFound() throws {
    var (off, stated) = (0.0, 0.0)
    for seed in 301...312 as ClosedRange<UInt64> {
      var cave = CaveInstrument(seed: seed, laser: 2)
      let profile = try Self.profile(cave.survey())
      let laser = try #require(profile.laser)
      let shots = cave.shotsAbout(40)
      let mounting = profile.mounting(.aligned).matrix
      #expect(Self.error(profile, shots, mounting) < 0.3 && Self.error(profile, shots, .identity) > 0.8, "\(seed)")
      let angle = Angle.degrees(laser.direction.angle(to: cave.laser))
      off += angle * angle
      stated += 2 * laser.deviation * laser.deviation
      let text = try #require(profile.quality.warnings.first { $0.contains("laser") })
      #expect(text.contains("beside the accelerometer's x axis; that is corrected"))
    }
    #expect((0.6...1.5).contains((off / stated).squareRoot()), "\((off / stated).squareRoot())")
  }

  /// Shots all about, a board turned on a table and too few rolls tell no line, and the result says so.
  @Test(arguments: [21, 22, 23] as [UInt64]) func noLaserIsMadeUp(_ seed: UInt64) throws {
    var cave = CaveInstrument(seed: seed, laser: 2)
    let about = cave.shotsAbout(16)
    for more in [cave.shotsAbout(8), cave.shots(at: 0, 88, rolls: 8), cave.shots(at: 40, 10, rolls: 4)] {
      let profile = try Self.profile((about + more).flatMap { $0.samples })
      #expect(profile.laser == nil && profile.mounting(.aligned) == .aligned)
      #expect(profile.quality.warnings.contains { $0.hasPrefix("where a laser or sight points is not known") })
    }
  }

  /// The attitude of an instrument that is aimed along its top edge.
  private static func shot(_ heading: Double, _ roll: Double, pitch: Double = 0) -> Matrix3 {
    Quaternion(heading: heading, pitch: pitch, roll: roll).matrix
  }

  /// One that is held for long, or taken again, is one shot and no roll.
  @Test func aShotHeldForLongIsOneShot() {
    let four = [0, 90, 180, 270].flatMap { [Self.shot(20, $0), Self.shot(20, $0 + 3)] }
    #expect(RolledShots(four).counts == [4] && RolledShots(four).line == nil)
    let eight = RolledShots(four + [0, 90, 180, 270].map { Self.shot(110, $0) })
    #expect(eight.counts == [4, 4] && eight.line?.nearest == 1)
  }

  /// Shots count from the first on, a mark's only while its shots go on or are enough, and none that are steep.
  @Test func shotsAreCountedAsTheyCome() {
    let first = [0, 90, 180, 270].map { Self.shot(20, $0) }
    let (aside, steep) = (Self.shot(60, 90), [0, 90, 180].map { Self.shot(20, $0, pitch: 75) })
    #expect(RolledShots([]).counts == [] && RolledShots([first[0]]).counts == [1])
    #expect(RolledShots(Array(first.prefix(2))).counts == [2] && RolledShots([first[0], aside]).counts == [1])
    #expect(RolledShots(first.prefix(3) + [aside]).counts == [1] && RolledShots(first + [aside]).counts == [4, 1])
    #expect(RolledShots(first + [aside, Self.shot(60, 180)]).counts == [4, 2] && RolledShots(steep).counts == [])
  }

  /// Rolls whose lines scatter tell none: here shots at one target with no rolls at all.
  @Test func shotsWithoutRollsTellNothing() throws {
    let still = [Matrix3](repeating: .identity, count: 12)
    #expect(RolledShots(still).line == nil && RolledShots([]).line == nil && RolledShots([.identity]).line == nil)
  }
}
