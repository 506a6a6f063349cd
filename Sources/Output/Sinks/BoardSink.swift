/// A sink that other programs take for a board: they come, and may say something.
public protocol BoardSink: Sink {
  /// Called when a program has come that may not know what was said before.
  var onArrival: (() -> Void)? { get set }
  /// Called with what a program says.
  var onInput: ((UnsafeRawBufferPointer) -> Void)? { get set }
}
