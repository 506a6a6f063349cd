import Glibc

/// How a program is started as from a shell: with no signal blocked, and none ignored. The threads that tests run on
/// block nearly all, a script in the background ignores some, and a program inherits that: it would not hear a request
/// to end.
/// - Parameter leadsGroup: it is a job of its own, as one at a terminal is.
func withPlainSignals<Result>(
  leadsGroup: Bool = false, _ start: (UnsafePointer<posix_spawnattr_t>) -> Result
) -> Result {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  var requests = sigset_t()
  sigemptyset(&requests)
  for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&requests, signal) }
  posix_spawnattr_setsigdefault(&attributes, &requests)
  let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
  return start(&attributes)
}
