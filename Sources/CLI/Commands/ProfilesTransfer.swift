import ArgumentParser
import Calibration
import LodestoneCore
import Glibc
import Instruments
import Lodestone
import LodestonePorts

extension ProfilesCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a calibration in the form another program takes.",
      discussion: Exports.all.map { "\($0.name): \($0.title)" }.joined(separator: "\n"))
    @OptionGroup var selection: ProfileSelection
    @Option(
      name: .customLong("for"),
      help: ArgumentHelp("The program: \(Exports.all.map { $0.name }.joined(separator: ", ")).", valueName: "program"),
      completion: .list(Exports.all.map { $0.name }))
    var form: String
    @Option(name: .shortAndLong, help: .output, completion: .file())
    var output: String?

    func run() throws {
      guard let form = Exports.named(form) else {
        throw Failure(
          .usage, "no form named \(form)", hint: "one of \(Exports.all.map { $0.name }.joined(separator: ", "))")
      }
      let (profile, path) = try selection.resolved()
      let bytes: [UInt8]
      do { bytes = try Exports.file(form, of: profile) } catch {
        throw Failure(.profile(path: path, error), to: "export")
      }
      if form.comment == nil && form.name != "json" {
        for note in Exports.notes(form, on: profile) { writeToStandardError("\(note.harmless)\n") }
      }
      try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws {
      guard let output, output != "-" else {
        guard isatty(STDOUT_FILENO) == 0 || !bytes.contains(0) else {
          throw Failure(.usage, "refusing to write binary to a terminal", hint: "add --output FILE")
        }
        return try writeToStandardOutput(bytes)
      }
      do { try AtomicFile.write(bytes, to: output) } catch { throw Failure(error, to: "write") }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Save a calibration that another program made.",
      discussion: """
        It becomes the device's active profile. Its accuracy was not measured, so it counts as poor.
        \(Exports.imports.map { "\($0.name): \($0.title)" }.joined(separator: "\n"))
        """)
    @Argument(help: "The other program's file, or - for standard input.", completion: .file()) var file: String
    @Option(
      name: .customLong("from"),
      help: ArgumentHelp(
        "The program: \(Exports.imports.map { $0.name }.joined(separator: ", ")).", valueName: "program"),
      completion: .list(Exports.imports.map { $0.name }))
    var form: String
    @Option(
      help: ArgumentHelp(
        "The device it belongs to: its address, or its name in lodestone profiles list.", valueName: "address"),
      completion: .profiles)
    var device: String?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The strength of the field where it was made, in µT, for forms without it.", valueName: "microtesla"))
    var fieldStrength: Double?
    @Option(
      name: .shortAndLong, help: ArgumentHelp("Write the profile to a file instead of saving it.", valueName: "file"),
      completion: .file())
    var output: String?

    func validate() throws {
      if let fieldStrength, !(fieldStrength > 0 && fieldStrength.isFinite) {
        throw ValidationError("--field-strength \(OptionRange.typed(fieldStrength)): must be more than 0 µT")
      }
    }

    func run() throws {
      guard let form = Exports.imports.first(where: { $0.name == form }) else {
        throw Failure(
          .usage, "no form named \(form)", hint: "one of \(Exports.imports.map { $0.name }.joined(separator: ", "))")
      }
      let profile = try profile(from: try read(), form)
      let json: [UInt8]
      do { json = try profile.json() } catch {
        throw Failure(ImportProblem.profile(error), path: file, form: form.name)
      }
      if output == "-" { return try writeToStandardOutput(json) }
      let path: String
      if let output {
        path = output
        try worded(to: "save") { () throws(ProfileStoreProblem) in try profile.write(to: output) }
      } else {
        let store = try ProfileStore.required()
        path = try worded(to: "save") { () throws(ProfileStoreProblem) in try store.save(profile) }
      }
      writeToStandardError("Saved \(path.harmless)\n")
    }

    private func read() throws -> [UInt8] {
      do { return try AtomicFile.read(file == "-" ? "/dev/stdin" : file, limit: Profile.sizeLimit) } catch {
        throw Failure(error, to: "read")
      }
    }

    private func profile(from bytes: [UInt8], _ form: any ProfileImport.Type) throws -> Profile {
      let imported: ImportedCalibration
      do { imported = try form.read(bytes) } catch { throw Failure(error, path: file, form: form.name) }
      switch imported {
      case .profile(var profile):
        if let device { profile.device = try identity(of: device) }
        return profile
      case .correction(let correction, let told):
        guard let device else { throw Failure(.usage, "\(form.name) does not name the device", hint: "add --device") }
        guard let strength = fieldStrength ?? told else {
          throw Failure(
            .usage, "\(form.name) does not contain the field's strength",
            hint: "add --field-strength, in µT; lodestone declination gives it for a place")
        }
        return Profile(
          imported: correction, fieldStrength: strength, device: try identity(of: device), created: time(nil),
          form: form.name)
      }
    }

    /// The identity under which a stream of this device will look.
    private func identity(of device: String) throws -> String {
      let address = try UserSettings.current().address(device)
      return try Failure.worded { () throws(StreamError) in try AddressSchemes.identity(of: address) }
    }
  }
}
