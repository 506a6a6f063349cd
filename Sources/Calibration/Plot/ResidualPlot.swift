import LodestoneCore

/// The residuals |corrected field| − field strength over the time of the sweep, ignored stretches shaded.
struct ResidualPlot {
  private let plot: SweepPlot
  private let samples: [(sample: SweepPlot.Sample, isIgnored: Bool)]

  init(_ plot: SweepPlot) {
    self.plot = plot
    samples = plot.thinned(to: 5000)
  }

  func draw(on canvas: inout PlotCanvas, in frame: PlotFrame) {
    let rms = plot.profile.quality.residual.map { ", \($0.text(decimals: 2)) µT RMS without ignored stretches" } ?? ""
    canvas.text("Residual: |corrected field| − field strength\(rms)", x: frame.x, y: frame.y - 12, style: .heading)
    let residuals = samples.map { plot.corrected($0.sample).length - plot.profile.fieldStrength }
    let used = zip(samples, residuals).filter { !$0.0.isIgnored }.map { $0.1 }
    let half = max(1.6 * SweepPlot.extent(of: used.isEmpty ? residuals : used), 0.01)
    let times = samples.map { $0.sample.time }
    let x = PlotAxis(times.min() ?? 0, times.max() ?? 1, from: frame.x, to: frame.right)
    let y = PlotAxis(-half, half, from: frame.bottom, to: frame.y)
    for stretch in plot.profile.quality.ignored { shade(stretch, on: &canvas, in: frame, x) }
    canvas.axes(frame, x: x, y: y, ticks: (12, 5), labels: ("time / s", "residual / µT"))
    for (isIgnored, mark) in [(false, PlotCanvas.Mark.sample), (true, .ignored)] {
      // What lies outside is drawn at the edge, so that nothing is hidden.
      canvas.dots(
        zip(samples, residuals).filter { $0.0.isIgnored == isIgnored }.map {
          (x.place($0.0.sample.time), y.place(max(-half, min(half, $0.1))))
        }, mark)
    }
    for stretch in plot.profile.quality.ignored { name(stretch, on: &canvas, in: frame, x) }
  }

  private func shade(_ stretch: IgnoredStretch, on canvas: inout PlotCanvas, in frame: PlotFrame, _ x: PlotAxis) {
    guard let (from, to) = span(stretch, x) else { return }
    let area = PlotFrame(x: from, y: frame.y, width: max(1, to - from), height: frame.height)
    canvas.rectangle(area, .shade, title: stretch.reason)
  }

  /// The reason, under the frame's upper edge where it has room.
  private func name(_ stretch: IgnoredStretch, on canvas: inout PlotCanvas, in frame: PlotFrame, _ x: PlotAxis) {
    guard let (from, to) = span(stretch, x) else { return }
    let words = "ignored: \(stretch.reason)"
    let half = Double(words.count) * 2.9
    guard plot.profile.quality.ignored.count <= 4, 2 * half < frame.width else { return }
    let middle = min(max((from + to) / 2, frame.x + half + 4), frame.right - half - 4)
    canvas.text(words, x: middle, y: frame.y + 15, style: .note, anchor: .middle)
  }

  private func span(_ stretch: IgnoredStretch, _ x: PlotAxis) -> (Double, Double)? {
    let (from, to) = (max(stretch.from, x.values.lowerBound), min(stretch.to, x.values.upperBound))
    return from <= to ? (x.place(from), x.place(to)) : nil
  }
}
