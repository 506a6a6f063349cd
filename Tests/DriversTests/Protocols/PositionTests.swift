import LodestoneCore
import Support
import Testing

@testable import Drivers

/// Positions out of the sentences and reports of receivers.
@Suite struct PositionTests {
  /// The messages of a recording in a protocol, part after part put together.
  private func positions(
    _ type: any WireProtocol.Type, _ text: String, isLive: Bool = false, now: Double? = nil
  ) -> (positions: [Position], assembler: PositionAssembler) {
    var assembler = PositionAssembler(keepsTime: !isLive)
    var positions: [Position] = []
    for (index, part) in type.hear(text).messages.compactMap({ $0.position }).enumerated() {
      positions += assembler.add(part, arrival: Double(index), now: now)
    }
    return (positions + assembler.end(arrival: 99, now: now), assembler)
  }

  private func nmea(_ bodies: [String]) -> String { bodies.map { NMEASentenceText.sentence($0) }.joined() }

  /// One moment in the examples that the manuals of most receivers print.
  private static let moment = """
    $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
    $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47
    $GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39

    """

  @Test func sentencesOfOneMomentAreOnePosition() throws {
    let found = positions(NMEA0183.self, Self.moment).positions
    try #require(found.count == 1)
    let position = found[0]
    let place = try #require(position.coordinate)
    #expect(abs(place.latitude - 48.1173) < 1e-6 && abs(place.longitude - 11.516_666_667) < 1e-6)
    #expect(position.unixTime == 764_426_119)
    #expect(position.time == 764_426_119)
    #expect(position.seaLevelAltitude == 545.4)
    #expect(abs(try #require(position.altitude) - 592.3) < 1e-9)
    // A knot is 1852 m in an hour.
    #expect(abs(try #require(position.speed) - 11.5236) < 1e-4)
    #expect(position.course == 84.4)
    #expect(position.accuracyBasis == .dilution)
    #expect(abs(try #require(position.horizontalAccuracy) - 1.3 * 15) < 1e-9)
    #expect(abs(try #require(position.verticalAccuracy) - 2.1 * 23) < 1e-9)
  }

  /// An example of Trimble's manuals: deviations of 23, 20 and 31 mm.
  @Test func theReceiversOwnErrorsGoBeforeDilutions() throws {
    let text =
      nmea(["GPGGA,172814.0,3723.46587704,N,12202.26957864,W,2,6,1.2,18.893,M,-25.669,M,2.0,0031"])
      + "$GPGST,172814.0,0.006,0.023,0.020,273.6,0.023,0.020,0.031*6A\r\n"
    let position = try #require(positions(NMEA0183.self, text).positions.first)
    #expect(position.accuracyBasis == .receiver)
    #expect(abs(try #require(position.horizontalAccuracy) - 0.0610) < 1e-4)
    #expect(abs(try #require(position.verticalAccuracy) - 0.0608) < 1e-4)
    #expect(abs(try #require(position.altitude) - -6.776) < 1e-9)
  }

  @Test func otherSentencesSayTheSame() throws {
    let line = positions(NMEA0183.self, "$GPGLL,4916.45,N,12311.12,W,225444,A,*1D\r\n").positions.first?.coordinate
    #expect(abs(try #require(line).latitude - 49.274_166_667) < 1e-6)
    #expect(abs(try #require(line).longitude - -123.185_333_333) < 1e-6)
    // Position, and a date of its own: 2002-07-04 20:15:30 UTC is 1025813730 (date -u +%s).
    let text =
      nmea(["GNGNS,201530.00,4332.69262,S,17235.48549,E,RR,13,0.9,25.63,11.24,,"])
      + "$GPZDA,201530.00,04,07,2002,00,00*60\r\n$GPVTG,054.7,T,034.4,M,005.5,N,010.2,K*48\r\n"
    let position = try #require(positions(NMEA0183.self, text).positions.first)
    #expect(position.unixTime == 1_025_813_730)
    #expect(abs(try #require(position.coordinate).latitude - -43.544_877) < 1e-6)
    #expect(abs(try #require(position.altitude) - 36.87) < 1e-9)
    #expect(abs(try #require(position.horizontalAccuracy) - 0.9 * 3.75) < 1e-9)
    #expect(position.course == 54.7)
    #expect(abs(try #require(position.speed) - 2.8294) < 1e-4)
  }

