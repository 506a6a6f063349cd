import LodestoneCore

// A direction that stands still in the world, the field's or on average that of the force, seen from a board that
// turns.

/// Some seconds of a sweep in a row.
struct TurningWindow {
  /// A moment of it: seconds, the field's direction or the force, and the gyroscope's reading in radians per second, in
  /// the same axes.
  typealias Moment = (time: Double, vector: Vector3, rate: Vector3)

  let moments: [Moment]
  /// Times and readings.
  let turning: [(time: Double, rate: Vector3)]
  /// Indices of the moments whose vector counts.
  let points: [Int]
  /// The length in seconds.
  let seconds: Double

  /// Seconds between two readings of a window at most: nobody knows how a hand turns between those that are rarer, and
  /// at 5 Hz gains came out 5 % too large.
  static let longestStep = 0.15
  /// Vectors in a second at most: neighbours are alike.
  private static let density = 20.0
  private static let fewest = 5

  /// Nil for less than so many seconds.
  init?(_ moments: ArraySlice<Moment>, atLeast least: Double) {
    guard let first = moments.first?.time, let last = moments.last?.time, last - first >= least else { return nil }
    self.moments = Array(moments)
    turning = moments.map { ($0.time, $0.rate) }
    seconds = last - first
    let step = max(1, Int(Double(moments.count) / (Self.density * seconds)))
    points = Array(stride(from: 0, to: moments.count, by: step))
    guard points.count >= Self.fewest else { return nil }
  }

  /// Moments cut into windows of about so many seconds, none with a gap in it.
  static func all(of moments: [Moment], lasting span: Double) -> [TurningWindow] {
    var windows: [TurningWindow] = []
    var first = 0
    func close(before end: Int) {
      if let window = TurningWindow(moments[first..<end], atLeast: span / 2) { windows.append(window) }
    }
    for index in moments.indices.dropFirst() {
      let step = moments[index].time - moments[index - 1].time
      if !(step > 0 && step < longestStep) {
        close(before: index)
        first = index
      } else if moments[index].time - moments[first].time >= span {
        close(before: index + 1)
        first = index
      }
    }
    close(before: moments.count)
    return windows
  }
}

/// A window under a gyroscope: its attitudes, its direction, and how far its vectors are off.
struct TurnedWindow {
  let attitudes: [TurnIntegral.Attitude]
  /// The mean of the vectors, turned back into the window's first attitude.
  let direction: Vector3
  /// The vectors less those that are expected.
  let offs: [Vector3]
  /// Those of each half second together.
  let halves: [[Vector3]]

  init(_ window: TurningWindow, by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
    let turns = TurnIntegral(window.turning, by: gyroscope, reading: reading, derivingAt: window.points)
    let vectors = window.points.map { window.moments[$0].vector }
    attitudes = window.points.indices.map { turns.attitude(ofPoint: $0) }
    let mean = zip(attitudes, vectors).reduce(Vector3.zero) { $0 + $1.0.matrix * $1.1 } / Double(vectors.count)
    direction = mean
    let offs = zip(attitudes, vectors).map { $1 - $0.matrix.transposed * mean }
    self.offs = offs
    halves = Self.halves(of: offs, in: window.seconds)
  }

  /// Each half second together of what comes evenly for so many seconds.
  static func halves(of offs: [Vector3], in seconds: Double) -> [[Vector3]] {
    let half = max(1, offs.count / max(1, Int(seconds * 2)))
    return stride(from: 0, to: offs.count, by: half).map { Array(offs[$0..<min($0 + half, offs.count)]) }
  }

  /// One standard deviation of one axis.
  var left: Double { median(offs.map { $0.length }) / 1.54 }
}
