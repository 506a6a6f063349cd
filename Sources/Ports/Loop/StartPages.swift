import CLinux

/// The pages of code that only a start needs: most of a program's, and it may run for years.
public enum StartPages {
  /// Lets go of them. What is still needed is mapped again when it is next used.
  public static func forget() { linux_forget_code() }
}
