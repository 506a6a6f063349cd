import struct
import time

# The same in every sketch: the bus, and lines that Lodestone reads without a question.
try:  # MicroPython. Where the board has no usual pins, name them: I2C(0, scl=Pin(5), sda=Pin(4), freq=400000)
    from machine import I2C

    bus = I2C(0, freq=400000)
    elapsed, ticks = 0, time.ticks_ms()

    def milliseconds():
        """Since the start: the board's own ticks begin again every 12 days."""
        global elapsed, ticks
        now = time.ticks_ms()
        elapsed += time.ticks_diff(now, ticks)
        ticks = now
        return elapsed

    def send(device, *data):
        bus.writeto(device, bytes(data))

    def receive(device, count):
        return bus.readfrom(device, count)

    def get(device, register, count):
        return bus.readfrom_mem(device, register, count)

except ImportError:  # CircuitPython
    import board
    import busio

    bus = busio.I2C(board.SCL, board.SDA, frequency=400000)
    while not bus.try_lock():
        pass

    def milliseconds():
        return time.monotonic_ns() // 1000000

    def send(device, *data):
        bus.writeto(device, bytes(data))

    def receive(device, count):
        data = bytearray(count)
        bus.readfrom_into(device, data)
        return data

    def get(device, register, count):
        data = bytearray(count)
        bus.writeto_then_readfrom(device, bytes([register]), data)
        return data


def wait(duration):
    """Waits so many milliseconds."""
    time.sleep(duration / 1000)


def found(addresses, register, *identities):
    """The first of these addresses at which the register has one of these values, and that value."""
    for address in addresses:
        try:
            identity = get(address, register, 1)[0]
        except OSError:
            continue
        if identity in identities:
            return address, identity
    raise OSError("no sensor answers")


def run(name, columns, start, read):
    """Prints what `read` gives, a row a line, with the columns' names every 16 rows."""
    while True:
        try:
            identity = start()
            last = None
            rows = 0
            while True:
                now = milliseconds()
                last = now if last is None else last
                row = read()
                if row is None:
                    if now - last > 1000:
                        raise OSError("no samples")
                    continue
                last = now
                if rows % 16 == 0:
                    print("# %s, id 0x%X" % (name, identity))
                    print("time_ms," + columns)
                rows += 1
                values, is_saturated = row
                if is_saturated:
                    print("# saturated")
                print("%d,%s" % (now, ",".join("%.4f" % value for value in values)))
        except OSError as error:
            print("# %s: %s: check its supply, SDA and SCL" % (name, error))
            wait(1000)


FIELD = "mx_uT,my_uT,mz_uT"
SIX_AXES = FIELD + ",ax_g,ay_g,az_g"
NINE_AXES = SIX_AXES + ",gx_dps,gy_dps,gz_dps"
