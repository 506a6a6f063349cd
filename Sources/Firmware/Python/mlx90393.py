# mlx90393-python: Melexis MLX90393 (Adafruit 4022, SparkFun 14571), field at 50 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Commands: Melexis data sheet MLX90393, rev. 006. It has commands where others
# have registers, each answered by a status byte. Save it as main.py or code.py.
from board_lines import *

address = None
last = 0


def command(length, *data):
    """A command's answer, the status byte first."""
    send(address, *data)
    return receive(address, length)


def measure():
    """Begins a measurement of x, y and z."""
    if command(1, 0x3E)[0] & 0x10:
        raise OSError("a measurement was refused")


def start():
    """EX, RT; then gain 1 with HALLCONF 0C, and RES 2, because finer ones wrap round past 5 mT, with DIG_FILT 4 and
    OSR 2: 14.5 ms."""
    global address
    for address in (0x0C, 0x0D, 0x0E, 0x0F, 0x18, 0x19, 0x1A, 0x1B):
        try:
            command(1, 0x80)
            wait(1)
            status = command(1, 0xF0)[0]
        except OSError:
            continue
        wait(5)
        for register, value in ((0x00, 0x007C), (0x01, 0x0000), (0x02, 0x0552)):
            command(1, 0x60, value >> 8, value & 0xFF, register << 2)
        measure()
        return status
    raise OSError("no sensor answers")


def read():
    """Around 32768, 0.600 µT a count in x and y, 0.968 µT in z; the converter stops at 22000. Read before it is done,
    the answer is an error."""
    global last
    if milliseconds() - last < 20:
        return None
    data = command(7, 0x4E)
    if data[0] & 0x10:
        return None
    last = milliseconds()
    measure()
    x, y, z = [c - 32768 for c in struct.unpack(">HHH", bytes(data[1:]))]
    return [x * 0.600, y * 0.600, z * 0.968], max(abs(x), abs(y), abs(z)) >= 22000


run("mlx90393-python", FIELD, start, read)
