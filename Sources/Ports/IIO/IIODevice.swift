import LodestoneCore
import Drivers
import Glibc

/// An open magnetometer of the kernel, or what is read beside one. Without a buffer each reading asks the driver for
/// each axis in turn, which most drivers answer with a conversion of its own; with one, the driver paces the samples
/// and they come together.
public final class IIODevice {
  /// The device as the list of devices shows it.
  public let listing: IIOListing
  private let raw: [RawChannels]
  private let temperature: (raw: String, scale: Double, offset: Double)?
  private let calibrations: [IIOKind: IIOCalibration]
  private let changes = AttributeChanges()
  private var buffer: IIOBuffer?
  /// Whether the driver has the bytes of single numbers in the wrong order.
  private var isSwapped = false

  /// Opens the channels for reading one by one.
  public init(_ listing: IIOListing) throws(PortError) {
    self.listing = listing
    let folder = listing.folder
    var raw: [RawChannels] = []
    for kind in IIOKind.allCases where listing.senses.contains(kind.sense) {
      raw.append(try RawChannels(kind, folder: folder))
    }
    self.raw = raw
    calibrations = Dictionary(
      uniqueKeysWithValues: IIOKind.allCases.map { ($0, IIOCalibration($0, folder: folder, name: listing.name)) })
    temperature =
      listing.senses.contains(.field) && access(folder + "/in_temp_raw", R_OK) == 0
      ? (
        folder + "/in_temp_raw", IIOAttribute.number(folder + "/in_temp_scale") ?? 1,
        IIOAttribute.number(folder + "/in_temp_offset") ?? 0
      ) : nil
  }

  /// The rates it offers, in samples a second, ascending; a range as its ends. Empty where it does not tell.
  public var rates: [Double] { IIORate(listing)?.offered ?? [] }

  /// The rate in force, in samples a second: the trigger's where a buffer runs by one of its own; nil where nothing
  /// tells.
  public var rate: Double? {
    if let trigger = buffer?.trigger, trigger.isForeign { return trigger.rate }
    return IIORate(listing)?.current
  }

  /// Asks for a rate in samples a second, until the device is let go of. A driver that has none stays as it is.
  public func set(rate: Double) throws(PortError) {
    try IIORate(listing)?.set(rate, noting: changes)
  }

  /// Reads every channel now. Not while a buffer runs: then `next` brings the samples.
  public func measure() throws(PortError) -> Measurement {
    var measurement = Measurement()
    for channels in raw {
      do throws(PortError) {
        var raw = try channels.read()
        if let calibration = calibrations[channels.kind] { raw = calibration.straightened(raw, isSwapped: &isSwapped) }
        set(channels.kind, to: raw, in: &measurement)
      } catch {
        guard channels.kind == .field, IIOCalibration.isPast(error, driver: listing.name) else { throw error }
        measurement.saturated = true
      }
    }
    measurement.temperature = currentTemperature()
    return measurement
  }

  private func currentTemperature() -> Double? {
    guard let temperature, let raw = IIOAttribute.number(temperature.raw) else { return nil }
    return (raw + temperature.offset) * temperature.scale / 1000
  }

  /// Raw numbers as a quantity; where an axis of the field is past its range, they are a lower bound, or nothing.
  private func set(_ kind: IIOKind, to raw: Vector3, in measurement: inout Measurement) {
    let calibration = calibrations[kind]
    if kind == .field, calibration?.isPast(raw) == true { measurement.saturated = true }
    if kind == .field, calibration?.isCoded(raw) == true { return }
    measurement.set(kind, calibration?.vector(raw) ?? raw)
  }

  // MARK: - Buffer

  /// The descriptor for poll(2) while a buffer runs.
  public var descriptor: Int32? { buffer?.descriptor }

  /// Lets the driver pace the samples. It takes the right to write the device's attributes; throws `notPermitted`
  /// without, `busy` where another program has the buffer, and `system` or `notThere` where the driver has none.
  public func startBuffer(in roots: SystemRoots = .real) throws(PortError) {
    buffer = nil
    buffer = try IIOBuffer(listing, kinds: raw.map { $0.kind }, roots: roots)
  }

