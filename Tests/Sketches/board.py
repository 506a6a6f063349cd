"""As much of MicroPython or CircuitPython as the sketches use, on the pipe of a test: board.py LANGUAGE SKETCH. The bus
and what is printed go there as lines, and time passes only by what takes time on a board. See SketchTests."""

import builtins
import sys
import time
import types

language, path = sys.argv[1:]
elapsed = told = 0  # microseconds since power-on, and of which the test knows
show = builtins.print


def take(microseconds):
    global elapsed
    elapsed += int(microseconds)


def ask(request):
    global told
    show(request, elapsed - told, flush=True)
    told = elapsed
    answer = sys.stdin.readline()
    if not answer:
        sys.exit()
    return answer.strip()


def write(device, data, stop=True):
    take(23 * (len(data) + 1) + 100)
    if ask("w %02x %s %d" % (device, bytes(data).hex(), stop)) != "0":
        raise OSError(19)


def read(device, count):
    take(23 * (count + 1) + 100)
    data = bytes.fromhex(ask("r %02x %d" % (device, count)))
    if len(data) != count:
        raise OSError(19)
    return data


class MicroPythonI2C:
    def __init__(self, number, freq):
        pass

    def writeto(self, device, data, stop=True):
        write(device, data, stop)

    def readfrom(self, device, count):
        return read(device, count)

    def readfrom_mem(self, device, register, count):
        write(device, [register], stop=False)
        return read(device, count)


class CircuitPythonI2C:
    def __init__(self, scl, sda, frequency):
        pass

    def try_lock(self):
        return True

    def writeto(self, device, data):
        write(device, data)

    def readfrom_into(self, device, data):
        data[:] = read(device, len(data))

    def writeto_then_readfrom(self, device, out, data):
        write(device, out, stop=False)
        data[:] = read(device, len(data))


def print_line(text):
    take(87 * (len(text) + 2))  # as on a port of 115200 baud
    show("p", text)


PERIOD = 1 << 30  # of MicroPython's ticks, which begin again within the first rows here


def milliseconds():
    take(4)
    return elapsed // 1000


def ticks_ms():
    return (milliseconds() + PERIOD - 900) % PERIOD


def ticks_diff(end, start):
    return (end - start + PERIOD // 2) % PERIOD - PERIOD // 2


if language == "micropython":
    sys.modules["machine"] = types.ModuleType("machine")
    sys.modules["machine"].I2C = MicroPythonI2C
    time.ticks_ms = ticks_ms
    time.ticks_diff = ticks_diff
else:
    sys.modules["busio"] = types.ModuleType("busio")
    sys.modules["busio"].I2C = CircuitPythonI2C
    sys.modules["board"] = types.ModuleType("board")
    sys.modules["board"].SCL = sys.modules["board"].SDA = None
time.monotonic_ns = lambda: milliseconds() * 1000000
time.sleep = lambda seconds: take(seconds * 1e6)

with open(path) as file:
    exec(compile(file.read(), path, "exec"), {"__name__": "__main__", "print": print_line})
