import Instruments
import LodestoneCore
import Navigation
import Testing

@Suite struct DeviationTests {
  /// A worked example: deviations at every 45° of compass heading from north.
  private static let swing = [10.5, 20.0, 11.5, -1.2, -5.5, -8.0, -12.5, -6.8].enumerated().map {
    Deviation.Mark(compass: Double($0) * 45, reference: Double($0) * 45 + $1)
  }

  @Test func workedExample() throws {
    let deviation = try Deviation(Self.swing)
    for (found, expected) in zip(deviation.coefficients, [1.0, 11.94, 7.96, 5.0, 1.5]) {
      #expect(abs(found - expected) < 0.006)
    }
    // Three degrees of freedom: Student's 3.182 times the standard deviation, for B that of the residual by the root of
    // 4.
    #expect(abs(deviation.uncertainties[1] - 3.182 * deviation.residual / 2) < 1e-6)
    #expect(deviation.table.count == 24 && deviation.table.last?.compass == 345)
    // A + C + E at north.
    #expect(abs(deviation.degrees(at: 0) - 10.46) < 0.01)
  }

  @Test func whatWasPutInIsFound() throws {
    let truth = try #require(Deviation(coefficients: [-3, 8, -12, 2, 4]))
    let marks = stride(from: 7.0, to: 360, by: 30).map {
      Deviation.Mark(compass: $0, reference: Angle.wrapped(degrees: $0 + truth.degrees(at: $0)))
    }
    let found = try Deviation(marks)
    for (a, b) in zip(found.coefficients, truth.coefficients) { #expect(abs(a - b) < 1e-9) }
    #expect(found.residual < 1e-9)
    #expect(
      abs(found.corrected(Heading(degrees: 350)).degrees - Angle.wrapped(degrees: 350 + truth.degrees(at: 350))) < 1e-9)
  }

  /// Iron that moves in mid-swing turns B by 8°: the headings after it belong to another deviation. The rest differs by
  /// half a degree and less.
  @Test func ironThatMovesInMidSwingIsSeen() throws {
    let (first, later) = (
      try #require(Deviation(coefficients: [1, 5, -4, 1, 0.5])),
      try #require(Deviation(coefficients: [1, 13, -4, 1, 0.5]))
    )
    let rest = [0.3, -0.4, 0.1, 0.5, -0.2, -0.5, 0.4, 0.2, -0.3, 0.1, -0.1, 0.3, -0.4, 0.5, -0.2, 0.1, 0.2, -0.3]
    func swing(changedAfter count: Int) throws -> Deviation {
      try Deviation(
        rest.enumerated().map { index, off in
          let (compass, truth) = (Double(index * 67 % 360), index < count ? first : later)
          return Deviation.Mark(
            compass: Angle.wrapped(degrees: compass), reference: compass + truth.degrees(at: compass) + off)
        })
    }
    #expect(try swing(changedAfter: 9).changedAfter.map { abs($0 - 9) <= 1 } == true)
    #expect(try swing(changedAfter: 18).changedAfter == nil)
    #expect(try Deviation(Self.swing).changedAfter == nil)
  }

  /// A compass that was mounted back to front, and swung mostly on easterly headings, where its deviations lie beyond
  /// 180°.
  @Test func aTurnOfTheMountingIsKept() throws {
    let truth = try #require(Deviation(coefficients: [170, 40, 0, 0, 0]))
    let marks = [0.0, 30, 60, 75, 90, 105, 120, 150, 180, 240, 300].map {
      Deviation.Mark(compass: $0, reference: Angle.wrapped(degrees: $0 + truth.degrees(at: $0)))
    }
    let found = try Deviation(marks)
    #expect(abs(found.coefficients[0] - 170) < 1e-9 && found.mountingTurn == found.coefficients[0])
    #expect(Deviation(coefficients: found.coefficients) != nil)
    #expect(try Deviation(Self.swing).mountingTurn == nil)
  }

