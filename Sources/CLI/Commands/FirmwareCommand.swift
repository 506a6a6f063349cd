import ArgumentParser
import CFirmware
import LodestoneCore

/// `lodestone firmware`: sketches that turn a breakout into a board that is read without a question.
struct FirmwareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firmware", abstract: "Print a sketch for a breakout: Arduino, MicroPython, CircuitPython.",
    discussion: """
      Examples:
        lodestone firmware --list
        lodestone firmware qmc5883l-arduino > compass.ino   open it in the Arduino IDE, upload
        lodestone firmware lis3mdl-python > main.py         copy it to the board (code.py for CircuitPython)

      The sketch sets the sensor up as its data sheet says and prints time, field and, where the sensor has them, \
      acceleration and rotation, with their units, at the sensor's full rate.
      """)

  @Argument(
    help: ArgumentHelp("The sketch; --list prints the names.", valueName: "name"),
    completion: .list(Sketch.all.map { $0.name }))
  var name: String?

  @Flag(help: "List the sketches.")
  var list = false

  func validate() throws {
    if list, name != nil { throw ValidationError("--list takes no name") }
    if !list, name == nil { throw ValidationError("which sketch? --list prints the names") }
  }

  func run() throws {
    guard let name else {
      return try writeToStandardOutput(TextTable.text(of: Sketch.all.map { [$0.name, $0.summary] }))
    }
    guard let sketch = Sketch.all.first(where: { $0.name == name }) else {
      let meant = Sketch.all.map { $0.name }.nearest(to: name).map { "did you mean \($0)?" }
      throw Failure(
        .usage, "there is no sketch '\(name.harmless)'", hint: meant ?? "lodestone firmware --list prints the names")
    }
    try writeToStandardOutput(sketch.text)
  }
}

/// A sketch, as it is printed.
struct Sketch {
  /// The chip and the language: `qmc5883l-arduino`.
  let name: String
  /// The part and its rate, in a few words.
  let summary: String
  /// The whole file.
  let text: String

  /// The sketches in the binary.
  static let all: [Sketch] = {
    let bytes = UnsafeRawBufferPointer(start: firmwareSketches, count: firmwareSketchesSize)
    let boards = UnsafeBufferPointer(start: firmwareBoards, count: firmwareBoardCount)
    let texts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return texts.compactMap { Sketch($0, boards.map { (String(cString: $0.line), String(cString: $0.text)) }) }
  }()

  /// Its first line is a comment that says its name and what it is; the line that stands for what all of its language
  /// have is replaced by that.
  private init?(_ source: String, _ boards: [(line: String, text: String)]) {
    let line = source.prefix { $0 != "\n" }.drop { $0 == "/" || $0 == "#" || $0 == " " }
    guard let colon = line.firstIndex(of: ":") else { return nil }
    name = String(line[..<colon])
    summary = String(line[colon...].dropFirst(2))
    var text = source
    for board in boards {
      if let range = text.firstRange(of: board.line) { text.replaceSubrange(range, with: board.text) }
    }
    self.text = text
  }
}
