/// How a stream names the axes that are taken for a field's.
public enum FieldNaming: Sendable {
  /// Nothing is known of it, or its protocol says what they are.
  case unsaid
  /// They are called x, y and z, which may be anything's.
  case axes
  /// A table names them as a field's.
  case table
}
