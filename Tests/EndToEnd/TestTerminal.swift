import CLinux
import Glibc
import Testing

/// A terminal of 80 columns and 24 rows with a program at it.
final class TestTerminal {
  let path: String
  private let controller: Int32
  private let terminal: Int32

  init() throws {
    var name = [CChar](repeating: 0, count: 64)
    controller = linux_pty_open(&name, name.count)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(controller >= 0 && terminal >= 0)
    resize(rows: 24)
  }

  /// Makes it higher or lower: its program draws everything anew.
  func resize(rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    close(terminal)
    close(controller)
  }

  var modes: tcflag_t {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return settings.c_lflag
  }

  /// Presses keys.
  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// The drawing so far, taken away.
  func drawn() -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(controller, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += chunk.prefix(count)
    }
  }
}
