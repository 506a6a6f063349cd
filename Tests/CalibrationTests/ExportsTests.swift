import LodestoneCore
import Support
import Testing

@testable import Calibration

/// The example is worked by hand: hard iron (12.5, −30.25, 4) µT, a symmetric soft iron.
@Suite struct ExportsTests {
  static let symmetric: Profile = {
    var profile = Profile.example
    profile.device = "board"
    profile.fieldStrength = 48
    profile.correction.softIron = Matrix3(
      Vector3(1.02, 0.01, -0.02), Vector3(0.01, 0.99, 0.005), Vector3(-0.02, 0.005, 0.99))
    return profile
  }()

  /// With an accelerometer that reads gravity itself, 0.5 g too much along x, and that is not square.
  private static func accelerated(_ profile: Profile) -> Profile {
    var profile = profile
    profile.accelerometerIsReversed = true
    profile.forceCorrection = ForceCorrection(
      zero: Vector3(0.5, 0, 0), gain: Vector3(1.5, 1, 1), skew: Vector3(0.25, 0, 0))
    return profile
  }

  private func lines(_ form: any ProfileExport.Type, _ profile: Profile) throws -> [String] {
    String(decoding: try form.body(of: profile), as: UTF8.self).split(whereSeparator: { $0.isNewline }).map(String.init)
  }

