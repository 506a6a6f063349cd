import Calibration
import LodestoneCore
import Navigation

/// The way of a sample to the instruments: what causes add to its field is taken off, it is corrected and mounted, and
/// what a dead axis spoils is left out.
struct SampleStage {
  private let mounting: Mounting
  private var frame: DeviceFrame
  /// Takes off what the calibration's causes add; nil where it has none.
  private var causes: CauseRemoval?
  private var axes = DeadAxes()
  private var steps = CoarseField()
  /// The last sample as the device sent it, without what causes add to its field; only where there are such.
  private var freed = Sample(time: 0)

  /// A stage of a calibration, and of how the chip sits in the device.
  init(_ profile: Profile?, mounting: Mounting) {
    self.mounting = mounting
    frame = DeviceFrame(profile, mounting: mounting)
    causes = CauseRemoval(profile?.causes ?? [])
  }

  /// Reads a sample.
  /// - Returns: whether there may be notices.
  @inline(__always)
  mutating func read(_ raw: inout Sample, into sample: inout DeviceSample) -> Bool {
    if causes == nil { frame.read(&raw, into: &sample) } else { correctWithoutCauses(raw, into: &sample) }
    let mayHaveNews = axes.see(&raw, &sample) || causes != nil
    return steps.see(&raw) || mayHaveNews
  }

  /// Apart, because few calibrations have causes.
  @inline(never)
  private mutating func correctWithoutCauses(_ raw: Sample, into sample: inout DeviceSample) {
    freed = raw
    let openField = causes?.remove(from: &freed) ?? 0
    frame.read(&freed, into: &sample)
    sample.openField = openField
  }

  /// Takes another calibration with the same causes, and corrects the last sample by it.
  mutating func follow(_ profile: Profile, _ raw: inout Sample, into sample: inout DeviceSample) {
    frame = DeviceFrame(profile, mounting: mounting)
    if causes == nil { frame.read(&raw, into: &sample) } else { frame.read(&freed, into: &sample) }
  }

  /// The next thing to be told of the last sample; nil for no more.
  mutating func nextNotice() -> InstrumentNotice? {
    axes.nextNews().map { .deadAxis($0) } ?? steps.nextNews().map { .coarseField(step: $0) }
      ?? causes?.nextFault().map { .cause($0) }
  }

  /// Lets a learner take the last sample without what causes add, but not one with a dead axis.
  func teach(_ learner: Learner, _ raw: borrowing Sample) -> Learner.News? {
    guard !axes.areAny else { return nil }
    return causes == nil ? learner.take(raw) : learner.take(freed)
  }
}
