import Glibc
import LibFuzzer
import Synchronization

// Any bytes, through everything that reads what comes from outside. Each target is a file in Targets/ and a line here.
//
// Build, with the toolchain's libclang_rt.fuzzer_no_main-x86_64.a in LODESTONE_FUZZ:
//   .ci/checked && swift build --package-path .build-checks --product Fuzz
// Run: `Fuzz TARGET [what libFuzzer takes]`, as in `Fuzz wire -max_total_time=60 /tmp/found`; Tests/Fuzz/keep unpacks
// what is kept into a folder, and packs what was found.
// `Fuzz reached CORPUS` runs every record of the corpus once; what it counts of the source goes to the
// file that LLVM_PROFILE_FILE names, and Tests/Fuzz/run makes figures of that.

enum Targets {
  /// All of them.
  static let all: [any FuzzTarget.Type] = [
    WireTarget.self,
    FramesTarget.self,
    StreamsTarget.self,
    ProfilesTarget.self,
    SweepsTarget.self,
    WaysTarget.self,
    AddressesTarget.self,
    ReadingsTarget.self,
    BrokerTarget.self,
    PacketsTarget.self,
    RecordingsTarget.self,
    HTTPTarget.self,
    BusTarget.self,
    ValuesTarget.self,
  ]

  /// Which of them the fuzzer runs.
  static let chosen = Atomic(0)
}

let test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = { data, count in
  Targets.all[Targets.chosen.load(ordering: .relaxed)].take(UnsafeBufferPointer(start: data, count: count).span)
  return 0
}

/// Runs what the corpus holds for each target.
func reach(_ corpus: String) {
  for target in Targets.all { forEachRecord(of: "\(corpus)/\(target.name).records") { target.take($0) } }
}

/// Hands over to libFuzzer, which sees the program's name and then what is meant for it.
@MainActor func fuzz(_ target: String, skipping words: Int32) -> Bool {
  guard let index = Targets.all.firstIndex(where: { $0.name == target }) else { return false }
  Targets.chosen.store(index, ordering: .relaxed)
  var count = CommandLine.argc - words
  var rest: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + Int(words)
  rest?[0] = CommandLine.unsafeArgv[0]
  LLVMFuzzerRunDriver(&count, &rest, test)
  return true
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "targets" {
  for target in Targets.all { print(target.name) }
} else if arguments.first == "reached", let corpus = arguments.dropFirst().first {
  reach(corpus)
} else if let target = getenv("FUZZ_TARGET"), fuzz(String(cString: target), skipping: 0) {
  // libFuzzer has started itself again, to merge.
} else if let target = arguments.first, setenv("FUZZ_TARGET", target, 1) == 0, fuzz(target, skipping: 1) {
} else {
  print(
    "usage: Fuzz \(Targets.all.map { $0.name }.joined(separator: "|")) [libFuzzer's options], or Fuzz reached CORPUS")
}
