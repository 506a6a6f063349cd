import Glibc

// What the kernel shows in links, folders and small text files: /sys, /proc and /dev.

/// An absolute path, and where its links lead, step by step; nothing for a relative path. A step that is a device node
/// of its own may lead on to a pty that stands in for it.
func linkChain(_ path: String) -> [String] {
  guard path.hasPrefix("/") else { return [] }
  var chain = [path]
  while chain.count < 16, let target = linkTarget(chain[chain.count - 1]) {
    let folder = chain[chain.count - 1].split(separator: "/").dropLast()
    var parts = target.hasPrefix("/") ? [] : Array(folder)
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    chain.append("/" + parts.joined(separator: "/"))
  }
  return chain
}

/// The target of a symbolic link; nil where there is none, and where it is not UTF-8.
func linkTarget(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
    guard let start = buffer.baseAddress else { return nil }
    let count = readlink(path, start, buffer.count)
    guard count > 0 else { return nil }
    return String(validating: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

/// The path with every link followed, or nil.
func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// A variable of the environment; nil where it is not set, and where it is not UTF-8: a path in it would be another.
public func environmentVariable(_ name: String) -> String? { getenv(name).flatMap { String(validatingCString: $0) } }

/// The part after the last slash.
func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// The names in a folder in order, without `.` and `..`; none where it cannot be read.
func folderContents(_ path: String) -> [String] { (try? Folder.all(in: path)) ?? [] }

/// A small text file (sysfs, /proc) without the white space at its ends, or nil. At most 4096 bytes.
func smallText(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
    let count = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { return nil }
    var text = Substring(String(decoding: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), as: UTF8.self))
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
