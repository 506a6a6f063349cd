import LodestonePorts

/// A file, a pipe, or standard input.
final class FileLink: ByteLink {
  let name: String
  let identity: String
  let source: (any ByteSource)?
  let isLive = false
  var presence = Presence()
  let sender = StreamNotice.Silent.writer
  /// Whether silence and nonsense are told at once: a pipe's other end may send nothing, or what nobody can read, for
  /// as long as it likes.
  let isWatched: Bool
  let awaitedSince: MonotonicTime?

  /// - Parameter opened: when the file was opened, and the wait for its first bytes began.
  init(_ file: InputFile, identity: String, opened: MonotonicTime) {
    awaitedSince = opened
    isWatched = file.kind != .regularFile
    name = file.path == "-" ? "standard input" : file.path
    self.identity = identity
    source = file
  }
}
