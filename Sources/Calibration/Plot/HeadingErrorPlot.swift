import LodestoneCore

/// The predicted error over all headings with the device level.
struct HeadingErrorPlot {
  private let plot: SweepPlot

  init(_ plot: SweepPlot) { self.plot = plot }

  func draw(on canvas: inout PlotCanvas, in frame: PlotFrame) {
    canvas.text("Predicted heading error, device level", x: frame.x - 24, y: frame.y - 12, style: .heading)
    let errors = plot.headingErrors.prefix(3600)
    guard let largest = errors.map({ $0.error }).max(), largest > 0 else {
      canvas.rectangle(frame, .frame)
      let words = "cannot be predicted without gravity"
      return canvas.text(words, x: frame.middleX, y: frame.middleY, style: .tick, anchor: .middle)
    }
    let x = PlotAxis(0, 360, from: frame.x, to: frame.right)
    let y = PlotAxis(0, largest * 1.25, from: frame.bottom, to: frame.y)
    canvas.axes(frame, x: x, y: y, ticks: (0, 4), labels: ("heading / °", "RMS / °"))
    for heading in stride(from: 0.0, through: 360, by: 90) {
      canvas.path([(x.place(heading), frame.y), (x.place(heading), frame.bottom)], .grid)
      let label = heading.text(decimals: 0)
      canvas.text(label, x: x.place(heading), y: frame.bottom + 15, style: .tick, anchor: .middle)
    }
    let curve = errors.filter { x.values.contains($0.heading) }.map { (x: x.place($0.heading), y: y.place($0.error)) }
    guard let first = curve.first, let last = curve.last else { return }
    canvas.path(curve + [(last.x, frame.bottom), (first.x, frame.bottom)], .area, closed: true)
    canvas.path(curve, .curve)
  }
}
