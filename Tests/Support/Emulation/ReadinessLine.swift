import CLinux
import Glibc

/// A pseudo-terminal used as a lamp: poll(2) sees its slave side writable or not, and hung up.
final class ReadinessLine {
  /// The slave's path.
  let name: String
  private var master: Int32
  private var slave: Int32

  init() {
    var path = [CChar](repeating: 0, count: 64)
    master = linux_pty_open(&path, path.count)
    name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    tcflow(slave, TCOOFF)
  }

  deinit { hangUp() }

  /// Whether poll(2) finds the slave writable.
  var isReady = false {
    didSet {
      if isReady != oldValue { tcflow(slave, isReady ? TCOON : TCOOFF) }
    }
  }

  /// poll(2) finds the slave hung up from now on.
  func hangUp() {
    guard master >= 0 else { return }
    close(slave)
    close(master)
    (master, slave) = (-1, -1)
  }
}
