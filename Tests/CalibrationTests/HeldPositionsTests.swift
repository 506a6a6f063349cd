import LodestoneCore
import Support
import Testing

@testable import Calibration

/// Cave-survey instruments that are only ever held: 24 shots each, recorded with real chips whose axes are mirrored.
/// Shots 9 to 16 and 17 to 24 are two directions in eight rolls each, in which the instrument's axis must point alike.
@Suite(.enabled(if: Recordings.areHere)) struct HeldPositionsTests {
  private static let names = ["BB", "HC", "JG", "ab", "bi", "hj"]
  /// Rows of a shot, and shots of a group.
  private static let rows = 60
  private static let groups = [8..<16, 16..<24]

  private static func shots(_ name: String) throws -> [[Sample]] {
    let samples = try Recording("held/\(name)").samples
    return stride(from: 0, to: samples.count - rows + 1, by: rows).map { Array(samples[$0..<$0 + rows]) }
  }

  /// Root mean square in degrees by which the axis that agrees best points elsewhere within its groups.
  private static func spread(_ result: CalibrationResult, _ shots: [[Sample]], _ groups: [Range<Int>]) throws -> Double
  {
    var moments = Matrix3(diagonal: .zero)
    for group in groups {
      let worlds = try group.map { try #require(world(of: shots[$0], result)) }
      let mean = worlds.reduce(Matrix3(diagonal: .zero), +) * (1 / Double(worlds.count))
      moments = moments + (Matrix3.identity + mean.transposed * mean * -1) * (1 / Double(groups.count))
    }
    let axes = try #require(SymmetricMatrix.axes(of: moments))
    return Angle.degrees(max(axes.values.x, 0).squareRoot())
  }

  /// From the instrument to east, north and up, in one shot.
  private static func world(of shot: [Sample], _ result: CalibrationResult) -> Matrix3? {
    let count = Double(shot.count)
    let raw = shot.compactMap { $0.field?.microtesla }.reduce(.zero, +) / count
    let force = shot.compactMap { $0.acceleration?.g }.reduce(.zero, +) / count
    let field = result.correction.softIron * (raw - result.correction.hardIron)
    guard let up = result.forceCorrection.apply(to: force).direction, let east = field.cross(up).direction else {
      return nil
    }
    return Matrix3(east, up.cross(east), up)
  }

  @Test func realInstrumentsAreCalibrated() throws {
    var sum = 0.0
    for name in Self.names {
      let shots = try Self.shots(name)
      let outcome = Calibrator().fit(shots.flatMap { $0 })
      let result = try #require(outcome.result)
      #expect(outcome.refusal == nil, "\(name): \(outcome.refusal.debugDescription)")
      #expect(result.quality.method == .held && result.quality.kind == .full && result.quality.rests == 24)
      #expect(abs(abs(result.inclination ?? 0) - 67) < 2)
      let spread = try Self.spread(result, shots, Self.groups)
      #expect(spread < 1.5 * (result.quality.headingErrorDegrees ?? 0), "\(name): \(spread)")
      sum += spread
    }
    #expect(sum / Double(Self.names.count) <= 0.55, "\(sum / Double(Self.names.count))")
  }

  /// A group that the fit has not seen lies within twice what is stated.
  @Test func groupsLeftOutAreAsTold() throws {
    var within = 0
    var ratios: [Double] = []
    for name in Self.names {
      for group in Self.groups {
        let shots = try Self.shots(name)
        let kept = shots.enumerated().filter { !group.contains($0.offset) }.flatMap { $0.element }
        let result = try #require(Calibrator().fit(kept).result)
        let spread = try Self.spread(result, shots, [group])
        let stated = try #require(result.quality.headingErrorDegrees)
        ratios.append(spread / stated)
        if spread <= 2 * stated { within += 1 }
      }
    }
    #expect(within >= 11, "\(ratios)")
  }

  /// Real instruments, whose chip moves by 4 µT from the first shot to the last: the calibration holds for the last,
  /// and no axis points more than 0.6° farther apart than without. One that did not move is said to have moved nowhere.
  @Test(arguments: names) func aDriftIsTakenOff(_ name: String) throws {
    let shots = try Self.shots(name)
    let still = try #require(Calibrator().fit(shots.flatMap { $0 }).result)
    #expect(!still.warnings.contains { if case .drifted = $0 { true } else { false } })
    let end = Vector3(2.4, -2.4, 2.1)
    func moved(_ sample: Sample, by offset: Vector3) -> Sample {
      var sample = sample
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + offset) }
      return sample
    }
    let all = shots.flatMap { $0 }
    let drifting = all.enumerated().map { moved($1, by: end * (Double($0) / Double(all.count))) }
    let result = try #require(Calibrator().fit(drifting).result)
    let told = result.warnings.lazy.compactMap { if case .drifted(let microtesla) = $0 { microtesla } else { nil } }
      .first
    #expect(try abs(#require(told) - end.length) < 1.2, "\(result.warnings)")
    let ended = shots.map { $0.map { moved($0, by: end) } }
    let (spread, before) = (try Self.spread(result, ended, Self.groups), try Self.spread(still, shots, Self.groups))
    #expect(spread < before + 0.6 && spread < 1.5 * (result.quality.headingErrorDegrees ?? 0), "\(spread) \(before)")
  }

  /// Few stations are never called good; too few are refused, with how many more are wanted.
  @Test func fewStationsSayThatTheyAreFew() throws {
    for name in Self.names {
      let shots = try Self.shots(name)
      let result = try #require(Calibrator().fit(shots[2..<12].flatMap { $0 }).result)
      #expect(result.quality.verdict != .good)
      #expect(result.warnings.contains(.fewPositions(found: 10, needed: 12)))
    }
    var settings = CalibrationSettings()
    settings.isHeld = true
    let outcome = Calibrator(settings: settings).fit(try Self.shots("HC")[0..<4].flatMap { $0 })
    guard case .tooFewPositions(4, 24, _) = outcome.refusal else {
      Issue.record("\(outcome.refusal.debugDescription)")
      return
    }
  }

  /// A row for each shot, three seconds apart, or three rows a second apart: held positions where their user says so.
  @Test(arguments: [1, 3]) func slowRowsAreStationsToo(_ rows: Int) throws {
    var settings = CalibrationSettings()
    settings.isHeld = true
    for name in Self.names {
      let shots = try Self.shots(name)
      let slow = shots.enumerated().flatMap { shot, samples in
        (0..<rows).map { row in
          var sample = samples[Self.rows / 2 + row]
          sample.time = Double(shot * 3 * rows + row)
          return sample
        }
      }
      let outcome = Calibrator(settings: settings).fit(slow)
      let result = try #require(outcome.result, "\(outcome.refusal.debugDescription)")
      #expect(result.quality.method == .held && result.quality.rests >= 20, "\(name): \(result.quality.rests)")
      let few = Calibrator(settings: settings).fit(slow.prefix(5))
      guard case .tooFewPositions(_, 24, _) = few.refusal else {
        Issue.record("\(few.refusal.debugDescription)")
        return
      }
    }
  }

  /// What accelerometers of such instruments are off by comes back from a profile.
  @Test func skewsAreKept() throws {
    let result = try #require(Calibrator().fit(try Self.shots("JG").flatMap { $0 }).result)
    #expect(result.forceCorrection.skew != .zero)
    let profile = Profile(result, device: "held", created: 0)
    let read = try Profile(json: profile.json())
    #expect(read.forceCorrection == profile.forceCorrection && read.quality.method == .held)
  }
}
