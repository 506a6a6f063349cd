# lsm9ds1-python: ST LSM9DS1 (SparkFun 13284, Adafruit 3387), nine axes at 80 Hz, for MicroPython and CircuitPython
#
# Wiring: VIN to 3.3 V, GND, SDA, SCL. Registers: ST data sheet LSM9DS1, DocID025715. Save it as main.py or code.py.
from board_lines import *

address = magnetometer = None


def start():
    """Reset; 119 Hz, ±500 °/s, ±4 g, block data update. The magnetometer: ultra-high performance at 80 Hz, temperature
    compensated, ±4 G."""
    global address, magnetometer
    address, identity = found([0x6B, 0x6A], 0x0F, 0x68)
    magnetometer = found([0x1E, 0x1C], 0x0F, 0x3D)[0]
    send(address, 0x22, 0x05)
    wait(10)
    send(address, 0x22, 0x44)
    send(address, 0x10, 0x68)
    send(address, 0x20, 0x70)
    send(magnetometer, 0x21, 0x04)
    wait(10)
    send(magnetometer, 0x20, 0xFC)
    send(magnetometer, 0x21, 0x00)
    send(magnetometer, 0x23, 0x0C)
    send(magnetometer, 0x24, 0x40)
    send(magnetometer, 0x22, 0x00)
    return identity


def read():
    """Field: 0.14 mG a count. Acceleration 0.122 mg, rotation 17.5 m°/s: x turned round, as their axes are left-handed."""
    if not get(magnetometer, 0x27, 1)[0] & 0x08:
        return None
    counts = struct.unpack("<hhh", get(magnetometer, 0x28 | 0x80, 6))
    gx, gy, gz = struct.unpack("<hhh", get(address, 0x18, 6))
    ax, ay, az = struct.unpack("<hhh", get(address, 0x28, 6))
    row = [c * 0.014 for c in counts] + [c * 0.000122 for c in (-ax, ay, az)] + [c * 0.0175 for c in (-gx, gy, gz)]
    return row, any(c in (32767, -32768) for c in counts)


run("lsm9ds1-python", NINE_AXES, start, read)
