extension Sequence<UInt8> {
  /// The FNV-1a hash of the bytes, 64 bits: the same in every run.
  @inlinable public var fingerprint: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
