import ArgumentParser
import Calibration
import LodestoneCore
import Instruments
import Lodestone
import Navigation
import LodestonePorts

extension ProfilesCommand {
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say whether a calibration still fits its device, by fresh data. Nothing is changed.",
      discussion: """
        Turn the device about while it reads, for 20 s unless --duration says otherwise. It looks at what a calibration \
        makes constant: the strength of the field, and its inclination while the device is held still. Both are those \
        of the place where the calibration was made. Exits with 65 when it does not fit.
        """)

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var columnUnit: ColumnUnitOption

    @Option(help: CalibrationOptions.help, completion: .profiles)
    var profile: String?
    var calibrationOptions: CalibrationOptions { CalibrationOptions(profile: profile) }

    @OptionGroup var streamOptions: StreamOptions
    @Flag(help: "Print JSON.") var json = false

    private static let defaultDuration = 20.0

    func run() throws {
      let stream = try deviceOptions.open(columnUnit: columnUnit.unit(for: deviceOptions))
      var file = try OutputFile(path: streamOptions.output)
      var options = SessionOptions()
      options.mounting = deviceOptions.input.mount
      options.profile = calibrationOptions.choice
      options.duration = streamOptions.duration ?? Self.defaultDuration
      let session = try CompassSession(
        stream, Compass.Settings(), options, output: streamOptions.openStandardOutput(), takesSignals: true)
      session.attachment.rate = deviceOptions.address.wantedRate
      guard let profile = session.profile else {
        throw Failure(
          .noInput, "no calibration of \(stream.identity) to verify",
          hint: "\(CalibrationAdvice(deviceOptions.address).command()) makes one")
      }
      let findings = try findings(session, profile)
      let report = VerifyReport(findings: findings, profile: profile, device: stream.identity)
      var text = TextBuffer(capacity: 1024)
      text.append(text: json ? report.json : report.text)
      try file.write(&text)
      try file.finish()
      if !findings.fits {
        throw Failure(
          .badData, "the calibration does not fit: \(report.reasons.listed)",
          hint: "keep away from iron, at the place where it was made; if it still does not fit, calibrate again")
      }
    }

    /// Reads until the duration or the recording ends.
    private func findings(_ session: CompassSession, _ profile: Profile) throws -> CalibrationCheck.Findings {
      var check = CalibrationCheck(profile)
      let notices = Notices(streamOptions)
      if session.stream.isLive {
        let seconds = streamOptions.duration ?? Self.defaultDuration
        notices.say("turn the device through all directions for \(seconds.exactText()) s")
      }
      let end = try session.run { event in
        switch event {
        case .reading:
          check.add(session.sample, session.reading)
          return check.samples == streamOptions.count ? .stop : .goOn
        case .notice(.stream(let notice)): notices.say(notice)
        default: break
        }
        return .goOn
      }
      if end == .interrupted { try finish(end) }
      if let findings = check.findings { return findings }
      let device = session.stream.identity
      guard check.samples > 0 else { throw Failure(.badData, "nothing to verify: \(device) sent no field") }
      let samples = check.samples == 1 ? "1 sample" : "\(check.samples) samples"
      throw Failure(
        .badData, "nothing to verify: only \(samples) of \(device)'s field came",
        hint: "it takes \(CalibrationCheck.fewestSamples) or more, while the device is turned: read for longer")
    }
  }
}

/// The result of a verification, for people and for programs.
private struct VerifyReport {
  let findings: CalibrationCheck.Findings
  let profile: Profile
  let device: String

  /// Several lines.
  var text: String {
    let isTrusted = findings.trustedShare >= 0.5
    let verdict =
      !findings.fits
      ? "The calibration does not fit"
      : isTrusted ? "The calibration fits" : "The field fits the calibration, but most headings are poor"
    return "\(verdict). It is \(CalibrationAge.words(since: profile.created)) old.\n\n" + TextTable.text(of: rows)
  }

  /// The reasons why it does not fit, each as part of a sentence; empty when it fits.
  var reasons: [String] {
    var reasons: [String] = []
    let (share, spread) = (findings.strengthShare, findings.spreadShare)
    if abs(share) > CalibrationHealth.strengthLimit {
      reasons.append("the field is \(number(abs(share) * 100, 1)) % too \(share > 0 ? "strong" : "weak")")
    }
    if spread > CalibrationHealth.strengthLimit {
      reasons.append("its strength varies by \(number(spread * 100, 1)) %")
    }
    if let degrees = findings.inclinationDegrees, abs(degrees) > CalibrationHealth.inclinationLimit {
      reasons.append("its inclination is \(number(abs(degrees), 1))° off")
    }
    return reasons
  }

  private var rows: [[String]] {
    var rows = [
      ["Device", device],
      [
        "Field",
        "\(number(findings.strength, 2)) µT, \(number(profile.fieldStrength, 2)) µT when it was made "
          + "(\(signed(findings.strengthShare * 100, 1)) %, limit \(number(CalibrationHealth.strengthLimit * 100, 0)) %)",
      ],
      [
        "Spread",
        "\(number(findings.spreadShare * 100, 1)) % beyond the noise "
          + "(limit \(number(CalibrationHealth.strengthLimit * 100, 0)) %)",
      ],
      ["Inclination", inclination],
      [
        "Headings",
        "\(number(findings.trustedShare * 100, 0)) % good or fair, "
          + "\(number(findings.disturbedShare * 100, 0)) % disturbed",
      ],
      ["Data", "\(findings.samples) samples"],
    ]
    if !findings.wasTurned { rows.append(["Note", "the device was hardly turned: valid for this attitude only"]) }
    return rows
  }

  private var inclination: String {
    guard let measured = findings.inclination else { return "not known: no gravity, or never at rest" }
    guard let expected = profile.inclination, let off = findings.inclinationDegrees else {
      return "\(number(measured, 1))°, not known when it was made"
    }
    return "\(number(measured, 1))°, \(number(expected, 1))° when it was made "
      + "(\(signed(off, 1))°, limit \(number(CalibrationHealth.inclinationLimit, 0))°)"
  }

  private func signed(_ value: Double, _ decimals: Int) -> String {
    value.text(decimals: decimals, plus: true)
  }

  /// The verdict and its figures as one object.
  var json: String {
    JSONValue.members(
      ("fits", .bool(findings.fits)), ("device", .string(device)),
      ("created", .string(CalendarTime.text(unixTime: profile.created))),
      ("age_s", .number(max(0, (WallClock.unixTime - Double(profile.created)).rounded()))),
      ("samples", .number(Double(findings.samples))), ("field_uT", .number(findings.strength)),
      ("profile_field_uT", .number(profile.fieldStrength)),
      ("strength_difference_percent", .number(findings.strengthShare * 100)),
      ("strength_spread_percent", .number(findings.spreadShare * 100)),
      ("inclination_deg", .orNull(findings.inclination)), ("profile_inclination_deg", .orNull(profile.inclination)),
      ("inclination_difference_deg", .orNull(findings.inclinationDegrees)),
      ("trusted_percent", .number(findings.trustedShare * 100)),
      ("disturbed_percent", .number(findings.disturbedShare * 100)), ("was_turned", .bool(findings.wasTurned))
    ).printed
  }
}
