import Support

/// The outcome of a run of the built command, as text.
struct ProgramResult {
  let exitCode: Int32
  let output: String
  let errors: String

  /// The lines of the output.
  var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}

/// The command `lodestone`, as it was built beside the tests.
enum Program {
  /// Runs the command to its end.
  static func run(_ arguments: [String], input: String = "") throws -> ProgramResult {
    let run = try CommandRun.lodestone(arguments, input: input)
    return ProgramResult(exitCode: run.exitCode, output: run.text, errors: run.errors)
  }
}
