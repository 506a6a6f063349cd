import CWebPage
import LodestoneCore
import NIOCore

/// The files of the page, which are part of the binary.
enum PageFiles {
  /// One file, ready to be sent.
  struct File: Sendable {
    let body: ByteBuffer
    let type: String
    /// Changes when the file does.
    let tag: String
  }

  /// Every file by its path on the server.
  static let all: [String: File] = {
    var files: [String: File] = [:]
    for row in UnsafeBufferPointer(start: webPageFiles, count: webPageFileCount) {
      let bytes = UnsafeBufferPointer(start: row.bytes, count: row.count)
      let path = "/" + String(cString: row.path)
      files[path] = File(body: ByteBuffer(bytes: bytes), type: type(of: path), tag: tag(bytes))
    }
    files["/"] = files["/index.html"]
    return files
  }()

  /// A text that is part of the program as a file.
  static func file(_ text: String, type: String) -> File {
    File(body: ByteBuffer(string: text), type: type, tag: tag(text.utf8))
  }

  private static func type(of path: String) -> String {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
    ]
    let ending = path.split(separator: ".").last.map { String($0) } ?? ""
    return types[ending] ?? "application/octet-stream"
  }

  /// The entity tag of a file.
  private static func tag(_ bytes: some Sequence<UInt8>) -> String { "\"\(String(bytes.fingerprint, radix: 16))\"" }
}
