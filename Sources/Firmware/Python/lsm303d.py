# lsm303d-python: ST LSM303D (Pimoroni, Pololu) or LSM9DS0, field and tilt at 100 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V (or 5 V where the board has a regulator), GND, SDA, SCL. Registers: ST data sheet DocID023312. Save
# it as main.py or code.py.
from board_lines import *

address = None


def start():
    """No FIFO; ±4 g with a filter of 50 Hz at 200 Hz; ±2 G in high resolution at 100 Hz, continuous."""
    global address
    address, identity = found([0x1D, 0x1E], 0x0F, 0x49)
    send(address, 0x1F, 0x00)
    send(address, 0x2E, 0x00)
    send(address, 0x21, 0xC8)
    send(address, 0x20, 0x7F)
    send(address, 0x24, 0x74)
    send(address, 0x25, 0x00)
    send(address, 0x26, 0x00)
    return identity


def read():
    """STATUS_M: ZYXMDA. Bit 7 of a register counts up. Field 0.08 mG a count, acceleration 0.122 mg."""
    data = get(address, 0x87, 7)
    if not data[0] & 0x08:
        return None
    counts = struct.unpack("<hhh", bytes(data[1:7]))
    force = struct.unpack("<hhh", get(address, 0xA8, 6))
    row = [c * 0.008 for c in counts] + [c * 0.000122 for c in force]
    return row, any(c in (32767, -32768) for c in counts)


run("lsm303d-python", SIX_AXES, start, read)
