import LodestoneNavigation

// A program that has samples of its own and wants values alone: no port, no device, nothing that is resolved.

/// A fact that was not as it should be.
struct Wrong: Error { let what: String }

/// 49 µT, 64° below the horizontal, turned about all axes, with 30 µT of a magnet in the board.
let samples = (0..<2400).map { index in
  let turn = Double(index) / 2400
  let about = Quaternion(angle: 2 * .pi * 7 * turn, about: Vector3(0, 0, 1))
  let over = Quaternion(angle: 2 * .pi * 3 * turn, about: Vector3(1, 0, 0))
  let pose = about * over
  let field = pose * Vector3(0, 21.5, -44) + Vector3(30, 0, 0)
  return Sample(
    time: Double(index) / 50, field: MagneticField(microtesla: field),
    acceleration: Acceleration(g: pose * Vector3(0, 0, 1)))
}
guard let result = Calibration.fit(samples).result else { throw Wrong(what: "no calibration") }
let iron = result.correction.hardIron
guard (iron - Vector3(30, 0, 0)).length < 0.5 else { throw Wrong(what: "the magnet is found: \(iron)") }

let profile = Profile(result, device: "values", created: 1_800_000_000)
var compass = Compass(profile: profile)
let frame = DeviceFrame(profile)
guard let reading = compass.read(frame.read(samples[0])), let heading = reading.magneticHeading else {
  throw Wrong(what: "no heading")
}
guard abs(Angle.shortestTurn(from: heading.degrees, to: 0)) < 2 else { throw Wrong(what: "north: \(heading)") }

let field = try FieldModel.nearest(to: DecimalYear(2026.5)).evaluate(
  at: Place(latitude: 48.2, longitude: 16.37), date: DecimalYear(2026.5))

// One heading from one field and one force: the field points west of the top edge, so that the edge points east.
let raw = MagneticField(microtesla: -20, 0, -43), force = Acceleration(metresPerSecondSquared: Vector3(0, 0, 9.8))
let solution = HeadingSolution(field: Correction.none.apply(to: raw), up: force.g)
guard let angle = solution?.heading(of: Vector3(0, 1, 0)) else { throw Wrong(what: "no direction") }
let top = Heading<MagneticNorth>(degrees: angle.degrees) + field.declination
guard abs(top.degrees - 90 - field.declination.degrees) < 1e-9 else { throw Wrong(what: "east: \(top)") }
print("heading \(heading.degrees)°, declination \(field.declination.degrees)°, \(result.quality.verdict)")
