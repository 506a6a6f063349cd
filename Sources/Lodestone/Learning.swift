import Calibration
import LodestoneCore
import LodestonePorts

/// Whether the hard iron is learnt from ordinary motion while instruments run: a battery was changed, a screw put in.
public enum Learning: String, Sendable, CaseIterable {
  /// The calibration stays as it is.
  case off
  /// Headings follow the hard iron; nothing is written.
  case on
  /// A new version of the calibration is saved too, once it has been surer than the old one for a minute.
  case save
}

/// A notice about the hard iron that is learnt.
public enum LearningNotice: Equatable, Sendable {
  /// Nothing can be learnt: there is no calibration, or not a full one.
  case needsFullCalibration
  /// Nothing can be learnt: the device sends no rotation rates.
  case needsGyroscope
  /// The hard iron lies elsewhere than in the calibration, and is followed from now on.
  /// - Parameters:
  ///   - distance: from the one of the calibration, in µT, with its standard deviation.
  ///   - headingError: what is left, root mean square in degrees.
  case hasMoved(distance: Double, deviation: Double, headingError: Double, isSaved: Bool)
  /// Nothing is saved until the board has been tilted as well as turned: one that only turns level may be in a vehicle
  /// and show that one's iron.
  case needsTilt
  /// A new version of the calibration is in this file.
  case saved(path: String)
  /// The new calibration could not be saved; the problem is nil where no variable says where calibrations are kept.
  case notSaved(ProfileStoreProblem?)
}

/// Learns the hard iron of a device, tells the news, and saves it where that is wanted. A class, so that its owner's
/// look before each sample whether there is one reads a pointer and no large value.
final class Learner {
  /// The news that a sample brought: the calibration to go on with, where it is another one, and the notices.
  typealias News = (profile: Profile?, notices: [LearningNotice])

  private var learner: HardIronLearner?
  private let saves: Bool
  private let store: ProfileStore?
  private var isKnown = false
  /// The time of the first sample, and whether a rotation rate has come.
  private var (begin, hasRates): (Double?, Bool) = (nil, false)
  /// How far the hard iron had moved when that was said, in µT.
  private var told: Double?
  private var hasAskedForTilt = false
  /// Why the last finding was not saved, as it was told; nil where nothing stood in the way.
  private var unsaved: LearningNotice?

  /// Seconds in which a gyroscope has to say something, and µT by which a move is another one.
  private static let (patience, another) = (3.0, 2.0)

  init(_ profile: Profile?, saves: Bool, store: ProfileStore? = ProfileStore.ofUser) {
    learner = profile.flatMap { HardIronLearner($0) }
    (self.saves, self.store) = (saves, store)
  }

  /// The news that a sample brings; mostly nil.
  func take(_ sample: borrowing Sample) -> News? {
    let time = sample.time
    guard learner != nil else { return once(.needsFullCalibration) }
    if !hasRates {
      hasRates = sample.rotationRate != nil
      let since = begin ?? time
      begin = since
      if !hasRates { return time - since > Self.patience ? once(.needsGyroscope) : nil }
    }
    guard let finding = learner?.add(sample) else { return nil }
    guard finding.hasMoved else { return (finding.profile, []) }
    var notices: [LearningNotice] = []
    if told.map({ abs($0 - finding.distance) > Self.another }) ?? true {
      told = finding.distance
      notices.append(
        .hasMoved(
          distance: finding.distance, deviation: finding.deviation, headingError: finding.headingError, isSaved: saves))
    }
    if saves, finding.isSettled { notices += save(finding) }
    return (finding.profile, notices)
  }

  private func once(_ notice: LearningNotice) -> News? {
    guard !isKnown else { return nil }
    isKnown = true
    return (nil, [notice])
  }

  /// Saves what was learnt, and learns from there on. Where it cannot be saved, the next finding is.
  private func save(_ finding: HardIronLearner.Finding) -> [LearningNotice] {
    guard finding.isTilted else {
      defer { hasAskedForTilt = true }
      return hasAskedForTilt ? [] : [.needsTilt]
    }
    var profile = finding.profile
    profile.created = WallClock.unixSeconds
    do throws(ProfileStoreProblem) {
      guard let store else { return tell(.notSaved(nil)) }
      let path = try store.save(profile)
      learner = HardIronLearner(profile)
      (told, unsaved) = (nil, nil)
      return [.saved(path: path)]
    } catch {
      return tell(.notSaved(error))
    }
  }

  /// Tells once why nothing was saved.
  private func tell(_ notice: LearningNotice) -> [LearningNotice] {
    defer { unsaved = notice }
    return notice == unsaved ? [] : [notice]
  }
}
