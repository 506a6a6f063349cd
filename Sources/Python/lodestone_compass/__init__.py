"""A digital compass and teslameter for magnetometers, by the command ``lodestone``.

    import lodestone_compass

    for reading in lodestone_compass.headings("/dev/ttyACM0", at=(48.2, 16.37)):
        print(reading.true_heading_deg, reading.accuracy_deg, reading.quality)

Units are in the names: degrees (deg), microtesla (uT), seconds (s). What is absent is None. Errors carry the command's
words and its hint.
"""

from ._errors import (
    BadData,
    DeviceBusy,
    DeviceGone,
    InputOutputError,
    LodestoneError,
    NotFound,
    NotPermitted,
    UsageError,
)
from ._profile import Profile, calibrate
from ._streams import FieldReading, HeadingReading, headings, teslameter

__all__ = [
    "BadData",
    "DeviceBusy",
    "DeviceGone",
    "FieldReading",
    "HeadingReading",
    "InputOutputError",
    "LodestoneError",
    "NotFound",
    "NotPermitted",
    "Profile",
    "UsageError",
    "calibrate",
    "headings",
    "teslameter",
]
