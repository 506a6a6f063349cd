# mmc5603-python: Memsic MMC5603NJ (Adafruit 5579) and MMC5633, field at 200 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: Memsic data sheet MMC5603NJ. Its control registers can't be read. Save
# it as main.py or code.py.
from board_lines import *

ADDRESS = 0x30


def start():
    """Software reset, SET and RESET, then 200 Hz with a measurement of 2 ms: CMM_FREQ_EN and AUTO_SR, then CMM_EN."""
    identity = found([ADDRESS], 0x39, 0x10)[1]
    send(ADDRESS, 0x1C, 0x80)
    wait(20)
    send(ADDRESS, 0x1B, 0x08)
    wait(1)
    send(ADDRESS, 0x1B, 0x10)
    wait(1)
    send(ADDRESS, 0x1A, 200)
    send(ADDRESS, 0x1C, 0x02)
    send(ADDRESS, 0x1B, 0xA0)
    send(ADDRESS, 0x1D, 0x10)
    return identity


def read():
    """STATUS1: Meas_m_done. 20 bits around 2^19, 16384 counts are one gauss."""
    if not get(ADDRESS, 0x18, 1)[0] & 0x40:
        return None
    data = get(ADDRESS, 0x00, 9)
    codes = [data[2 * i] << 12 | data[2 * i + 1] << 4 | data[6 + i] >> 4 for i in range(3)]
    return [(c - 524288) * 100 / 16384 for c in codes], any(c in (0, 0xFFFFF) for c in codes)


run("mmc5603-python", FIELD, start, read)
