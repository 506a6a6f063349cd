import Checks
import Lodestone

// A program that has a magnetometer and wants a heading, a field, or a calibration.

// A sweep as an array of samples, and the calibration that comes of it.
var settings = VirtualBreakout.Settings()
settings.motion = .figureEight
var board = VirtualBreakout(settings)
let samples = (0..<3000).map { _ in board.next().sample }
let outcome = Calibration.fit(samples)
guard let result = outcome.result else { throw Wrong("no calibration: \(String(describing: outcome.refusal))") }
try check(result.quality.verdict == .good, "the sweep is good")

// A profile written and read.
let path = "/tmp/lodestone-client-\(UInt64.random(in: 0 ... .max)).json"
let profile = Profile(result, device: "client", created: 1_800_000_000)
try profile.write(to: path)
let read = try Profile(contentsOf: path)
try check(read.correction == profile.correction && read.device == "client", "a profile reads back as it was")

// Headings, with the place's declination.
let compass = try CompassSession(
  device: "sim:?speed=max&motion=spin", place: Place(latitude: 48.2, longitude: 16.37), profile: .file(path))
var headings = 0
while headings < 100, let reading = try compass.next() {
  print(reading.trueHeading?.degrees ?? .nan, reading.accuracy ?? .nan, reading.quality)
  try check(reading.trueHeading != nil, "a true heading where the place is known")
  try check(reading.quality == .good || reading.quality == .fair, "a calibrated heading")
  headings += 1
}
try check(headings == 100, "a heading for each sample")

// The same for programs that use concurrency.
let readings = try CompassSession(device: "sim:?speed=max", profile: .none).readings
var count = 0
for try await reading in readings {
  try check(reading.quality == .uncalibrated, "no calibration was to be used")
  count += 1
  if count == 10 { break }
}
try check(count == 10, "readings come one after the other")

// A field against its zero-point: a magnet of 400 µT comes near after ten seconds.
let meter = try TeslameterSession(
  device: "sim:?motion=still&speed=max&magnet=0,0,400@10&soft=0&misalignment=0", profile: .none)
var zero: ZeroPoint?
meter.onNotice = { notice in if case .instrument(.zeroed(let point)) = notice { zero = point } }
var peak = 0.0
while let reading = try meter.next(), reading.time < 20 { peak = reading.peak ?? peak }
try check(zero != nil, "the zero-point is told")
try check(abs(peak - 400) < 4, "the magnet is measured: \(peak)")
print("peak \(peak) µT")
