import Glibc

/// Why a device, file or connection could not be opened or set up: the facts, for the command to word.
public enum PortError: Error, Equatable, Sendable {
  /// No such path.
  case notThere(path: String)
  /// Somebody else has it; empty where it cannot be seen who.
  case busy(path: String, heldBy: [Holder])
  /// A driver of the kernel reads a sensor behind it, which programs use as `iio:device0` or the like.
  case usedByKernel(path: String, as: String)
  /// The user may not open it.
  case notPermitted(path: String, access: NodeAccess)
  /// There is something at the path, but nothing with a baud rate.
  case notATerminal(path: String, kind: NodeKind)
  /// There is something at the path that bytes cannot be read from or written to as a file.
  case notAFile(path: String, kind: NodeKind)
  /// The driver cannot do this rate; `actual` is what it took instead.
  case unsupportedBaudRate(path: String, requested: Int, actual: Int?)
  /// The device was there, and went while it was being opened.
  case gone(path: String)
  /// A file cannot be made, or not be written to.
  case notCreated(path: String, SystemError)
  /// This program reads from it, or writes to it already.
  case inUse(path: String)
  /// A library that is loaded when it is needed is not installed; the package that has it.
  case libraryMissing(path: String, package: String)
  /// No such interface of a CAN bus; or the kernel has no CAN at all.
  case noInterface(String, kernelHasCAN: Bool)
  /// The disk is full.
  case noSpace(path: String)
  /// Anything else.
  case system(path: String, SystemError)
}

extension PortError {
  /// Why a file could not be made or written to.
  init(creating path: String, _ error: SystemError) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .noSpace(path: path)
    default: self = .notCreated(path: path, error)
    }
  }

  /// Why a device or a file could not be opened.
  init(opening path: String, _ error: SystemError) {
    switch error.code {
    case ENOENT, ENOTDIR: self = .notThere(path: path)
    case EACCES, EPERM: self = Self.refusal(path)
    case EBUSY: self = .busy(path: path, heldBy: Holder.all(of: path))
    case ENXIO, ENODEV, EIO: self = .gone(path: path)
    case ENOSPC, EDQUOT: self = .noSpace(path: path)
    default: self = .system(path: path, error)
    }
  }

  private static func refusal(_ path: String) -> PortError {
    // Where the node itself may not be seen, a folder above it is what stands in the way.
    var place = path
    while true {
      if let access = NodeAccess(path: place) { return .notPermitted(path: path, access: access) }
      guard let slash = place.lastIndex(of: "/"), place != "/" else { break }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return .system(path: path, SystemError("open", code: EACCES))
  }
}