  @Test func namesAreUniqueAndFound() {
    let names = Exports.all.map { $0.name }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { Exports.named($0)?.name == $0 })
    #expect(Exports.named("nothing") == nil)
  }

  /// Forward is +y, right +x, down −z; offsets are added, in milligauss: −(−30.25 µT) · 10 = 302.5 mG, and so on.
  @Test func arduPilot() throws {
    #expect(
      try lines(ArduPilotExport.self, Self.symmetric) == [
        "COMPASS_OFS_X,302.500", "COMPASS_OFS_Y,-125.000", "COMPASS_OFS_Z,40.000", "COMPASS_DIA_X,0.990000",
        "COMPASS_DIA_Y,1.020000", "COMPASS_DIA_Z,0.990000", "COMPASS_ODI_X,0.010000", "COMPASS_ODI_Y,-0.005000",
        "COMPASS_ODI_Z,0.020000", "COMPASS_SCALE,1",
      ])
  }

  /// 1 µT/A along the chip's x is 1 µT/A to the right; DIA and ODI make −10 · (0.01, 1.02, 0.02) mG of an ampere.
  /// Without current the hard iron to the right is 12.5 − 15 · 1 µT. Forms that have no place for it say so.
  @Test func arduPilotTakesACurrent() throws {
    var profile = Self.symmetric
    profile.causes = [Cause(name: "current_A", slope: Vector3(1, 0, 0), deviation: 0.01, range: 0...30)]
    let lines = try lines(ArduPilotExport.self, profile)
    #expect(lines[1] == "COMPASS_OFS_Y,25.000")
    #expect(
      lines.suffix(4) == ["COMPASS_MOT_X,-0.100", "COMPASS_MOT_Y,-10.200", "COMPASS_MOT_Z,-0.200", "COMPASS_MOTCT,2"])
    let lost = "Lost: what current_A does to the field; the offsets hold at 15.0"
    for form in Exports.all {
      let keeps = form.name == "ardupilot" || form.name == "json"
      #expect(Exports.notes(form, on: profile).contains(lost) != keeps)
    }
  }

  /// cos 3° and sin 3°: programs that know the chips alone are told that they do not point along the laser.
  @Test func whoDoesNotPointAlongTheLaserSaysSo() {
    var profile = Self.symmetric
    profile.laser = LaserAxis(along: Vector3(0.0523360, 0, 0.9986295), deviation: 0.1)
    let lost = "Lost: the laser, 3.0 deg beside z; headings are those of z"
    for form in Exports.all {
      #expect(
        Exports.notes(form, on: profile).contains(lost) != ["sap6", "distox", "json"].contains(form.name), "\(form)")
    }
  }

  /// A zero of 0.05 g tilts up by 2.86°, which at an inclination of 60° may cost tan 60° times as much of heading.
  /// Forms without a place for it, and for the sign, say so.
  @Test func whoDoesNotHoldTheAccelerometerSaysSo() throws {
    var profile = Self.symmetric
    profile.inclination = 60
    profile.forceCorrection.zero.x = 0.05
    let zero = "Lost: the accelerometer's zero, gain and skew, without which there are errors up to "
    let sign = "Lost: the accelerometer's sign"
    for form in Exports.all {
      let holds = ["arduino", "fusion", "sap6", "distox", "json"].contains(form.name)
      let notes = Exports.notes(form, on: profile)
      #expect(notes.contains { $0.hasPrefix(zero) && $0.hasSuffix(" deg of heading") } != holds, "\(form)")
      #expect(!notes.contains { $0.hasPrefix(sign) })
      var reversed = Self.symmetric
      reversed.accelerometerIsReversed = true
      let onReversed = Exports.notes(form, on: reversed)
      #expect(onReversed.contains { $0.hasPrefix(sign) } != holds, "\(form)")
      #expect(!onReversed.contains { $0.hasPrefix(zero) })
      let onPlain = Exports.notes(form, on: Self.symmetric)
      #expect(!onPlain.contains { $0.hasPrefix(zero) || $0.hasPrefix(sign) })
    }
    let note = try #require(Exports.notes(PX4Export.self, on: profile).first { $0.hasPrefix(zero) })
    let degrees = try #require(Double(note.dropFirst(zero.count).prefix { $0 != " " }))
    #expect(degrees > 4.8 && degrees < 8)
    profile.inclination = nil
    #expect(Exports.notes(PX4Export.self, on: profile).contains { $0.hasPrefix(zero) && $0.hasSuffix(" deg of tilt") })
  }

  /// The same frame; offsets are subtracted, in gauss.
  @Test func px4() throws {
    #expect(
      try lines(PX4Export.self, Self.symmetric) == [
        "1\t1\tCAL_MAG0_XOFF\t-0.302500\t9", "1\t1\tCAL_MAG0_YOFF\t0.125000\t9", "1\t1\tCAL_MAG0_ZOFF\t-0.040000\t9",
        "1\t1\tCAL_MAG0_XSCALE\t0.990000\t9", "1\t1\tCAL_MAG0_YSCALE\t1.020000\t9",
        "1\t1\tCAL_MAG0_ZSCALE\t0.990000\t9", "1\t1\tCAL_MAG0_XODIAG\t0.010000\t9",
        "1\t1\tCAL_MAG0_YODIAG\t-0.005000\t9", "1\t1\tCAL_MAG0_ZODIAG\t0.020000\t9",
      ])
  }

  /// A row vector less the centre, times the matrix, has the length 1: (1.02, 0.01, −0.02) is the first row for axes as
  /// they come, in a field of 1 µT, and for +y, +x, −z the centre is (−30.25, 12.5, −4).
  @Test func sap6() throws {
    var profile = Profile.example
    profile.fieldStrength = 1
    profile.axes = "y,x,-z"
    profile.forceCorrection = ForceCorrection(
      zero: Vector3(0.5, 0, 0), gain: Vector3(1.5, 1, 1), skew: Vector3(0.25, 0, 0))
    profile.inclination = 67
    let text = String(decoding: try SAP6Export.body(of: profile), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(text.contains(#""mag":{"axes":"+Y+X-Z","transform":[["#))
    #expect(text.contains(#""centre":[-30.25,12.5,-4]"#))
    #expect(
      text.contains(#""grav":{"axes":"-X-Y-Z","transform":[[1.5,0.25,0],[0.25,1,0],[0,0,1]],"centre":[-0.5,0,0]"#))
    #expect(text.contains(#""dip_avg":67"#))
    profile.axes = "x,y,z"
    let plain = String(decoding: try SAP6Export.body(of: profile), as: UTF8.self).filter { !$0.isWhitespace }
    #expect(plain.contains(#""transform":[[1.02,0.01,-0.02],"#))
  }

  @Test func fusion() throws {
    #expect(
      try lines(FusionExport.self, Self.accelerated(.example)) == [
        "const FusionMatrix softIronMatrix = "
          + "{{{1.02f, 0.03f, -0.02f}, {0.01f, 0.99f, 0.005f}, {-0.02f, 0.015f, 0.98f}}};",
        "const FusionVector hardIronOffset = {{12.5f, -30.25f, 4.0f}};",
        "const FusionMatrix accelerometerMisalignment = "
          + "{{{-1.5f, -0.25f, 0.0f}, {-0.25f, -1.0f, 0.0f}, {0.0f, 0.0f, -1.0f}}};",
        "const FusionVector accelerometerSensitivity = {{1.0f, 1.0f, 1.0f}};",
        "const FusionVector accelerometerOffset = {{0.5f, 0.0f, 0.0f}};",
      ])
  }

  @Test func arduino() throws {
    let lines = try lines(ArduinoExport.self, Self.accelerated(.example))
    #expect(lines.contains("static const float mag_hard_iron[3] = {12.5f, -30.25f, 4.0f};"))
    #expect(lines.contains("    {0.01f, 0.99f, 0.005f},"))
    #expect(lines.contains("static const float mag_field_strength = 48.5f;"))
    #expect(lines.contains("static const float acc_zero[3] = {0.5f, 0.0f, 0.0f};"))
    #expect(lines.contains("    {-1.5f, -0.25f, 0.0f},"))
  }

  /// The packet's layout and checksum, computed apart from this program.
  @Test func motionCal() throws {
    let packet: [UInt8] =
      [0x75, 0x54] + [UInt8](repeating: 0, count: 24)
      + [
        0x00, 0x00, 0x48, 0x41, 0x00, 0x00, 0xF2, 0xC1, 0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0x40, 0x42, 0x5C, 0x8F,
        0x82, 0x3F, 0xA4, 0x70, 0x7D, 0x3F, 0xA4, 0x70, 0x7D, 0x3F, 0x0A, 0xD7, 0x23, 0x3C, 0x0A, 0xD7, 0xA3, 0xBC,
        0x0A, 0xD7, 0xA3, 0x3B, 0x9A, 0x5B,
      ]
    #expect(MotionCalExport.body(of: Self.symmetric) == packet)
    for index in packet.indices {
      var flipped = packet
      flipped[index] ^= 0x10
      #expect(throws: ImportProblem.self) { try MotionCalExport.read(flipped) }
    }
    #expect(throws: ImportProblem.wrongLength(67, expected: 68)) { try MotionCalExport.read(Array(packet.dropLast())) }
  }

  /// The board repeats V and B in its line `Cal1:` and all nine numbers of W in `Cal2:`, here to four decimals.
  @Test func motionCalEcho() throws {
    var echo = try MotionCalEcho(packet: MotionCalExport.body(of: Self.symmetric))
    echo.take(line: "Raw:0,0,0,0,0,0,-18,33,-217")
    echo.take(line: "Cal1:0,0,0,0,0,0,0,0,0,50")
    #expect(!echo.isConfirmed && echo.saidOtherwise)
    echo.take(line: "Cal1:0.0000,0.0000,0.0000,0.0000,0.0000,0.0000,12.5000,-30.2500,4.0000,48.0000\r")
    #expect(!echo.isConfirmed)
    echo.take(line: "Cal2:1.0200,0.0100,-0.0200,0.0100,0.9900,0.0050,-0.0200,0.0050,0.9901")
    echo.take(line: "Cal2:nan,inf,,,,,,,")
    #expect(echo.isConfirmed)
    #expect(throws: ImportProblem.checksum) {
      try MotionCalEcho(packet: [0x75, 0x54] + [UInt8](repeating: 1, count: 66))
    }
  }

  /// Turned to forward, right, down; B in gauss; the checksum of the manual's own example,
  /// `$VNRRG,23,1,0,0,0,1,0,0,0,1,0,0,0*73`, is made the same way.
  @Test func vectorNav() throws {
    #expect(
      try lines(VectorNavExport.self, .example) == [
        "$VNWRG,23,0.990000,0.010000,-0.005000,0.030000,1.020000,0.020000,-0.015000,0.020000,0.980000,"
          + "-0.302500,0.125000,-0.040000*70"
      ])
  }

  @Test(arguments: Exports.imports.map { $0.name })
  func readsBackWhatItWrote(_ name: String) throws {
    let form = try #require(Exports.imports.first { $0.name == name })
    let file = try Exports.file(form, of: Self.symmetric)
    let correction: Correction
    switch try form.read(file) {
    case .profile(let profile): correction = profile.correction
    case .correction(let read, _): correction = read
    }
    #expect((correction.hardIron - Self.symmetric.correction.hardIron).length < 1e-4)
    for row in 0..<3 {
      #expect((correction.softIron[row] - Self.symmetric.correction.softIron[row]).length < 2e-6)
    }
  }

  @Test(arguments: Exports.imports.map { $0.name })
  func refusesWhatIsNoneOfItsFiles(_ name: String) throws {
    let form = try #require(Exports.imports.first { $0.name == name })
    for text in ["", "\u{0}\u{1b}", "COMPASS_OFS_X,", "1\t1\tCAL_MAG0_XOFF\tnan\t9", "{}"] {
      #expect(throws: ImportProblem.self) { try form.read(Array(text.utf8)) }
    }
  }

  // MARK: What symmetric targets cannot hold

  /// P makes the same field strength of every raw field as S does.
  @Test func symmetricFormKeepsEveryLength() {
    var profile = Profile.example
    profile.correction.softIron = Matrix3(
      Vector3(0.9, 0.3, -0.1), Vector3(-0.2, 1.1, 0.25), Vector3(0.15, -0.1, 0.8))
    let form = SymmetricForm(of: profile)
    for raw in [Vector3(20, -7, 41), Vector3(-35, 12, 3), Vector3(1, 2, -50)] {
      let full = profile.correction.apply(to: MagneticField(microtesla: raw)).field.strength
      #expect(abs((form.softIron * (raw - form.hardIron)).length - full) < 1e-9)
    }
    #expect(form.softIron.offDiagonal == form.softIron.transposed.offDiagonal)
  }

  /// A pure turn of 2° leaves P the identity, and at a dip of 60° may cost 2° / cos 60° = 4° of heading.
  @Test func lostTurnIsSaid() {
    var profile = Profile.example
    profile.inclination = 60
    profile.correction.softIron = Matrix3(rotation: Vector3(Angle.radians(2), 0, 0))
    let form = SymmetricForm(of: profile)
    #expect(abs(form.lostTurn - 2) < 1e-9)
    #expect(abs((form.lostHeading ?? 0) - 4) < 1e-9)
    #expect(abs(form.softIron.row0.x - 1) < 1e-12 && abs(form.softIron.row1.z) < 1e-12)
    for target in [
      ArduPilotExport.notes(on: profile), PX4Export.notes(on: profile), MotionCalExport.notes(on: profile),
    ] {
      #expect(target.contains { $0.contains("2.00 deg") && $0.contains("4.00 deg of heading") })
    }
  }

  /// A chip turned by a quarter: axes `y,-x,z`. Its +y is the device's +x, right; its −x the device's +y, forward.
  @Test func axisMapIsFollowedIntoTheBodyFrame() throws {
    var profile = Self.symmetric
    profile.axes = "y,-x,z"
    let axes = try Mounting(profile.axes).matrix
    profile.correction.softIron = axes * Matrix3(diagonal: Vector3(1.1, 1.2, 1.3))
    profile.correction.hardIron = Vector3(10, 20, 30)
    let lines = try lines(PX4Export.self, profile)
    #expect(lines[0] == "1\t1\tCAL_MAG0_XOFF\t-0.100000\t9")
    #expect(lines[1] == "1\t1\tCAL_MAG0_YOFF\t0.200000\t9")
    #expect(lines[2] == "1\t1\tCAL_MAG0_ZOFF\t-0.300000\t9")
    #expect(lines[3...5].map { $0.split(separator: "\t")[3] } == ["1.100000", "1.200000", "1.300000"])
    #expect(SymmetricForm(of: profile).lostTurn < 1e-9)
  }

  // MARK: Notes

  @Test func poorAndPartialCalibrationsSaySo() throws {
    var profile = Self.symmetric
    profile.quality.verdict = .poor
    profile.quality.kind = .normOnly
    profile.quality.headingErrorDegrees = nil
    profile.countsPerMicrotesla = 10
    for form in Exports.all where form.comment != nil {
      let text = String(decoding: try Exports.file(form, of: profile), as: UTF8.self)
      #expect(text.contains("POOR, heading error unknown"))
      #expect(text.contains("Norm-only"))
    }
  }

  @Test func commentsCannotBeLeft() throws {
    var profile = Self.symmetric
    profile.countsPerMicrotesla = 10
    profile.device = "a\nCOMPASS_OFS_X,99\\\r\u{2028}\u{1b}[31m\\"
    for form in Exports.all {
      guard let comment = form.comment else { continue }
      let text = String(decoding: try Exports.file(form, of: profile), as: UTF8.self)
      let header = text.split(separator: "\n").prefix { $0.hasPrefix(comment) }
      #expect(header.count == Exports.notes(form, on: profile).count)
      #expect(!text.contains("\u{1b}") && !text.contains("\\") && !text.contains("\r"))
    }
  }

  @Test func nothingIsExportedThatIsNoCalibration() {
    var profile = Self.symmetric
    profile.correction.hardIron.x = .nan
    for form in Exports.all { #expect(throws: ProfileProblem.self) { try Exports.file(form, of: profile) } }
  }
}
