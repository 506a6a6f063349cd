# icm20948-python: TDK ICM-20948 (SparkFun 15335, Adafruit 4554), nine axes at 100 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: TDK data sheet DS-000189, AKM data sheet AK09916. Save it as main.py
# or code.py.
from board_lines import *

address = None
MAGNETOMETER = 0x0C


def start():
    """Reset, awake, the magnetometer on the outer bus (BYPASS_EN); bank 2: 102 Hz, ±500 °/s, ±4 g, filters of 50 Hz;
    then the AK09916 at 100 Hz."""
    global address
    address, identity = found([0x69, 0x68], 0x00, 0xEA)
    send(address, 0x7F, 0x00)
    send(address, 0x06, 0x80)
    wait(100)
    send(address, 0x06, 0x01)
    send(address, 0x07, 0x00)
    send(address, 0x03, 0x00)
    send(address, 0x0F, 0x02)
    wait(10)
    send(address, 0x7F, 0x20)
    send(address, 0x00, 10)
    send(address, 0x01, 0x1B)
    send(address, 0x10, 0, 10)
    send(address, 0x14, 0x1B)
    send(address, 0x7F, 0x00)
    found([MAGNETOMETER], 0x01, 0x09)
    send(MAGNETOMETER, 0x32, 0x01)
    wait(10)
    send(MAGNETOMETER, 0x31, 0x08)
    return identity


def read():
    """ST1 (DRDY) to ST2 (HOFL), which ends the reading; then acceleration and rotation. The magnetometer's y and z point
    the other way."""
    data = get(MAGNETOMETER, 0x10, 9)
    if not data[0] & 0x01:
        return None
    x, y, z = struct.unpack("<hhh", bytes(data[1:7]))
    motion = struct.unpack(">hhhhhh", get(address, 0x2D, 12))
    field = [x * 0.15, y * -0.15, z * -0.15]
    return field + [c / 8192 for c in motion[:3]] + [c / 65.5 for c in motion[3:]], data[8] & 0x08


run("icm20948-python", NINE_AXES, start, read)
