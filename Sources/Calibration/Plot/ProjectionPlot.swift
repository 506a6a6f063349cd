import LodestoneCore
import Glibc

/// The sweep seen along the three axes: raw in µT above, corrected in units of the field's strength below.
struct ProjectionPlot {
  private let plot: SweepPlot
  private let samples: [(sample: SweepPlot.Sample, isIgnored: Bool)]
  private static let views = [(0, 1, "x", "y"), (0, 2, "x", "z"), (1, 2, "y", "z")]

  init(_ plot: SweepPlot) {
    self.plot = plot
    samples = plot.thinned(to: 2500)
  }

  func draw(on canvas: inout PlotCanvas, top: Double) {
    canvas.text("Before: raw field", x: 70, y: top + 8, style: .heading)
    canvas.text("After: corrected field in units of its strength", x: 70, y: top + 304, style: .heading)
    for (column, view) in Self.views.enumerated() {
      let x = 70 + Double(column) * 262
      drawBefore(on: &canvas, in: PlotFrame(x: x, y: top + 20, width: 202, height: 202), view)
      drawAfter(on: &canvas, in: PlotFrame(x: x, y: top + 316, width: 202, height: 202), view)
    }
  }

  private func drawBefore(
    on canvas: inout PlotCanvas, in frame: PlotFrame, _ view: (i: Int, j: Int, x: String, y: String)
  ) {
    let centre = plot.profile.correction.hardIron
    let strength = plot.profile.fieldStrength
    let reach = samples.flatMap { sample, _ in (0..<3).map { sample.field[$0] - centre[$0] } }
    let half = 1.12 * max(SweepPlot.extent(of: reach), strength)
    let x = PlotAxis(centre[view.i] - half, centre[view.i] + half, from: frame.x, to: frame.right)
    let y = PlotAxis(centre[view.j] - half, centre[view.j] + half, from: frame.bottom, to: frame.y)
    canvas.axes(frame, x: x, y: y, ticks: (4, 4), labels: ("\(view.x) / µT", "\(view.y) / µT"))
    let inside = Inside(frame: frame, x: x, y: y)
    inside.draw(samples.map { ($0.sample.field, $0.isIgnored) }, view, on: &canvas)
    for piece in inside.pieces(Self.circle(radius: strength)) { canvas.path(piece, .reference) }
    for piece in inside.pieces(ellipse(view)) { canvas.path(piece, .outline) }
    let (cx, cy) = (x.place(centre[view.i]), y.place(centre[view.j]))
    canvas.path([(cx - 5, cy), (cx + 5, cy)], .centre)
    canvas.path([(cx, cy - 5), (cx, cy + 5)], .centre)
  }

  private func drawAfter(
    on canvas: inout PlotCanvas, in frame: PlotFrame, _ view: (i: Int, j: Int, x: String, y: String)
  ) {
    let x = PlotAxis(-1.25, 1.25, from: frame.x, to: frame.right)
    let y = PlotAxis(-1.25, 1.25, from: frame.bottom, to: frame.y)
    canvas.axes(frame, x: x, y: y, ticks: (5, 5), labels: (view.x, view.y))
    let inside = Inside(frame: frame, x: x, y: y)
    let points = samples.map { (plot.corrected($0.sample) / plot.profile.fieldStrength, $0.isIgnored) }
    inside.draw(points, view, on: &canvas)
    for piece in inside.pieces(Self.circle(radius: 1)) { canvas.path(piece, .outline) }
  }

  private static func circle(radius: Double) -> [(Double, Double)] {
    (0...120).map { step in
      let angle = 2 * Double.pi * Double(step) / 120
      return (radius * cos(angle), radius * sin(angle))
    }
  }

  /// The outline of the ellipsoid m = o + F·S⁻¹·u, |u| = 1: the ellipse of the matrix F²·S⁻¹·S⁻ᵀ, its row and column
  /// across the view left out.
  private func ellipse(_ view: (i: Int, j: Int, x: String, y: String)) -> [(Double, Double)] {
    guard let inverse = plot.profile.correction.softIron.inverse else { return [] }
    let shape = (inverse * inverse.transposed) * (plot.profile.fieldStrength * plot.profile.fieldStrength)
    let (a, b, c) = (shape[view.i][view.i], shape[view.i][view.j], shape[view.j][view.j])
    let first = a.squareRoot()
    let (across, second) = (b / first, max(0, c - b * b / a).squareRoot())
    let centre = plot.profile.correction.hardIron
    return Self.circle(radius: 1).map { u in
      (centre[view.i] + first * u.0, centre[view.j] + across * u.0 + second * u.1)
    }
  }
}

/// The part of a view within its frame.
private struct Inside {
  let frame: PlotFrame
  let x: PlotAxis
  let y: PlotAxis

  func draw(_ points: [(Vector3, Bool)], _ view: (i: Int, j: Int, x: String, y: String), on canvas: inout PlotCanvas) {
    for (isIgnored, mark) in [(false, PlotCanvas.Mark.sample), (true, .ignored)] {
      canvas.dots(
        points.filter { $0.1 == isIgnored && contains($0.0[view.i], $0.0[view.j]) }.map {
          (x.place($0.0[view.i]), y.place($0.0[view.j]))
        }, mark)
    }
  }

  /// A curve, cut where it leaves the frame.
  func pieces(_ curve: [(Double, Double)]) -> [[(x: Double, y: Double)]] {
    var pieces: [[(x: Double, y: Double)]] = [[]]
    for point in curve {
      if contains(point.0, point.1) {
        pieces[pieces.count - 1].append((x.place(point.0), y.place(point.1)))
      } else if pieces.last?.isEmpty == false {
        pieces.append([])
      }
    }
    return pieces
  }

  private func contains(_ a: Double, _ b: Double) -> Bool { x.values.contains(a) && y.values.contains(b) }
}
