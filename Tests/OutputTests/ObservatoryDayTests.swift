import Glibc
import LodestoneCore
import Support
import Testing

@testable import LodestoneOutput

/// The file of a day, minute by minute.
struct ObservatoryDayTests {
  /// 2026-03-01, in days since 1970.
  private static let number = 20_513
  private static let header = Array("header\n".utf8)

  /// A record of a minute of the day that was not measured.
  private static func record(of minute: Int) -> [UInt8] {
    var text = TextBuffer()
    Observatory.append(Double(number * 1440 + minute) * 60, nil, to: &text)
    return text.withUnsafeBytes { Array($0) }
  }

  private static func contents(_ minutes: Range<Int>) -> [UInt8] {
    header + minutes.flatMap { record(of: $0) }
  }

  /// Another program removes it, or puts another one in its place: the next minutes are in the one that has the name.
  @Test func theFileThatHasTheNameIsGoneOnWith() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/day"
      let day = try #require(try ObservatoryDay(Self.number, at: path, header: Self.header))
      try day.put(Self.record(of: 0), of: Self.number * 1440)
      unlink(path)
      try day.put(Self.record(of: 2), of: Self.number * 1440 + 2)
      #expect(try CommandRun.contents(of: path) == Self.contents(0..<3))
      try CommandRun.write(bytes: Self.contents(0..<5), to: path + "2")
      #expect(rename(path + "2", path) == 0)
      for minute in [4, 6] { try day.put(Self.record(of: minute), of: Self.number * 1440 + minute) }
      #expect(try CommandRun.contents(of: path) == Self.contents(0..<7))
    }
  }
}
