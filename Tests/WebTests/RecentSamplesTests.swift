import LodestoneCore
import LodestoneOutput
import Testing

@testable import LodestoneWeb

/// The recording of the last minutes.
struct RecentSamplesTests {
  private let metadata = RecordingWriter.Metadata(device: "board", unixStart: 0)

  private func lines(of recent: borrowing RecentSamples) -> [Substring] {
    String(decoding: recent.recording(metadata), as: UTF8.self).split(separator: "\n")
  }

  private func sample(_ time: Double) -> Sample {
    Sample(time: time, field: MagneticField(microtesla: Vector3(20, 0, -40)))
  }

  @Test func itIsWhatTheCommandWouldHaveRecorded() {
    var recent = RecentSamples()
    var writer = RecordingWriter()
    var text = TextBuffer()
    let nothing = recent.recording(metadata)
    #expect(nothing.isEmpty)
    for number in 0..<1200 {
      recent.add(sample(Double(number) / 10))
      writer.append(sample(Double(number) / 10), metadata: metadata, to: &text)
    }
    let recorded = recent.recording(metadata)
    #expect(recorded == text.withUnsafeBytes { Array($0) })
  }

  @Test func aNameReachesNoTerminalWithItsEscapes() {
    var recent = RecentSamples()
    recent.add(sample(0))
    let hostile = RecordingWriter.Metadata(device: "bo\u{9B}31mard\u{202E}\u{1B}", unixStart: nil)
    let text = String(decoding: recent.recording(hostile), as: UTF8.self)
    #expect(text.contains("# device: bo31mard\n"))
  }

  /// A sample without anything to record is left out, the very first one too.
  @Test func emptySamplesAreLeftOut() {
    var recent = RecentSamples()
    recent.add(Sample(time: 0))
    let nothing = recent.recording(metadata)
    #expect(nothing.isEmpty)
    for time in [1.0, 2.0] { recent.add(sample(time)) }
    recent.add(Sample(time: 3))
    let lines = lines(of: recent)
    #expect(lines.suffix(2).map { $0.prefix(2) } == ["1.", "2."])
    #expect(lines.count { $0.hasPrefix("time_s") } == 1)
  }

  @Test func theLastMinutesStay() throws {
    var recent = RecentSamples()
    for number in 0..<20_000 { recent.add(sample(Double(number) / 20)) }
    let rows = lines(of: recent).drop { $0.first?.isNumber != true }
    let times = rows.compactMap { $0.split(separator: ",").first.flatMap { Double($0) } }
    // The last five minutes of 1000 s, and less than two pieces of 25.6 s more.
    #expect(try #require(times.first) <= 700 && times[0] > 640)
    #expect(times.last == 999.95)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 1e-9 })
  }

  /// A sensor that is told later has its columns, be it behind the first rows or in another piece, whose header goes
  /// with it.
  @Test(arguments: [1, 511, 512, 700]) func aSensorThatComesLaterStays(from number: Int) throws {
    var recent = RecentSamples()
    for number in 0..<number {
      recent.add(Sample(time: Double(number), acceleration: Acceleration(g: Vector3(0, 0, 1))))
    }
    for number in number..<(number + 1200) { recent.add(sample(Double(number))) }
    let lines = lines(of: recent)
    let header = try #require(lines.last { $0.hasPrefix("time_s") })
    #expect(header == "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g")
    #expect(lines.last == "\(number + 1199).000000,20.0000,0.0000,-40.0000,,,")
    // No row has more fields than the header above it.
    var count = 0
    for line in lines.dropFirst(2) where !line.hasPrefix("#") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).count
      if line.hasPrefix("time_s") { count = fields }
      #expect(fields == count, "\(line)")
    }
  }

  /// The last rows of a device that sends 1000 a second, and less than a piece of them more.
  @Test func ofAFastDeviceTheLastRowsStay() {
    var recent = RecentSamples()
    for number in 0..<70_000 { recent.add(sample(Double(number) / 1000)) }
    let rows = lines(of: recent).drop { $0.first?.isNumber != true }
    #expect((RecentSamples.mostRows..<RecentSamples.mostRows + 512).contains(rows.count))
    #expect(rows.last?.hasPrefix("69.999") == true)
  }
}
