import Glibc
import LodestoneCore

/// Samples of a CSV recording (µT, m/s², rad/s), with the truth where it has one.
struct TruthRecording {
  var samples: [Sample] = []
  /// Device to east, north and up; nil where motion capture lost it.
  var attitudes: [Quaternion?] = []
  /// The heading of the top edge, clockwise from true north, in degrees.
  var headings: [Double?] = []
  /// Whether the board moves, where the recording tells; true elsewhere.
  var moves: [Bool] = []
  /// The usual time between samples, in seconds.
  var step: Double {
    samples.count > 1 ? (samples[samples.count - 1].time - samples[0].time) / Double(samples.count - 1) : 0.01
  }

  /// Reads a recording; nil where there is none.
  init?(_ path: String) {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var text: [CChar] = []
    var chunk = [CChar](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    let lines = text.split(separator: 10)
    for line in lines.dropFirst() {
      add(line.split(separator: 44, omittingEmptySubsequences: false).map { Self.number($0) })
    }
  }

  private mutating func add(_ fields: [Double?]) {
    guard fields.count >= 10, let time = fields[0] else { return }
    func vector(_ first: Int) -> Vector3? {
      guard fields.count > first + 2, let x = fields[first], let y = fields[first + 1], let z = fields[first + 2] else {
        return nil
      }
      return Vector3(x, y, z)
    }
    var sample = Sample(time: time)
    sample.field = vector(1).map { MagneticField(microtesla: $0) }
    sample.acceleration = vector(4).map { Acceleration(metresPerSecondSquared: $0) }
    sample.rotationRate = vector(7).map { RotationRate(radiansPerSecond: $0) }
    samples.append(sample)
    let w = fields.count > 10 ? fields[10] : nil
    attitudes.append(w.flatMap { w in vector(11).map { Quaternion(w: w, v: $0) } })
    headings.append(fields.count > 14 ? fields[14] : nil)
    moves.append(true)
  }

  private static func number(_ field: ArraySlice<CChar>) -> Double? {
    field.isEmpty ? nil : (Array(field) + [0]).withUnsafeBufferPointer { $0.baseAddress.map { strtod($0, nil) } }
  }
}