  /// A boat that tells true headings alone: with a declination of 2° E, 47° true are 45° of the compass, where the
  /// worked example has 20.07°. Without one nothing can be added, and that is told.
  @Test func trueHeadingsAloneNeedADeclination() throws {
    var settings = Compass.Settings()
    settings.appliesDeviation = true
    let sample = Sample(time: 0, own: OwnHeading(trueNorth: Heading(degrees: 47)))
    func compass(_ earth: EarthReference?, _ count: Int) throws -> (Compass, HeadingReading, [InstrumentNotice]) {
      var compass = Compass(settings)
      compass.follow(try Deviation(Self.swing))
      compass.follow(earth)
      var (readings, notices) = ([HeadingReading](), [InstrumentNotice]())
      for _ in 0..<count {
        let reading = compass.read(DeviceFrame(nil).read(sample))
        readings.append(try #require(reading))
        while let notice = compass.nextNotice() { notices.append(notice) }
      }
      return (compass, try #require(readings.last), notices)
    }
    let (_, known, none) = try compass(EarthReference(declination: Declination(degrees: 2)), 9)
    #expect(try abs(#require(known.magneticHeading?.degrees) - 65.07) < 0.01 && none.isEmpty)
    #expect(abs(try #require(known.trueHeading?.degrees) - 67.07) < 0.01)
    var (open, unknown, told) = try compass(nil, 9)
    #expect(unknown.trueHeading?.degrees == 47 && unknown.magneticHeading == nil && told == [.deviationNotAdded])
    #expect(open.end() == nil)
    (open, unknown, told) = try compass(nil, 2)
    #expect(told.isEmpty && open.end() == .deviationNotAdded)
  }

  /// A compass that is mounted the wrong way round has a deviation of 180°, on either side of it.
  @Test func halfATurnIsNoTrouble() throws {
    let marks = (0..<12).map {
      Deviation.Mark(compass: Double($0) * 30, reference: Double($0) * 30 + 180 + Double($0 % 2))
    }
    let found = try Deviation(marks)
    #expect(abs(Angle.shortestTurn(from: 180.5, to: found.coefficients[0])) < 0.01)
  }

  @Test func poorSwingsAreRefused() {
    #expect(throws: Deviation.Refusal.tooFew(7)) { try Deviation(Array(Self.swing.prefix(7))) }
    let half = (0..<16).map { Deviation.Mark(compass: Double($0) * 12, reference: Double($0) * 12) }
    #expect(throws: Deviation.Refusal.gap(from: 180, degrees: 180)) { try Deviation(half) }
    #expect(throws: Deviation.Refusal.tooFew(0)) {
      try Deviation((0..<9).map { _ in Deviation.Mark(compass: .nan, reference: 0) })
    }
    #expect(Deviation(coefficients: [1, 2, 3]) == nil && Deviation(coefficients: [1, 2, 3, 4, .nan]) == nil)
  }

  /// Swings of compasses with known deviations and errors of 1°: the ± of each coefficient hold 95 in 100, with eight
  /// headings as with many.
  @Test(arguments: [8, 12, 36])
  func uncertaintiesHold(_ count: Int) throws {
    var random = RandomNumbers(seed: 0x5117)
    let truth = try #require(Deviation(coefficients: [-3, 8, -12, 2, 4]))
    var held = 0
    for _ in 0..<400 {
      let marks = (0..<count).map { index -> Deviation.Mark in
        let compass = Double(index) * 360 / Double(count)
        return .init(compass: compass, reference: compass + truth.degrees(at: compass) + random.normal())
      }
      let found = try Deviation(marks)
      held += (0..<5).count { abs(found.coefficients[$0] - truth.coefficients[$0]) <= found.uncertainties[$0] }
    }
    #expect((0.93...0.97).contains(Double(held) / 2000), "\(held) of 2000")
  }

  @Test func headingsThatContradictAreRefused() {
    let marks = (0..<12).map {
      Deviation.Mark(compass: Double($0) * 30, reference: Double($0) * 30 + ($0 % 2 == 0 ? 44 : -44))
    }
    #expect(throws: Deviation.Refusal.self) { try Deviation(marks) }
  }
}
