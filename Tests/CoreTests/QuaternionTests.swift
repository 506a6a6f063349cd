import Glibc
import LodestoneCore
import Testing

@Suite("Quaternion")
struct QuaternionTests {
  private let vectors = [
    Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0.3, 0.4, -1.2), Vector3(-2, 0.1, 0.5), Vector3(1e-6, 2e-6, -1e-6),
    Vector3(0.9, -3, 0.2),
  ]

  @Test("a quarter turn about z takes x to y, right-handed")
  func quarterTurn() {
    let quarter = Quaternion(angle: .pi / 2, about: Vector3(0, 0, 1))
    expect(quarter * Vector3(1, 0, 0), is: Vector3(0, 1, 0))
    expect(quarter * Vector3(0, 1, 0), is: Vector3(-1, 0, 0))
    expect(quarter * Vector3(0, 0, 1), is: Vector3(0, 0, 1))
  }

  // Hamilton, 16 October 1843: i² = j² = k² = ijk = −1.
  @Test("Hamilton's products")
  func hamilton() {
    let i = Quaternion(w: 0, v: Vector3(1, 0, 0))
    let j = Quaternion(w: 0, v: Vector3(0, 1, 0))
    let k = Quaternion(w: 0, v: Vector3(0, 0, 1))
    let minusOne = Quaternion(w: -1, v: .zero)
    #expect(i * i == minusOne && j * j == minusOne && k * k == minusOne && i * j * k == minusOne)
    #expect(i * j == k)
  }

  @Test("turns vectors as its matrix and as Rodrigues' formula do")
  func matrices() {
    for r in vectors {
      let q = Quaternion(rotation: r)
      for v in vectors {
        expect(q * v, is: q.matrix * v)
        expect(q * v, is: Matrix3(rotation: r) * v)
      }
    }
  }

  @Test("the rotation vector comes back, the shorter way round")
  func rotationVectors() {
    for r in vectors {
      let turns = (r.length / (2 * .pi)).rounded()
      let shorter = r * (1 - 2 * .pi * turns / r.length)
      expect(Quaternion(rotation: r).rotationVector, is: shorter)
    }
  }

  @Test("small and large rotations are on one curve and stay of length 1")
  func exponential() {
    for length in [0, 1e-9, 0.0099, 0.01, 0.0101, 1, 3, 40] {
      let axis = Vector3(2, -1, 2) / 3
      let q = Quaternion(rotation: axis * length)
      #expect(abs(q.w - cos(length / 2)) < 1e-14)
      expect(q.v, is: axis * sin(length / 2), within: 1e-14)
    }
  }

  @Test("the product turns by the right factor first, the conjugate back")
  func products() {
    for a in vectors {
      for b in vectors {
        let (p, q) = (Quaternion(rotation: a), Quaternion(rotation: b))
        expect((p * q) * Vector3(1, 2, 3), is: p * (q * Vector3(1, 2, 3)))
        expect(p.conjugate * (p * b), is: b)
      }
    }
  }

  @Test("the shortest rotation from one direction to another")
  func shortest() {
    for a in vectors.compactMap(\.direction) {
      for b in vectors.compactMap(\.direction) + [-a] {
        let q = Quaternion(from: a, to: b)
        expect(q * a, is: b, within: 1e-9)
        #expect(abs(q.rotationVector.length - a.angle(to: b)) < 1e-6)
      }
    }
  }

  @Test("a device that heads east with its right edge down")
  func attitude() {
    let east = Quaternion(heading: 90, pitch: 0, roll: 90)
    expect(east * Vector3(0, 1, 0), is: Vector3(1, 0, 0))
    expect(east * Vector3(1, 0, 0), is: Vector3(0, 0, -1))
  }

  @Test("half the way to another attitude, twice, is the whole way")
  func halfWay() {
    let (a, b) = (Quaternion(rotation: Vector3(1, 0.2, -0.4)), Quaternion(rotation: Vector3(-0.3, 0.8, 1)))
    let half = a.turned(towards: b, by: 0.5)
    expect(half.turned(towards: b, by: 1) * Vector3(1, 2, 3), is: b * Vector3(1, 2, 3))
    #expect(abs((a.conjugate * half).rotationVector.length - (half.conjugate * b).rotationVector.length) < 1e-12)
  }

  @Test("what is no rotation is normalized to none")
  func hostile() {
    for bad in [
      Quaternion(w: 0, v: .zero), Quaternion(w: .nan, v: .zero), Quaternion(w: 1, v: Vector3(.infinity, 0, 0)),
    ] {
      #expect(bad.normalized == .identity)
    }
    #expect(abs(Quaternion(w: 3, v: Vector3(0, 4, 0)).normalized.w - 0.6) < 1e-15)
  }

  private func expect(
    _ a: Vector3, is b: Vector3, within limit: Double = 1e-12, at location: SourceLocation = #_sourceLocation
  ) {
    #expect((a - b).length <= limit, "\(a) is not \(b)", sourceLocation: location)
  }
}
