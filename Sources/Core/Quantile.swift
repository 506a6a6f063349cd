/// The half-width that holds 95 % of errors, in standard deviations. Every ± of Lodestone is made with it.
public enum Quantile {
  /// The quantile of a normal distribution whose standard deviation is known.
  public static let normal = 1.96

  /// The quantile of Student's distribution, for a standard deviation that was estimated from what a fit leaves.
  /// - Parameter freedom: how many values it rests on less how many numbers were fitted; infinite below one.
  /// Source: the usual table of the two-sided 95 % points; above 30 the expansion of Cornish and Fisher, good to 0.001.
  public static func student(freedom: Int) -> Double {
    guard freedom >= 1 else { return .infinity }
    if freedom <= table.count { return table[freedom - 1] }
    let inverse = 1 / Double(freedom)
    return 1.959_964 + inverse * (2.372_3 + inverse * 2.822_5)
  }

  /// The quantiles for 1 to 30 degrees of freedom.
  private static let table = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
  ]
}
