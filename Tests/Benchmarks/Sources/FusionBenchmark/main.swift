import Lodestone

/// Prints how far fused headings and attitudes are from motion capture (four phones carried by walkers, two trials of
/// BROAD) and from the truth of the simulation, and what a sample costs.
let repository = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
let folder = CommandLine.arguments.dropFirst().first ?? "/\(repository)/../shared/data"

print("Phones carried by walkers: true heading against motion capture, in degrees; lines within their accuracy")
print(Phone.header)
var medians = 0.0
for phone in Phone.all {
  guard let outcome = phone.measure(in: folder) else {
    print("\(phone.walk): not found in \(folder)")
    continue
  }
  print(phone.line(outcome))
  if phone.isUndisturbed { medians += outcome.median / 3 }
}
print("mean of the undisturbed medians \(fixed(medians, 2)) (goal 1.4)")

print("\nBROAD: root mean square in degrees (goal: 1.05 times VQF's figure)")
for trial in Trial.all { print(trial.line(in: folder) ?? "\(trial.name): not found") }

print("\nSimulated boards, six a row: root mean square in degrees, lines within their accuracy")
for ride in SimulatedRide.all { print(ride.line()) }

print("\nTime of the fusion alone: \(fixed(Timing.nanoseconds(), 0)) ns a sample on this machine")
