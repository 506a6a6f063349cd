/// Every benchmark there is.
let benchmarks: [any Benchmark.Type] = [
  FieldEvaluation.self,
  DeclinationTables.self,
  NumberText.self,
  HeadingStream.self,
  FusedHeadingStream.self,
  NMEASentences.self,
  WireFormats.self,
]

let wanted = CommandLine.arguments.dropFirst().first ?? ""
for benchmark in benchmarks where benchmark.name.hasPrefix(wanted) {
  print(benchmark.name)
  do {
    let measurements = try benchmark.measure()
    let ours = measurements.first?.nanosecondsPerOperation ?? 0
    for measurement in measurements {
      let each = measurement.nanosecondsPerOperation
      let ratio = (each / ours * 100).rounded() / 100
      print("  \(measurement.what): \((each * 10).rounded() / 10) ns each, \(ratio) times the first")
    }
  } catch {
    print("  not measured: \(error)")
  }
}