  /// Puts the buffer back as it was found: from now on `measure` reads the channels one by one.
  public func stopBuffer() { buffer = nil }

  /// The rate may be put back only once the buffer stands still.
  deinit {
    buffer = nil
    changes.undo()
  }

  /// The next sample of the buffer, and its time in nanoseconds of the device's clock where it has one; nil while there
  /// is none.
  public func next() throws(PortError) -> (measurement: Measurement, nanoseconds: Int64?)? {
    guard let buffer, let frame = try buffer.next() else { return nil }
    var measurement = Measurement()
    for channels in raw {
      guard let vector = buffer.layout.vector(channels.kind, in: frame) else { continue }
      set(channels.kind, to: vector, in: &measurement)
    }
    return (measurement, buffer.layout.timestamp(in: frame))
  }
}

extension IIOKind {
  var sense: Senses {
    switch self {
    case .field: .field
    case .acceleration: .acceleration
    case .rotationRate: .rotationRate
    }
  }
}

extension Measurement {
  /// A vector in the kernel's unit of its kind.
  fileprivate mutating func set(_ kind: IIOKind, _ vector: Vector3) {
    switch kind {
    case .field: field = MagneticField(vector, unit: .gauss)
    case .acceleration: acceleration = Acceleration(metresPerSecondSquared: vector)
    case .rotationRate: rotationRate = RotationRate(radiansPerSecond: vector)
    }
  }
}

/// The three raw attributes of a kind, kept open: reading one from its start asks the driver anew.
private struct RawChannels {
  let kind: IIOKind
  private let files: [(path: String, descriptor: Descriptor)]

  init(_ kind: IIOKind, folder: String) throws(PortError) {
    self.kind = kind
    var files: [(path: String, descriptor: Descriptor)] = []
    for axis in kind.axes {
      let path = "\(folder)/\(axis)_raw"
      do {
        files.append((path, try Descriptor(opening: path, flags: O_RDONLY)))
      } catch {
        throw SystemAttribute.failure(path, error)
      }
    }
    self.files = files
  }

  func read() throws(PortError) -> Vector3 {
    var components = (0.0, 0.0, 0.0)
    components.0 = try number(files[0])
    components.1 = try number(files[1])
    components.2 = try number(files[2])
    return Vector3(components.0, components.1, components.2)
  }

  /// A whole number in decimal digits.
  private func number(_ file: (path: String, descriptor: Descriptor)) throws(PortError) -> Double {
    let number: Int64?? = withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = uninterrupted { pread(file.descriptor.number, buffer.baseAddress, buffer.count, 0) }
      guard count >= 0 else { return .none }
      let digits = buffer.prefix(count).prefix { $0 > 0x20 }
      return .some(Int64(String(decoding: digits, as: UTF8.self)))
    }
    guard let parsed = number else { throw SystemAttribute.failure(file.path, SystemError("pread")) }
    guard let parsed else { throw .system(path: file.path, SystemError("parse", code: EBADMSG)) }
    return Double(parsed)
  }
}

/// Attributes of sysfs that are written.
enum SystemAttribute {
  static func write(_ text: String, to path: String) throws(PortError) {
    let bytes = Array(text.utf8)
    do throws(SystemError) {
      let file = try Descriptor(opening: path, flags: O_WRONLY | O_TRUNC)
      let count = uninterrupted { Glibc.write(file.number, bytes, bytes.count) }
      guard count == bytes.count else { throw SystemError("write") }
    } catch {
      throw failure(path, error)
    }
  }

  static func failure(_ path: String, _ error: SystemError) -> PortError {
    switch error.code {
    case ENOENT: .notThere(path: path)
    // Of a chip behind a bridge that was unplugged, which of them depends on the bridge's driver.
    case ENODEV, ENXIO, EIO, ETIMEDOUT, ESHUTDOWN, EREMOTEIO, EPROTO: .gone(path: path)
    case EBUSY: .busy(path: path, heldBy: Holder.all(of: path))
    case EACCES, EPERM:
      NodeAccess(path: path).map { .notPermitted(path: path, access: $0) } ?? .gone(path: path)
    default: .system(path: path, error)
    }
  }
}
