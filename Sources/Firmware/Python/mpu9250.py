# mpu9250-python: InvenSense MPU-9250, MPU-9255 (GY-9250, GY-91), nine axes at 100 Hz, for MicroPython and CircuitPython
#
# Wiring: VCC to 3.3 V, GND, SDA, SCL. Registers: InvenSense RM-MPU-9250A-00, AKM data sheet AK8963. A board that
# answers 70 is an MPU-6500 and has no magnetometer. Save it as main.py or code.py.
from board_lines import *

address = sensitivity = None
MAGNETOMETER = 0x0C


def start():
    """Reset, awake, the magnetometer on the outer bus (BYPASS_EN); ±500 °/s, ±4 g, filters of 41 Hz, 100 Hz. The
    AK8963: reset, the fuses' values, power-down, then 16 bits at 100 Hz."""
    global address, sensitivity
    address, identity = found([0x68, 0x69], 0x75, 0x71, 0x73)
    send(address, 0x6B, 0x80)
    wait(100)
    send(address, 0x6B, 0x01)
    send(address, 0x6A, 0x00)
    send(address, 0x37, 0x22)
    wait(10)
    for register, value in ((0x1B, 8), (0x1C, 8), (0x1A, 3), (0x1D, 3), (0x19, 9)):
        send(address, register, value)
    found([MAGNETOMETER], 0x00, 0x48)
    send(MAGNETOMETER, 0x0B, 0x01)
    wait(10)
    send(MAGNETOMETER, 0x0A, 0x0F)
    sensitivity = [0.15 * ((fuse - 128) * 0.5 / 128 + 1) for fuse in get(MAGNETOMETER, 0x10, 3)]
    send(MAGNETOMETER, 0x0A, 0x00)
    wait(1)
    send(MAGNETOMETER, 0x0A, 0x16)
    return identity


def read():
    """ST1 (DRDY) to ST2 (HOFL), which ends the reading; then acceleration, temperature, rotation. The magnetometer's
    axes are y, x and -z of the others."""
    data = get(MAGNETOMETER, 0x02, 8)
    if not data[0] & 0x01:
        return None
    counts = struct.unpack("<hhh", bytes(data[1:7]))
    x, y, z = [count * factor for count, factor in zip(counts, sensitivity)]
    motion = struct.unpack(">hhhhhhh", get(address, 0x3B, 14))
    return [y, x, -z] + [c / 8192 for c in motion[:3]] + [c / 65.5 for c in motion[4:]], data[7] & 0x08


run("mpu9250-python", NINE_AXES, start, read)
