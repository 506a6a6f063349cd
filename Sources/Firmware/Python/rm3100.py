# rm3100-python: PNI RM3100, field at 147 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL; I2CEN high. Registers: PNI user manual 1017252 r03. Save it as main.py or
# code.py.
from board_lines import *

address = None


def start():
    """Stopped, 200 cycles an axis (75 counts a µT), an update rate of 150 Hz (TMRC), then continuous mode."""
    global address
    address, identity = found([0x20, 0x21, 0x22, 0x23], 0x36, 0x22)
    send(address, 0x01, 0x00)
    send(address, 0x04, 0, 200, 0, 200, 0, 200)
    send(address, 0x0B, 0x94)
    send(address, 0x01, 0x71)
    return identity


def read():
    """STATUS: DRDY. 24 bits, high byte first."""
    if not get(address, 0x34, 1)[0] & 0x80:
        return None
    data = get(address, 0x24, 9)
    codes = [data[i] << 16 | data[i + 1] << 8 | data[i + 2] for i in (0, 3, 6)]
    field = [(c - (1 << 24) if c & 0x800000 else c) / 75 for c in codes]
    return field, any(abs(f) > 800 for f in field)


run("rm3100-python", FIELD, start, read)
