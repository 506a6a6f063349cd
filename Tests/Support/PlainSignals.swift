import Glibc

/// How a program is started as from a shell: with no signal blocked. The threads that tests run on block nearly all, and
/// a program inherits that: it would not hear a request to end.
func withPlainSignals<Result>(_ start: (UnsafePointer<posix_spawnattr_t>) -> Result) -> Result {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  return start(&attributes)
}
