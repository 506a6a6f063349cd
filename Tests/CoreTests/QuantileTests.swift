import LodestoneCore
import Testing

@Suite struct QuantileTests {
  /// NIST/SEMATECH e-Handbook, table of critical values of Student's t, column 0.975.
  @Test(arguments: [(1, 12.706), (3, 3.182), (7, 2.365), (30, 2.042), (40, 2.021), (60, 2.000), (100, 1.984)])
  func studentsTable(_ freedom: Int, _ expected: Double) {
    #expect(abs(Quantile.student(freedom: freedom) - expected) < 0.0015)
  }

  @Test func withoutFreedomNothingIsKnown() { #expect(Quantile.student(freedom: 0) == .infinity) }
}
