import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// A swing's result as it is kept beside the calibration it was made with: `0003.json` has `0003.deviation.json`. It
/// holds for that calibration only; after another one the compass has to be swung again.
public struct SavedDeviation: Equatable, Sendable {
  /// The result of the swing.
  public var deviation: Deviation
  /// The number of headings that it was fitted to.
  public var headings: Int
  /// The time at which the calibration was made, in seconds since 1970 (UTC): another calibration has another
  /// deviation.
  public var calibrated: Int

  private static let format = "lodestone-deviation"
  private static let version = 2
  private static let sizeLimit = 1 << 16

  /// A deviation under a calibration.
  public init(_ deviation: Deviation, headings: Int, profile: Profile) {
    self.deviation = deviation
    self.headings = headings
    calibrated = profile.created
  }

  /// The path of the deviation beside a profile's file.
  public static func path(beside profile: String) -> String {
    (profile.hasSuffix(".json") ? String(profile.dropLast(5)) : profile) + ".deviation.json"
  }

  /// The one kept beside a profile's file; nil where there is none, or one of another calibration.
  public static func kept(beside path: String, for profile: Profile) throws(ProfileStoreProblem) -> SavedDeviation? {
    let path = Self.path(beside: path)
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try AtomicFile.read(path, limit: sizeLimit, as: .kept)
    } catch .missing {
      return nil
    } catch {
      throw .file(error)
    }
    do throws(ProfileProblem) {
      let saved = try SavedDeviation(json: bytes)
      return saved.calibrated == profile.created ? saved : nil
    } catch {
      throw .profile(path: path, error)
    }
  }

  /// Keeps it beside a profile's file, whole or not at all. Returns where.
  @discardableResult
  public func keep(beside path: String) throws(ProfileStoreProblem) -> String {
    let path = Self.path(beside: path)
    do throws(FileProblem) { try AtomicFile.write(json, to: path, updates: true) } catch { throw .file(error) }
    return path
  }

  /// Refuses what `keep(beside:)` would refuse, before there is a deviation: a file in use, a folder that takes none.
  public static func checkKeeping(beside path: String) throws(ProfileStoreProblem) {
    do throws(FileProblem) { try AtomicFile.check(Self.path(beside: path), updates: true) } catch { throw .file(error) }
  }
}

// MARK: As a file

extension SavedDeviation {
  /// The file's bytes.
  public var json: [UInt8] {
    let numbers = { (values: [Double]) in JSONValue.array(values.map { .number($0) }) }
    let document = JSONValue.members(
      ("format", .string(Self.format)), ("version", .integer(Self.version)),
      ("calibrated", .string(CalendarTime.text(unixTime: calibrated))),
      ("headings", .integer(headings)), ("coefficients_deg", numbers(deviation.coefficients)),
      ("uncertainties_deg", numbers(deviation.uncertainties)), ("residual_deg", .number(deviation.residual)))
    return [UInt8](document.printed.utf8)
  }

  /// Reads such a file.
  public init(json bytes: [UInt8]) throws(ProfileProblem) {
    guard let document = JSONValue(parsing: bytes) else { throw .notJSON }
    guard document["format"] == .string(Self.format) else {
      throw .wrongType(key: "format", expected: "\"\(Self.format)\"")
    }
    let version = Self.number(document["version"]) ?? 1
    guard version < Double(Self.version + 1) else { throw .newerVersion(Int(min(version, 1e6))) }
    guard case .string(let text) = document["calibrated"], let time = CalendarTime(iso: text) else {
      throw .wrongType(key: "calibrated", expected: "a time")
    }
    headings = Self.number(document["headings"]).flatMap { Int(exactly: $0) } ?? 0
    let (width, share) = Self.widths(version: version, headings: headings)
    guard
      let deviation = Deviation(
        coefficients: Self.numbers(document["coefficients_deg"]),
        uncertainties: Self.numbers(document["uncertainties_deg"]).map { $0 * width },
        residual: (Self.number(document["residual_deg"]) ?? 0) * share, headingCount: headings)
    else { throw .wrongType(key: "coefficients_deg", expected: "five numbers in degrees") }
    self.deviation = deviation
    calibrated = Int(time.unixTime)
  }

  /// The factors of the uncertainties and the residual of a file. Version 1 held standard deviations, and a
  /// residual whose degrees of freedom were not counted.
  private static func widths(version: Double, headings: Int) -> (uncertainty: Double, residual: Double) {
    let freedom = headings - Deviation.names.count
    guard version < 2, freedom > 0 else { return (1, 1) }
    return (Quantile.student(freedom: freedom), (Double(headings) / Double(freedom)).squareRoot())
  }

  private static func number(_ value: JSONValue?) -> Double? {
    guard case .number(let number) = value, number.isFinite else { return nil }
    return number
  }

  private static func numbers(_ value: JSONValue?) -> [Double] {
    guard case .array(let entries) = value else { return [] }
    return entries.prefix(16).compactMap { number($0) }
  }
}
