import Glibc
import LodestoneCore
import Testing

@testable import Drivers

/// The times of a board whose clock is damaged, restarts, is set or falls silent, live and in a recording.
@Suite struct StreamClockTests {
  /// Moments at which a board that sends 20 lines a second takes a sample, from 12.395 s on by its clock; they arrive
  /// up to 10 ms late.
  private static func moments(_ count: Int) -> [(board: Double, arrival: Double)] {
    (0..<count).map { row in
      let taken: Double = Double(row) * 0.05
      let delay: Double = Double(row * 7 % 11) * 0.001
      return (12.395 + taken, 0.3 + taken + delay)
    }
  }

  private static func times(_ moments: [(board: Double?, arrival: Double)], isLive: Bool) -> [Double] {
    var clock = StreamClock(keepsTime: !isLive)
    return moments.map { clock.time(board: $0.board, arrival: $0.arrival) }
  }

  /// Digits are lost or put in, so that a time is too small or too large; two rows apart as well.
  @Test(
    arguments: [true, false], [2.395, 0, -40, 13, 92, 912_395, 9e9, 4307.4])
  func aDamagedStampCostsItsOwnTimeAtMost(isLive: Bool, damaged: Double) {
    for places in [[0], [1], [2], [20], [60], [40, 42]] + (isLive ? [[40, 41]] : []) {
      let truth = Self.times(Self.moments(100).map { ($0.board, $0.arrival) }, isLive: isLive)
      var moments = Self.moments(100).map { (board: Double?.some($0.board), arrival: $0.arrival) }
      for place in places { moments[place].board = damaged + (places.count > 1 ? Double(place * 17) : 0) }
      let times = Self.times(moments, isLive: isLive)
      // A live stream whose first stamp is damaged is as late as its next ones.
      let first = places == [0] ? 3 : 0
      for row in first..<100 where !places.contains(row) {
        #expect(abs(times[row] - truth[row]) < (first > 0 ? 0.02 : 1e-6), "\(row) of \(places): \(times[row])")
      }
      guard isLive else { continue }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      for row in places where row > 1 { #expect(abs(times[row] - truth[row]) < 0.06, "\(row): \(times[row])") }
    }
  }

  /// With a banner that takes 1.7 s, its clock at zero again; soon after its start, when it is hardest to tell, too.
  @Test(arguments: [true, false], [20, 60])
  func aBoardThatRestartsGoesOnByArrival(isLive: Bool, reset: Int) {
    let boot = 1.7
    let moments = Self.moments(200).enumerated().map { row, moment in
      row < reset
        ? (board: Double?.some(moment.board - 11.5), arrival: moment.arrival)
        : (board: 0.012 + Double(row - reset) * 0.05, arrival: moment.arrival + boot)
    }
    let times = Self.times(moments, isLive: isLive)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    let start = isLive ? 0.3 : 0.895
    for row in times.indices where row != reset {
      let gap: Double = isLive && row > reset ? boot : 0
      let expected: Double = start + Double(row) * 0.05 + gap
      #expect(abs(times[row] - expected) < 0.03, "\(row): \(times[row])")
    }
    // At the board's pace, not that of arrival.
    let (span, truth): (Double, Double) = (times[199] - times[reset + 2], Double(197 - reset) * 0.05)
    #expect(abs(span - truth) < 1e-6)
  }

  /// Two damaged stamps in a row look like a board that counts anew, until the next one goes on from before them.
  @Test(arguments: [2, 20, 60]) func twoDamagedStampsOfARecordingMoveNothing(place: Int) {
    var moments = Self.moments(100).map { (board: Double?.some($0.board), arrival: $0.arrival) }
    let truth = Self.times(moments, isLive: false)
    (moments[place].board, moments[place + 1].board) = (2.395, 2.445)
    let times = Self.times(moments, isLive: false)
    for row in times.indices { #expect(abs(times[row] - truth[row]) < 1e-6, "\(row): \(times[row])") }
  }

  /// Two that are ahead keep their times, as behind a gap; those behind them are as they were, soon after a start as
  /// well.
  @Test(arguments: [2, 20, 60]) func twoStampsAheadMoveNothing(place: Int) {
    var moments = Self.moments(100).map { (board: Double?.some($0.board - 12.395), arrival: $0.arrival) }
    let truth = Self.times(moments, isLive: false)
    (moments[place].board, moments[place + 1].board) = (1000, 1000.05)
    let times = Self.times(moments, isLive: false)
    for row in times.indices where row < place || row > place + 1 {
      #expect(abs(times[row] - truth[row]) < 1e-6, "\(row): \(times[row])")
    }
  }

  /// A board whose first line comes 25 s after its start, in the middle of a recording.
  @Test func aBoardThatWaitsBeforeItsFirstLineGoesOn() {
    let moments = Self.moments(200).enumerated().map { row, moment in
      (board: Double?.some(row < 100 ? moment.board + 900 : moment.board + 8), arrival: moment.arrival)
    }
    let times = Self.times(moments, isLive: false)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 1e-6 }, "\(times)")
  }

