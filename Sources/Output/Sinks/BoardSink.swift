/// A sink that other programs take for a board: they connect, and may send something.
public protocol BoardSink: Sink {
  /// Called when a program has come that may not know what was said before.
  var onArrival: (() -> Void)? { get set }
  /// Says what every program that comes from now on gets first, as the title of a table.
  func greet(with title: [UInt8])
  /// Called with what a program says.
  var onInput: ((UnsafeRawBufferPointer) -> Void)? { get set }
}
