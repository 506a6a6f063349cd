extension FieldModel {
  /// Every model, the preferred ones first.
  public static let all: [FieldModel] = [.wmm2025, .wmm2020, .igrf14]

  /// The model that people call by this name, as in `wmm2025`; nil for another name.
  public static func named(_ name: String) -> FieldModel? { all.first { $0.name == name } }

  /// The preferred model of those made for a date; nil for a date that none is made for.
  public static func made(for date: DecimalYear) -> FieldModel? { all.first { $0.covers(date) } }

  /// The model whose life ends nearest to a date.
  public static func nearest(to date: DecimalYear) -> FieldModel {
    made(for: date) ?? (date < FieldModel.igrf14.life.lowerBound ? .igrf14 : .wmm2025)
  }
}
