import Glibc
import LodestoneCore
import Support

/// Prints how far fused headings and attitudes are from the truth of the simulation and from motion capture (BROAD, and
/// phones that walkers carry), beside those of VQF, and what a sample costs. `FusionBenchmark [boards] [first seed]
/// [row]`: the seeds from 101 on were not tuned with; with a row only the simulated ones that begin so.
let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.compactMap { UInt64($0) }
let (seeds, firstSeed) = (max(numbers.first ?? 19, 1), numbers.dropFirst().first ?? 101)
let row = arguments.first { UInt64($0) == nil } ?? ""
let folder = Recordings.folder

print("Simulated boards, \(seeds) a row: degrees, root mean square where nothing is said; lines within their accuracy")
print(Stream.header)
for stream in Stream.all where stream.name.hasPrefix(row) {
  print(stream.line(seeds: firstSeed...firstSeed + seeds - 1))
}
guard row.isEmpty else { exit(0) }

print("\nBROAD, begun in motion: root mean square in degrees, ours/VQF's; lines within their accuracy")
print(Trial.header)
Trial.printTable(Trial.all(in: folder))

print("\nPhones carried by walkers: true heading in degrees; lines within their accuracy")
print(Phone.header)
var medians = 0.0
for phone in Phone.all {
  guard let outcome = phone.measure(in: folder) else {
    print("\(phone.walk): not found in \(folder)")
    continue
  }
  print(phone.line(outcome.ours, outcome.vqf, outcome.notices))
  if phone.isUndisturbedTexting { medians += outcome.ours.median / 3 }
}
print("mean of the undisturbed medians at the chest \(fixed(medians, 2)) (goal 1.4)")

print("\nTime of the fusion alone: \(fixed(Timing.nanoseconds(), 0)) ns a sample on this machine")
