extension Collection<String> {
  /// The word that was probably meant; nil where none is near.
  func nearest(to word: String) -> String? {
    let near = map { (word: $0, distance: $0.steps(to: word)) }.filter { $0.distance <= Swift.max(1, word.count / 3) }
    return near.min { $0.distance < $1.distance }?.word
  }
}

extension String {
  /// The number of letters that must be added, dropped, changed or swapped with their neighbour to make another word of
  /// it (the optimal string alignment distance).
  fileprivate func steps(to other: String) -> Int {
    let (a, b) = (Array(utf8), Array(other.utf8.prefix(64)))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let changed = rows[i][j] + (a[i] == b[j] ? 0 : 1)
        var least = Swift.min(changed, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = Swift.min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
