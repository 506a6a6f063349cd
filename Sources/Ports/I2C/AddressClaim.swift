import Glibc

/// A chip on a bus of the kernel that one program measures with: two would take the measurements from each other. Other
/// chips of the bus are free. It holds as long as its owner lives, however that ends.
public final class AddressClaim {
  private let node: Descriptor

  /// Takes a lock on the byte of the node that has the chip's address for its number.
  /// - Throws: `busy` where another program has the chip.
  public init(of address: UInt8, on path: String) throws(PortError) {
    do {
      node = try Descriptor(opening: path, flags: O_RDWR)
    } catch {
      throw PortError(opening: path, error)
    }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    (range.l_start, range.l_len) = (off_t(address), 1)
    // A lock of the open file and not of the process: F_OFD_SETLK of fcntl(2). Where there is no such thing, do
    // without.
    guard fcntl(node.number, 37, &range) == 0 || (errno != EAGAIN && errno != EACCES) else {
      throw .busy(path: path, heldBy: Holder.all(of: path))
    }
  }
}
