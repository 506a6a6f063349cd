# lis2mdl-python: ST LIS2MDL (Adafruit 4488) and IIS2MDC, field at 100 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LIS2MDL, DS12144. Save it as main.py or code.py.
from board_lines import *

ADDRESS = 0x1E


def start():
    """Soft reset; block data update, offset cancellation, then temperature compensation, 100 Hz, continuous mode."""
    identity = found([ADDRESS], 0x4F, 0x40)[1]
    send(ADDRESS, 0x60, 0x20)
    wait(5)
    send(ADDRESS, 0x62, 0x10)
    send(ADDRESS, 0x61, 0x02)
    send(ADDRESS, 0x60, 0x8C)
    return identity


def read():
    """STATUS: Zyxda. One count is 0.15 µT; x turned round, as the chip's axes are left-handed."""
    if not get(ADDRESS, 0x67, 1)[0] & 0x08:
        return None
    counts = struct.unpack("<hhh", get(ADDRESS, 0x68, 6))
    return [c * s for c, s in zip(counts, (-0.15, 0.15, 0.15))], any(c in (32767, -32768) for c in counts)


run("lis2mdl-python", FIELD, start, read)
