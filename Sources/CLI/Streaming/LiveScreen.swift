import Glibc
import LodestonePorts
import LodestoneTerminal

/// The terminal as a command uses it: taken over, drawn on frame by frame, given back.
struct LiveScreen {
  private let session: TerminalSession
  private var renderer: Renderer
  private var decoder = KeyDecoder()
  private var bytes: [UInt8] = []
  private var entersAgain = false

  /// Takes the terminal over.
  init(on output: OutputPipe?) throws {
    do {
      session = try TerminalSession()
    } catch {
      throw Self.failure(error)
    }
    renderer = Renderer(palette: Palette(environment: Self.environment))
    let enter = TerminalSession.enterSequence
    try output?.append(enter.span)
  }

  /// Whether standard input and output are both terminals that can move the cursor.
  static var isPossible: Bool {
    TerminalSession.isTerminal(STDIN_FILENO) && TerminalSession.isTerminal(STDOUT_FILENO)
      && Palette.canMoveCursor(environment: environment)
  }

  private static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in ["NO_COLOR", "TERM"] { variables[name] = getenv(name).map { String(cString: $0) } }
    return variables
  }

  /// Draws a frame, unless the one before is still on its way: a slow terminal skips frames.
  mutating func show(on output: OutputPipe?, bell: Bool = false, draw: (inout Canvas) -> Void) throws(OutputError) {
    guard let output, !output.isWaiting else { return }
    let size = session.size
    var canvas = Canvas(width: size.columns, height: size.rows)
    draw(&canvas)
    bytes.removeAll(keepingCapacity: true)
    if entersAgain { bytes += TerminalSession.enterSequence }
    entersAgain = false
    renderer.append(canvas, to: &bytes)
    if bell { bytes.append(7) }
    guard !bytes.isEmpty else { return }
    try output.append(bytes.span)
  }

  /// The keys that bytes from the terminal stand for, but for those that are the same on every screen: Ctrl-L draws it
  /// again, Ctrl-Z gives the terminal back and stops the program until it is continued, and is then one of the keys:
  /// time has gone by.
  mutating func keys(_ bytes: [UInt8]) throws -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      switch decoder.next(byte) {
      case .redraw: redraw()
      case .suspend:
        do { try session.suspend() } catch { throw Self.failure(error) }
        entersAgain = true
        redraw()
        keys.append(.suspend)
      case let key?: keys.append(key)
      case nil: break
      }
    }
    return keys
  }

  private static func failure(_ problem: TerminalSession.Problem) -> Failure {
    Failure(.inputOutput, "can't set the terminal up: \(problem)")
  }

  /// Draws everything anew next time.
  private mutating func redraw() { renderer.forget() }

  /// Gives the terminal back.
  func leave() { session.leave() }
}
