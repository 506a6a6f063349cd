import Calibration
import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// A device beside the one in use: its field and heading, by its own calibration where one is saved.
public final class SecondDevice: LoopCompanion {
  /// The device's name.
  let name: String
  /// The last field in the device frame; nil before the first, and while the device is gone.
  private(set) var field: Vector3?
  /// The last heading; nil before the first, and while the device is gone.
  private(set) var heading: HeadingReading?
  /// Called with what the user should know, as of a device beside the first one, and with the calibration in use.
  var onNotice: ((Notice, Profile?) -> Void)?
  /// Called with its name and the error after which it is no longer read.
  var onFailure: ((String, any Error) -> Void)?
  private var device: Device?
  private let compass: Attachment<Compass>
  private var reader: SecondStream?
  private var watched: Int32 = -1

  /// A device that has been opened.
  public init(_ stream: any SampleStream, mounting: Mounting) throws {
    name = stream.identity
    let device = try Device(stream, SessionOptions(place: nil, mounting: mounting))
    self.device = device
    compass = device.attach(Compass.self)
    reader = SecondStream(device, take: { [unowned self] in take($0) }, end: { [unowned self] in leave() })
  }

  private func take(_ event: Device.Event) {
    switch event {
    case .sample:
      if let field = device?.sample.field { self.field = field.field.microtesla }
      if let reading = event.reading(of: compass) { heading = reading }
    case .notice(let notice):
      if notice.endsReadings { leave() }
      onNotice?(.beside(name, notice), device?.profile)
    case .position, .tick, .turn: break
    }
  }

  private func leave() { (field, heading) = (nil, nil) }

  /// The time at which it wants to be looked at.
  public var wakeTime: MonotonicTime? { reader?.wakeTime }

  /// Watches it while it is there. One that has failed leaves the poller before it is closed.
  public func watch(with poller: inout Poller) {
    guard let reader else {
      poller.forget(watched)
      (device, watched) = (nil, -1)
      return
    }
    reader.watch(with: &poller)
    watched = device?.stream.descriptor ?? -1
  }

  /// Takes what has come. Where it cannot go on, the first device does.
  public func serve(_ poller: Poller) {
    do {
      try reader?.serve(poller)
    } catch {
      reader = nil
      leave()
      onFailure?(name, error)
    }
  }
}
