import Glibc
import LodestoneCore

/// The course of a value over the last seconds: the lowest and highest in each of a fixed number of equal stretches of
/// time, so that a spike of one sample stays visible and memory stays bounded.
public struct History: Equatable, Sendable {
  /// How far back it reaches, in seconds.
  public let span: Double
  private var stretches: [ClosedRange<Double>?]
  private var newest: Int?

  /// Over the last `span` seconds in `count` stretches.
  public init(span: Double = 60, count: Int = 240) {
    self.span = span.isFinite && span > 0 ? span : 60
    stretches = Array(repeating: nil, count: min(max(count, 1), 10_000))
  }

  /// Adds a value at a time in seconds. What is not a number and what is older than the newest stretch is left out; a
  /// step back of more than the span starts again.
  public mutating func append(_ value: Double, at time: Double) {
    let position = (time / span * Double(stretches.count)).rounded(.down)
    guard value.isFinite, let stretch = Int(exactly: position) else { return }
    if let newest {
      let (ahead, overflow) = stretch.subtractingReportingOverflow(newest)
      if overflow || ahead < -stretches.count { return restart(at: stretch, with: value) }
      if ahead < 0 { return }
      for passed in 0..<min(ahead, stretches.count) { stretches[slot(stretch &- passed)] = nil }
    }
    newest = stretch
    let slot = slot(stretch)
    stretches[slot] = stretches[slot].map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
  }

  /// Oldest first; nil where there was no value.
  var ranges: [ClosedRange<Double>?] {
    guard let newest else { return [] }
    return (1...stretches.count).map { stretches[slot(newest &+ $0)] }
  }

  /// Forgets all values.
  public mutating func clear() { self = History(span: span, count: stretches.count) }

  private mutating func restart(at stretch: Int, with value: Double) {
    clear()
    newest = stretch
    stretches[slot(stretch)] = value...value
  }

  private func slot(_ stretch: Int) -> Int {
    let remainder = stretch % stretches.count
    return remainder < 0 ? remainder + stretches.count : remainder
  }
}

/// An axis that ends on round numbers: steps of 1, 2 or 5 times a power of ten (Heckbert, Graphics Gems, 1990).
struct NiceAxis: Equatable {
  /// The ends, multiples of the step.
  let bounds: ClosedRange<Double>
  /// The distance between labels.
  let step: Double
  /// The number of decimals that the labels need.
  let decimals: Int

  /// The axis that holds all values (within ±10¹²) with about `labels` steps, no shorter than `least`.
  init(holding values: ClosedRange<Double>, labels: Int, least: Double) {
    let least = least.isFinite ? min(max(least, 1e-9), 1e12) : 1e12
    let middle = (values.lowerBound + values.upperBound) / 2
    let reach = max(values.upperBound - values.lowerBound, least, abs(middle) * 1e-9)
    let rough = reach / Double(max(labels, 1))
    let power = pow(10, floor(log10(rough)))
    let ratio = rough / power
    let step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10)
    let lower = floor(min(values.lowerBound, middle - least / 2) / step + 1e-9) * step
    let upper = ceil(max(values.upperBound, middle + least / 2) / step - 1e-9) * step
    self.step = step
    bounds = lower...max(upper, lower + step)
    decimals = min(max(0, -(step * (1 + 1e-9)).decimalExponent), 6)
  }
}

/// Curves over time, one above the other on the same axis, with round numbers at its ends. The newest value is on the
/// right.
struct HistoryPlot {
  /// The curves, each with the name that stands before it.
  var curves: [(name: String, history: History)]
  /// The size of one unit of the axis, in the histories' unit.
  var scale = 1.0
  /// The shortest axis, in the axis's unit: keeps noise from filling the plot.
  var least = 1.0

  /// Several curves in strips.
  init(curves: [(name: String, history: History)], least: Double) {
    self.curves = curves
    self.least = least
  }

  /// One curve.
  init(history: History, scale: Double, least: Double) {
    self.init(curves: [("", history)], least: least)
    self.scale = scale
  }

