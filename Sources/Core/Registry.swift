import Synchronization

/// The members of a kind: those of the package in their order, behind those that a program has added. Members are added
/// before anything is opened; what is open keeps to those it was opened with.
package final class Registry<Member: Sendable>: Sendable {
  private let builtIn: [Member]
  private let added = Mutex<[Member]>([])

  /// The members of the package.
  package init(_ builtIn: [Member]) { self.builtIn = builtIn }

  /// All members, a program's own first: of two with one name the program's is found.
  package var all: [Member] {
    let own = added.withLock { $0 }
    return own.isEmpty ? builtIn : own + builtIn
  }

  /// Adds a member of a program.
  package func add(_ member: Member) { added.withLock { $0.insert(member, at: 0) } }
}
