import LodestoneCore
import Glibc

/// The second stage: what the accelerometer tells of a sweep. Rests tell everything; a board that moves tells what its
/// motion cannot fake.
struct GravityFinding {
  /// The moments held still.
  private(set) var rests = Rests()
  /// How the magnetometer's axes lie in the accelerometer's.
  private(set) var axes = AxisMap.assumed
  /// Angle from up to the field in radians, from rests; nil without.
  private(set) var angle: Double?
  /// Whether there is an accelerometer that makes sense.
  private(set) var hasForce = false
  /// Degrees by which the angle between field and gravity scatters under the best of all maps, where that is too much
  /// for the accelerometer to be used; nil where it is not.
  private(set) var senselessSpread: Double?
  /// Degrees by which it scatters under the axes as they come, where another map would do and nothing proves it; nil
  /// where the axes are known.
  private(set) var doubtfulSpread: Double?

  /// Whether the accelerometer's axes are a mirror image of others that magnetometer and gyroscope share: it is at
  /// fault, and not the magnetometer.
  private(set) var isMirrored = false

  /// Rests that prove an axis map.
  private static let neededAttitudes = 4
  /// Degrees past which field and gravity have nothing to do with each other: 39 where the directions are random.
  private static let senseless = 25.0

  init(_ norm: NormFit, sketch: FitInput.Sketch?) {
    rests = sketch?.rests ?? norm.rests()
    let moving = AxisMap.scored(norm.movingPairs())
    hasForce = !moving.isEmpty
    guard hasForce else { return }
    let still = rests.attitudes(centre: norm.estimate.parameters.hardIron).compactMap { norm.pair($0.raw, $0.force) }
    let best = (still.count >= Self.neededAttitudes ? AxisMap.scored(still) : moving).first
    let isLevel = norm.isLevel
    if !isLevel, let tilted = norm.tiltedCompass(still) {
      axes = tilted
    } else if let best, best.spread > Self.senseless, best.count >= Self.neededAttitudes, !norm.isBriskWithSense() {
      self = GravityFinding(senselessSpread: best.spread)
      return
    } else if isLevel {
      axes = norm.settings.knownAxes ?? .assumed
    } else {
      findAxes(norm, still: still, moving: moving)
    }
    let directions = still.map { (axes.matrix * $0.field).angle(to: $0.up) }
    if !directions.isEmpty { angle = median(directions) }
  }

  /// The axes and the angle found from stations.
  init(_ norm: NormFit, held: HeldPositions) {
    for var station in held.stations {
      station.raw = station.raw * norm.scale
      station.scatter *= norm.scale
      rests.add(station)
    }
    hasForce = true
    let pairs = rests.all.compactMap { norm.pair($0.raw, $0.force) }
    let scored = AxisMap.scored(pairs)
    if let best = scored.first, best.spread > Self.senseless {
      self = GravityFinding(senselessSpread: best.spread)
      return
    }
    if norm.settings.findsAxes, let found = AxisMap.found(held: scored, inclination: norm.settings.place?.inclination) {
      axes = found
    } else {
      axes = norm.settings.knownAxes ?? .assumed
      if norm.settings.knownAxes == nil { doubtfulSpread = AxisMap.doubt(scored) }
    }
    angle = median(pairs.map { (axes.matrix * $0.field).angle(to: $0.up) })
  }

  /// The axes of an earlier calibration.
  init(axes: AxisMap, hasForce: Bool) { (self.axes, self.hasForce) = (axes, hasForce) }

  private init(senselessSpread: Double) { self.senselessSpread = senselessSpread }

  private mutating func findAxes(_ norm: NormFit, still: [DirectionPair], moving: [AxisMap.Score]) {
    guard norm.settings.findsAxes else { return }
    let inclination = norm.settings.place?.inclination
    let resting = still.count >= Self.neededAttitudes ? AxisMap.found(still, inclination: inclination) : nil
    if let resting, resting.isProven {
      axes = resting
    } else if let moved = AxisMap.found(turning: norm.turns(), moving: moving, meanAngle: norm.meanAngle, inclination)
      ?? AxisMap.found(slow: moving, inclination: inclination), resting == nil || moved.matrix != .identity
    {
      axes = moved
    } else if let resting {
      axes = resting
    } else {
      axes = norm.settings.knownAxes ?? .assumed
      if norm.settings.knownAxes == nil { doubtfulSpread = AxisMap.doubt(moving) }
    }
    isMirrored =
      norm.settings.knownAxes == nil && axes.handedness < 0 && AxisMap.proven(turning: norm.turns()) == .identity
  }
}

extension NormFit {
  /// The axes of a compass that stands at an angle to the accelerometer; nil where nothing proves one.
  fileprivate func tiltedCompass(_ still: [DirectionPair]) -> AxisMap? {
    guard settings.findsAxes else { return nil }
    let inclination = settings.place?.inclination
    return AxisMap.tilted(still, inclination: inclination)
      ?? AxisMap.tilted(turning: turns(), meanAngle: meanAngle, inclination)
  }

  /// The moments held still, outside what was cut and on the sphere.
  fileprivate func rests() -> Rests {
    var search = RestSearch()
    search.expect(strength: strength, noise: problem.deviation)
    let rows = sweep.rows.kept
    let time = RowTime(rows, interval: interval * Double(used.count) / Double(max(rows.count, 1)))
    let model = NormModel(estimate.parameters, deviation: problem.deviation)
    for (index, row) in rows.enumerated() where abs(model.value(row.raw)) < 6 {
      search.add(row, time: time.of(row, at: index))
    }
    search.finish()
    return search.rests(centre: estimate.parameters.hardIron) { isKept($0, from: time) }
  }

