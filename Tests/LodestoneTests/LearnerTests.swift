import Calibration
import Glibc
import Instruments
import LodestoneCore
import Support
import Testing

@testable import Lodestone

/// The hard iron that is learnt while instruments run, on its way to the store.
@Suite struct LearnerTests {
  /// A board with a gyroscope that is turned about and held still by turns.
  private static var board: VirtualBreakout.Settings {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    (settings.seed, settings.sensor, settings.hasGyroscope) = (11, 1011, true)
    return settings
  }

  /// A hard iron that moved by 10 µT cannot be saved while a file stands where the folder should be. That is told once;
  /// it is saved when the file is gone.
  @Test func whatCannotBeSavedIsSavedLater() throws {
    var sweep = VirtualBreakout(Self.board)
    let samples = (0..<3100).map { _ in sweep.next().sample }
    let profile = Profile(try #require(Calibrator().fit(samples).result), device: "board", created: 0)
    try TemporaryFolder.with { folder in
      let path = folder + "/profiles"
      try CommandRun.write("", to: path)
      let store = ProfileStore(folder: path)
      let learner = Learner(profile, saves: true, store: store)
      var board = VirtualBreakout(Self.board)
      var saved: [LearningNotice] = []
      var time = 0.0
      while time < 200 {
        var sample = board.next().sample
        if time < 140, sample.time >= 140 {
          #expect(saved.count == 1 && unlink(path) == 0, "\(saved)")
        }
        time = sample.time
        sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + Vector3(10, 0, 0)) }
        for notice in learner.take(sample)?.notices ?? [] {
          switch notice {
          case .saved, .notSaved: saved.append(notice)
          default: break
          }
        }
      }
      #expect(saved.count == 2 && saved.last == .saved(path: path + "/board/0001.json"), "\(saved)")
      let shift = try #require(try store.current(of: "board")).correction.hardIron - profile.correction.hardIron
      #expect(abs(shift.length - 10) < 2, "\(shift)")
    }
  }
}
