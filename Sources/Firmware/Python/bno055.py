# bno055-python: Bosch BNO055 (Adafruit 2472, 4646), raw: nine axes at 30 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: Bosch data sheet BST-BNO055-DS000. Its own fusion is off: Lodestone
# calibrates the raw field. It stretches the clock. Save it as main.py or code.py.
from board_lines import *

address = None
last = 0


def start():
    """CONFIG, reset and its 650 ms, normal power, units m/s² and °/s; on page 1 the magnetometer at 30 Hz, enhanced
    regular; then the raw mode AMG."""
    global address
    address, identity = found([0x28, 0x29], 0x00, 0xA0)
    send(address, 0x3D, 0x00)
    wait(20)
    send(address, 0x3F, 0x20)
    wait(700)
    found([address], 0x00, 0xA0)
    send(address, 0x3E, 0x00)
    send(address, 0x07, 0x00)
    send(address, 0x3B, 0x00)
    send(address, 0x3F, 0x00)
    send(address, 0x07, 0x01)
    send(address, 0x09, 0x17)
    send(address, 0x07, 0x00)
    send(address, 0x3D, 0x07)
    wait(20)
    return identity


def read():
    """Acceleration (1/100 m/s²), field (1/16 µT), rotation (±2000 °/s over 16 bits); there is no ready flag, and
    zeros until there is a first sample."""
    global last
    if milliseconds() - last < 33:
        return None
    last = milliseconds()
    counts = struct.unpack("<hhhhhhhhh", get(address, 0x08, 18))
    if not any(counts[3:6]):
        return None
    field = [c / 16 for c in counts[3:6]]
    row = field + [c / 980.665 for c in counts[:3]] + [c * 2000 / 32768 for c in counts[6:]]
    return row, any(abs(f) >= 1300 for f in field)


run("bno055-python", NINE_AXES, start, read)