  private func isKept(_ rest: Rest, from time: RowTime) -> Bool {
    let model = NormModel(estimate.parameters, deviation: 1)
    guard abs(model.value(rest.raw)) < max(4 * problem.deviation, 0.02 * strength) else { return false }
    guard time.isReal else { return true }
    let (from, to) = (rest.from + time.start, rest.to + time.start)
    let cut = ignored.reduce(0) { $0 + max(0, min($1.to, to) - max($1.from, from)) }
    return cut * 4 < to - from
  }

  /// The time of a row: by its stamp, or by its place in a recording whose stamps are no time, where only the chip's
  /// own rate tells.
  private struct RowTime {
    let isReal: Bool
    let start: Double
    private let interval: Double

    init(_ rows: [SweepPoint], interval: Double) {
      start = rows.first?.time ?? 0
      let length = (rows.last?.time ?? 0) - start
      let mean = length / Double(max(rows.count - 1, 1))
      isReal = mean < 0.5 && mean >= 1e-6
      self.interval = interval
    }

    func of(_ row: SweepPoint, at index: Int) -> Double { isReal ? row.time - start : Double(index) * interval }
  }

  /// Field and up at one moment; nil where either has no direction.
  fileprivate func pair(_ raw: Vector3, _ force: Vector3?) -> DirectionPair? {
    guard let up = force?.direction, let field = direction(of: raw) else { return nil }
    return DirectionPair(field: field, up: up)
  }

  /// Whether the sweep itself makes the angle between field and gravity scatter: it was brisk, and the force along the
  /// field is steadier under the axes as they come than under any others, and than it would be of another board.
  fileprivate func isBriskWithSense() -> Bool {
    let moments = kept.compactMap { row in row.force.flatMap { force in direction(of: row.raw).map { ($0, force) } } }
    let pushes = moments.reduce(0) { $0 + ($1.1.length - 1) * ($1.1.length - 1) }
    guard pushes > Self.brisk * Self.brisk * Double(moments.count) else { return false }
    // A push past the force of gravity says no more than its direction.
    let forces = moments.map { $0.1 / max(1, $0.1.length) }
    let whole = forces.reduce(0) { $0 + $1.squaredLength }
    func scatter(_ map: Matrix3) -> Double {
      let along = zip(moments, forces).map { (map * $0.0).dot($1) }
      let mean = along.reduce(0, +) / Double(along.count)
      return along.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    let own = scatter(settings.knownAxes?.matrix ?? .identity)
    return own < Self.ofTheBoard * Self.ofTheBoard * whole && AxisMap.positive.allSatisfy { own <= scatter($0) }
  }

  /// Root mean square of |f| − 1 g past which a sweep is brisk.
  private static let brisk = 0.3
  /// Scatter of the force along the field, as a share of its size, that no other board's has: under the best of all
  /// axes that is 0.85 and more.
  private static let ofTheBoard = 0.8

  /// Moments at which the specific force has nearly the length of gravity, some two hundred.
  fileprivate func movingPairs() -> [DirectionPair] {
    let quiet = kept.indices.filter { abs((kept[$0].force?.length ?? 0) - 1) < 0.15 }
    let step = max(1, quiet.count / 200)
    return stride(from: 0, to: quiet.count, by: step).compactMap {
      let row = kept[quiet[$0]]
      return pair(row.raw, row.force)
    }
  }

  /// From up to the field in radians, however the board moved: the field's direction stands still in the world, and the
  /// acceleration along it is the change of a speed that stays small, so its mean over the sweep is next to nothing.
  func meanAngle(axes: Matrix3) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for measurement in kept {
      guard let force = measurement.force, let field = direction(of: measurement.raw) else { continue }
      sum += (axes * field).dot(force)
      count += 1
    }
    return count >= 100 ? acos(max(-1, min(1, sum / count))) : nil
  }

  /// The accelerometer's zero as the swing shows it; nil where it shows none.
  func movingZero(axes: Matrix3) -> MovingZero? {
    let moments = withoutWild(kept).compactMap { row in
      row.force.flatMap { force in direction(of: row.raw).map { (time: row.time, field: axes * $0, force: force) } }
    }
    return MovingZero(moments, interval: interval)
  }

  /// Stretches of a tenth of a second with the turn that the gyroscope saw in them, two hundred at most.
  fileprivate func turns() -> [FieldTurn] {
    var turns: [FieldTurn] = []
    var open: FieldTurn?
    var last: SweepPoint?
    for measurement in kept {
      defer { last = measurement }
      guard let rate = measurement.rate, let field = direction(of: measurement.raw) else { continue }
      guard let before = last, let lastRate = before.rate, measurement.time > before.time,
        measurement.time - before.time < 0.25
      else {
        open = FieldTurn(at: field, force: measurement.force, from: measurement.time)
        continue
      }
      guard var turn = open else { continue }
      turn.add((rate + lastRate) * ((measurement.time - before.time) / 2), to: field, force: measurement.force)
      let isWhole = measurement.time - turn.from >= 0.08
      if isWhole { turns.append(turn) }
      open = isWhole ? FieldTurn(at: field, force: measurement.force, from: measurement.time) : turn
    }
    let step = max(1, turns.count / 200)
    return stride(from: 0, to: turns.count, by: step).map { turns[$0] }
  }
}
