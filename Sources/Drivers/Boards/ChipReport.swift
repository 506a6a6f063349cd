import LodestoneCore

/// A register as the data sheet names it.
public struct Register: Equatable, Sendable {
  /// The data sheet's name.
  public var name: String
  /// The register's number.
  public var address: UInt8

  /// A register.
  public init(_ address: UInt8, _ name: String) {
    self.name = name
    self.address = address
  }
}

/// A register and what stands in it.
public struct RegisterValue: Equatable, Sendable {
  /// The register that was read.
  public var register: Register
  /// The register's bytes in the order they came.
  public var bytes: [UInt8]

  /// A register with its content.
  public init(_ register: Register, _ bytes: [UInt8]) {
    self.register = register
    self.bytes = bytes
  }
}

/// The result of a chip's own test.
public struct SelfTest: Equatable, Sendable {
  /// One figure and the limits it must keep.
  public struct Check: Equatable, Sendable {
    /// The measured quantity, with its unit: `x (µT)`.
    public var name: String
    /// The figure.
    public var value: Double
    /// The range that the data sheet allows.
    public var limits: ClosedRange<Double>

    /// A figure and its limits.
    public init(_ name: String, _ value: Double, in limits: ClosedRange<Double>) {
      self.name = name
      self.value = value
      self.limits = limits
    }

    /// The figure lies within the limits.
    public var passed: Bool { limits.contains(value) }
  }

  /// Every figure of the test.
  public var checks: [Check]

  /// A test made of these figures.
  public init(_ checks: [Check]) { self.checks = checks }

  /// The three axes against one limit each.
  init(_ value: Vector3, unit: String, x: ClosedRange<Double>, y: ClosedRange<Double>, z: ClosedRange<Double>) {
    checks = [Check("x (\(unit))", value.x, in: x), Check("y (\(unit))", value.y, in: y)]
    checks.append(Check("z (\(unit))", value.z, in: z))
  }

  /// All figures lie within their limits.
  public var passed: Bool { !checks.isEmpty && checks.allSatisfy { $0.passed } }
}
