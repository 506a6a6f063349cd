import Calibration
import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// A device beside the one in use: its field and heading, by its own calibration where one is saved.
public final class SecondDevice: LoopCompanion {
  /// Which device it is.
  let name: String
  /// The last field in the device frame; nil before the first, and while the device is gone.
  private(set) var field: Vector3?
  /// The last heading; nil before the first, and while the device is gone.
  private(set) var heading: HeadingReading?
  private let stream: any SampleStream
  private var reader: SecondStream?
  private var watched: Int32 = -1

  /// A device that has been opened.
  public init(_ stream: any SampleStream, mounting: Mounting) throws {
    self.stream = stream
    name = stream.identity
    let profile = try ProfileChoice.saved.load(for: stream)
    var frame = DeviceFrame(profile, mounting: mounting)
    var causes = CauseRemoval(profile?.causes ?? [])
    var compass = Compass(Compass.Settings(), profile: profile, mounting: mounting)
    var (sample, reading) = (DeviceSample(), HeadingReading())
    reader = SecondStream(stream) { [unowned self] event in
      switch event {
      case .sample(var raw):
        let openField = causes?.remove(from: &raw) ?? 0
        frame.read(&raw, into: &sample)
        sample.openField = openField
        if let field = sample.field { self.field = field.field.microtesla }
        if compass.read(sample, into: &reading) { heading = reading }
        while compass.nextNotice() != nil {}
      case .notice(let notice):
        if Notice.stream(notice).isPresent == false { leave() }
      case .ended: leave()
      default: break
      }
    }
  }

  private func leave() { (field, heading) = (nil, nil) }

  /// When it wants to be looked at.
  public var wakeTime: MonotonicTime? { reader?.wakeTime }

  /// Watches it while it is there.
  public func watch(with poller: inout Poller) {
    guard let reader else {
      poller.forget(watched)
      return
    }
    reader.watch(with: &poller)
    watched = stream.descriptor ?? -1
  }

  /// Takes what has come. Where it cannot go on, the first device does.
  public func serve(_ poller: Poller) {
    do {
      try reader?.serve(poller)
    } catch {
      reader = nil
      leave()
    }
  }
}
