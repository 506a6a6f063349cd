// swift-tools-version: 6.2
import PackageDescription

/// Benchmarks, in a package of their own so that nothing they need becomes part of the product.
/// `swift run -c release --package-path Tests/Benchmarks` measures all of them, with a name only those it begins.
/// `field`, `table`, `numbers`, `heading`, `fused`, `wire` and `nmea`; each says in its file what it needs.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "lodestone", path: "../..")],
  targets: [
    // Plain C programs that do the same work, to compare with.
    .target(name: "CReference", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CReference", .product(name: "Lodestone", package: "lodestone")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    // How wrong headings are after a calibration, over many simulated boards.
    // `swift run -c release --package-path Tests/Benchmarks CalibrationBenchmark [seeds]` prints the table.
    .executableTarget(
      name: "CalibrationBenchmark", dependencies: [.product(name: "Lodestone", package: "lodestone")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
