import Support
import Testing

/// What a device computed of its own field and force is what we compute of them: signs and axes are as they are taken.
@Suite(.waiting) struct AgreementTests {
  private func heading(_ bytes: [UInt8], protocol name: String) throws -> String {
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: bytes, to: folder + "/capture")
      let result = try CommandRun.lodestone([
        "heading", "--device", folder + "/capture?protocol=" + name, "--format", "json", "--profile", "none",
        "--pointing", "top",
      ])
      return String(try #require(result.lines.first, "\(result.errors)"))
    }
  }

  private func bytes(_ hexadecimal: String) -> [UInt8] {
    hexadecimal.split { $0 == " " || $0 == "\n" }.compactMap { UInt8($0, radix: 16) }
  }

  /// A TRAX that lay almost level and said 141.03°, pitch 1.14°, roll 0.44°.
  @Test func pni() throws {
    let frame = """
      00 46 05 0E 05 43 0D 08 3B 18 3F 91 BC D8 19 3E DF 4D E9 4F 00 08 00 15 BC A4 08 C0 16 3B FB 4D AB 17
      3F 80 F5 08 1B C1 6E A4 37 1C C1 2D 31 27 1D 42 51 3D 4F 4A 00 00 00 00 4B 00 00 00 00 4C 00 00 00 00
      3B 79
      """
    let line = try heading(bytes(frame), protocol: "pni")
    #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 141.03) < 0.1, "\(line)")
    #expect(abs((value("pitch_deg", in: line) ?? .nan) - 1.14) < 0.05, "\(line)")
    #expect(abs((value("roll_deg", in: line) ?? .nan) - 0.44) < 0.05, "\(line)")
  }

  /// An MTi-300 ("XSens Golden Packets", example 1) south of the equator: its quaternion, which we do not read, is a
  /// yaw of −7.1° from east, a pitch of 0.5° about an axis to the left, which is nose down, and a roll of −1.0°. Its
  /// field was not calibrated.
  @Test func xbus() throws {
    let frame = """
      FA FF 36 25 C0 20 0C BE 99 9C 24 3F B6 1B 56 3F 16 6A EB 40 20 0C BD A2 1A F8 BE 2A 8E 96 41 1D 27 A2 10 60 04
      00 57 47 2E 43
      """
    let line = try heading(bytes(frame), protocol: "xbus")
    #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 97.1) < 6, "\(line)")
    #expect(abs((value("pitch_deg", in: line) ?? .nan) + 0.5) < 0.2, "\(line)")
    #expect(abs((value("roll_deg", in: line) ?? .nan) + 1.0) < 0.2, "\(line)")
  }

  /// A VN-100 that said 100.9°, pitch −7.3°, roll 0.7°, by a filter that lags its field by some degrees.
  @Test func vectorNav() throws {
    let text =
      "$VNYMR,+100.949,-007.330,+000.715,-00.0049,-00.2449,+00.5397,-01.258,-00.100,-09.701,"
      + "-00.000018,+00.001122,-00.000551*69\r\n"
    let line = try heading(Array(text.utf8), protocol: "vectornav")
    #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 100.9) < 6, "\(line)")
    #expect(abs((value("pitch_deg", in: line) ?? .nan) + 7.33) < 0.2, "\(line)")
    #expect(abs((value("roll_deg", in: line) ?? .nan) - 0.715) < 0.2, "\(line)")
  }
}
