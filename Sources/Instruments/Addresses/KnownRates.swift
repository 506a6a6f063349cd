import Glibc
import LodestoneCore
import LodestonePorts

/// The baud rates at which ports were understood, kept over runs so that they are tried first: a line each in
/// `$XDG_CACHE_HOME/lodestone/baud-rates`. What cannot be read or written is done without, and not told: a search at
/// the next start costs some seconds and loses nothing.
enum KnownRates {
  /// Ports that are remembered; of more the oldest go.
  private static let limit = 64
  private static let largestFile = 16_384

  /// The rate at which a port was understood last; nil where it never was.
  static func rate(of port: String) -> Int? {
    lines.last { $0.port == port }?.rate
  }

  /// Remembers a rate.
  static func note(_ rate: Int, of port: String) {
    guard let path, self.rate(of: port) != rate else { return }
    let kept = (lines.filter { $0.port != port } + [(rate, port)]).suffix(limit)
    let text = kept.map { "\($0.rate) \($0.port)\n" }.joined()
    guard let slash = path.lastIndex(of: "/"), (try? Folder.make(String(path[..<slash]))) != nil else { return }
    try? AtomicFile.write(Array(text.utf8), to: path, updates: true)
  }

  private static var lines: [(rate: Int, port: String)] {
    guard let path, let bytes = try? AtomicFile.read(path, limit: largestFile, as: .kept) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let rate = Int(parts[0]), rate > 0 else { return nil }
      return (rate, String(parts[1]))
    }
  }

  /// The path of the file; nil where neither XDG_CACHE_HOME nor HOME tells.
  private static var path: String? {
    UserFolder.cache.path(environmentVariable).map { $0 + "/baud-rates" }
  }
}
