import Calibration
import Instruments
import Lodestone
import LodestoneCore
import Navigation

/// A device beside the one in use: its field and heading, by its own calibration where one is saved.
public final class SecondDevice {
  /// Which device it is.
  let name: String
  /// It sends, as far as is known.
  private(set) var isPresent = true
  /// The last field in the device frame; nil before the first, and while the device is gone.
  private(set) var field: Vector3?
  /// The last heading; nil before the first, and while the device is gone.
  private(set) var heading: HeadingReading?
  /// What waits for it in the loop.
  private(set) var companion: SecondStream?

  /// A device that has been opened.
  public init(_ stream: any SampleStream, mounting: Mounting) throws {
    name = stream.identity
    let profile = try ProfileChoice.saved.load(for: stream)
    let frame = DeviceFrame(profile, mounting: mounting)
    var compass = Compass(Compass.Settings(), profile: profile, mounting: mounting)
    var (sample, reading) = (DeviceSample(), HeadingReading())
    companion = SecondStream(stream) { [unowned self] event in
      switch event {
      case .sample(let raw):
        frame.read(raw, into: &sample)
        if let field = sample.field { self.field = field.field.microtesla }
        if compass.read(sample, into: &reading) { heading = reading }
        while compass.nextNotice() != nil {}
      case .notice(let notice):
        guard let isThere = Notice.stream(notice).isPresent else { return }
        isPresent = isThere
        if !isThere { (field, heading) = (nil, nil) }
      case .ended: isPresent = false
      default: break
      }
    }
  }
}
