# hmc5883l-python: Honeywell HMC5883L (GY-273, GY-80, old GY-271), field at 75 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: Honeywell data sheet HMC5883L, 900405. Save it as main.py or code.py.
from board_lines import *

ADDRESS = 0x1E
last = 0


def start():
    """75 Hz, ±1.3 G, continuous mode. The first sample after a change of gain still has the old one."""
    wait(50)
    letters = get(ADDRESS, 0x0A, 3)
    if bytes(letters) != b"H43":
        raise OSError("no sensor answers")
    send(ADDRESS, 0x00, 0x18)
    send(ADDRESS, 0x01, 0x20)
    send(ADDRESS, 0x02, 0x00)
    wait(20)
    get(ADDRESS, 0x03, 6)
    return letters[0]


def read():
    """x, z, y, high byte first; -4096 is past the range. RDY does not fall when it is read, so 13 ms are waited for.
    1090 counts are one gauss."""
    global last
    if milliseconds() - last < 13 or not get(ADDRESS, 0x09, 1)[0] & 0x01:
        return None
    last = milliseconds()
    x, z, y = struct.unpack(">hhh", get(ADDRESS, 0x03, 6))
    return [c * 100 / 1090 for c in (x, y, z)], -4096 in (x, y, z)


run("hmc5883l-python", FIELD, start, read)
