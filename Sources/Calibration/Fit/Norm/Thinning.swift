import LodestoneCore

extension Array where Element == Vector3 {
  /// At most about `count` of the points, taken evenly from all directions as seen from a centre: from each of 96 cells
  /// as many as from any other that has them, evenly in time, and from none more than a 12th of all, so that a board
  /// left lying does not outweigh its sweep.
  func spread(over count: Int, centre: Vector3) -> [Vector3] {
    let cells = map { DirectionCells.index(of: $0 - centre) }
    var population = [Int](repeating: 0, count: DirectionCells.count)
    for cell in cells { population[cell] += 1 }
    let share = Swift.min(Self.share(population, total: count), Swift.max(Double(self.count) / 12, 1))
    var due = [Double](repeating: 0.5, count: DirectionCells.count)
    var kept: [Vector3] = []
    kept.reserveCapacity(count + DirectionCells.count)
    for (point, cell) in zip(self, cells) {
      due[cell] += Swift.min(1, share / Double(population[cell]))
      if due[cell] >= 1 {
        due[cell] -= 1
        kept.append(point)
      }
    }
    return kept
  }

  /// The most that a cell may give so that all together give `total`.
  private static func share(_ population: [Int], total: Int) -> Double {
    var remaining = Double(total)
    var cells = population.filter { $0 > 0 }.sorted()[...]
    while let smallest = cells.first, Double(smallest) * Double(cells.count) < remaining {
      remaining -= Double(smallest)
      cells = cells.dropFirst()
    }
    return cells.isEmpty ? .infinity : remaining / Double(cells.count)
  }
}

extension Array {
  /// The elements for which a condition does not hold; all of them where it holds for more than a third.
  func without(where isOff: (Element) -> Bool) -> [Element] {
    let kept = filter { !isOff($0) }
    return kept.count * 3 >= self.count * 2 ? kept : self
  }
}
