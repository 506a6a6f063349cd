# fxos8700-python: NXP FXOS8700CQ (Adafruit 3463, FRDM boards), field and tilt at 50 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V (or 5 V where the board has a regulator), GND, SDA, SCL. Registers: NXP data sheet FXOS8700CQ rev. 8.
# Save it as main.py or code.py.
from board_lines import *

address = None


def start():
    """Standby until the running measurement is over; no FIFO; both sensors with the most over-sampling, read in one
    burst; ±4 g, high resolution; 50 Hz."""
    global address
    address, identity = found([0x1F, 0x1E, 0x1D, 0x1C], 0x0D, 0xC7)
    send(address, 0x2A, 0x00)
    wait(50)
    send(address, 0x09, 0x00)
    send(address, 0x5B, 0x1F)
    send(address, 0x5C, 0x20)
    send(address, 0x0E, 0x01)
    send(address, 0x2B, 0x02)
    send(address, 0x2A, 0x1D)
    return identity


def read():
    """DR_STATUS (ZYXDR), acceleration in 14 bits at the upper end of 16, 2048 counts a g; field 0.1 µT a count."""
    data = get(address, 0x00, 13)
    if not data[0] & 0x08:
        return None
    counts = struct.unpack(">hhhhhh", bytes(data[1:13]))
    field = [c * 0.1 for c in counts[3:]]
    return field + [c / 8192 for c in counts[:3]], any(abs(f) >= 1200 for f in field)


run("fxos8700-python", SIX_AXES, start, read)
