import Glibc

/// How many times as long tests run that can: LODESTONE_ENDURANCE, 1 without it. What they find in minutes is measured
/// over hours with it.
package enum Endurance {
  /// At least 1.
  package static let factor = max(1, getenv("LODESTONE_ENDURANCE").flatMap { Int(String(cString: $0)) } ?? 1)
}
