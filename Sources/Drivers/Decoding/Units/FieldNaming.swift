/// The names by which a stream calls the axes that are taken for a field's.
public enum FieldNaming: Sendable {
  /// No names that are known, or a protocol that says what they are.
  case unsaid
  /// Axes called x, y and z, which may be anything's.
  case axes
  /// A table names them as a field's.
  case table
}
