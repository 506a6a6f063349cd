import Glibc

/// Descriptors 0, 1 and 2, which a program may be started without.
public enum StandardDescriptors {
  /// Puts something harmless where one is closed, before anything is opened: a device or a file that got its number
  /// would be written the output or the errors. Standard input ends at once; writing to standard output is an error.
  public static func reserve() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDERR_FILENO ? O_RDWR : O_RDONLY)
    }
  }
}
