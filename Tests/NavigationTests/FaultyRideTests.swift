import Instruments
import LodestoneCore
import Support
import Testing

/// Headings on rides on which samples are lost, or a sensor stands still or is garbled.
@Suite struct FaultyRideTests {
  private struct Gap: Sendable, CustomTestStringConvertible {
    var ride: @Sendable (inout RandomNumbers) -> Ride
    var testDescription: String
  }

  private static let gaps = [
    Gap(ride: Ride.brakes, testDescription: "brakes"), Gap(ride: Ride.lift, testDescription: "lift"),
    Gap(ride: Ride.motorboat, testDescription: "motorboat"),
  ]

  /// In a vehicle the force of the moment after a gap leans, and beside steel the field is turned: an attitude of just
  /// before says more than both. Found anew, headings were off by 13° and more.
  @Test(arguments: gaps) private func anAttitudeIsKeptOverAGap(_ gap: Gap) throws {
    let lines = try RideLines.of(gap.ride) { moments in
      moments.removeAll { $0.sample.time.truncatingRemainder(dividingBy: 9) < 0.8 }
    }
    #expect(lines.error < 8 && lines.within > 0.86, "\(lines)")
  }

  /// Rates that are missing beside fields and forces: the attitude turns on about as before, and the next rate says how
  /// far it was. With the last rate held headings were off by 12°.
  @Test func aMissingRateIsNotHeld() throws {
    let lines = try RideLines.of(Ride.motorboat) { moments in
      for index in moments.indices where moments[index].sample.time.truncatingRemainder(dividingBy: 9) < 0.4 {
        moments[index].sample.rotationRate = nil
      }
    }
    #expect(lines.error < 8 && lines.within > 0.9, "\(lines)")
  }

  /// A register that keeps its field for 20 s while the board turns: the gyroscope knows better.
  @Test func aStuckFieldIsNotBelieved() throws {
    let lines = try RideLines.of(Ride.bends) { moments in
      guard let field = moments.first(where: { $0.sample.time >= 30 })?.sample.field else { return }
      for index in moments.indices where moments[index].sample.time > 30 && moments[index].sample.time < 50 {
        moments[index].sample.field = field
      }
    }
    #expect(lines.error < 5 && lines.within > 0.9, "\(lines)")
  }

  /// The same of a board whose calibration knows that its field comes late: what is turned along is no new field.
  @Test func aStuckFieldThatComesLateIsNotBelieved() throws {
    let lines = try RideLines.of(lag: 0.02, Ride.walk) { moments in
      guard let field = moments.first(where: { $0.sample.time >= 30 })?.sample.field else { return }
      for index in moments.indices where moments[index].sample.time > 30 && moments[index].sample.time < 50 {
        moments[index].sample.field = field
      }
    }
    #expect(lines.error < 1 && lines.within > 0.95, "\(lines)")
  }

  /// Nothing for half a second in every three: what was turned meanwhile is not known, and what pushed before says
  /// nothing of up as it is then. Kept over gaps, pushes made it 3.1°, and ±27.
  @Test func gapsAreAllowedFor() throws {
    let lines = try RideLines.of(Ride.walk) { moments in
      moments.removeAll { $0.sample.time.truncatingRemainder(dividingBy: 3) > 2.6 }
    }
    #expect(lines.error < 2 && lines.accuracy < 15 && lines.within > 0.93, "\(lines)")
  }

  /// After a gap what is known of the gyroscope stays so: ±5° were said for 20 s, and 95 % are within 1.5°.
  @Test func aGapOfSecondsIsOverSoon() throws {
    let lines = try RideLines.of(Ride.walk) { moments in
      moments.removeAll { $0.sample.time > 28 && $0.sample.time.truncatingRemainder(dividingBy: 15) > 13 }
    }
    #expect(lines.accuracy < 3 && lines.within > 0.93, "\(lines)")
  }

  /// One rate in 200 is garbled by the bus. Headings were 13° off in the mean, and the gyroscope was accused.
  @Test func garbledRatesTurnNoHeading() throws {
    var random = RandomNumbers(seed: 9)
    let lines = try RideLines.of(Ride.walk) { moments in
      for index in moments.indices where random.uniform() < 0.005 {
        let noise = Vector3(random.normal(), random.normal(), random.normal()) * 1000
        moments[index].sample.rotationRate = RotationRate(degreesPerSecond: noise)
      }
    }
    #expect(lines.error < 1 && lines.within > 0.95, "\(lines)")
  }

  /// The accelerometer stops measuring for 10 s and sends the same numbers again: up was turned along with the board,
  /// and headings were 20° off.
  @Test func aFrozenAccelerometerIsNotBelieved() throws {
    let lines = try RideLines.of(Ride.walk) { moments in
      guard let first = moments.firstIndex(where: { $0.sample.time > 30 }) else { return }
      let force = moments[first].sample.acceleration
      for index in moments.indices where index > first && moments[index].sample.time < 40 {
        moments[index].sample.acceleration = force
      }
    }
    #expect(lines.error < 1.5 && lines.within > 0.93, "\(lines)")
  }

  /// Up that is found anew after seconds of nothing leans by the push of that moment, on a bicycle as it did before: 89 %
  /// were within their accuracy.
  @Test func upThatIsFoundAnewMayLean() throws {
    let lines = try RideLines.of(Ride.bicycle) { moments in
      moments.removeAll { $0.sample.time > 30 && $0.sample.time.truncatingRemainder(dividingBy: 17) < 3 }
    }
    #expect(lines.within > 0.95, "\(lines)")
  }

  /// A gyroscope that reads nothing at all for 0.7 s while the board turns: headings of a walker were off by 9°.
  @Test func aRateOfNothingIsNotBelieved() throws {
    let lines = try RideLines.of(Ride.walk) { moments in
      for index in moments.indices where moments[index].sample.time.truncatingRemainder(dividingBy: 9) < 0.7 {
        moments[index].sample.rotationRate = RotationRate(degreesPerSecond: .zero)
      }
    }
    #expect(lines.error < 5 && lines.within > 0.9, "\(lines)")
  }

  /// The same of one that keeps its last rate, on stairs: 32°.
  @Test func aRateThatIsHeldIsNotBelieved() throws {
    let lines = try RideLines.of(Ride.stairs) { moments in
      var last: RotationRate?
      for index in moments.indices {
        if moments[index].sample.time.truncatingRemainder(dividingBy: 9) > 0.7 {
          last = moments[index].sample.rotationRate
        }
        moments[index].sample.rotationRate = last
      }
    }
    #expect(lines.error < 8 && lines.within > 0.95, "\(lines)")
  }
}
