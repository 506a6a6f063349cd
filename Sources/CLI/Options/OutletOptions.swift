import ArgumentParser
import Ports

/// Where bytes for other programs are offered.
struct OutletOptions: ParsableArguments {
  @Flag(help: "Offer it on a pseudo-terminal, whose path is printed. (default)")
  var pty = false

  @Option(help: ArgumentHelp("Offer it at a TCP port instead; *:PORT for other machines too.", valueName: "port"))
  var tcp: String?

  @Option(help: ArgumentHelp("Make a symbolic link to the pseudo-terminal.", valueName: "path"))
  var link: String?

  func validate() throws {
    if tcp != nil, pty || link != nil { throw ValidationError("--tcp excludes --pty and --link") }
  }

  /// Opens it.
  /// - Parameter drops: a reader that does not keep up loses messages instead of delaying them.
  func open(drops: Bool) throws -> any Outlet {
    if let tcp { return try TCPOutlet(tcp) }
    return try PseudoTerminalOutlet(link: link, drops: drops)
  }
}

extension StreamLoop {
  /// Runs with an outlet: prints its name first, and lets its readers take the rest in the end.
  func run(with outlet: any Outlet, _ body: Body) throws -> End {
    companions.append(outlet)
    let line = Array("\(outlet.name)\n".utf8)
    try output.append(line.span)
    let end = try run(body)
    if end != .interrupted { try outlet.finish(until: .now + 5) }
    return end
  }
}
