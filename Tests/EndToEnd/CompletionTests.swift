import Support
import Testing

/// Completions that bash offers while somebody types.
@Suite struct CompletionTests {
  /// The words offered for the last of some.
  private static func offers(_ words: [String], in folder: String) throws -> [String] {
    let script = """
      lodestone=$1; shift
      "$lodestone" --generate-completion-script bash > \(folder)/completion
      . \(folder)/completion
      cd \(folder)
      COMP_WORDS=("$lodestone" "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _lodestone "$lodestone" "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try CommandRun.write(script, to: folder + "/script")
    let run = try CommandRun.lodestone(
      words, environment: ["XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder],
      shell: "exec bash \(folder)/script \"$@\"")
    return run.text.split(separator: "\n").map { String($0).filter { $0 != " " } }.filter { !$0.isEmpty }
  }

  @Test func valuesAreOffered() throws {
    try TemporaryFolder.with { folder in
      let formats = try Self.offers(["heading", "--format", ""], in: folder)
      #expect(formats.contains("signalk") && formats.contains("iaga2002"), "\(formats)")
      #expect(try Self.offers(["heading", "--format", "in"], in: folder) == ["influx"])
      #expect(try Self.offers(["level", "--format", ""], in: folder) == ["text", "json", "csv", "influx"])
      #expect(try Self.offers(["motion", "--on", "sh"], in: folder) == ["shake"])
      #expect(try Self.offers(["simulate", "--protocol", "wit"], in: folder) == ["witmotion"])
      #expect(try Self.offers(["hea"], in: folder) == ["heading"])
      #expect(try Self.offers(["profiles", "export", "--for", "ardu"], in: folder) == ["arduino", "ardupilot"])
      try CommandRun.write("", to: folder + "/ride.csv")
      for words in [["calibrate", "--plot"], ["swing", "--marks"], ["batch", "heading"], ["profiles", "import"]] {
        #expect(try Self.offers(words + ["rid"], in: folder) == ["ride.csv"], "\(words)")
      }
    }
  }

  /// Names that the user has set, what is attached, recordings; and the devices that have a calibration.
  @Test func devicesAndProfilesAreOffered() throws {
    try TemporaryFolder.with { folder in
      let made = try CommandRun.lodestone(
        ["calibrate", "--device", PackageFolder.root + "Calibration/examples/figure-eight.csv", "--quiet"],
        environment: ["XDG_DATA_HOME": folder],
        shell:
          "mkdir \(folder)/lodestone; echo 'devices = { boat = \"usb:\" }' > \(folder)/lodestone/config.toml; exec \"$@\""
      )
      #expect(made.exitCode == 0, "\(made.errors)")
      try CommandRun.write("", to: folder + "/ride.csv")
      let devices = try Self.offers(["heading", "--device", ""], in: folder)
      #expect(devices.contains("boat") && devices.contains("sim:") && devices.contains("ride.csv"), "\(devices)")
      #expect(try Self.offers(["heading", "--device", "bo"], in: folder) == ["boat"])
      let profiles = try Self.offers(["heading", "--profile", ""], in: folder)
      #expect(profiles.contains("none") && profiles.count > 2, "\(profiles)")
    }
  }
}
