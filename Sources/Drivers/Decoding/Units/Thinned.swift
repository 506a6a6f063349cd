/// Values of a stream of any length, thinned evenly to a bounded number.
struct Thinned<Value: Sendable>: Sendable {
  private(set) var kept: [Value] = []
  private(set) var count = 0
  /// A power of two.
  private var stride = 1
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  @inline(__always)
  mutating func add(_ value: Value) {
    if count & (stride &- 1) == 0 { keep(value) }
    count &+= 1
  }

  @inline(never)
  private mutating func keep(_ value: Value) {
    if kept.count == capacity {
      kept = Swift.stride(from: 0, to: capacity, by: 2).map { kept[$0] }
      stride *= 2
      guard count & (stride - 1) == 0 else { return }
    }
    kept.append(value)
  }
}
