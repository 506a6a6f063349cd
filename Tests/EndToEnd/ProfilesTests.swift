import Support
import Testing

/// `lodestone profiles`, through the built command.
@Suite(.waiting) struct ProfilesTests {
  /// Runs the command with a store and a folder of its own.
  private struct Scene {
    let folder: String
    var environment: [String: String] { ["XDG_DATA_HOME": folder + "/data"] }

    func run(_ arguments: String..., shell: String = #"exec "$@""#) throws -> CommandRun {
      try CommandRun.lodestone(
        ["profiles"] + arguments.map { $0.replacing("FOLDER", with: folder) }, environment: environment, shell: shell)
    }

    func write(_ text: String, to name: String) throws {
      try CommandRun.write(text, to: folder + "/" + name)
    }
  }

  private func scene(_ body: (Scene) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let scene = Scene(folder: folder)
      try scene.write(Self.profile, to: "good.json")
      try body(scene)
    }
  }

  @Test func importsListsShowsAndRemoves() throws {
    try scene { scene in
      let empty = try scene.run("list")
      #expect(empty.exitCode == 0 && empty.text == "")
      let imported = try scene.run("import", "FOLDER/good.json", "--from", "json")
      #expect(imported.exitCode == 0 && imported.text == "")
      #expect(try scene.run().text.contains("usb:serial=ABC123"))
      #expect(try scene.run("show").text.contains("heading error 0.31° RMS"))
      #expect(try scene.run("show", "--json").text.contains("\"field_uT\": 48"))
      #expect(try scene.run("list", "--json").text.contains("\"heading_error_deg\": 0.31"))
      #expect(try scene.run("remove", "usb:serial=ABC123").exitCode == 0)
      #expect(try scene.run("list", "--json").text == "[]\n")
    }
  }

  /// `-` is standard output here as everywhere, and no file of that name.
  @Test func aProfileGoesToStandardOutput() throws {
    try scene { scene in
      let inFolder = #"cd "$FOLDER" && exec "$@""#.replacing("$FOLDER", with: scene.folder)
      let exported = try scene.run("export", "good.json", "--for", "json", "--output", "-", shell: inFolder)
      #expect(exported.exitCode == 0 && exported.text.contains("\"field_uT\": 48"), "\(exported.errors)")
      let imported = try scene.run("import", "good.json", "--from", "json", "--output", "-", shell: inFolder)
      #expect(imported.exitCode == 0 && imported.text == exported.text && imported.errors == "", "\(imported.errors)")
      let listed = try scene.run("show", "./-", shell: inFolder)
      #expect(listed.exitCode == 66, "\(listed.text)")
      let calibrated = try CommandRun.lodestone(["calibrate", "sim:", "--profile", "-"], shell: inFolder)
      #expect(calibrated.exitCode == 64 && calibrated.errors.contains("a profile is saved to a file"))
    }
  }

  /// One that cannot be read is listed by a name that other commands take.
  @Test func aBrokenOneIsRemovedByTheNameInTheList() throws {
    try scene { scene in
      try scene.write(Self.profile.replacing("usb:serial=ABC123", with: "/tmp/dev 0"), to: "path.json")
      _ = try scene.run("import", "FOLDER/path.json", "--from", "json")
      try CommandRun.write("{", to: String(try scene.run("path", "/tmp/dev 0").text.dropLast()))
      #expect(try scene.run("list").text.hasPrefix("/tmp/dev 0  @1"))
      #expect(try scene.run("list", "--json").text.contains("\"device\": \"/tmp/dev 0\""))
      #expect(try scene.run("remove", "/tmp/dev 0").exitCode == 0)
      #expect(try scene.run("list").text.isEmpty)
    }
  }

  /// What cannot be saved is the import's fault, and none of what is saved already.
  @Test func whatNoProfileHoldsIsNotImported() throws {
    try scene { scene in
      try scene.write("COMPASS_OFS_X,10\nCOMPASS_OFS_Y,1\nCOMPASS_OFS_Z,1\n", to: "b.param")
      let run = try scene.run(
        "import", "FOLDER/b.param", "--from", "ardupilot", "--device", "sim:", "--field-strength", "1e300")
      #expect(run.exitCode == 65 && run.errors.contains("b.param as ardupilot: field_uT must be"), "\(run.errors)")
      #expect(!run.errors.contains("remove"), "\(run.errors)")
    }
  }

  @Test func keepsEarlierOnes() throws {
    try scene { scene in
      _ = try scene.run("import", "FOLDER/good.json", "--from", "json")
      _ = try scene.run("import", "FOLDER/good.json", "--from", "json")
      #expect(try scene.run("path", "usb:serial=ABC123").text.hasSuffix("/0002.json\n"))
      #expect(try scene.run("path", "usb:serial=ABC123@1").text.hasSuffix("/0001.json\n"))
      _ = try scene.run("remove", "usb:serial=ABC123")
      #expect(try scene.run("path", "usb:serial=ABC123").text.hasSuffix("/0001.json\n"))
    }
  }

  /// A saved calibration that cannot be read is named by its file.
  @Test func aBrokenFileIsNamed() throws {
    try scene { scene in
      for _ in 1...2 { _ = try scene.run("import", "FOLDER/good.json", "--from", "json") }
      let path = String(try scene.run("path", "usb:serial=ABC123").text.dropLast())
      try #require(path.hasSuffix("/0002.json"))
      try CommandRun.write("{\"format\": ", to: path)
      let shown = try scene.run("show", "usb:serial=ABC123")
      #expect(shown.exitCode == 65 && shown.errors.contains("\(path): not JSON"), "\(shown.errors)")
      let used = try CommandRun.lodestone(
        ["heading", "sim:", "--count", "1", "--profile", "usb:serial=ABC123"], environment: scene.environment)
      #expect(used.exitCode == 65 && used.errors == shown.errors, "\(used.errors)")
    }
  }

  /// Every form goes out, and those with an import come back as the same calibration.
  @Test(arguments: ["motioncal", "ardupilot", "px4", "json"])
  func exportsAndImports(_ form: String) throws {
    try scene { scene in
      let exported = try scene.run("export", "FOLDER/good.json", "--for", form, "--output", "FOLDER/out")
      #expect(exported.exitCode == 0)
      let imported = try scene.run(
        "import", "FOLDER/out", "--from", form, "--device", "b", "--field-strength", "48", "--output", "FOLDER/b.json")
      #expect(imported.exitCode == 0)
      let compared = try scene.run("compare", "FOLDER/good.json", "FOLDER/b.json")
      #expect(compared.text.contains("total 0.00 µT"))
      #expect(compared.text.contains("rotated by 0.00°"))
      #expect(compared.text.contains("Headings   0.00° RMS"))
    }
  }

  @Test func motionCalPacketIsBytesAlone() throws {
    try scene { scene in
      let exported = try scene.run("export", "FOLDER/good.json", "--for", "motioncal")
      #expect(exported.output.count == 68)
      #expect(exported.errors.contains("Quality: good"))
    }
  }

  @Test(arguments: [
    (["show", "FOLDER/none.json"], 66, "no such file"), (["show", "nothing"], 66, "no profile of nothing"),
    (["show"], 66, "no profiles are saved"), (["show", "FOLDER/corrupt.json"], 65, "not JSON"),
    (["show", "FOLDER/newer.json"], 65, "version 7 is newer"),
    (["export", "FOLDER/good.json", "--for", "nothing"], 64, "no form named nothing"),
    (["import", "FOLDER/good.json", "--from", "motioncal"], 65, "bytes instead of 68"),
    (["import", "FOLDER/good.json", "--from", "px4", "--device", "b"], 65, "CAL_MAG0_XOFF is missing"),
    (["export", "FOLDER/good.json", "--for", "px4", "--output", "/dev/full"], 74, "no space left"),
    (["export", "FOLDER/good.json", "--for", "px4", "--output", "FOLDER/none/x"], 66, "no such file or folder"),
    (["export", "FOLDER/good.json", "--for", "betaflight"], 65, "it is in µT"),
    (["export", "FOLDER/good.json", "--for", "inav"], 65, "calibrate the flight controller's own compass"),
    (["import", "FOLDER/good.json", "--from", "json", "--field-strength", "-5"], 64, "must be more than 0 µT"),
    (["remove"], 64, "device"),
  ])
  func saysWhatIsWrong(_ arguments: [String], _ exitCode: Int, _ message: String) throws {
    try scene { scene in
      try scene.write("{\"format\": ", to: "corrupt.json")
      try scene.write(Self.profile.replacing("\"version\": 1", with: "\"version\": 7"), to: "newer.json")
      let run = try CommandRun.lodestone(
        ["profiles"] + arguments.map { $0.replacing("FOLDER", with: scene.folder) }, environment: scene.environment)
      #expect(run.exitCode == Int32(exitCode))
      #expect(run.text == "")
      #expect(run.errors.hasPrefix("Error: ") && run.errors.contains(message))
      #expect(run.errors.split(separator: "\n").count <= 2)
    }
  }

  /// A limit on the size of files stops the write half way, as a full disk does.
  @Test func fullDiskLeavesTheOldFile() throws {
    try scene { scene in
      let limited = #"trap "" XFSZ; ulimit -f 1; exec "$@""#
      try scene.write(String(repeating: "x", count: 100), to: "out")
      let large = Self.profile.replacing("\"It was warm\"", with: "\"" + String(repeating: "w", count: 3000) + "\"")
      try scene.write(large, to: "large.json")
      let run = try scene.run(
        "export", "FOLDER/large.json", "--for", "json", "--output", "FOLDER/out", shell: limited)
      #expect(run.exitCode == 74)
      #expect(try CommandRun.contents(of: scene.folder + "/out").count == 100)
      #expect(try scene.run("import", "FOLDER/large.json", "--from", "json", shell: limited).exitCode == 74)
      #expect(try scene.run("list", "--json").text == "[]\n")
    }
  }

  @Test func closedPipeAndFullOutputEnd() throws {
    try scene { scene in
      let closed = try scene.run("show", "FOLDER/good.json", shell: #"{ "$@"; echo $? >&2; } | true"#)
      #expect(closed.errors == "0\n")
      #expect(try scene.run("show", "FOLDER/good.json", shell: #"exec "$@" > /dev/full"#).exitCode == 74)
    }
  }

  @Test func terminalIsNotCommanded() throws {
    try scene { scene in
      let evil = Self.profile.replacing("usb:serial=ABC123", with: #"a\u001b[31m\nb\u0007"#)
        .replacing("It was warm", with: #"\u001b]0;title\u0007"#)
      try scene.write(evil, to: "evil.json")
      _ = try scene.run("import", "FOLDER/evil.json", "--from", "json")
      for arguments in [["list"], ["show"], ["list", "--json"], ["show", "--json"], ["export", "--for", "arduino"]] {
        let run = try CommandRun.lodestone(["profiles"] + arguments, environment: scene.environment)
        #expect(run.exitCode == 0)
        #expect(!run.output.contains { $0 < 0x20 && $0 != 0x0a })
        #expect(!run.errors.utf8.contains { $0 < 0x20 && $0 != 0x0a })
      }
    }
  }

  /// The header compiles without a warning and corrects as the profile does: 1.02 · 10 + 0.01 · 20 − 0.02 · 30 = 9.8.
  @Test func arduinoHeaderCompiles() throws {
    try scene { scene in
      _ = try scene.run("export", "FOLDER/good.json", "--for", "arduino", "--output", "FOLDER/calibration.h")
      try scene.write(
        """
        #include <stdio.h>
        #include "calibration.h"
        int main(void) {
          const float raw[3] = {22.5f, -10.25f, 34.0f};
          float b[3];
          mag_calibrate(raw, b);
          printf("%.3f %.3f %.3f\\n", b[0], b[1], b[2]);
          return mag_field_strength == 48.0f ? 0 : 1;
        }
        """, to: "main.c")
      let folder = scene.folder
      let run = try scene.run(
        shell: "cc -std=c99 -Wall -Wextra -Werror -o \(folder)/main \(folder)/main.c && exec \(folder)/main")
      #expect(run.errors == "")
      #expect(run.text == "9.800 20.050 29.600\n")
    }
  }

  /// A reversed accelerometer that reads 0.02 g too much along x, and along z 1 % too little: face up, at rest, it
  /// reads (0.02, 0, −1 / 1.01).
  @Test func arduinoHeaderCorrectsTheAccelerometer() throws {
    try scene { scene in
      let accelerometer = """
        "accelerometer_reversed": true, "accelerometer_zero_g": [0.02, 0, 0], "accelerometer_gain": [1, 1, 1.01],
          "noise_uT": 0.3
        """
      try scene.write(Self.profile.replacing("\"noise_uT\": 0.3", with: accelerometer), to: "turned.json")
      _ = try scene.run("export", "FOLDER/turned.json", "--for", "arduino", "--output", "FOLDER/turned.h")
      try scene.write(
        """
        #include <stdio.h>
        #include "turned.h"
        int main(void) {
          const float raw[3] = {0.02f, 0.0f, -0.990099f};
          float force[3];
          acc_calibrate(raw, force);
          printf("%.3f\\n", force[2]);
          return force[0] * force[0] + force[1] * force[1] < 1e-10f ? 0 : 1;
        }
        """, to: "turned.c")
      let folder = scene.folder
      let run = try scene.run(
        shell: "cc -std=c99 -Wall -Wextra -Werror -o \(folder)/turned \(folder)/turned.c && exec \(folder)/turned")
      #expect(run.errors == "" && run.exitCode == 0)
      #expect(run.text == "1.000\n")
      let compared = try scene.run("compare", "FOLDER/good.json", "FOLDER/turned.json")
      #expect(compared.text.contains("one of the profiles takes it for reversed"), "\(compared.text)")
    }
  }

  static let profile = """
    {
      "format": "lodestone-profile", "version": 1,
      "device": "usb:serial=ABC123", "created": "2026-01-01T00:00:00Z",
      "hard_iron_uT": [12.5, -30.25, 4],
      "soft_iron": [[1.02, 0.01, -0.02], [0.01, 0.99, 0.005], [-0.02, 0.005, 0.99]],
      "field_uT": 48, "inclination_deg": 64.5, "axes": "x,y,z", "noise_uT": 0.3, "parameters": [], "covariance": [],
      "quality": {
        "verdict": "good", "kind": "full", "heading_error_deg": 0.31, "heading_error_level_deg": 0.2,
        "misalignment": "solved", "samples": 3000, "rests": 8, "coverage_percent": 93.5, "residual_uT": 0.32,
        "ignored": [{"from_s": 23, "to_s": 27, "reason": "the field changed by 15 µT"}],
        "warnings": ["It was warm"]
      }
    }

    """
}
