import Support
import Testing

/// The page that a user pastes into a report: what helps, and nothing private.
@Suite struct DoctorTests {
  @Test func thePageHoldsWhatHelpsAndNothingPrivate() throws {
    try TemporaryFolder.with { folder in
      let made = try CommandRun.lodestone(
        ["calibrate", "--device", PackageFolder.root + "Calibration/examples/figure-eight.csv", "--quiet"],
        environment: ["XDG_DATA_HOME": folder])
      #expect(made.exitCode == 0, "\(made.errors)")
      let settings = """
        at = [48.2, 16.37]
        broker = "mqtt://anna@broker.local"
        [devices]
        boat = "mqtt://anna@broker.local/boat"
        log = "\(folder)/log.csv"
        """
      try CommandRun.write(settings, to: folder + "/lodestone/config.toml")
      let run = try CommandRun.lodestone(
        ["doctor"],
        environment: [
          "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "HOME": folder, "LODESTONE_MQTT_PASSWORD": "geheim",
          "LODESTONE_MQTT_PASSWORD_FILE": folder + "/password",
        ])
      #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
      for word in [
        "Lodestone ", "Linux ", "glibc ", "libusb ", "udev rules", "Devices", "Calibrations", "Settings",
        "LODESTONE_MQTT_PASSWORD ", "LODESTONE_MQTT_PASSWORD_FILE ",
      ] {
        #expect(run.text.contains(word), "\(word): \(run.text)")
      }
      #expect(run.text.contains("less than a minute old, good (full), heading error 0."), "\(run.text)")
      #expect(run.text.contains("8 rests") && run.text.contains("mqtt://…@broker.local/boat"), "\(run.text)")
      for secret in ["anna", "geheim", "48.2", "16.37", folder] { #expect(!run.text.contains(secret), "\(run.text)") }
      #expect(run.text.split(separator: "\n").count < 60)
    }
  }
}
