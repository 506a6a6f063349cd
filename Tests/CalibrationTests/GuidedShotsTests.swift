import Instruments
import LodestoneCore
import Support
import Testing

@testable import Calibration

/// The rolled shots that the guide of a held instrument asks for, taken by simulated hands that miss what they are
/// asked for by up to 10°, and a mark by up to 0.2°. The laser is 2° beside the top edge.
@Suite struct GuidedShotsTests {
  /// A guided calibration from its first sample to its end.
  private struct Run {
    var guide: GuidedCalibration
    /// Requests, counts and reminders during the shots, in the order of time.
    var (asked, counts): ([AimedShot], [[Int]]) = ([], [])
    var reminders: Set<CalibrationProgress.Reminder> = []
    var progress: CalibrationProgress { guide.progress }
    private var board: VirtualBreakout
    private var time = 0.0

    init(seed: UInt64, asksForLaser: Bool = true, mounting: Mounting = .aligned, miss: Double = 10) {
      var settings = VirtualBreakout.Settings()
      settings.motion = .hand
      (settings.seed, settings.sensor) = (seed, seed &+ 1000)
      (settings.tremor, settings.miss, settings.sway, settings.laserAngle) = (0.01, miss, 0, 2)
      board = VirtualBreakout(settings)
      var held = CalibrationSettings()
      (held.isHeld, held.asksForLaser) = (true, asksForLaser)
      guide = GuidedCalibration(settings: held, mounting: mounting)
    }

    /// Until it is done, or the hand has enough; two minutes at most. `hand` says what it does at a time.
    mutating func run(
      _ hand: (CalibrationProgress) -> HandRequest = { $0.request },
      until isOver: (CalibrationProgress) -> Bool = { _ in false }
    ) {
      while progress.phase != .done, time < 120, !isOver(progress) {
        let sample = board.next().sample
        time = sample.time
        guide.add(sample)
        board.follow(hand(progress))
        if let shot = progress.nextShot, shot != asked.last { asked.append(shot) }
        if progress.shots != counts.last ?? [] { counts.append(progress.shots) }
        if progress.phase == .rolls, let reminder = progress.reminder { reminders.insert(reminder) }
      }
    }

    /// Degrees by which the axis that was found is off.
    func off(_ axis: LaserAxis) -> Double { Angle.degrees(axis.direction.angle(to: board.settings.laser)) }
  }

  /// A hand that follows to the letter finds the axis, as surely as is said, in eight shots.
  @Test func anObedientHandFindsTheLaser() throws {
    var (off, stated) = (0.0, 0.0)
    for seed in 101...112 as ClosedRange<UInt64> {
      var run = Run(seed: seed)
      run.run()
      #expect(
        run.progress.phase == .done && run.progress.shots == [4, 4] && run.reminders.isEmpty, "\(seed): \(run.counts)")
      #expect(
        run.asked
          == (0..<8).map { AimedShot(mark: $0 / 4, number: $0 % 4, hour: [12, 3, 6, 9][$0 % 4]) }, "\(seed)")
      let outcome = run.guide.finished()
      let laser = try #require(outcome.result?.laser)
      #expect(outcome.refusal == nil && run.progress.laser == laser && laser.side == .top)
      let angle = run.off(laser)
      #expect(angle < 0.3 && laser.deviation <= 0.25, "\(seed): \(angle) \(laser.deviation)")
      off += angle * angle
      stated += 2 * laser.deviation * laser.deviation
    }
    #expect((0.6...1.5).contains((off / stated).squareRoot()), "\((off / stated).squareRoot())")
  }

  /// Where the chip is turned in the device, so is the axis that is shown.
  @Test func theAxisIsShownInTheDevice() throws {
    var run = Run(seed: 113, mounting: try Mounting("-y,x,z"))
    run.run()
    #expect(run.progress.laser?.side == .right && run.guide.finished().result?.laser?.side == .top)
  }

  /// One who rolls on at his first mark is told so and asked for another; it does not end before, even where eight
  /// shots at one mark tell an axis, but it does end.
  @Test func oneMarkIsNotEnough() throws {
    func roll(_ progress: CalibrationProgress) -> HandRequest {
      guard progress.phase == .rolls else { return progress.request }
      let count = progress.shots.last ?? 0
      return .aim(AimedShot(mark: 0, number: count, hour: count % 4 * 3))
    }
    var run = Run(seed: 114)
    run.run(roll) { $0.shots == [4] }
    #expect(run.reminders.isEmpty)
    run.run(roll) { $0.shots == [9] }
    #expect(run.progress.phase == .rolls && run.progress.laser != nil && run.reminders == [.sameMark])
    #expect(run.progress.nextShot == AimedShot(mark: 1, number: 0, hour: 12))
    #expect(run.guide.finished().refusal == nil)
    run.run(roll)
    #expect(run.progress.phase == .done && run.progress.shots == [16])
  }

  /// A shot at another mark is told, and the four begin again.
  @Test func aShotElsewhereBeginsAgain() {
    var run = Run(seed: 115)
    run.run { progress in
      progress.nextShot == AimedShot(mark: 0, number: 2, hour: 6)
        ? .aim(AimedShot(mark: 3, number: 0, hour: 6)) : progress.request
    }
    #expect(run.counts.prefix(3) == [[1], [2], [1]] && run.reminders == [.otherMark], "\(run.counts)")
    #expect(run.progress.phase == .done && run.progress.shots == [4, 4])
  }

  /// Without the option it ends as it did; with it, who takes no shots has the same calibration when he ends it.
  @Test func whoTakesNoShotsEndsAsBefore() {
    var (with, without) = (Run(seed: 116), Run(seed: 116, asksForLaser: false))
    with.run(until: { $0.phase == .rolls })
    without.run()
    #expect(without.progress.phase == .done && without.asked.isEmpty && with.progress.phase == .rolls)
    let result = with.guide.finished().result
    #expect(result != nil && result == without.guide.finished().result && result?.laser == nil)
  }
}
