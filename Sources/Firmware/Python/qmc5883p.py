# qmc5883p-python: QST QMC5883P (newer GY-271, "HP5883"), field at 200 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: QST data sheet QMC5883P. Save it as main.py or code.py.
from board_lines import *

ADDRESS = 0x2C


def start():
    """Soft reset, the axes' signs, ±8 G with set and reset on; then from suspend to normal mode at 200 Hz."""
    identity = found([ADDRESS], 0x00, 0x80)[1]
    send(ADDRESS, 0x0B, 0x80)
    wait(50)
    send(ADDRESS, 0x0B, 0x00)
    send(ADDRESS, 0x29, 0x06)
    send(ADDRESS, 0x0A, 0x00)
    send(ADDRESS, 0x0B, 0x08)
    send(ADDRESS, 0x0A, 0xCD)
    if get(ADDRESS, 0x0B, 1)[0] != 0x08:  # some parts ignore the range
        raise OSError("the range was not taken")
    return identity


def read():
    """STATUS: DRDY, OVFL. 3750 counts are one gauss."""
    status = get(ADDRESS, 0x09, 1)[0]
    if not status & 0x01:
        return None
    counts = struct.unpack("<hhh", get(ADDRESS, 0x01, 6))
    return [c * 100 / 3750 for c in counts], status & 0x02


run("qmc5883p-python", FIELD, start, read)
