import LodestoneCore
import Navigation

extension GyroscopeFault {
  /// The fault, and its consequence.
  var words: String {
    switch self {
    case .wrongSign: "the gyroscope turns against the other sensors; it is not used"
    case .missesTurns:
      "the gyroscope misses turns that the other sensors see, or feels them otherwise; it is not used for a while"
    case .wrongAxes: "the gyroscope's axes are not those of the other sensors; it is not used"
    case .radians: "the gyroscope seems to send radians per second, not degrees; it is not used"
    case .scale(let factor):
      "the gyroscope reads \(factor.text(decimals: factor < 10 ? 2 : 0)) times too much; it is not used"
    case .stuck: "the gyroscope does not feel that the board turns; it is not used"
    }
  }
}
