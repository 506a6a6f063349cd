import Ports

extension Notices {
  /// Says how many lines a reader that did not keep up has lost; nothing when it got all of them.
  func sayLosses(of output: OutputPipe) {
    let count = output.droppedLineCount
    guard count > 0 else { return }
    say("\(count) \(count == 1 ? "line was" : "lines were") dropped because the reader did not keep up")
  }
}
