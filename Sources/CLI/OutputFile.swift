import ArgumentParser
import Core
import Glibc

/// Where a command writes its data: standard output, or a file that appears under its name only when it is whole.
struct OutputFile: ~Copyable {
  private let descriptor: Int32
  /// As the user named it.
  private let name: String
  /// Written first and renamed at the end; nil where there is nothing to rename: standard output, a device, a pipe.
  private let temporary: String?
  private var isFinished = false

  /// Opens `path`, or standard output for nil and `-`.
  init(path: String?) throws(Failure) {
    guard let path, path != "-" else {
      self.init(descriptor: STDOUT_FILENO, name: "standard output", temporary: nil)
      return
    }
    var status = stat()
    let isPlain = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    let temporary = isPlain ? "\(path).\(getpid()).part" : nil
    let descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .system("can't create \(path)", errno) }
    self.init(descriptor: descriptor, name: path, temporary: temporary)
  }

  private init(descriptor: Int32, name: String, temporary: String?) {
    self.descriptor = descriptor
    self.name = name
    self.temporary = temporary
  }

  deinit {
    guard descriptor != STDOUT_FILENO, !isFinished else { return }
    close(descriptor)
    if let temporary { unlink(temporary) }
  }

  /// Writes all of the text and empties it. A reader that has gone ends the command quietly.
  mutating func write(_ text: inout TextBuffer) throws {
    try text.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written > 0 {
          rest = rest.dropFirst(written)
        } else if errno == EPIPE {
          throw ExitCode.success
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          throw Failure.system("can't write \(name)", errno)
        }
      }
    }
    text.removeAll()
  }

  /// Puts the file in its place.
  mutating func finish() throws(Failure) {
    guard descriptor != STDOUT_FILENO else { return }
    isFinished = true
    guard close(descriptor) == 0, temporary.map({ rename($0, name) == 0 }) ?? true else {
      let error = errno
      if let temporary { unlink(temporary) }
      throw .system("can't write \(name)", error)
    }
  }
}

extension Failure {
  /// A refused system call, with the exit code that fits.
  static func system(_ what: String, _ error: Int32) -> Failure {
    let code: Code =
      switch error {
      case ENOENT, ENOTDIR, EISDIR, ENODEV: .noInput
      case EACCES, EPERM, EROFS: .notPermitted
      case EBUSY: .tryAgain
      default: .inputOutput
      }
    return Failure(code, "\(what): \(String(cString: strerror(error)).lowercased())")
  }
}
