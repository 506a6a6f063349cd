import ArgumentParser
import Instruments
import LodestoneCore

/// How a chip sits in its device, and what a table or a stream does not say of itself.
struct InputOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How the chip sits in the device: signed axes (-y,x,z) or nine numbers of a matrix.", valueName: "axes"))
  var mount: Mounting = .aligned

  @Option(
    help: ArgumentHelp(
      "Names for the columns of a table that has none: mx,my,mz,ax,ay,az (teslameter: or t,probe for one axis).",
      valueName: "names"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the field where the device does not say it: nT, uT, mT, G, mG, T or counts.", valueName: "unit"))
  var fieldUnit: String?

  @Option(
    help: ArgumentHelp(
      "The chip whose raw counts the device sends, such as qmc5883l: gives their scale and range.", valueName: "chip"))
  var chip: String?

  /// Writes them into what a stream is opened with.
  /// - Parameter columnUnit: of the field in `columns`, where no other option says it.
  func describe(_ options: inout OpenOptions, columnUnit: String? = nil) {
    options.columns = columns
    options.chip = chip
    options.fieldUnit = fieldUnit ?? (columns == nil ? nil : columnUnit)
  }
}
