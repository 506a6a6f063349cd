# bmm150-python: Bosch BMM150 (DFRobot SEN0419, Grove compass v2), field at 100 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers and compensation: Bosch data sheet BST-BMM150-DS001 and its published
# driver. Save it as main.py or code.py.
from board_lines import *

address = trim = None


def start():
    """Power on, 3 ms, the trim values, and the "regular" preset: 9 repetitions in x and y, 15 in z. Normal mode ends at
    30 Hz, so each measurement is forced."""
    global address, trim
    for place in (0x10, 0x11, 0x12, 0x13):
        try:
            send(place, 0x4B, 0x01)
        except OSError:
            pass
    wait(3)
    address, identity = found([0x10, 0x11, 0x12, 0x13], 0x40, 0x32)
    x1, y1 = struct.unpack("<bb", get(address, 0x5D, 2))
    z4, x2, y2 = struct.unpack("<hbb", get(address, 0x62, 4))
    z2, z1, xyz1, z3, xy2, xy1 = struct.unpack("<hHHhbB", get(address, 0x68, 10))
    trim = x1, y1, x2, y2, z1, z2, z3, z4, xy1, xy2, xyz1 & 0x7FFF
    send(address, 0x51, 4)
    send(address, 0x52, 14)
    send(address, 0x4C, 0x02)
    return identity


def read():
    """DRDY is a bit of the Hall resistance. -4096 and -16384 are past the range."""
    if not get(address, 0x48, 1)[0] & 0x01:
        return None
    x, y, z, hall = struct.unpack("<hhhH", get(address, 0x42, 8))
    send(address, 0x4C, 0x02)
    x, y, z, hall = x >> 3, y >> 3, z >> 1, hall >> 2
    x1, y1, x2, y2, z1, z2, z3, z4, xy1, xy2, xyz1 = trim
    if not hall or not xyz1:
        return None
    r = xyz1 * 16384 / hall - 16384
    gain = xy2 * r * r / 268435456 + r * xy1 / 16384 + 256
    field = [
        (x * (gain * (x2 + 160)) / 8192 + x1 * 8) / 16,
        (y * (gain * (y2 + 160)) / 8192 + y1 * 8) / 16,
        ((z - z4) * 131072 - z3 * (hall - xyz1)) / ((z2 + z1 * hall / 32768) * 4) / 16,
    ]
    return field, x == -4096 or y == -4096 or z == -16384


run("bmm150-python", FIELD, start, read)
