import Checks
import Lodestone

// A program with two instruments on one device, and one that an actor stops.

let device = try Device("sim:?motion=still&speed=max&magnet=0,0,400@10&soft=0&misalignment=0", profile: .none)
try check(device.tells().contains([.field, .acceleration]), "a board tells what it has before it is read")
let compass = device.attach(Compass.self)
let meter = device.attach(Teslameter.self, rate: 5)
var (headings, fields, notices) = (0, 0, [InstrumentNotice]())
var peak = 0.0
while let event = try device.next(), device.sample.time < 20 {
  if event.reading(of: compass) != nil { headings += 1 }
  if let field = event.reading(of: meter) {
    fields += 1
    peak = field.peak ?? peak
  }
  if case .notice(.instrument(let notice)) = event { notices.append(notice) }
}
try check(abs(peak - 400) < 4, "the magnet is measured: \(peak)")
try check(fields < headings / 5 && fields > 80, "five of a hundred fields a second: \(fields) beside \(headings)")
try check(notices.contains(.uncalibrated), "the compass is not calibrated")
try check(notices.contains { if case .zeroed = $0 { true } else { false } }, "the zero-point is told")

/// Whoever owns the session, and may end it.
actor Owner {
  private var stop: (@Sendable () -> Void)?

  func own(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }
  func end() { stop?() }
}

let owner = Owner()
let slow = try CompassSession(device: "sim:?rate=0.1", profile: .none)
await owner.own(slow.stop)
let readings = slow.readings
async let ended: Void = owner.end()
var count = 0
for try await _ in readings { count += 1 }
await ended
try check(count <= 1, "the actor ends a session that waits: \(count)")
print("\(headings) headings, \(fields) fields, \(notices.count) notices")
