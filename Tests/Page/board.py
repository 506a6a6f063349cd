"""A board on a pseudo-terminal, in the hand of somebody who does what the page says and no more.

Its field and force are computed here from an attitude, independently of the program under test."""

import json
import math
import os
import pty
import random
import threading
import time
import tty
import urllib.request

FIELD, DIP = 48.0, math.radians(65)  # µT, downwards
EARTH = (0.0, FIELD * math.cos(DIP), -FIELD * math.sin(DIP))  # east, north, up
HARD_IRON = (31.0, -22.0, 12.0)
SOFT_IRON = ((1.06, 0.02, -0.01), (0.02, 0.95, 0.03), (-0.01, 0.03, 1.01))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(dot(a, a))
    return tuple(x / length for x in a)


def attitude(up, heading):
    """Rows east, north, up in device axes: `up` points up, the top edge (or the back, held upright) towards `heading`."""
    up = unit(up)
    forward = tuple(f - up[1] * u for f, u in zip((0, 1, 0), up))
    if dot(forward, forward) < 0.0025:
        forward = tuple(f + up[2] * u for f, u in zip((0, 0, -1), up))
    north, c, s = unit(forward), math.cos(math.radians(heading)), math.sin(math.radians(heading))
    east = cross(north, up)
    return (tuple(c * e + s * n for e, n in zip(east, north)), tuple(c * n - s * e for e, n in zip(east, north)), up)


def aimed(laser, heading, roll):
    """Rows east, north, up in device axes: `laser` points level towards `heading`, rolled clockwise by `roll` about it."""
    laser = unit(laser)
    up = unit(tuple(f - laser[2] * l for f, l in zip((0, 0, 1), laser)))
    right, c, s = cross(laser, up), math.cos(math.radians(roll)), math.sin(math.radians(roll))
    # Rolled to 3 o'clock, the upper side points right: what is up now was the left.
    up, right = (tuple(c * u - s * r for u, r in zip(up, right)), tuple(c * r + s * u for u, r in zip(up, right)))
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return (tuple(s * l + c * r for l, r in zip(laser, right)), tuple(c * l - s * r for l, r in zip(laser, right)), up)


def eights(t):
    """Figure-eights that roll over as they go."""
    a, b = 2 * math.pi * t / 3.1, 2 * math.pi * t / 11.7
    up = (math.sin(a) * math.cos(b), math.sin(b) + 0.3 * math.sin(2 * a), math.cos(a))
    return attitude(up, 360 * t / 7.3)


class Board:
    """Sends fifty rows a second to a pseudo-terminal at `path` until closed."""

    def __init__(self, path):
        self.path, self.hand, self.random = path, lambda t: attitude((0, 0, 1), 30), random.Random(5)
        self.quiet = 1.0  # what the noise is multiplied by
        self.iron = True  # hard and soft iron are beside it
        self.words = None  # a line that is sent instead of rows
        self.motor = None  # µT for each ampere of a motor beside it; its current is told in a column
        self.stopped, self.master, self.begun = False, None, time.monotonic()
        self.plug()
        threading.Thread(target=self.run, daemon=True).start()

    def plug(self):
        master, slave = pty.openpty()
        tty.setraw(slave)
        if os.path.islink(self.path):
            os.unlink(self.path)
        os.symlink(os.ttyname(slave), self.path)
        os.set_blocking(master, False)
        self.slave, self.master = slave, master

    def unplug(self):
        os.unlink(self.path)
        master, slave, self.master = self.master, self.slave, None
        os.close(slave)
        os.close(master)

    def close(self):
        self.stopped = True

    def row(self, t):
        rows, noise = self.hand(t), lambda _, size: self.random.gauss(0, size * self.quiet)
        ideal = [dot(EARTH, column) for column in zip(*rows)]
        if self.iron:
            ideal = [dot(row, ideal) + offset for row, offset in zip(SOFT_IRON, HARD_IRON)]
        current = [0, 24, 9, 17, 4, 12][int(t / 1.9) % 6]  # amperes
        field = [one + slope * current + noise(0, 0.25) for one, slope in zip(ideal, self.motor or (0, 0, 0))]
        force = [g + noise(0, 0.003) for g in rows[2]]
        columns = (t, *field, *force) if self.motor is None else (t, *field, *force, current)
        return ",".join("%.4f" % column for column in columns) + "\r\n"

    @property
    def header(self):
        return "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g" + ("" if self.motor is None else ",current_A") + "\r\n"

    def run(self):
        count = 0
        while not self.stopped:
            t = time.monotonic() - self.begun
            text = (self.header if count % 50 == 0 else "") + self.row(t)
            if self.words is not None:
                text = self.words + "\r\n"
            count += 1
            try:
                if self.master is not None:
                    os.write(self.master, text.encode())
            except (BlockingIOError, OSError):
                pass
            time.sleep(0.02)


class ObedientHand:
    """Turns the board as the server asks: figure-eights during the sweep, then each pose and shot that is asked for."""

    laser = (0.0247, 0.9994, 0.0247)  # 2° beside the top edge

    def __init__(self, board, address):
        self.board, self.address, self.heading, self.pose, self.state = board, address, 0.0, None, {}
        self.stopped, self.shot = False, None
        threading.Thread(target=self.listen, daemon=True).start()
        board.hand = self.attitude

    def listen(self):
        with urllib.request.urlopen(self.address + "/api/v1/events", timeout=120) as events:
            name = ""
            for line in events:
                if self.stopped:
                    return
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: ") and name == "calibration":
                    self.take(json.loads(text[6:]))

    def take(self, state):
        self.state = state
        wanted = state.get("next_pose")
        if wanted and wanted != self.pose:
            self.heading += wanted.get("turn_deg") or 0
            self.pose, self.since = wanted, time.monotonic()
        self.shot = state.get("next_shot")

    def attitude(self, t):
        if self.shot:
            return aimed(self.laser, 20 + 90 * self.shot["mark"], 30 * self.shot["hour"])
        if not self.pose:
            return eights(t)
        return attitude(self.pose["up"], self.heading)
