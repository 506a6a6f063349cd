import LodestoneCore

/// A calibration as the flight controllers take it, whose alignment of the compass is a rotation: the one that was
/// found after those that were set during the sweep. Axes are x forward, y left, z up; forward is the device's top
/// edge, +y.
struct CompassAlignment {
  /// The compass's own axes to the board's, to be set.
  let compass: FlightController.Turn
  /// The compass's own axes to the vehicle's: what is set where the board's turn does not follow.
  let whole: FlightController.Turn
  /// The offset to be subtracted from the field along the vehicle's axes, in counts.
  let vehicleZero: Vector3
  /// The offset to be subtracted from the field along the compass's own axes, in counts.
  let compassZero: Vector3
  /// Counts on each of the compass's own axes that are the strength of the field.
  let compassGain: Vector3
  /// The difference of the soft iron from none, as a share.
  let softIron: Double
  /// The firmware and its turns, as told during the sweep; nil where they were not told.
  let controller: FlightController?

  /// The device's axes to forward, left, up.
  private static let fromDevice = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

  /// Degrees up to which one of the eight turns of `align_mag` is taken instead of single angles.
  private static let presetTolerance = 2.0

  init(of profile: Profile) throws(ProfileProblem) {
    guard let counts = profile.countsPerMicrotesla else { throw .missing(key: "counts_per_uT") }
    controller = profile.flightController
    if let controller, controller.compass == nil { throw .compassTurnUnknown }
    let softIron = profile.correction.softIron
    guard softIron.determinant > 0 else {
      throw .outOfRange(key: "axes", expected: "right-handed: align_mag can turn a compass, and not mirror it")
    }
    func turned(_ matrix: Matrix3) -> Matrix3 { Self.fromDevice * matrix * Self.fromDevice.transposed }
    let found = softIron.orthonormalFactor
    let board = controller?.board?.matrix ?? .identity
    /// The alignment that was set: the compass's axes to those that the field was read along.
    let set = board * (controller?.compass?.matrix ?? .identity)
    let turn = turned(found)
    whole = FlightController.Turn(turn * set)
    compass = FlightController.Turn(board.transposed * turn * set)
    let zero = Self.fromDevice * profile.correction.hardIron * counts
    vehicleZero = turn * zero
    compassZero = set.transposed * zero
    let symmetric = set.transposed * turned(found.transposed * softIron) * set
    let diagonal = symmetric.diagonal
    compassGain = Vector3(1 / diagonal.x, 1 / diagonal.y, 1 / diagonal.z) * (profile.fieldStrength * counts)
    let mean = (diagonal.x + diagonal.y + diagonal.z) / 3
    self.softIron = (symmetric * (1 / mean) + Matrix3.identity * -1).largestElement
  }

  /// The name of a turn of `align_mag`; nil where none of them is near.
  static func preset(for turn: FlightController.Turn) -> String? {
    FlightController.Turn.presets.first { name in
      FlightController.Turn(preset: name).map { distance($0, turn) <= presetTolerance } ?? false
    }
  }

  /// Degrees between two turns.
  static func distance(_ a: FlightController.Turn, _ b: FlightController.Turn) -> Double {
    Angle.degrees((a.matrix.transposed * b.matrix).rotationAngle)
  }

  /// Angles in tenths of a degree as `roll`, `pitch` and `yaw`, each in a line that sets it.
  static func lines(_ angles: Vector3, prefix: String) -> [String] {
    ["roll", "pitch", "yaw"].enumerated().map { "set \(prefix)_\($1) = \(Int(rounding: angles[$0] * 10))" }
  }

  /// Three whole numbers.
  static func whole(_ vector: Vector3) -> [Int] { (0..<3).map { Int(rounding: vector[$0]) } }

  /// Under which settings the lines hold.
  func sweepNote(_ settings: String) -> String {
    let turns =
      controller == nil ? "align_mag = CW0, no turn of the board, and " : "the alignments that were in force, and "
    return "For a sweep made with \(turns)\(settings)"
  }

  /// The difference between a turn and its preset, as a sentence; nothing where there is none.
  static func presetNote(for turn: FlightController.Turn) -> [String] {
    guard let name = preset(for: turn), let preset = FlightController.Turn(preset: name) else { return [] }
    let left = distance(preset, turn)
    return left < 0.05 ? [] : ["The turn that was found is \(left.text(decimals: 1)) deg from \(name)"]
  }
}

extension Int {
  /// The nearest integer, within what settings hold.
  fileprivate init(rounding value: Double) {
    let rounded = value.isFinite ? value.rounded() : 0
    self.init(Swift.max(-32_768, Swift.min(32_767, rounded)))
  }
}

extension Matrix3 {
  /// The largest magnitude among its elements.
  fileprivate var largestElement: Double {
    (0..<3).reduce(0) { max($0, abs(self[$1].x), abs(self[$1].y), abs(self[$1].z)) }
  }
}
