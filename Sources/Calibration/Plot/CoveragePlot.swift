import LodestoneCore
import Glibc

/// The sphere of directions, flattened without changing areas (Hammer 1892), +x in the middle, +z on top: where the
/// corrected field has pointed.
struct CoveragePlot {
  private let plot: SweepPlot
  private let samples: [(sample: SweepPlot.Sample, isIgnored: Bool)]

  init(_ plot: SweepPlot) {
    self.plot = plot
    samples = plot.thinned(to: 2500)
  }

  func draw(on canvas: inout PlotCanvas, in frame: PlotFrame) {
    let share = plot.profile.quality.coveragePercent.text(decimals: 0)
    canvas.text("Coverage: \(share) % of directions", x: frame.x, y: frame.y - 12, style: .heading)
    let scale = min(frame.width / 4, frame.height / 2) / 2.0.squareRoot() * 0.94
    let place = { (v: Vector3) -> (x: Double, y: Double) in
      let flat = Self.hammer(v)
      return (frame.middleX + scale * flat.x, frame.middleY - scale * flat.y)
    }
    for line in Self.graticule { canvas.path(line.map(place), .grid) }
    canvas.path(Self.edge.map { (frame.middleX + scale * $0.x, frame.middleY - scale * $0.y) }, .frame, closed: true)
    for (isIgnored, mark) in [(false, PlotCanvas.Mark.sample), (true, .ignored)] {
      canvas.dots(
        samples.filter { $0.isIgnored == isIgnored }.compactMap { plot.corrected($0.sample).direction.map(place) },
        mark)
    }
    for direction in plot.directions.prefix(2000) {
      guard let middle = direction.middle.direction else { continue }
      canvas.circle(x: place(middle).x, y: place(middle).y, radius: 3.4, direction.isCovered ? .covered : .missing)
    }
    drawLabels(on: &canvas, place)
    drawLegend(on: &canvas, in: frame)
  }

  private func drawLabels(on canvas: inout PlotCanvas, _ place: (Vector3) -> (x: Double, y: Double)) {
    for (name, axis, lift) in [("+z", Vector3(0, 0, 1), 5.0), ("−z", Vector3(0, 0, -1), -13)] {
      let point = place(axis)
      canvas.text(name, x: point.x, y: point.y - lift, style: .tick, anchor: .middle)
    }
    for (name, axis) in [("+x", Vector3(1, 0, 0)), ("+y", Vector3(0, 1, 0)), ("−y", Vector3(0, -1, 0))] {
      let point = place(axis)
      canvas.text(name, x: point.x, y: point.y + 4, style: .note, anchor: .middle)
    }
  }

  private func drawLegend(on canvas: inout PlotCanvas, in frame: PlotFrame) {
    guard !plot.directions.isEmpty else { return }
    let y = frame.bottom + 26
    canvas.circle(x: frame.middleX - 70, y: y, radius: 3.4, .covered)
    canvas.text("covered", x: frame.middleX - 60, y: y + 4, style: .tick)
    canvas.circle(x: frame.middleX + 20, y: y, radius: 3.4, .missing)
    canvas.text("missing", x: frame.middleX + 30, y: y + 4, style: .tick)
  }

  /// x within ±2√2, y within ±√2.
  private static func hammer(_ v: Vector3) -> (x: Double, y: Double) {
    let (longitude, latitude) = (atan2(v.y, v.x), asin(max(-1, min(1, v.z))))
    return hammer(longitude, latitude)
  }

  private static func hammer(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
    let root = (2 / (1 + cos(latitude) * cos(longitude / 2))).squareRoot()
    return (2 * root * cos(latitude) * sin(longitude / 2), root * sin(latitude))
  }

  private static let edge: [(x: Double, y: Double)] = (0..<180).map { step in
    let angle = 2 * Double.pi * Double(step) / 180
    return (2 * 2.0.squareRoot() * cos(angle), 2.0.squareRoot() * sin(angle))
  }

  /// Every 30° of latitude and 60° of longitude.
  private static let graticule: [[Vector3]] = {
    let parallels = [-60.0, -30, 0, 30, 60].map { latitude in
      stride(from: -179.9, through: 179.9, by: 5.14).map { direction($0, latitude) }
    }
    let meridians = [-120.0, -60, 0, 60, 120].map { longitude in
      stride(from: -90.0, through: 90, by: 5).map { direction(longitude, $0) }
    }
    return parallels + meridians
  }()

  private static func direction(_ longitude: Double, _ latitude: Double) -> Vector3 {
    let (longitude, latitude) = (Angle.radians(longitude), Angle.radians(latitude))
    return Vector3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }
}
