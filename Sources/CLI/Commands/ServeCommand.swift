import ArgumentParser
import Calibration
import Glibc
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import LodestoneTerminal
import LodestoneWeb
import Navigation

/// `lodestone serve`: the instruments in a browser.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show the instruments in a browser.",
    discussion: """
      Examples:
        lodestone serve sim:   without hardware
        lodestone serve ttyACM0 --at 48.2,16.37
        lodestone serve --listen '*:7373' --token   for phones: the addresses and a QR code are printed
        lodestone serve --device ttyACM0 --device ttyACM1   both, and the difference of their fields
        lodestone serve --publish tcp://:10110

      Compass, teslameter, guided calibration and more on one page, for this machine alone unless --listen names \
      another address. Programs find the same at /api/v1/state, /api/v1/events and /metrics.
      """)

  @OptionGroup var deviceOptions: DeviceOptions

  @Option(help: CalibrationOptions.help, completion: .profiles)
  var profile: String?
  var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

  @Option(help: LearningOptions.help)
  var learn: Learning = .off
  var learningOptions: LearningOptions { LearningOptions(learn: learn) }

  @OptionGroup var placeOptions: PlaceOptions

  @Option(help: LocationOptions.help)
  var location: String?
  var locationOptions: LocationOptions { LocationOptions(location: location) }

  @OptionGroup var publishOptions: PublishOptions<HeadingReading>
  @OptionGroup var formatOption: FormatOption<HeadingReading>

  @Option(help: ArgumentHelp("The address to listen at; * is every address of this machine.", valueName: "host:port"))
  var listen = "127.0.0.1:7373"

  @Flag(help: "Ask readers for a token; it is made now and printed. Needed beyond this machine.")
  var token = false

  @Option(help: ArgumentHelp("Ask readers for the token in this file.", valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp("Recordings in this folder can be opened on the page.", valueName: "folder"),
    completion: .directory)
  var recordings: String?

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors and the address.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say each request on standard error.")
  var verbose = false

  func validate() throws {
    try locationOptions.validate()
    if NetworkEndpoint(address: "//" + listen) == nil {
      throw ValidationError("--listen \(listen): must be host:port, such as 127.0.0.1:7373")
    }
    if deviceOptions.address.devices.count > 2 { throw ValidationError("--device: the page shows two devices at most") }
    try learningOptions.validate(calibrationOptions)
    if try formatOption.kind() != nil, publishOptions.publish.isEmpty {
      throw ValidationError("--format: it is the format of --publish, which is not given")
    }
  }

  func run() throws {
    guard let endpoint = NetworkEndpoint(address: "//" + listen) else { return }
    let panel = try panel(at: endpoint, try secret())
    let sinks = panel.publication?.sinks ?? []
    sinks.tell { say($1.words(of: $0)) }
    defer { for loss in sinks.flatMap({ $0.losses }) { say(loss.words) } }
    let end = try panel.run()
    try panel.publisher?.finish(after: end, Notices(isQuiet: quiet, profile: nil, advice: CalibrationAdvice()))
    try CLI.finish(end)
  }

  /// The panel with what it shows. It alone has the first device, which is closed once another takes its place.
  private func panel(at endpoint: NetworkEndpoint, _ secret: String?) throws -> InstrumentPanel {
    try deviceOptions.address.refuseAnother()
    if let recordings, NodeKind.at(recordings) != .directory {
      throw Failure(
        .noInput, "can't use \(recordings): it is not a folder", hint: "--recordings names one with recordings")
    }
    let first = deviceOptions.address.device, second = deviceOptions.address.devices.dropFirst().first
    let stream = try open(first, readsAhead: true)
    let server = try open(endpoint, secret)
    let publication = try publishOptions.open(
      HeadingReading.schema, as: try formatOption.kind(), say: say)
    announce(stream.identity, server.endpoint, query: token ? "/?token=\(secret ?? "")" : "")
    var session = SessionOptions()
    session.mounting = deviceOptions.input.mount
    session.profile = calibrationOptions.choice
    session.learning = learningOptions.learn
    session.place = try placeOptions.settings()
    session.location = try locationOptions.address(besides: placeOptions, isLive: stream.isLive)
    let canOpenAgain = try deviceOptions.address.canOpenAgain() && !deviceOptions.address.noReconnect
    let panel = InstrumentPanel(
      stream, reopen: canOpenAgain ? { try open(first) } : nil, session, server: server, words: .ofCommand,
      devices: devices(first))
    (panel.publication, panel.rate) = (publication, deviceOptions.address.wantedRate)
    if let second {
      let other = try open(second)
      guard other.identity != stream.identity else {
        throw Failure(.usage, "--device \(second) is the first device", hint: "name another one")
      }
      panel.second = try SecondDevice(other, mounting: deviceOptions.input.mount)
    }
    var advice = CalibrationAdvice()
    advice.isOnPage = true
    panel.onNotice = { [advice] (notice: Notice, profile: Profile?) in
      if let text = Notices.words(notice, profile, advice: advice) { say(text) }
    }
    panel.onFailure = { say("\($0) is no longer read: \($1)") }
    return panel
  }

  /// Opens one of the devices, or what was chosen on the page; nil for the one that is set, or the only one attached.
  private func open(_ address: String?, readsAhead: Bool = false) throws -> any SampleStream {
    var one = deviceOptions
    if address != deviceOptions.address.device { one.causeDevice = nil }
    one.address.device = address
    return try one.open(autoRange: true, readsAhead: readsAhead)
  }

  /// The devices that the page may open.
  private func devices(_ first: String?) -> PanelDevices {
    let addresses = PageAddresses(recordings: recordings, first: first)
    var devices = PanelDevices(
      addresses: addresses, open: { try open($0) },
      list: {
        let recordings = addresses.names.map { name in
          JSONValue.members(
            ("address", .string(name)), ("kind", .string("recording")), ("description", .string("recording")))
        }
        return JSONValue.array(DeviceListing.all().map { DeviceWords.object($0) } + recordings).line
      },
      settingsFile: UserSettings.path(environmentVariable).flatMap { path in
        path.lastIndex(of: "/").map { path[...$0] + "page.json" }
      })
    devices.placeIsGiven = placeOptions.at != nil || locationOptions.location != nil
    return devices
  }

  /// Says where the page is; beyond this machine with the addresses that a phone can use, and a code for its camera.
  private func announce(_ device: String, _ endpoint: NetworkEndpoint, query: String) {
    writeToStandardError("Serving \(device.harmless) at http://\(shown(endpoint))\(query)\n")
    guard ["*", "0.0.0.0", "::"].contains(endpoint.host) else { return }
    let hosts = OwnNames.addresses + OwnNames.all.filter { $0.hasSuffix(".local") }
    let links = hosts.map { "http://\($0):\(endpoint.port)\(query)" }
    guard let first = links.first else { return }
    writeToStandardError("On a phone in the same network:\n" + links.map { "  \($0)\n" }.joined())
    if isatty(STDERR_FILENO) == 1, let code = QRCode(first) {
      writeToStandardError(code.lines.map { "  \($0)\n" }.joined())
    }
  }

  private func say(_ text: String) {
    if !quiet { writeToStandardError("lodestone: \(text.harmless)\n") }
  }

  private func open(_ endpoint: NetworkEndpoint, _ secret: String?) throws(Failure) -> WebServer {
    let log: @Sendable (String) -> Void = { writeToStandardError($0.harmless + "\n") }
    do {
      return try WebServer(at: endpoint, token: secret, log: verbose ? log : nil)
    } catch {
      throw Failure(error, listen)
    }
  }

  /// The address to open in a browser: all addresses include the loopback one.
  private func shown(_ endpoint: NetworkEndpoint) -> NetworkEndpoint {
    endpoint.host == "*" ? NetworkEndpoint(host: "127.0.0.1", port: endpoint.port) : endpoint
  }

  /// The token of the file, or a new one; nil where none is asked for.
  private func secret() throws -> String? {
    guard let tokenFile else { return token ? Self.newToken() : nil }
    let bytes: [UInt8]
    do {
      bytes = try AtomicFile.read(tokenFile, limit: 4096)
    } catch {
      var failure = Failure(error, to: "read")
      if failure.exitCode == .noInput { failure.hint = "write a token of 16 to 256 letters into it" }
      throw failure
    }
    let text =
      String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map { String($0) } ?? ""
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x26, 0x2C, 0x3B, 0x5C].contains($0) }
    guard (16...256).contains(text.utf8.count), isPlain else {
      throw Failure(
        .badData, "\(tokenFile) holds no usable token", hint: "write a token of 16 to 256 letters and digits into it")
    }
    return text
  }

  /// 128 random bits.
  private static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
  }
}

extension Failure {
  /// Words why there is no server.
  init(_ error: WebServerError, _ address: String) {
    switch error {
    case .socket(let error): self.init(error, name: address)
    case .tokenNeeded:
      self.init(
        .usage, "can't listen at \(address) without a token: other machines reach it",
        hint: "add --token, or --token-file FILE")
    }
  }
}

extension PanelWords {
  /// The words of the other commands.
  fileprivate static let ofCommand = PanelWords(
    calibration: { profile in
      guard let profile else { return "not calibrated" }
      return "calibrated \(CalibrationAge.words(since: profile.created)) ago, \(profile.accuracyWords)"
    },
    verdict: { profile, before in
      CalibrationReport(profile: profile, before: before, path: "", next: "").lines.filter { !$0.isEmpty }
    },
    refusal: { ($0.words.capitalizedFirst, $0.hint) },
    failure: { error in
      // Settings and the like: the page reads no file whose failure is not worded already.
      if let problem = error as? FileProblem { return Failure(problem, to: "write").message }
      return Failure(wording: error)?.message ?? "\(error)"
    })
}
