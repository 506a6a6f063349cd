import LodestoneCore
import LodestonePorts
import Support
import Testing

@testable import Instruments

/// A recording read on a thread of its own says what it says when it is read in place.
@Suite struct ReadAheadTests {
  /// The events of a stream, up to its end or an error; waits with poll(2) where it has to.
  private func everything(from stream: any SampleStream) throws -> (samples: [Sample], rest: [String]) {
    var samples: [Sample] = []
    var rest: [String] = []
    var poller = Poller()
    var sample = Sample(time: 0)
    while true {
      if stream.nextSample(into: &sample) {
        samples.append(sample)
        continue
      }
      do throws(StreamError) {
        switch try stream.next() {
        case .sample(let sample): samples.append(sample)
        case .notice(let notice): rest.append("\(samples.count): \(notice)")
        case .position(let fix): rest.append("\(samples.count): \(fix)")
        case .waiting:
          guard let descriptor = stream.descriptor else { continue }
          poller.watch(descriptor, for: stream.interest)
          guard try poller.waitsUntilReady() else { return (samples, rest + ["hangs"]) }
        case .ended: return (samples, rest)
        }
      } catch {
        return (samples, rest + ["\(error)"])
      }
    }
  }

  private func same(_ contents: String, expectsSamples count: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/recording.csv"
      try CommandRun.write(contents, to: path)
      var options = OpenOptions()
      let inPlace = try everything(from: AddressSchemes.open(path, options))
      options.readsAhead = true
      let stream = try AddressSchemes.open(path, options)
      #expect(stream is ReadAhead)
      let ahead = try everything(from: stream)
      #expect(ahead.samples == inPlace.samples)
      #expect(ahead.rest == inPlace.rest)
      #expect(ahead.samples.count == count)
    }
  }

  private static func rows(_ range: Range<Int>) -> String {
    range.map { "\(Double($0) / 100),\($0 % 50),21.5,-43.25,0,0.01,1\n" }.joined()
  }

  private static let header = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n"

  @Test(arguments: [0, 1, 1023, 1024, 1025, 5000])
  func samplesAreTheSame(_ count: Int) throws {
    try same(Self.header + Self.rows(0..<count), expectsSamples: count)
  }

  @Test func soIsWhatIsSaidBetweenThem() throws {
    let contents = Self.header + Self.rows(0..<1200) + "12,oops\n" + Self.rows(1200..<2400) + "24.0,1,2"
    try same(contents, expectsSamples: 2400)
  }

  @Test func soIsHowItFails() throws {
    try same(String(repeating: "no compass speaks like this\n", count: 50), expectsSamples: 0)
  }

  /// gpsd's attitude and position in turn: both go on to the end of the recording.
  @Test func noPositionIsLostBetweenSamples() throws {
    let contents = (0..<300).map { second in
      let field = "\"mag_x\":\(20 + second % 7),\"mag_y\":\(second % 5),\"mag_z\":-43.5"
      return "{\"class\":\"ATT\",\(field)}\n{\"class\":\"TPV\",\"mode\":2,\"lat\":48,\"lon\":\(second % 90)}\n"
    }.joined()
    try TemporaryFolder.with { folder in
      try CommandRun.write(contents, to: folder + "/log.json")
      var options = OpenOptions()
      for readsAhead in [false, true] {
        options.readsAhead = readsAhead
        let found = try everything(from: AddressSchemes.open(folder + "/log.json", options))
        #expect(found.samples.count == 300)
        #expect(found.rest.count { $0.contains("Position(") } == 300)
      }
    }
  }

  @Test func itEndsWhenNobodyListensAnyMore() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/recording.csv"
      try CommandRun.write(Self.header + Self.rows(0..<50_000), to: path)
      var options = OpenOptions()
      options.readsAhead = true
      for _ in 0..<20 {
        // Going away joins the thread: a thread that waited for room for ever would hold the test here.
        let stream = try AddressSchemes.open(path, options)
        if case .waiting = try stream.next() {}
      }
    }
  }
}

extension Poller {
  /// False when nothing has come for half a minute.
  fileprivate mutating func waitsUntilReady() throws(StreamError) -> Bool {
    do {
      return try wait(until: .now + 30) > 0
    } catch {
      throw .port(.system(path: "poll", error))
    }
  }
}
