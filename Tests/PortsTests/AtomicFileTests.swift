import Glibc
import LodestonePorts
import Support
import Synchronization
import Testing

@Suite struct AtomicFileTests {
  @Test func writesAndReadsBack() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a"
      try AtomicFile.write(Array("first, and longer".utf8), to: path)
      try AtomicFile.write(Array("second".utf8), to: path)
      let read = try AtomicFile.read(path, limit: 6)
      #expect(read == Array("second".utf8))
    }
  }

  /// File systems give the number of a file that is gone to the next one.
  @Test func aFileInThePlaceOfAnInputThatIsGoneIsNoInput() throws {
    try TemporaryFolder.with { folder in
      for number in 0..<20 {
        let path = "\(folder)/\(number)"
        try AtomicFile.write([1], to: path)
        UserFiles.note(input: path)
        #expect(UserFiles.Claim(path) == nil)
        unlink(path)
        try CommandRun.write("another one", to: path)
        #expect(UserFiles.Claim(path) != nil)
        unlink(path)
      }
    }
  }

  @Test func leavesNoOtherFile() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write([1], to: folder + "/a")
      #expect(throws: FileProblem.alreadyThere(path: folder + "/a")) {
        try AtomicFile.write([2], to: folder + "/a", existing: .keep)
      }
      #expect(try everything(in: folder) == ["a"])
      let read = try AtomicFile.read(folder + "/a", limit: 1)
      #expect(read == [1])
    }
  }

  /// A hidden file that has just been made is no leftover of a killed program, however many are made at a time.
  @Test func manyAtOnceInAFolderDoNotHarmEachOther() throws {
    try TemporaryFolder.with { folder in
      let problems = Mutex<[FileProblem]>([])
      let threads = try (0..<8).map { thread in
        try BackgroundThread {
          for number in 0..<100 {
            do throws(FileProblem) {
              try AtomicFile.write([1], to: "\(folder)/\(thread)-\(number)")
            } catch {
              problems.withLock { $0.append(error) }
            }
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(problems.withLock { $0 } == [])
      #expect(try everything(in: folder).count == 800)
    }
  }

  @Test func keepsPermissionsAndLinks() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write([1], to: folder + "/a")
      chmod(folder + "/a", 0o640)
      symlink("a", folder + "/link")
      try AtomicFile.write([2], to: folder + "/link")
      var status = stat()
      #expect(lstat(folder + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(stat(folder + "/a", &status) == 0 && status.st_mode & 0o777 == 0o640)
      let read = try AtomicFile.read(folder + "/a", limit: 1)
      #expect(read == [2])
    }
  }

  /// /dev/full answers every write with ENOSPC, and is no file to be replaced.
  @Test func fullDiskIsSaid() {
    #expect(throws: FileProblem.noSpace(path: "/dev/full")) { try AtomicFile.write([1], to: "/dev/full") }
    #expect(throws: Never.self) { try AtomicFile.write([1], to: "/dev/null") }
  }

  @Test func failedWriteLeavesTheOldFile() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write([1], to: folder + "/a")
      #expect(throws: FileProblem.self) { try AtomicFile.write([2], to: folder + "/a/b") }
      #expect(throws: FileProblem.missing(path: folder + "/none/b")) {
        try AtomicFile.write([2], to: folder + "/none/b")
      }
      #expect(try everything(in: folder) == ["a"])
      let read = try AtomicFile.read(folder + "/a", limit: 1)
      #expect(read == [1])
    }
  }

  @Test func readingKnowsItsLimit() throws {
    #expect(throws: FileProblem.tooLarge(path: "/dev/zero", limit: 100_000)) {
      try AtomicFile.read("/dev/zero", limit: 100_000)
    }
    #expect(throws: FileProblem.missing(path: "/nowhere")) { try AtomicFile.read("/nowhere", limit: 1) }
    #expect(throws: FileProblem.failed(path: "/tmp", code: EISDIR)) { try AtomicFile.read("/tmp", limit: 1) }
  }

  @Test(arguments: [
    (ENOENT, FileProblem.missing(path: "p")), (EACCES, .notPermitted(path: "p")), (EROFS, .notPermitted(path: "p")),
    (ENOSPC, .noSpace(path: "p")), (EDQUOT, .noSpace(path: "p")), (EIO, .failed(path: "p", code: EIO)),
  ])
  func errnoHasAName(_ code: Int32, _ problem: FileProblem) {
    #expect(FileProblem(path: "p", code: code) == problem)
  }

  /// Hidden names included.
  private func everything(in folder: String) throws -> [String] {
    var names: [String] = []
    let directory = try #require(opendir(folder))
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }
}