  /// Three satellites make two dimensions: what stands in the field of the altitude is a guess.
  @Test(arguments: ["GPGSA,A,2,04,05,09,,,,,,,,,,5.0,4.9,1.0", "GPGSA,A,1,,,,,,,,,,,,,,,"])
  func anAltitudeNeedsThreeDimensions(_ mode: String) throws {
    let text = nmea(["GPGGA,123519,4807.038,N,01131.000,E,1,03,4.9,545.4,M,46.9,M,,", mode])
    let position = try #require(positions(NMEA0183.self, text).positions.first)
    #expect(position.coordinate != nil)
    #expect(position.altitude == nil && position.seaLevelAltitude == nil && position.verticalAccuracy == nil)
  }

  /// Without the geoid's height the altitude above the ellipsoid is not known.
  @Test func anAltitudeAboveTheSeaIsNotOneAboveTheEllipsoid() throws {
    let text = nmea(["GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,,M,,"])
    let position = try #require(positions(NMEA0183.self, text).positions.first)
    #expect(position.altitude == nil && position.seaLevelAltitude == 545.4)
  }

  @Test(arguments: [
    "GPRMC,123519,V,4807.038,N,01131.000,E,,,230394,,", "GPRMC,123519,A,4807.038,N,01131.000,E,,,230394,,,N",
    "GPGGA,123519,4807.038,N,01131.000,E,0,00,99.9,,M,,M,,", "GNGNS,123519,4807.038,N,01131.000,E,NN,00,,,,,",
    "GPGLL,4807.038,N,01131.000,E,123519,V",
  ]) func aReceiverWithoutAFixSaysSo(_ body: String) throws {
    let position = try #require(positions(NMEA0183.self, nmea([body])).positions.first)
    #expect(position.coordinate == nil)
    #expect(position == Position(nil, at: position.time))
  }

  @Test(arguments: [
    "GPRMC,123519,A,9107.038,N,01131.000,E,022.4,084.4,230394,,", "GPRMC,126519,A,4807.038,N,01131.000,E,,,230394,,",
    "GPRMC,123519,A,4867.038,N,01131.000,E,,,230394,,", "GPRMC,123519,A,4807.038,N,18131.000,E,,,230394,,",
    "GPRMC,123519,A,4807.038,N,01131.000,E,,,310294,,", "GPRMC,123519,A,4807.038,N,01131.000,E,nan,,230394,,",
    "GPGGA,123519,4807.038,X,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,1e9,M,46.9,M,,", "GPGST,123519,,,,,-1,1,1", "GPVTG,400,T,,M,5,N,9,K",
  ]) func whatCannotBeIsRejected(_ body: String) {
    let heard = NMEA0183.hear(nmea([body]))
    #expect(heard.messages.isEmpty)
    #expect(heard.rejections == [.malformed])
  }

  /// Each second's position is there with its last sentence, without waiting for the next second.
  @Test func aLivePositionDoesNotWait() {
    var assembler = PositionAssembler(keepsTime: false)
    func parts(_ second: Int) -> [WirePosition] {
      NMEA0183.hear(
        nmea([
          "GPRMC,1200\(second),A,4807.038,N,01131.000,E,,,230394,,",
          "GPGGA,1200\(second),4807.038,N,01131.000,E,1,08,,,M,,M,,",
          "GPGSA,A,3,04,05,09,12,24,,,,,,,,2.5,1.3,2.1", "GLGSA,A,3,65,66,,,,,,,,,,,2.5,1.3,2.1",
        ])
      ).messages.compactMap { $0.position }
    }
    let counts = (10..<14).map { second in
      parts(second).map { assembler.add($0, arrival: Double(second), now: nil).count }
    }
    #expect(counts[0] == [0, 0, 0, 0])
    #expect(counts[1] == [1, 0, 0, 0])
    #expect(counts[2].reduce(0, +) == 2)  // the second is known to be whole now, and so is the third
    #expect(counts[3].reduce(0, +) == 1 && counts[3][0] == 0)
  }

