import Support
import Testing

/// `lodestone profiles verify`, through the built command.
@Suite(.waiting) struct ProfilesVerifyTests {
  /// A profile of the virtual breakout number 3, in a folder of its own.
  private func scene(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let made = try CommandRun.lodestone([
        "calibrate", "--device", "sim:?motion=figure-eight&sensor=3&seed=7&speed=max", "--duration", "62", "--profile",
        folder + "/board.json",
      ])
      try #require(made.exitCode == 0, "\(made.errors)")
      try body(folder)
    }
  }

  private func verify(_ query: String, _ folder: String, _ more: String...) throws -> CommandRun {
    try CommandRun.lodestone(
      [
        "profiles", "verify", "--device", "sim:?sensor=3&seed=8&speed=max&\(query)", "--profile",
        folder + "/board.json",
      ]
        + more)
  }

  @Test func fitsTheBoardItWasMadeFor() throws {
    try scene { folder in
      let before = try CommandRun.contents(of: folder + "/board.json")
      let run = try verify("motion=figure-eight", folder, "--duration", "60")
      #expect(run.exitCode == 0 && run.errors == "")
      #expect(run.text.hasPrefix("The calibration fits. It is less than a minute old.\n"))
      let json = try verify("motion=still", folder, "--json").text
      #expect(json.contains("\"fits\": true") && json.contains("\"was_turned\": false"))
      #expect(json.contains("\"samples\": 1000"))  // 20 s at 50 Hz
      #expect(try CommandRun.contents(of: folder + "/board.json") == before)
    }
  }

  @Test func samplesAreThinned() throws {
    try scene { folder in
      let recording = folder + "/still.csv"
      _ = try CommandRun.lodestone(
        ["record", "sim:?sensor=3&seed=8&speed=max&motion=still", "--duration", "20", "--output", recording])
      let run = try CommandRun.lodestone(
        ["profiles", "verify", recording, "--profile", folder + "/board.json", "--json", "--rate", "5"])
      #expect(run.text.contains("\"samples\": 100"), "\(run.text)")
    }
  }

  /// Hard iron of 36 µT instead of 30 µT: 6 µT more along one direction, ±6/48 of the field as the board is turned.
  @Test(arguments: [
    ("motion=figure-eight&hard=36", "its strength varies by"), ("motion=still&field=44", "too weak"),
    ("motion=still&dip=60", "its inclination is "),
  ])
  func saysWhatDoesNotFit(_ query: String, _ reason: String) throws {
    try scene { folder in
      let run = try verify(query, folder)
      #expect(run.exitCode == 65)
      #expect(run.text.hasPrefix("The calibration does not fit."))
      #expect(run.errors.hasPrefix("Error: the calibration does not fit: ") && run.errors.contains(reason))
      #expect(run.errors.split(separator: "\n").count == 2)
      let json = try verify(query, folder, "--json")
      #expect(json.exitCode == 65 && json.text.contains("\"fits\": false"))
    }
  }

  /// A live device has to be turned meanwhile.
  @Test func saysWhatToDoMeanwhile() throws {
    try scene { folder in
      let run = try CommandRun.lodestone([
        "profiles", "verify", "--device", "sim:?sensor=3&motion=figure-eight", "--duration", "1", "--profile",
        folder + "/board.json",
      ])
      #expect(run.errors == "lodestone: turn the device through all directions for 1 s\n" && run.exitCode == 0)
    }
  }

  /// One sample, which has no spread, was said to fit.
  @Test func fewSamplesSayNothing() throws {
    try scene { folder in
      for (count, words) in [("1", "1 sample"), ("9", "9 samples")] {
        let run = try verify("motion=figure-eight", folder, "--count", count, "-q")
        #expect(run.exitCode == 65 && run.text == "", "\(run.text)")
        #expect(run.errors.hasPrefix("Error: nothing to verify: only \(words) of sim-3's field came\n"))
        #expect(run.errors.contains("Hint: it takes 10 or more"), "\(run.errors)")
      }
      #expect(try verify("motion=figure-eight", folder, "--count", "10").exitCode == 0)
    }
  }

  @Test func saysWhatIsMissing() throws {
    try scene { folder in
      let none = try CommandRun.lodestone(["profiles", "verify", "--device", "sim:?speed=max", "--profile", "none"])
      #expect(none.exitCode == 66 && none.errors.contains("no calibration of sim-1"))
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n", to: folder + "/empty.csv")
      let empty = try CommandRun.lodestone([
        "profiles", "verify", "--device", folder + "/empty.csv", "--profile", folder + "/board.json",
      ])
      #expect(empty.exitCode == 65 && empty.text == "")
    }
  }
}
