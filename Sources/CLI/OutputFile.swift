import CLinux
import ArgumentParser
import LodestoneCore
import Glibc
import LodestonePorts

/// The data that a command writes: to standard output, or to a file that appears under its name only when it is whole.
/// Until then no other program begins to write to that name.
struct OutputFile: ~Copyable {
  private let descriptor: Int32
  /// The name that the user gave it.
  private let name: String
  /// Named at the end; nil where there is nothing to name: standard output, a device, a pipe.
  private let pending: PendingFile?
  private let claim: UserFiles.Claim?
  private var isFinished = false

  /// The contents of a file that is named for nothing else: one that holds something other is not replaced.
  enum Kind {
    case drawing
    case json

    /// Its name in a sentence, and what it begins with.
    fileprivate var facts: (name: String, beginnings: [String]) {
      switch self {
      case .drawing: ("an SVG drawing", ["<svg", "<?xml"])
      case .json: ("JSON", ["{"])
      }
    }

    /// Refuses a file that holds something else.
    fileprivate func check(_ path: String) throws(Failure) {
      guard NodeKind.at(path) == .regularFile, let file = fopen(path, "re") else { return }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = fread(&bytes, 1, bytes.count, file)
      let text = String(decoding: bytes.prefix(count), as: UTF8.self).drop { $0.isWhitespace }
      guard count == 0 || facts.beginnings.contains(where: { text.hasPrefix($0) }) else {
        throw .otherFile(path, than: facts.name)
      }
    }
  }

  /// Opens `path`, or standard output for nil and `-`.
  init(path: String?, _ kind: Kind? = nil) throws(Failure) {
    guard let path, path != "-" else {
      self.init(descriptor: STDOUT_FILENO, name: "standard output", pending: nil, claim: nil)
      return
    }
    guard let claim = UserFiles.Claim(path) else { throw Failure(PortError.inUse(path: path)) }
    if let kind = NodeKind.at(path), kind != .regularFile {
      let descriptor: Int32
      do throws(SystemError) { descriptor = try Descriptor.openForWriting(path) } catch {
        throw .system("can't write \(path)", error.code)
      }
      self.init(descriptor: descriptor, name: path, pending: nil, claim: claim)
      return
    }
    let file: PendingFile
    do throws(FileProblem) { file = try PendingFile(for: path) } catch .busy {
      throw Failure(PortError.busy(path: path, heldBy: []))
    } catch {
      throw .system("can't create \(path)", error.code)
    }
    try kind?.check(path)
    self.init(descriptor: file.descriptor, name: path, pending: file, claim: claim)
  }

  private init(descriptor: Int32, name: String, pending: PendingFile?, claim: UserFiles.Claim?) {
    self.claim = claim
    self.descriptor = descriptor
    self.name = name
    self.pending = pending
  }

  deinit {
    guard descriptor != STDOUT_FILENO, !isFinished else { return }
    close(descriptor)
  }

  /// Writes all of the text and empties it. A reader that has gone ends the command quietly.
  mutating func write(_ text: inout TextBuffer) throws {
    try text.withUnsafeBytes { try writeAll($0, to: descriptor, name: name) }
    text.removeAll()
  }

  /// Writes all of a text and puts the file in its place.
  mutating func finish(with text: String) throws {
    var buffer = TextBuffer(capacity: text.utf8.count)
    buffer.append(text: text)
    try write(&buffer)
    try finish()
  }

  /// Puts the file in its place.
  mutating func finish() throws(Failure) {
    guard descriptor != STDOUT_FILENO else { return }
    isFinished = true
    guard let pending else {
      guard close(descriptor) == 0 else { throw .system("can't write \(name)", errno) }
      return
    }
    do throws(FileProblem) { try pending.finish() } catch .busy {
      throw Failure(PortError.busy(path: name, heldBy: []))
    } catch {
      throw .system("can't write \(name)", error.code)
    }
  }
}

/// Writes data to standard output. A reader that has gone ends the command quietly.
func writeToStandardOutput(_ bytes: [UInt8]) throws {
  try bytes.withUnsafeBytes { try writeAll($0, to: STDOUT_FILENO, name: "standard output") }
}

/// Writes lines to standard output.
func writeToStandardOutput(_ text: String) throws { try writeToStandardOutput(Array(text.utf8)) }

/// Writes all bytes; a descriptor that takes none now is waited for, until Ctrl-C. A reader that has gone ends the
/// command quietly.
private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws {
  var poller = Poller()
  poller.watch(descriptor, for: .writable)
  var rest = bytes[...]
  while !rest.isEmpty {
    guard try poller.waitUnlessAsked() else { throw Failure(.interrupted, "interrupted while writing \(name)") }
    let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(OutputPipe.pollableByteCount))
    let written = write(descriptor, piece.baseAddress, piece.count)
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EPIPE {
      throw ExitCode.success
    } else if errno != EAGAIN, errno != EINTR {
      throw Failure.system("can't write \(name)", errno)
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
    let reason = error == ENXIO ? "no program reads it" : String(cString: strerror(error)).lowercased()
    return Failure(code, "\(what): \(reason)", hint: remedy(for: error))
  }

  /// The hint where a name leads to nothing.
  static let nameHint = "check the name of the file and of its folder"

  /// The remedy where a file or folder cannot be used, by errno; nil where nothing general can be said.
  static func remedy(for error: Int32) -> String? {
    switch error {
    case ENOENT, ENOTDIR: nameHint
    case EEXIST: "give another name"
    case EISDIR: "give the name of a file in that folder"
    case EACCES, EPERM: "choose a place where you may write; ls -ld shows who may"
    case EROFS: "the file system is read-only: choose another place"
    case ENOSPC, EDQUOT: "free some space and try again"
    case ENXIO: "start the program that reads it first"
    default: nil
    }
  }
}

extension OutputFile {
  /// Refuses `-` for a file besides the output, which has standard output for itself.
  static func checkBesides(_ option: String, _ path: String?) throws {
    guard path == "-" else { return }
    throw ValidationError("\(option) -: this is written besides the output, to a file; ./- names a file of that name")
  }
}
