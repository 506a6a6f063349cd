import LodestoneCore
import Drivers

/// The udev rules that let the user at the screen open our bridges and boards without being root.
public enum UdevRules {
  /// Below 73, because 73-seat-late.rules turns the tag into permission; a rule sorted after it does nothing.
  public static let fileName = "70-lodestone.rules"

  /// The path of the file; nil where it is not installed.
  public static var installedPath: String? {
    ["/etc/udev/rules.d/", "/lib/udev/rules.d/", "/usr/lib/udev/rules.d/"].map { $0 + fileName }
      .first { NodeKind.at($0) != nil }
  }

  /// The whole file, one device a line in order of the numbers.
  ///
  /// Nothing is opened to everybody: `uaccess` gives the device to whoever sits at the machine, and bridges, which have
  /// no group of their own as ports have, are given to the group plugdev for who comes over a network. Boards and
  /// instruments are also kept from ModemManager, which otherwise talks to every new port; chips that a real modem may
  /// use are not.
  public static func text(for boards: [KnownBoard] = subjects) -> String {
    let rows = boards.sorted { ($0.vendorID, $0.productID ?? 0) < ($1.vendorID, $1.productID ?? 0) }
    return """
      # \(fileName): magnetometers on a serial port or behind a USB bridge, for the user at the screen,
      # bridges for the group plugdev too.
      # To install: save as /etc/udev/rules.d/\(fileName), then
      #   sudo udevadm control --reload && sudo udevadm trigger
      # and plug the device in again.
      ACTION=="remove", GOTO="lodestone_end"
      SUBSYSTEM!="usb|hidraw|tty|i2c-dev", GOTO="lodestone_end"

      \(rows.map(lines).joined(separator: "\n"))

      LABEL="lodestone_end"

      """
  }

  /// Every board of the table, and every bridge that has a driver here.
  public static var subjects: [KnownBoard] {
    let bridges = Bridges.all.flatMap { bridge in
      bridge.identifiers.map { KnownBoard($0.vendor, $0.product, bridge.name, .bridge) }
    }
    return KnownBoard.all
      + bridges.filter { bridge in
        !KnownBoard.all.contains { $0.vendorID == bridge.vendorID && $0.productID == bridge.productID }
      }
  }

  private static func lines(for board: KnownBoard) -> String {
    var parts = ["ATTRS{idVendor}==\"\(board.vendorID.hexadecimal)\""]
    if let product = board.productID { parts.append("ATTRS{idProduct}==\"\(product.hexadecimal)\"") }
    parts.append("TAG+=\"uaccess\"")
    if board.kind != .serialChip { parts.append("ENV{ID_MM_DEVICE_IGNORE}=\"1\"") }
    let rule = "# \(board.name)\n" + parts.joined(separator: ", ")
    guard isBridge(board) else { return rule }
    let match = "SUBSYSTEM==\"usb|hidraw\", " + parts[..<2].joined(separator: ", ")
    return rule + "\n" + match + ", GROUP=\"plugdev\", MODE=\"0660\""
  }

  /// Whether a driver here opens it as a bridge: by its node of USB, which is root's.
  private static func isBridge(_ board: KnownBoard) -> Bool {
    Bridges.all.contains { bridge in
      bridge.identifiers.contains { $0.vendor == board.vendorID && $0.product == board.productID }
    }
  }
}
