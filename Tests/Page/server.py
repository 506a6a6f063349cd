"""`lodestone serve` under way, with a home of its own."""

import atexit
import json
import os
import re
import signal
import subprocess
import threading
import urllib.request


class Server:
    """Serves a device at a port of the loopback address, which the system chooses where 0 is given."""

    def __init__(self, program, device, home, *options, port=0):
        environment = dict(os.environ, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home)
        self.process = subprocess.Popen(
            [program, "serve", "--device", device, "--listen", f"127.0.0.1:{port}", *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
        atexit.register(self.process.kill)
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.address, self.port = found.group(0), int(found.group(1))
                break
        else:
            raise AssertionError("the server did not start")
        self.log = []  # what it says on standard error
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def read(self, path):
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            return answer.read().decode()

    def state(self):
        return json.loads(self.read("/api/v1/state"))

    def ask(self, path, body):
        """What POST answers, as the page would ask."""
        request = urllib.request.Request(
            f"{self.address}/api/v1/{path}", json.dumps(body).encode(), {"Origin": self.address})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def events(self, seconds=60):
        """Name and object of each event as it comes."""
        with urllib.request.urlopen(self.address + "/api/v1/events", timeout=seconds) as lines:
            name = ""
            for line in lines:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: "):
                    yield name, json.loads(text[6:])

    def stop(self):
        """Ends it as Ctrl-C does, and tells how it ended."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)
