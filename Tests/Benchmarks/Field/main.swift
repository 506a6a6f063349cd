import LodestoneCore

/// Prints what headings and fields are worth: how many lines are within their accuracy on rides that push or disturb
/// the board, without a gyroscope and with one, and how often a teslameter claims a field where there is none.
let seeds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 24

print("Headings without a gyroscope: lines within their 95 % accuracy, \(seeds) boards a row, four rides each")
print(RideRow.header)
for row in RideRow.all { print(row.line(seeds: seeds)) }

print("\nThe same with a gyroscope")
print(RideRow.header)
for row in RideRow.withGyroscope { print(row.line(seeds: seeds)) }

print("\nTeslameter: two seconds of zero-point, a minute of readings, \(seeds) seeds a row")
print(SceneRow.header)
for row in SceneRow.all { print(row.line(seeds: seeds)) }

/// One decimal; a dash for what is no number.
func text(_ value: Double) -> String { value.isFinite ? "\((value * 10).rounded() / 10)" : "-" }

func columns(_ name: String, _ cells: [String]) -> String { cells.reduce(padded(name, 28)) { $0 + padded($1, 13) } }

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
