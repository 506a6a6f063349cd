// swift-tools-version: 6.2
import PackageDescription

/// The fuzz target, in a package of its own. From the top of the project:
/// `swift build -c release --package-path Tests/Fuzz --scratch-path .build-fuzz -Xswiftc -sanitize=fuzzer,address
/// -Xswiftc -use-ld=lld`, then `.build-fuzz/release/Fuzz -max_total_time=60 /tmp/found Tests/Fuzz/Corpus`.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "lodestone", path: "../..")],
  targets: [
    .target(name: "LibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: ["LibFuzzer", .product(name: "Lodestone", package: "lodestone")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
