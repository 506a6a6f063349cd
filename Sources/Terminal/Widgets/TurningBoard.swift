import LodestoneCore
import Glibc

/// A board in perspective, as a person sees it on a table in front: seen from steeply above, away from the person up.
/// Its face has an arrow to the top edge, its back a cross.
struct TurningBoard {
  /// Device axes -> to the right, away, up; nil draws no board.
  var attitude: Matrix3?
  /// The letters to the right, at the far side, to the left and towards the person, such as E, N, W, S; empty for none.
  var letters: [Unicode.Scalar] = []
  /// How the face's outline looks.
  var style = Style.accent

  /// A board by its attitude.
  init(attitude: Quaternion?, letters: [Unicode.Scalar] = []) {
    self.attitude = attitude.flatMap { $0.isFinite ? $0.normalized.matrix : nil }
    self.letters = letters
  }

  /// A board by what is up in its own axes, held so that its top edge, or else its back, is away from the person, and
  /// seen a little from the left, so that one that stands on an edge is no line.
  init(up: Vector3?) {
    guard let up = up?.direction else { return }
    let top = Vector3(0, 1, 0) - up * up.y
    guard let away = (top.length > 0.05 ? top : up * up.z - Vector3(0, 0, 1)).direction else { return }
    attitude = Matrix3(rotation: Vector3(0, 0, -Self.aside)) * Matrix3(away.cross(up), away, up)
  }

  /// Half its width, its height and its thickness.
  private static let (halfWidth, halfHeight, halfDepth) = (0.62, 0.9, 0.07)
  /// The camera above the table, in radians: no attitude of a board lying on a table is seen edge-on.
  private static let elevation = 1.05
  /// How far a board that is known by its up alone is turned, in radians.
  private static let aside = 0.45
  /// How much nearer parts are larger.
  private static let perspective = 0.12
  /// Where the letters stand, in the board's unit.
  private static let letterRadius = 1.45

  /// In the middle of a region, as large as fits.
  func draw(on canvas: inout Canvas, in region: Region) {
    guard region.width >= 8, region.height >= 4 else { return }
    let view = View(region)
    for (index, letter) in letters.prefix(4).enumerated() {
      let angle = Double(index) * .pi / 2
      put(String(letter), at: Vector3(cos(angle), sin(angle), 0) * Self.letterRadius, .dim, view, on: &canvas)
    }
    guard let turned = attitude else { return }
    for face in Face.all {
      let corners = face.corners.map { view.place(turned * $0) }
      guard isSeen(corners) else { continue }
      var drawing = BrailleCanvas(columns: region.width, rows: region.height)
      outline(corners, on: &drawing)
      for mark in face.marks { drawing.line(from: view.place(turned * mark.0), to: view.place(turned * mark.1)) }
      drawing.draw(on: &canvas, column: region.column, row: region.row, style: face.isBack ? .plain : style)
    }
    put("top", at: turned * Vector3(0, Self.halfHeight + 0.2, 0), .bold, view, on: &canvas)
  }

  private func put(_ text: String, at place: Vector3, _ style: Style, _ view: View, on canvas: inout Canvas) {
    let dot = view.place(place)
    let column = view.region.column + Int((dot.x / 2).rounded()) - text.unicodeScalars.count / 2
    canvas.text(text, column: column, row: view.region.row + Int((dot.y / 4).rounded(.down)), style: style)
  }

  /// Corners that go round against the clock on the page are turned towards the person.
  private func isSeen(_ corners: [(x: Double, y: Double)]) -> Bool {
    guard corners.count > 2 else { return false }
    let (a, b, c) = (corners[0], corners[1], corners[2])
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0
  }

  private func outline(_ corners: [(x: Double, y: Double)], on drawing: inout BrailleCanvas) {
    for (index, corner) in corners.enumerated() {
      drawing.line(from: corner, to: corners[(index + 1) % corners.count])
    }
  }

  /// From the board's unit to the dots of a region.
  private struct View {
    let region: Region
    private let scale: Double
    private let centre: (x: Double, y: Double)

    init(_ region: Region) {
      self.region = region
      let (width, height) = (Double(region.width * 2), Double(region.height * 4))
      scale = min(width / 3.3, height / 2.9)
      centre = (width / 2, height / 2)
    }

    func place(_ v: Vector3) -> (x: Double, y: Double) {
      let (s, c) = (sin(TurningBoard.elevation), cos(TurningBoard.elevation))
      let (up, near) = (c * v.z + s * v.y, s * v.z - c * v.y)
      let nearer = scale / (1 - near * TurningBoard.perspective)
      return (centre.x + v.x * nearer, centre.y - up * nearer)
    }
  }

  /// A side of the board: its corners, against the clock seen from outside, and the lines on it.
  private struct Face {
    var corners: [Vector3]
    var marks: [(Vector3, Vector3)] = []
    var isBack = false

    static let all: [Face] = {
      let (w, h, d) = (halfWidth, halfHeight, halfDepth)
      func p(_ x: Double, _ y: Double, _ z: Double) -> Vector3 { Vector3(x * w, y * h, z * d) }
      let face = [p(-1, -1, 1), p(1, -1, 1), p(1, 1, 1), p(-1, 1, 1)]
      let back = [p(-1, 1, -1), p(1, 1, -1), p(1, -1, -1), p(-1, -1, -1)]
      let tip = p(0, 0.75, 1)
      let arrow = [(p(0, -0.6, 1), tip), (p(-0.35, 0.4, 1), tip), (p(0.35, 0.4, 1), tip)]
      // The top edge is drawn twice, a little inside.
      let top = [(p(-1, 0.93, 1), p(1, 0.93, 1))]
      let sides = [
        [p(-1, -1, -1), p(1, -1, -1), p(1, -1, 1), p(-1, -1, 1)], [p(1, 1, -1), p(-1, 1, -1), p(-1, 1, 1), p(1, 1, 1)],
        [p(1, -1, -1), p(1, 1, -1), p(1, 1, 1), p(1, -1, 1)], [p(-1, 1, -1), p(-1, -1, -1), p(-1, -1, 1), p(-1, 1, 1)],
      ]
      return sides.map { Face(corners: $0) } + [
        Face(corners: back, marks: [(back[0], back[2]), (back[1], back[3])], isBack: true),
        Face(corners: face, marks: arrow + top),
      ]
    }()
  }
}
