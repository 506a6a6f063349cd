import ArgumentParser
import Lodestone
import LodestoneOutput
import LodestonePorts

/// The outlet at which bytes for other programs are offered.
struct OutletOptions: ParsableArguments {
  @Flag(help: "Offer it on a pseudo-terminal, whose path is printed. (default)")
  var pty = false

  @Option(help: ArgumentHelp("Offer it at a TCP port instead; *:PORT for other machines too.", valueName: "port"))
  var tcp: String?

  @Option(help: ArgumentHelp("Make a symbolic link to the pseudo-terminal.", valueName: "path"), completion: .file())
  var link: String?

  func validate() throws {
    if tcp != nil, pty || link != nil { throw ValidationError("--tcp excludes --pty and --link") }
  }

  /// Opens it.
  /// - Parameter drops: a reader that does not keep up loses messages instead of delaying them.
  func open(drops: Bool) throws -> any BoardSink {
    guard let tcp else { return try PseudoTerminalSink(link: link, waits: !drops, waitsForFirst: true) }
    guard let endpoint = NetworkEndpoint(address: "//" + (tcp.contains(":") ? tcp : ":" + tcp)) else {
      throw Failure(.usage, "can't listen at '\(tcp)'", hint: "give a port, or host:port")
    }
    return try TCPSink(at: endpoint, name: tcp, waits: !drops, waitsForFirst: true)
  }
}

extension StreamLoop {
  /// Runs with an outlet: prints its name first, and lets its readers take the rest in the end.
  func serve(_ outlet: any BoardSink, _ run: () throws -> End) throws -> End {
    companions.append(outlet)
    let line = Array("\(outlet.name)\n".utf8)
    try output?.append(line.span)
    let end = try run()
    if end != .interrupted { try outlet.finish(until: .now + 5) }
    return end
  }
}
