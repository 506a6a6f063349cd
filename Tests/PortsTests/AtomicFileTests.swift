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

  /// Programs that write a whole file each may replace the same one at a time: the last one stays.
  @Test func manyAtOnceMayReplaceAFile() throws {
    try TemporaryFolder.with { folder in
      let problems = Mutex<[FileProblem]>([])
      let threads = try (0..<4).map { thread in
        try BackgroundThread {
          for _ in 0..<50 {
            do throws(FileProblem) {
              try AtomicFile.write([UInt8(thread)], to: folder + "/a")
            } catch {
              problems.withLock { $0.append(error) }
            }
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(problems.withLock { $0 } == [])
      #expect(try everything(in: folder) == ["a"])
    }
  }

  /// The lock of a program that writes line by line is flock(2)'s exclusive one; that of one which puts a whole file
  /// there is the shared one.
  @Test func theFileOfAProgramThatWritesToItStays() throws {
    try TemporaryFolder.with { folder in
      let (path, link) = (folder + "/a", folder + "/link")
      try AtomicFile.write([1], to: path)
      #expect(symlink("a", link) == 0)
      let other = open(path, O_RDWR | O_CLOEXEC)
      defer { close(other) }
      #expect(flock(other, LOCK_EX) == 0)
      for name in [path, link] {
        #expect(throws: FileProblem.busy(path: name)) { try AtomicFile.write([2], to: name) }
        #expect(throws: FileProblem.busy(path: name)) { try AtomicFile.check(name) }
      }
      #expect(try AtomicFile.read(path, limit: 1, as: .kept) == [1])
      #expect(try everything(in: folder) == ["a", "link"])
      #expect(flock(other, LOCK_SH) == 0)
      try AtomicFile.write([3], to: path, updates: true)
      #expect(try AtomicFile.read(path, limit: 1, as: .kept) == [3])
    }
  }

  /// Asked beforehand, a file that cannot be written is refused as it would be afterwards, and nothing is left behind.
  @Test func whatCannotBeWrittenIsRefusedBeforehand() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a"
      #expect(throws: Never.self) { try AtomicFile.check(path) }
      #expect(try everything(in: folder) == [])
      #expect(throws: FileProblem.missing(path: folder + "/none/a")) { try AtomicFile.check(folder + "/none/a") }
      let claim = try #require(UserFiles.Claim(path))
      #expect(throws: FileProblem.inUse(path: path)) { try AtomicFile.check(path) }
      withExtendedLifetime(claim) {}
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
    (ENOENT, FileProblem.missing(path: "p")), (EACCES, .notPermitted(path: "p")),
    (EROFS, .failed(path: "p", code: EROFS)), (ENOSPC, .noSpace(path: "p")),
    (EDQUOT, .noSpace(path: "p")), (EIO, .failed(path: "p", code: EIO)),
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