  /// Draws it with its labels on the left and the time along the bottom row.
  func draw(on canvas: inout Canvas, in region: Region) {
    let height = (region.height - 1) / max(curves.count, 1)
    guard region.width >= 16, height >= 2 else { return }
    let plot = Region(
      column: region.column + 9, row: region.row, width: region.width - 9, height: height * curves.count)
    drawFrame(on: &canvas, plot)
    let ranges = curves.map { $0.history.ranges }
    let values = ranges.joined().compactMap { $0 }.map { $0.lowerBound / scale...$0.upperBound / scale }
    guard let low = values.map(\.lowerBound).min(), let high = values.map(\.upperBound).max(), high < 1e12, low > -1e12
    else { return canvas.text("no data yet", centredIn: plot, row: plot.row + plot.height / 2, style: .dim) }
    let axis = NiceAxis(holding: low...high, labels: curves.count > 1 ? 5 : max(2, height / 3), least: least)
    for (index, (curve, ranges)) in zip(curves, ranges).enumerated() {
      let strip = Region(column: plot.column, row: plot.row + index * height, width: plot.width, height: height)
      if curves.count > 1 { drawZero(axis, on: &canvas, strip) }
      drawLabels(axis, on: &canvas, strip)
      canvas.text(curve.name, column: region.column, row: strip.row + height / 2, style: .bold)
      var drawing = BrailleCanvas(columns: strip.width, rows: strip.height)
      drawCurve(ranges, axis, on: &drawing)
      drawing.draw(on: &canvas, column: strip.column, row: strip.row, style: .accent)
    }
  }

  private func drawFrame(on canvas: inout Canvas, _ plot: Region) {
    for row in 0..<plot.height { canvas.put("│", column: plot.column - 1, row: plot.row + row, style: .dim) }
    let foot = plot.row + plot.height
    let span = Figures.fixed(curves.first?.history.span, decimals: 0)
    canvas.put("└", column: plot.column - 1, row: foot, style: .dim)
    canvas.rule(column: plot.column, row: foot, width: plot.width)
    canvas.text(" -\(span) s ", column: plot.column + 1, row: foot, style: .dim)
    canvas.text(" now ", endingAt: plot.column + plot.width - 1, row: foot, style: .dim)
  }

  /// A line at zero, where it lies on the axis.
  private func drawZero(_ axis: NiceAxis, on canvas: inout Canvas, _ plot: Region) {
    guard axis.bounds.contains(0) else { return }
    canvas.rule("┄", column: plot.column, row: row(of: 0, axis, plot), width: plot.width)
  }

  private func row(of value: Double, _ axis: NiceAxis, _ plot: Region) -> Int {
    let share = (axis.bounds.upperBound - value) / (axis.bounds.upperBound - axis.bounds.lowerBound)
    return plot.row + Int((share * Double(plot.height - 1)).rounded())
  }

  /// A label each step; where there is not a row for each, at the ends alone.
  private func drawLabels(_ axis: NiceAxis, on canvas: inout Canvas, _ plot: Region) {
    let reach = axis.bounds.upperBound - axis.bounds.lowerBound
    let count = max(1, Int(min((reach / axis.step).rounded(), 1000)))
    for index in stride(from: 0, through: count, by: count < plot.height ? 1 : count) {
      let value = axis.bounds.lowerBound + Double(index) * axis.step
      let row = row(of: value, axis, plot)
      let label = CellText.fitted(Figures.fixed(value, decimals: axis.decimals), to: 8)
      canvas.text(label, endingAt: plot.column - 1, row: row, style: .dim)
      canvas.put("┤", column: plot.column - 1, row: row, style: .dim)
    }
  }

  /// Each column of dots spans what was seen in its time and reaches to the one before, so that the curve is unbroken
  /// while values come at least every twentieth of the span.
  private func drawCurve(_ ranges: [ClosedRange<Double>?], _ axis: NiceAxis, on curve: inout BrailleCanvas) {
    let top = axis.bounds.upperBound
    let dotsPerUnit = Double(curve.height - 1) / (top - axis.bounds.lowerBound)
    func height(_ value: Double) -> Double { (top - value / scale) * dotsPerUnit }
    var before: (index: Int, x: Double, y: Double)?
    for (index, range) in ranges.enumerated() {
      guard let range else { continue }
      let x = (Double(index) + 0.5) / Double(ranges.count) * Double(curve.width - 1)
      let middle = height((range.lowerBound + range.upperBound) / 2)
      curve.line(from: (x, height(range.lowerBound)), to: (x, height(range.upperBound)))
      if let before, (index - before.index) * 20 <= ranges.count {
        curve.line(from: (before.x, before.y), to: (x, middle))
      }
      before = (index, x, middle)
    }
  }
}
