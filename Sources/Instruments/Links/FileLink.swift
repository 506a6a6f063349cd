import LodestonePorts

/// A file, a pipe, or standard input.
final class FileLink: ByteLink {
  let name: String
  let identity: String
  let source: (any ByteSource)?
  let isLive = false
  var presence = Presence()
  /// Whether nonsense is told at once: a pipe's other end may send what nobody can read for as long as it likes.
  let isWatched: Bool

  init(_ file: InputFile, identity: String) {
    isWatched = file.kind != .regularFile
    name = file.path == "-" ? "standard input" : file.path
    self.identity = identity
    source = file
  }
}
