#!/usr/bin/env python3
"""How `lodestone serve` bears many readers, slow readers and hostile ones.

    Tests/Page/load.py .build-release/release/lodestone 60      fifty readers for a minute, figures, 10 000 requests
    Tests/Page/load.py .build-release/release/lodestone         500 hostile requests alone: what CI runs, nothing is timed

Ends with 1 where the server crashed, hung, gave a file away, answered what it should have refused, or lost events of
readers that keep up.
"""

import json, math, multiprocessing, os, pathlib, pty, random, re, select, socket, sys, tempfile, threading, time, tty

from server import Server

READERS, SLOW, RATE = 50, 5, 100
STATUSES = {200, 304, 400, 401, 403, 404, 405, 413, 421, 431}
PATIENCE = 40  # seconds for an answer; the server gives up a request after 30


class Finding(Exception):
    pass


class Watched(Server):
    """A server whose appetite is measured."""

    def end(self):
        if self.process.poll() is not None:
            raise Finding(f"the server ended with {self.process.returncode}")
        if (code := self.stop()) != 130:
            raise Finding(f"Ctrl-C ended it with {code}")

    def seconds(self):
        """Seconds of a core so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident memory in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


# MARK: Readers

class Board:
    """A hundred rows a second on a pseudo-terminal. Each carries its number in the last digits of its field."""

    def __init__(self):
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        self.slave, self.path, self.sent, self.stopped = slave, os.ttyname(slave), {}, False
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        begun, header = time.perf_counter(), "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\r\n"
        for number in range(10**9):
            time.sleep(max(0, begun + number / RATE - time.perf_counter()))
            if self.stopped:
                return
            row = f"{number / RATE:.4f},{20 + math.sin(number / 50):.3f},1.5,{-40 - number % 4000 / 1000:.3f},0.01,0.02,0.9998\r\n"
            self.sent[number % 4000] = time.perf_counter()
            try:
                os.write(self.master, ((header if number % 50 == 0 else "") + row).encode())
            except OSError:
                pass


def delays(board, port, seconds):
    """Milliseconds from the last byte of a row to its line, sorted."""
    found, buffer, end = [], b"", time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", port)) as lines:
        lines.settimeout(10)
        while time.monotonic() < end:
            buffer += lines.recv(65536)
            now = time.perf_counter()
            *whole, buffer = buffer.split(b"\n")
            for line in whole:
                value = json.loads(line).get("bz_uT")
                if value is None:
                    continue
                sent = board.sent.get(round((-40 - value) * 1000))
                if sent is not None and now - sent < 20:
                    found.append((now - sent) * 1000)
    return sorted(found)


def ask_events(port, number, buffer=None):
    one = socket.socket()
    one.bind((f"127.0.1.{1 + number // 8}", 0))  # one peer has sixteen connections at the most
    if buffer:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.connect(("127.0.0.1", port))
    one.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return one


def read_events(port, seconds, results):
    """In a process of its own: fifty readers that keep up and five that take 8 kB a second; headings that each got."""
    quick, slow = [ask_events(port, number) for number in range(READERS)], [ask_events(port, READERS + number, 4096) for number in range(SLOW)]
    texts, begun, turn = {one: b"" for one in quick + slow}, time.monotonic(), 0
    counts, last = {one: 0 for one in quick + slow}, {}

    def take(one, size):
        part = one.recv(size)
        if not part:
            raise Finding("a reader was closed")
        *frames, texts[one] = (texts[one] + part).split(b"\n\n")
        for frame in frames:
            if b"event: heading\n" in frame:
                counts[one] += 1
                last[one] = float(re.search(rb'"time_s":([\d.]+)', frame).group(1))

    while (now := time.monotonic() - begun) < seconds:
        for one in select.select(quick, [], [], 0.05)[0]:
            take(one, 65536)
        if now > turn / 4:
            turn += 1
            for one in slow:
                take(one, 2048)
    newest = max(last[one] for one in quick)
    results.put(([counts[one] for one in quick], [counts[one] for one in slow], [newest - last.get(one, 0) for one in slow]))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


def readers(program, home, seconds):
    board, lines = Board(), free_port()
    server = Watched(program, board.path, home, "--publish", f"tcp://127.0.0.1:{lines}", "--format", "json")
    time.sleep(3)
    for name, busy in (("alone", False), (f"with {READERS} readers and {SLOW} slow ones", True)):
        results = multiprocessing.Queue()
        worker = multiprocessing.Process(target=read_events, args=(server.port, seconds, results))
        if busy:
            worker.start()
            time.sleep(1)
        before, memory = server.seconds(), server.memory()
        found = delays(board, lines, seconds - 2)
        used, after = (server.seconds() - before) / (seconds - 2) * 100, server.memory()
        print(f"{name}: byte to line p50 {share(found, 0.5):.2f} ms, p99 {share(found, 0.99):.2f} ms, most {found[-1]:.2f} ms"
              f" of {len(found)}; {used:.1f} % of a core; {memory:.1f} MB, then {after:.1f} MB", flush=True)
    quick, slow, behind = results.get(timeout=60)
    worker.join()
    print(f"headings in {seconds} s: {min(quick)} to {max(quick)} for each quick reader, {min(slow)} to {max(slow)} for each"
          f" slow one, which are {min(behind):.1f} to {max(behind):.1f} s behind", flush=True)
    board.stopped = True
    server.end()
    if min(quick) < 0.9 * max(quick):
        raise Finding("a reader that keeps up has lost headings")
    if max(slow) > 0.9 * min(quick):
        raise Finding("the slow readers were not slow")


# MARK: Strangers

NAMES = ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:{port}", "127.0.0.1.nip.io:{port}", "[::1]:{port}",
         "0.0.0.0:{port}", "2130706433:{port}", "0x7f.1:{port}", "127.1:{port}", "127.0.0.1:{port}@evil.example", "",
         "evil.example:{port}", "localhost", "localhost.:{port}", "127.0.0.1:{port}, evil.example", "\xff"]
PATHS = ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/etc/passwd",
         "/draw/../../Server/Site.swift", "/app.js/../../../etc/passwd", "/....//....//etc/passwd", "/%00/etc/passwd",
         "/app.js%00.html", "/..\\..\\etc\\passwd", "/proc/self/environ", "/%c0%ae%c0%ae/etc/passwd", "/api/v1/../../etc/passwd",
         "/api/v1/%2e%2e", "/~root/", "/.git/config", "/WebPage.c", "file:///etc/passwd", "*", "/?token=x"]
ADDRESSES = ["http://evil.example/", "HTTP://evil.example", "http://127.0.0.1.evil.example:{port}/app.js", "http://{name}@evil.example/",
             "http://evil.example:{port}?token=x", "http:///", "http://"]
OURS = ["/", "/app.js", "/api/v1/state", "/metrics", "/api/v1/openapi.json", "/views/field.js"]


class Stranger:
    """Sends one kind of request after the other, and judges the answers."""

    def __init__(self, port, seed):
        self.port, self.random, self.counts = port, random.Random(seed), {}
        self.name = f"127.0.0.1:{port}"

    def head(self, path=None, host=None, method="GET", more=""):
        path = path or self.random.choice(OURS)
        return f"{method} {path} HTTP/1.1\r\nHost: {host or self.name}\r\n{more}Connection: close\r\n\r\n".encode("latin-1")

    def noise(self):
        return [self.random.randbytes(self.random.randrange(1, 3000))], None

    def mutated(self):
        bytes_ = bytearray(self.head(more="Content-Length: 5\r\nCookie: a=b\r\n") + b"hello")
        for _ in range(self.random.randrange(1, 6)):
            at = self.random.randrange(len(bytes_))
            bytes_[at:at + self.random.randrange(3)] = self.random.randbytes(self.random.randrange(3))
        return [bytes(bytes_)], None

    def split(self):
        whole, parts = self.head("/icon.svg"), []
        while whole:
            at = self.random.randrange(1, 20)
            parts, whole = parts + [whole[:at]], whole[at:]
        return parts, {200}

    def unfinished(self):
        whole = self.head()
        return [whole[:self.random.randrange(1, len(whole) - 2)]], set()

    def other_name(self):
        return [self.head(host=self.random.choice(NAMES).format(port=self.port) or " ")], {400, 421}

    def several_names(self):
        return [self.head(more="Host: evil.example\r\n")], {421}

    def traversal(self):
        return [self.head(self.random.choice(PATHS))], {200, 400, 404}

    def other_address(self):
        """A whole address as the target: its host counts, whatever `Host` says."""
        address = self.random.choice(ADDRESSES).format(port=self.port, name=self.name)
        return [self.head(address)], {421}

    def other_origin(self):
        origin = self.random.choice(["null", "http://evil.example", "https://" + self.name, "file://"])
        return [self.head("/api/v1/zero", method="POST", more=f"Origin: {origin}\r\nContent-Length: 2\r\n") + b"{}"], {403}

    def large_head(self):
        return [self.head(more=f"X: {'x' * self.random.randrange(9000, 60000)}\r\n")], {431}

    def many_fields(self):
        return [self.head(more="a: b\r\n" * self.random.randrange(150, 1300))], {431}

    def large_body(self):
        size = self.random.choice([70_000, 10**9, 10**18, 10**25])
        return [self.head("/api/v1/device", method="POST", more=f"Origin: http://{self.name}\r\nContent-Length: {size}\r\n")
                + b" " * 80_000], {400, 413}

    def chunks(self):
        sizes = self.random.choice([b"ffffffffffffffffff\r\n", b"-1\r\n", b"5\r\nhelloX\r\n", b"zz\r\n\r\n"])
        return [self.head("/api/v1/zero", method="POST", more=f"Origin: http://{self.name}\r\nTransfer-Encoding: chunked\r\n")
                + sizes], {400, 413}

    def other_method(self):
        method = self.random.choice(["DELETE", "PUT", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "BREW"])
        return [self.head("/api/v1/state", method=method)], {400, 405}

    def smuggled(self):
        more = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"
        return [self.head("/api/v1/zero", method="POST", more=f"Origin: http://{self.name}\r\n{more}") + b"0\r\n\r\nGET /x"], {400}

    KINDS = [noise, mutated, split, unfinished, other_name, several_names, traversal, other_address, other_origin, large_head,
             many_fields, large_body, chunks, other_method, smuggled]

    def send(self, parts, is_whole=True):
        """The answer to bytes that come in parts; where they are no whole request, the server is told that no more come."""
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as one:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                for part in parts:
                    one.sendall(part)
                if not is_whole:
                    one.shutdown(socket.SHUT_WR)
                while part := one.recv(65536):
                    answer += part
                    if len(answer) > 2_000_000:
                        raise Finding("an answer without end")
            except TimeoutError:
                raise Finding(f"no answer in {PATIENCE} s to {b''.join(parts)[:300]!r}")
            except OSError:
                pass  # it may hang up first
        return answer

    def turn(self, number):
        kind = self.KINDS[number % len(self.KINDS)]
        parts, expected = kind(self)
        answer = self.send(parts, is_whole=bool(expected))
        status = int(answer[9:12]) if re.match(rb"HTTP/1\.1 \d{3} ", answer) else None
        self.counts[kind.__name__, status] = self.counts.get((kind.__name__, status), 0) + 1

        def complain(words):
            raise Finding(f"{kind.__name__}: {words}\n{b''.join(parts)[:500]!r}\n{answer[:500]!r}")

        if answer and status is None:
            complain("no HTTP")
        if status and (status not in STATUSES or expected is not None and status not in expected):
            complain("not the status that was expected")
        if b"root:" in answer or b"PATH=" in answer or b"import NIO" in answer or b"[core]" in answer:
            complain("a file was given away")
        if status and status >= 400 and b"\r\n\r\n{\"error\":\"" not in answer:
            complain("no reason in JSON")


def strangers(program, home, count):
    server = Watched(program, "sim:", home)
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(10)]
    for one in idle:
        one.sendall(b"GET / HTTP/1.1\r\nHo")
    stranger, memory = Stranger(server.port, 11), server.memory()
    for number in range(count):
        stranger.turn(number)
        if number % 40 == 0:
            for one in idle:  # heads that come drop by drop; the server may have hung up
                try:
                    one.send(b"s")
                except OSError:
                    pass
    answer = stranger.send([stranger.head("/api/v1/state")])
    if b'"heading":{' not in answer:
        raise Finding(f"the server does not answer after this: {answer[:300]!r}")
    table = {}
    for (kind, status), number in sorted(stranger.counts.items(), key=str):
        table.setdefault(kind, []).append(f"{status or 'closed'} {number}")
    print(f"{count} hostile requests: {memory:.1f} MB before, {server.memory():.1f} MB after")
    for kind, answers in table.items():
        print(f"  {kind}: {', '.join(answers)}")
    server.end()


def main():
    program, seconds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as home:
        try:
            if seconds:
                readers(program, home, seconds)
            strangers(program, home, 10_000 if seconds else 500)
        except Finding as finding:
            sys.exit(f"FOUND: {finding}")


if __name__ == "__main__":
    main()