  @Test func aClockThatIsSetMovesNothing() {
    let moments = Self.moments(100).enumerated().map { row, moment in
      (board: Double?.some(moment.board + (row < 50 ? 0 : 1.79e9)), arrival: moment.arrival)
    }
    let times = Self.times(moments, isLive: true)
    #expect(zip(times, times.dropFirst()).allSatisfy { (0...0.08).contains($1 - $0) }, "\(times)")
    #expect(abs(times[99] - 5.25) < 0.03)
    // A recording may have such a gap.
    #expect(Self.times(moments, isLive: false) == moments.map { $0.board ?? 0 })
  }

  /// The lines of a board are played a hundred times as fast, from the start or from a moment on.
  @Test(arguments: [0, 50]) func aFastClockIsFollowed(from start: Int) {
    let moments = (0..<200).map { row -> (board: Double?, arrival: Double) in
      let arrival: Double = 0.3 + Double(row) * 0.01
      return (7 + Double(row) * 0.01 + Double(max(0, row - start)), arrival)
    }
    let times = Self.times(moments, isLive: true)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    let span: Double = times[199] - times[start + 9]
    #expect(abs(span - Double(190 - start) * 1.01) < 0.01)
  }

  /// Whoever reads was held up for 5 s; 3 s of what came meanwhile are lost.
  @Test func linesThatAreLostInADelayLeaveTheTimesWhole() {
    let taken: [Double] = (0..<300).map { row in Double(row) * 0.05 + (row < 110 ? 0 : 3) }
    let moments = taken.map { taken -> (board: Double?, arrival: Double) in
      let arrival: Double = taken > 5 && taken < 10 ? 10 : taken
      return (12.395 + taken, 0.3 + arrival)
    }
    let times = Self.times(moments, isLive: true)
    for (row, time) in times.enumerated() where row != 110 {
      #expect(abs(time - 0.3 - taken[row]) < 1e-6, "\(row): \(time)")
    }
  }

  @Test func gapsOfARecordingStay() {
    let moments = Self.moments(100).enumerated().map { row, moment in
      (board: Double?.some(moment.board + Double(row / 10) * 3600), arrival: Double(row))
    }
    #expect(Self.times(moments, isLive: false) == moments.map { $0.board ?? 0 })
  }

  /// Counters of 32 bits: microseconds, milliseconds, and the tenths of a millisecond of Xsens.
  @Test(arguments: [true, false], [4294.967296, 4_294_967.296, 429_496.7296])
  func aCounterThatWrapsGoesOn(isLive: Bool, wrap: Double) {
    let moments = Self.moments(200).map { moment -> (board: Double?, arrival: Double) in
      let board = wrap - 5 + moment.board - 12.395
      return (board < wrap ? board : board - wrap, moment.arrival)
    }
    var clock = StreamClock(keepsTime: !isLive)
    let times = moments.map { moment in
      defer { #expect(!clock.hasBegunAnew) }
      return clock.time(board: moment.board, arrival: moment.arrival)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 1e-6 })
  }