  /// A log that begins between two sentences: the date of the first position is that of the second.
  @Test func theFirstPositionHasTheDateOfTheSecond() {
    let text = nmea([
      "GPGGA,235959,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GPGGA,000000,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GPRMC,000000,A,4807.038,N,01131.000,E,,,240394,,",
      "GPGGA,000001,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    ])
    // 1994-03-24 is 764467200 (date -u +%s).
    #expect(positions(NMEA0183.self, text).positions.map { $0.unixTime } == [764_467_199, 764_467_200, 764_467_201])
  }

  @Test func timesWithoutADateGoOnPastMidnight() {
    let text = nmea(["235959", "000000", "000001"].map { "GPGGA,\($0),4807.038,N,01131.000,E,1,08,0.9,,M,,M,," })
    let found = positions(NMEA0183.self, text).positions
    #expect(found.map { $0.time } == [86_399, 86_400, 86_401])
    #expect(found.allSatisfy { $0.unixTime == nil })
  }

  /// A receiver that has not heard the date begins in 1980, and an old one is 1024 weeks late: 2026-11-22 becomes
  /// 2007-04-08.
  @Test(arguments: [("060180", 0), ("080407", 1)])
  func aDateThatCannotBeIsLeftOut(_ day: String, _ rollovers: Int) throws {
    let text = nmea(["GPRMC,120000,A,4807.038,N,01131.000,E,,,\(day),,"])
    let (found, assembler) = positions(NMEA0183.self, text + text, isLive: true, now: 1_795_348_800)
    let position = try #require(found.first)
    #expect(position.coordinate != nil && position.unixTime == nil)
    #expect(assembler.wrongDate?.rollovers == rollovers)
  }

  /// Plotters and multiplexers claim a fix at zero and zero while they know none. The equator and Greenwich are places.
  @Test(arguments: [("0000.000", "00000.000"), ("0000.000", "00000.001"), ("0000.001", "00000.000")])
  func zeroAndZeroIsNoPlace(_ latitude: String, _ longitude: String) {
    let text = nmea(["GPGLL,\(latitude),N,\(longitude),W,120000,A,A"])
    let isPlace = latitude + longitude != "0000.00000000.000"
    let (found, _) = positions(NMEA0183.self, text)
    #expect(found.count == 1 && (found.first?.coordinate != nil) == isPlace, "\(found)")
    var assembler = PositionAssembler(keepsTime: true)
    let parts = NMEA0183.hear(text).messages.compactMap { $0.position }
    #expect(parts.compactMap { assembler.position(of: $0, arrival: 0, now: nil) }.count == (isPlace ? 1 : 0))
  }

  @Test func aLogOf2007IsOne() throws {
    let text = nmea(["GPRMC,120000,A,4807.038,N,01131.000,E,,,080407,,"])
    #expect(positions(NMEA0183.self, text).positions.first?.unixTime == 1_176_033_600)
  }

  // MARK: gpsd

  /// The example of gpsd_json(5).
  @Test func aReportOfGPSD() throws {
    let text = """
      {"class":"TPV","device":"/dev/pts/1","time":"2005-06-08T10:34:48.283Z","ept":0.005,"lat":46.498293369,\
      "lon":7.567411672,"alt":1343.127,"eph":36.000,"epv":32.321,"track":10.3797,"speed":0.091,"climb":-0.085,"mode":3}

      """
    let position = try #require(positions(GPSD.self, text).positions.first)
    #expect(position.coordinate == Coordinate(latitude: 46.498293369, longitude: 7.567411672))
    #expect(position.altitude == nil && position.seaLevelAltitude == 1343.127)
    #expect(position.horizontalAccuracy == 36 && position.verticalAccuracy == 32.321)
    #expect(position.speed == 0.091 && position.climb == -0.085 && position.course == 10.3797)
    #expect(position.unixTime == 1_118_226_888.283)
    #expect(position.accuracyBasis == .receiver)
  }

  @Test func altitudesOfGPSDHaveTheirDatum() throws {
    let text = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"alt":9,"altHAE":592.3,"altMSL":545.4,"epx":3,"epy":4}"# + "\n"
    let position = try #require(positions(GPSD.self, text).positions.first)
    #expect(position.altitude == 592.3 && position.seaLevelAltitude == 545.4)
    #expect(position.horizontalAccuracy == 5)
    let flat = #"{"class":"TPV","mode":2,"lat":1,"lon":2,"altHAE":592.3,"altMSL":545.4,"epv":3,"climb":1}"# + "\n"
    let other = try #require(positions(GPSD.self, flat).positions.first)
    #expect(
      other.altitude == nil && other.seaLevelAltitude == nil && other.verticalAccuracy == nil && other.climb == nil)
  }

