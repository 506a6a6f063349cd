# qmc5883l-python: QST QMC5883L (most boards sold as GY-271), field at 200 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: QST data sheet QMC5883L, rev. 1.0. Save it as main.py or code.py.
from board_lines import *

ADDRESS = 0x0D


def start():
    """Soft reset, the recommended set/reset period, then continuous mode: over-sampling 512, ±2 G, 200 Hz."""
    get(ADDRESS, 0x00, 1)  # the identity is only right after a first read
    identity = found([ADDRESS], 0x0D, 0xFF)[1]
    if get(ADDRESS, 0x0C, 1)[0] == 0xFF:
        raise OSError("no sensor answers")
    send(ADDRESS, 0x0A, 0x80)
    wait(10)
    send(ADDRESS, 0x0B, 0x01)
    send(ADDRESS, 0x0A, 0x00)
    send(ADDRESS, 0x09, 0x0D)
    return identity


def read():
    """STATUS: DRDY, OVL. 12000 counts are one gauss."""
    status = get(ADDRESS, 0x06, 1)[0]
    if not status & 0x01:
        return None
    counts = struct.unpack("<hhh", get(ADDRESS, 0x00, 6))
    return [c * 100 / 12000 for c in counts], status & 0x02


run("qmc5883l-python", FIELD, start, read)
