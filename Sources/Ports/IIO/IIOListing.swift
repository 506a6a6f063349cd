import Drivers

/// A magnetometer of the kernel's industrial I/O subsystem: what can be known about it without opening it.
public struct IIOListing: Equatable, Sendable {
  /// The number in `iio:deviceN`.
  public var number: Int
  /// The folder with its attributes.
  public var folder: String
  /// Its node, which buffers are read from; a device without buffers has none.
  public var node: String
  /// The chip's name, as the kernel's driver writes it, without control characters.
  public var name: String
  /// The label that the board's maker gives it, where there is one.
  public var label: String?
  /// The quantities that it measures.
  public var senses: Senses
  /// The rate in force, in samples a second, where the driver tells it.
  public var rate: Double?
  /// The socket on USB, as the kernel numbers them: `1-1.2`; nil for a device that is not on USB.
  public var socket: String?
  /// Other processes that have its node open, as far as they can be seen.
  public var holders: [Holder]
}

/// The magnetometers of the kernel, by number. Nothing is measured.
public func listIIODevices(in roots: SystemRoots = .real) -> [IIOListing] {
  iioDevices(in: roots) { $0.contains(.field) }
}

/// The accelerometer or gyroscope that goes with a magnetometer of the kernel and is another device there: a piece of
/// its part, as `lsm303dlhc_accel` is of `lsm303dlhc_magn`, or else the only one beside the only magnetometer; of
/// several gyroscopes the one in the accelerometer's part. Nil where that is not clear, where one of the two is on USB
/// and the other is not, and where the magnetometer has its own.
public func iioNeighbour(
  _ sense: Senses, beside magnetometer: IIOListing, in roots: SystemRoots = .real
) -> IIOListing? {
  guard magnetometer.senses.isDisjoint(with: sense) else { return nil }
  let all = iioDevices(in: roots) { !$0.isDisjoint(with: sense) && !$0.contains(.field) }
    .filter { $0.socket == magnetometer.socket }
  let pieces = all.filter { $0.isPiece(ofThePartOf: magnetometer) }
  var found = pieces.isEmpty && listIIODevices(in: roots).count == 1 ? all : pieces
  if found.count > 1, sense == .rotationRate,
    let accelerometer = iioNeighbour(.acceleration, beside: magnetometer, in: roots)
  {
    found = found.filter { $0.number == accelerometer.number || $0.isPiece(ofThePartOf: accelerometer) }
  }
  guard found.count == 1, var neighbour = found.first else { return nil }
  neighbour.senses = sense
  return neighbour
}

extension IIOListing {
  /// The part's name where the driver makes several devices of it; nil where the name does not tell.
  private var part: String? {
    name.lastIndex(of: "_").map { String(name[..<$0]) }
  }

  fileprivate func isPiece(ofThePartOf other: IIOListing) -> Bool { part != nil && part == other.part }
}

private func iioDevices(in roots: SystemRoots, where isWanted: (Senses) -> Bool) -> [IIOListing] {
  let parent = roots.sys + "/bus/iio/devices"
  return folderContents(parent).compactMap { entry in
    guard entry.hasPrefix("iio:device"), let number = Int(entry.dropFirst("iio:device".count)) else { return nil }
    let folder = "\(parent)/\(entry)"
    let senses = Senses(iioAttributes: Set(folderContents(folder)))
    guard isWanted(senses) else { return nil }
    return IIOListing(
      number: number, folder: folder, node: "\(roots.dev)/\(entry)", name: deviceText(folder + "/name") ?? entry,
      label: deviceText(folder + "/label"), senses: senses,
      rate: IIOAttribute.rate(folder + "/sampling_frequency")
        ?? IIOAttribute.number(folder + "/in_magn_sampling_frequency"),
      socket: resolvedPath(folder).flatMap { USBPlace(above: $0, within: resolvedPath(roots.sys) ?? roots.sys).device }
        .map(lastComponent), holders: Holder.all(of: "\(roots.dev)/\(entry)", procRoot: roots.proc))
  }.sorted { $0.number < $1.number }
}

extension Senses {
  /// The quantities that a device with these attributes measures on all three axes.
  init(iioAttributes names: Set<String>) {
    self = []
    for (kind, sense) in [
      (IIOKind.field, Senses.field), (.acceleration, .acceleration), (.rotationRate, .rotationRate),
    ]
    where kind.axes.allSatisfy({ names.contains("\($0)_raw") }) {
      insert(sense)
    }
  }
}

/// A kind of channel (Documentation/ABI/testing/sysfs-bus-iio of Linux).
enum IIOKind: String, CaseIterable {
  case field = "magn"
  case acceleration = "accel"
  case rotationRate = "anglvel"

  /// `in_magn_x` and so on.
  var axes: [String] { ["x", "y", "z"].map { "in_\(rawValue)_\($0)" } }
}

/// Attributes in sysfs that hold numbers.
enum IIOAttribute {
  /// The number in a file; nil where there is none, or none that is finite.
  static func number(_ path: String) -> Double? {
    guard let text = smallText(path), let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The rate in a file, in samples a second; nil for none, and for the 0 of a driver that was never told one.
  static func rate(_ path: String) -> Double? { number(path).flatMap { $0 > 0 ? $0 : nil } }

  /// The numbers in a file, whatever stands between them: `[0.5 0.25 10]`, `1, 0, 0; 0, 1, 0; 0, 0, 1`.
  static func numbers(_ path: String) -> [Double] {
    guard let text = smallText(path) else { return [] }
    return text.split { " ,;[]\n\t".contains($0) }.compactMap { Double($0) }.filter { $0.isFinite }
  }
}
