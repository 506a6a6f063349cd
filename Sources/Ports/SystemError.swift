import Glibc

/// A system call that failed for a reason that has no case of its own.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, as in `open`.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  /// The error that `call` left in `errno`, or the given code.
  public init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  /// The system's words for the code.
  public var message: String {
    guard let words = strerror(code) else { return "error \(code)" }
    return String(cString: words)
  }

  /// The call and the message, as in `open: Permission denied`.
  public var description: String { "\(call): \(message)" }
}

/// Repeats a call as long as a signal interrupts it.
@inline(__always)
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