  /// A line without a stamp has that of the one before; once the next one is overdue, others go on.
  @Test(arguments: [true, false]) func whereStampsEndTimeGoesOn(isLive: Bool) {
    let moments = Self.moments(400).enumerated().map { row, moment in
      (board: row < 100 && row != 50 ? Double?.some(moment.board) : nil, arrival: moment.arrival)
    }
    let times = Self.times(moments, isLive: isLive)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    let start = isLive ? 0.3 : 12.395
    for (row, time) in times.enumerated() {
      let expected: Double = start + Double(row) * 0.05
      #expect(abs(time - expected) < 0.07, "\(row): \(time)")
    }
  }

  // MARK: Counts of messages

  private static func assembled(_ isLive: Bool, rate: Double) -> (times: [Double], SampleAssembler) {
    var assembler = SampleAssembler(scales: UnitInference().conclude(), keepsTime: !isLive)
    (assembler.timeIsAssumed, assembler.timeIsIndex) = (true, true)
    let times = (0..<Int(max(400, 3 * rate))).compactMap { row -> Double? in
      var message = WireMessage()
      (message.field, message.fieldUnit, message.time) = (Vector3(20, 0, 43), .microtesla, Double(row))
      return assembler.sample(of: message, arrival: isLive ? 0.3 + Double(row) / rate : Double(row))?.time
    }
    return (times, assembler)
  }

  /// Only where they come exactly at the pace of a unit are counted messages seconds, milliseconds or microseconds.
  @Test(
    arguments: [
      (1, nil), (2, .arrival), (5, .arrival), (10, .arrival), (20, .arrival), (50, .arrival), (100, .arrival),
      (400, .arrival), (900, .arrival), (1000, .scale(1e-3)),
    ] as [(Double, TimeCorrection?)])
  func countedMessagesAreNoSeconds(rate: Double, expected: TimeCorrection?) {
    var (times, assembler) = Self.assembled(true, rate: rate)
    #expect(assembler.correction == expected && assembler.countsMessages == false)
    let (span, truth): (Double, Double) = (times[399] - times[0], 399 / rate)
    #expect(abs(span - truth) < 1e-6)
    (times, assembler) = Self.assembled(false, rate: rate)
    #expect(assembler.countsMessages == true && assembler.correction == nil)
  }

  /// In a recording they are no times, whether a name says so or their steps do.
  @Test(arguments: ["", "sample,mx,my,mz\n"]) func tablesTellThatTheyCount(header: String) {
    var stream = WireStream()
    let rows = (0..<60).map { row in
      let turn = Double(row) * 0.2
      let (x, y) = (Int(200 * cos(turn)), Int(200 * sin(turn)))
      return "\(row),\(x),\(y),\(430 + row % 3)\n"
    }
    stream.append(Array((header + rows.joined()).utf8).span)
    var (message, count) = (WireMessage(), 0)
    while let step = stream.next(into: &message) { if step == .message { count += 1 } }
    #expect(count == 60 && stream.timeIsIndex && stream.timeIsAssumed)
    if header.isEmpty { #expect(stream.assumedColumns?.columns == ["sample", "mx", "my", "mz"]) }
  }

  // MARK: Pace

  /// A single damaged time among those that show the unit does not decide it.
  @Test(arguments: [2.395, 912.395, 12_395_000]) func noDamagedTimeDecidesTheUnit(damaged: Double) {
    for place in 0..<60 {
      var clock = StreamClock(keepsTime: false)
      clock.isAssumed = true
      var last = 0.0
      for (row, moment) in Self.moments(200).enumerated() {
        last = clock.time(board: row == place ? damaged : moment.board, arrival: moment.arrival)
      }
      #expect(clock.correction == nil && abs(last - 10.25) < 0.06, "\(place): \(last)")
    }
  }
}
