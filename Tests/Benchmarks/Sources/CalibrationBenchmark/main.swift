import LodestoneCore

/// Prints what calibrations of simulated boards are worth: heading errors over many seeds, with the figures to reach,
/// and how often the accuracy on a heading's line holds. The first argument is the number of seeds or, as `25-48`, the
/// seeds themselves; the second a part of the rows' names.
let seeds = SweepRow.seeds(CommandLine.arguments.dropFirst().first ?? "")
let part = CommandLine.arguments.dropFirst(2).first ?? ""

print("Calibrations: heading error in degrees, root mean square over headings and tilts, \(seeds.count) seeds a row")
print(SweepRow.header)
for row in SweepRow.inside + SweepRow.fewRests + SweepRow.short + SweepRow.outside
where part.isEmpty || row.name.contains(part) {
  print(row.line(seeds: seeds))
}

if part.isEmpty {
  print("\nAccuracy of single headings: share within the 95 % interval, \(seeds.count) boards a row")
  print(AccuracyRow.header)
  for row in AccuracyRow.all { print(row.line(seeds: seeds.count)) }

  print("\nTime on this machine")
  for line in Timings.lines() { print(line) }
}
