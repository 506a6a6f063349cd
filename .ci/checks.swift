// What the checks build otherwise than people do, by flags of single modules, which the command line cannot give:
// `.ci/checked` puts this behind Package.swift.

// Tests fit thousands of simulated boards and read thousands of tables: with the variable what does that is optimised.
let atOnce = ["-wmo", "-num-threads", "2"]
if Context.environment["LODESTONE_OPTIMIZED"] != nil {
  let busy: Set = [
    "LodestoneCore", "Geomagnetism", "Calibration", "Navigation", "Drivers", "Instruments", "LodestoneOutput",
  ]
  for target in package.targets {
    if busy.contains(target.name) { target.swiftSettings? += [.unsafeFlags(["-O"] + atOnce)] }
    if target.name == "CEigen" { target.cxxSettings = [.unsafeFlags(["-O2"])] }
  }
}

// The address sanitizer's build, in which the fuzzer stands too; the variable tells where libFuzzer is: see
// Tests/Fuzz/main.swift. All that is ours is watched, but not what others wrote, nor tests. What works on bytes from
// outside is counted as well, edges for libFuzzer and regions of the source for people, and optimised but for
// what the fuzzer is seldom in.
if let libFuzzer = Context.environment["LODESTONE_FUZZ"] {
  let seldom: Set = ["LodestonePorts", "LodestoneWeb"]
  let counted = [
    "LodestoneCore", "Geomagnetism", "Calibration", "Navigation", "Drivers", "LodestonePorts", "Instruments",
    "LodestoneOutput", "LodestoneWeb",
  ]
  let counting: [SwiftSetting] = [
    .unsafeFlags([
      "-sanitize=address", "-gline-tables-only",
      "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
      "-profile-generate", "-profile-coverage-mapping",
    ])
  ]
  for target in package.targets {
    let isOurs = target.type != .test && target.path?.hasPrefix("Tests/") != true
    if counted.contains(target.name) {
      target.swiftSettings? += counting
      if !seldom.contains(target.name) { target.swiftSettings? += [.unsafeFlags(["-Osize"] + atOnce)] }
    } else if isOurs {
      target.swiftSettings? += [.unsafeFlags(["-sanitize=address"])]
    }
    if isOurs, target.type == .regular, target.swiftSettings == nil {
      target.cSettings = [.unsafeFlags(["-O2", "-fsanitize=address"])]
      target.cxxSettings = [.unsafeFlags(["-O2", "-fsanitize=address"])]
    }
  }
  package.targets += [
    .target(name: "LibFuzzer", path: "Tests/Fuzz/LibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: counted.map { .byName(name: $0) } + [
        "LibFuzzer", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz", exclude: ["Corpus", "LibFuzzer", "Reached", "keep", "run"],
      swiftSettings: strict + counting,
      linkerSettings: [.unsafeFlags([libFuzzer, "-profile-generate"]), .linkedLibrary("stdc++")]),
  ]
  for target in package.targets where target.type == .test || target.type == .executable {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=address", "-use-ld=lld"])]
  }
}

// A check that needs a few suites builds what they use and nothing else: LODESTONE_SUITES="PortsTests".
if let suites = Context.environment["LODESTONE_SUITES"]?.split(separator: " ").map(String.init) {
  var used: Set<String> = []
  var open = suites + ["Fuzz"]
  while let name = open.popLast() {
    guard used.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !used.contains($0.name) }
  let targets = Set(package.targets.map { $0.name })
  package.products.removeAll { !targets.contains($0.name == "lodestone" ? "CLI" : $0.name) }
}
