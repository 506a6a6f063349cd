import Glibc
import LodestonePorts
import Support
import Testing

/// `heading --location` on a stream that goes on, while a receiver moves over the Earth.
@Suite(.waiting) struct LocationTests {
  private static let board =
    "sim:?motion=still&heading=100&hard=0&soft=0&misalignment=0&noise=0&accel-noise=0&rate=20"
  private static let hasGPSD = access("/usr/sbin/gpsd", X_OK) == 0

  /// A place at sea level and its declination on 2025-01-01, by the report on the WMM2025.
  private struct Station {
    let latitude: String
    let longitude: String
    let declination: Double
  }
  private static let stations = [
    Station(latitude: "8000.0000,N", longitude: "00000.0000,E", declination: 1.28),
    Station(latitude: "0000.0000,N", longitude: "12000.0000,E", declination: -0.16),
    Station(latitude: "8000.0000,S", longitude: "12000.0000,W", declination: 68.78),
  ]

  @Test(.enabled(if: hasGPSD)) func theDeclinationFollowsGPSD() throws {
    let receiver = try Receiver()
    let port = try freePort()
    let gpsd = try #require(
      ChildProgram("/usr/sbin/gpsd", arguments: ["-N", "-n", "-S", "\(port)", "tcp://\(receiver.server.endpoint)"]))
    #expect(eventually { (try? TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: port))) == nil })
    try follow("gpsd://127.0.0.1:\(port)", receiver)
    _ = gpsd.end(by: SIGTERM)
  }

  @Test func theDeclinationFollowsAReceiver() throws {
    let receiver = try Receiver()
    try follow("nmea:tcp://\(receiver.server.endpoint)", receiver)
  }

  /// A plotter that has lost its fix claims zero and zero, between the headings that it passes on: the last place
  /// holds.
  @Test func aFixAtZeroAndZeroMovesNothing() throws {
    let compass = NMEASentenceText.sentence("HCHDM,100.0,M")
    let text = ["4812.000,N,01622.200,E", "0000.000,N,00000.000,E"].map {
      NMEASentenceText.sentence("GPRMC,120000,A,\($0),0.0,,120926,,,A") + compass
    }
    let run = try CommandRun.lodestone(["heading", "-d", "-", "--format", "csv"], input: text.joined())
    let headings = MainJobTests.rows(run.text).map { $0["true_heading_deg"].flatMap(Double.init) }
    // 5.36° east in Vienna on that day; 3.8° west at zero and zero.
    #expect(headings.count == 2 && headings.allSatisfy { $0.map { abs($0 - 105.36) < 0.02 } ?? false }, "\(run.text)")
  }

  private func follow(_ location: String, _ receiver: Receiver) throws {
    var receiver = receiver
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "heading", "--device", Self.board, "--location", location, "--date", "2025", "--format", "json", "-q",
          "--profile", "none",
        ]))
    #expect(program.line()?.contains("\"true_heading_deg\":null") == true)
    for station in Self.stations {
      var declination: Double?
      for _ in 0..<300 {
        try receiver.say(station.latitude, station.longitude)
        declination = program.line().flatMap { self.declination(in: $0) }
        if let declination, abs(declination - station.declination) < 0.02 { break }
      }
      #expect(declination.map { abs($0 - station.declination) < 0.02 } == true, "\(String(describing: declination))")
    }
    #expect(program.end(by: SIGINT) == 130)
  }

  private func declination(in line: String) -> Double? {
    guard let truth = value("true_heading_deg", in: line), let magnetic = value("magnetic_heading_deg", in: line)
    else { return nil }
    return truth - magnetic
  }
}

/// A satellite receiver behind a TCP port: says where it is, as of now.
private struct Receiver {
  let server: TCPPublisher
  private var poller = Poller()

  init() throws { server = try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0)) }

  /// One fix, to whoever has come.
  mutating func say(_ latitude: String, _ longitude: String) throws {
    server.watch(with: &poller)
    try poller.wait(until: .now)
    server.service(poller)
    var seconds = time(nil)
    var now = tm()
    gmtime_r(&seconds, &now)
    let clock = [now.tm_hour, now.tm_min, now.tm_sec].map { twoDigits($0) }.joined() + ".00"
    let day = [now.tm_mday, now.tm_mon + 1, now.tm_year % 100].map { twoDigits($0) }.joined()
    let text = [
      "GPRMC,\(clock),A,\(latitude),\(longitude),0.0,0.0,\(day),,,A",
      "GPGGA,\(clock),\(latitude),\(longitude),1,08,1.0,0.0,M,0.0,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,1.0,1.1",
    ].map { NMEASentenceText.sentence($0) }.joined()
    Array(text.utf8).withUnsafeBytes { server.publish($0) }
  }

  private func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