  @Test(arguments: [#""mode":1"#, #""mode":0,"lat":1,"lon":2"#, #""device":"/dev/ttyUSB0""#])
  func aReportWithoutAFix(_ fields: String) throws {
    let position = try #require(positions(GPSD.self, "{\"class\":\"TPV\",\(fields)}\n").positions.first)
    #expect(position.coordinate == nil)
  }

  @Test(arguments: [
    #""lat":91,"lon":2"#, #""lat":1,"lon":-181"#, #""lat":1,"lon":2,"altHAE":1e300"#, #""lat":1,"lon":2,"eph":-1"#,
    #""lat":1,"lon":2,"track":361"#, #""lat":1e999,"lon":2"#,
  ]) func reportsThatCannotBeAreRejected(_ fields: String) {
    let heard = GPSD.hear("{\"class\":\"TPV\",\"mode\":3,\(fields)}\n")
    #expect(heard.messages.isEmpty && heard.rejections == [.malformed])
  }
}

extension Position {
  /// Nothing but a time.
  fileprivate init(_ coordinate: Coordinate?, at time: Double) {
    self.init(coordinate)
    self.time = time
  }

  // MARK: GPX

  /// Attributes in either order and quotes, elements beside the point's own, a point of a route without anything in it;
  /// what is no place on Earth is none, and where a waypoint is nobody need have been. 2026-11-22 12:00:00 UTC is
  /// 1795348800 (date -u +%s).
  @Test func pointsOfGPXAreRead() {
    let file = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><metadata><time>2020-01-01T00:00:00Z</time>
      </metadata><wpt lat="47.0" lon="15.0"/><wpt lat="47.1" lon="15.1"><ele>9</ele><name>pub</name></wpt>
      <rte><rtept lat="48.1" lon="-16.2"/></rte><trk><name>a &lt; b</name><trkseg>
      <trkpt lon='16.37' lat='48.2'>
        <ele>200.5</ele><time>2026-11-22T12:00:00.5Z</time><extensions><hr>90</hr></extensions>
      </trkpt><trkpt lat="91" lon="0"></trkpt><trkpt lat="x" lon="0"></trkpt>
      <trkpt lat="48.3" lon="16.4"></trkpt></trkseg></trk></gpx>
      """
    for chunk in [1, 7, .max] {
      let heard = GPX.hear(file, chunk: chunk)
      let positions = heard.messages.compactMap { $0.position?.position }
      #expect(positions.map { $0.coordinate?.latitude } == [48.1, 48.2, 48.3])
      #expect(positions.map { $0.coordinate?.longitude } == [-16.2, 16.37, 16.4])
      #expect(positions.map { $0.seaLevelAltitude } == [nil, 200.5, nil])
      #expect(positions.map { $0.unixTime } == [nil, 1_795_348_800.5, nil])
      #expect(heard.rejections.filter { $0 == .malformed }.count == 2)
    }
  }

  /// Numbers and times are the same with blanks and ends of lines around them, as a schema's decimals are.
  @Test func blanksInGPXSayNothing() throws {
    let file = """
      <gpx><trk><trkseg><trkpt\r\n lat = " 48.2 " lon='\t16.37'><ele>\n 201 </ele><time> 2026-11-22T12:00:00Z\r\n</time></trkpt>
      </trkseg></trk></gpx>
      """
    let position = try #require(GPX.hear(file).messages.first?.position?.position)
    #expect(position.coordinate?.latitude == 48.2 && position.coordinate?.longitude == 16.37)
    #expect(position.seaLevelAltitude == 201 && position.unixTime == 1_795_348_800)
  }

  /// A page of a browser and a point that never ends.
  @Test func otherElementsAreNoTrack() {
    #expect(GPX.hear("<html><body><p lat=\"1\" lon=\"2\">x</p></body></html>").messages.isEmpty)
    let endless = GPX.hear("<trkpt lat=\"1\" lon=\"2\">" + String(repeating: "<a>b</a>", count: 2000))
    #expect(endless.messages.isEmpty && endless.longestRest <= 4096)
  }
}
