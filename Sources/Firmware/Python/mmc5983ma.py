# mmc5983ma-python: Memsic MMC5983MA (SparkFun 19921), field at 200 Hz, for MicroPython and CircuitPython
#
# Wiring: 3V3 to 3.3 V, GND, SDA, SCL. Registers: Memsic data sheet MMC5983MA, rev. A. Its control registers can't be
# read. Save it as main.py or code.py.
from board_lines import *

ADDRESS = 0x30


def start():
    """Software reset, then automatic set and reset, a measurement of 4 ms, 200 Hz."""
    identity = found([ADDRESS], 0x2F, 0x30)[1]
    send(ADDRESS, 0x0A, 0x80)
    wait(15)
    send(ADDRESS, 0x09, 0x20)
    send(ADDRESS, 0x0A, 0x01)
    send(ADDRESS, 0x0B, 0x0E)
    return identity


def read():
    """STATUS: Meas_M_Done, cleared by writing it. 18 bits around 2^17, 16384 counts are one gauss; z turned round, as the
    chip's axes are left-handed."""
    if not get(ADDRESS, 0x08, 1)[0] & 0x01:
        return None
    data = get(ADDRESS, 0x00, 7)
    send(ADDRESS, 0x08, 0x01)
    codes = [data[2 * i] << 10 | data[2 * i + 1] << 2 | data[6] >> (6 - 2 * i) & 3 for i in range(3)]
    return [(c - 131072) * s / 16384 for c, s in zip(codes, (100, 100, -100))], any(c in (0, 0x3FFFF) for c in codes)


run("mmc5983ma-python", FIELD, start, read)
