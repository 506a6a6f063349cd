# lis3mdl-python: ST LIS3MDL (Adafruit 4479, Pololu 2737), field at 155 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LIS3MDL, DocID024204. Save it as main.py or code.py.
from board_lines import *

address = None


def start():
    """Soft reset; ultra-high performance on all axes with FAST_ODR, ±4 G, block data update, continuous mode."""
    global address
    address, identity = found([0x1C, 0x1E], 0x0F, 0x3D)
    send(address, 0x21, 0x04)
    wait(10)
    send(address, 0x20, 0x62)
    send(address, 0x21, 0x00)
    send(address, 0x23, 0x0C)
    send(address, 0x24, 0x40)
    send(address, 0x22, 0x00)
    return identity


def read():
    """STATUS: ZYXDA. Bit 7 of the register counts up in a burst. 6842 counts are one gauss."""
    if not get(address, 0x27, 1)[0] & 0x08:
        return None
    counts = struct.unpack("<hhh", get(address, 0x28 | 0x80, 6))
    return [c * 100 / 6842 for c in counts], any(c in (32767, -32768) for c in counts)


run("lis3mdl-python", FIELD, start, read)
