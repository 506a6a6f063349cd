// swift-tools-version: 6.2
import PackageDescription

/// Programs as others write them: each imports Lodestone and nothing else of it.
/// `swift run --package-path Tests/Client NAME` builds one and checks what it gets.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "client",
  dependencies: [.package(name: "lodestone", path: "../..")],
  targets: ["ThreeLines", "OwnDevice", "TwoInstruments"].map { name in
    .executableTarget(
      name: name, dependencies: ["Checks", .product(name: "Lodestone", package: "lodestone")], swiftSettings: strict)
  } + [.target(name: "Checks", swiftSettings: strict)]
)
