"""Headings and fields, as they come."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Iterator, List, Optional, Type, TypeVar

from ._command import PathLike, Place, arguments, objects, refuse
from ._errors import UsageError


@dataclass(frozen=True)
class HeadingReading:
    """One heading. Angles are in degrees, clockwise from north; the accuracy holds for 95 of 100."""

    time_s: float
    magnetic_heading_deg: Optional[float] = None
    true_heading_deg: Optional[float] = None
    accuracy_deg: Optional[float] = None
    quality: Optional[str] = None
    field_uT: Optional[float] = None
    inclination_deg: Optional[float] = None
    pitch_deg: Optional[float] = None
    roll_deg: Optional[float] = None
    orientation: Optional[str] = None
    bx_uT: Optional[float] = None
    by_uT: Optional[float] = None
    bz_uT: Optional[float] = None


@dataclass(frozen=True)
class FieldReading:
    """The field's difference from the zero-point, in microtesla, with its uncertainty, and the field itself (b).

    Below the noise the magnitude is at most ``at_most_uT``; where an axis is at the end of its range it is at least
    ``at_least_uT``, and so may the peak be.
    """

    time_s: float
    dx_uT: Optional[float] = None
    dy_uT: Optional[float] = None
    dz_uT: Optional[float] = None
    magnitude_uT: Optional[float] = None
    uncertainty_uT: Optional[float] = None
    peak_uT: Optional[float] = None
    bx_uT: Optional[float] = None
    by_uT: Optional[float] = None
    bz_uT: Optional[float] = None
    flags: Any = None
    at_most_uT: Optional[float] = None
    at_least_uT: Optional[float] = None
    peak_uncertainty_uT: Optional[float] = None
    peak_at_least_uT: Optional[float] = None


Reading = TypeVar("Reading", HeadingReading, FieldReading)


def headings(
    device: Optional[PathLike] = None,
    *,
    at: Optional[Place] = None,
    profile: Optional[PathLike] = None,
    rate: Optional[float] = None,
    duration: Optional[float] = None,
    count: Optional[int] = None,
    **options: Any,
) -> Iterator[HeadingReading]:
    """Headings of a device or of a recording.

    device -- its address (`/dev/ttyACM0`, `usb:`, `sim:`, `ride.csv`); None for the only one attached
    at -- (latitude, longitude) or (latitude, longitude, altitude): gives true headings
    profile -- a saved calibration's file or name, or "none"
    rate, duration, count -- samples a second, and when to stop
    options -- others of `lodestone heading`: smooth=0.5 is --smooth 0.5, no_reconnect=True is --no-reconnect, and
        publish=["tcp://:10110", "pty:compass"] is --publish twice
    """
    words = arguments(device, at, profile, rate=rate, duration=duration, count=count, **options)
    return _readings("heading", words, options, HeadingReading)


def teslameter(
    device: Optional[PathLike] = None,
    *,
    zero_seconds: Optional[float] = None,
    profile: Optional[PathLike] = None,
    rate: Optional[float] = None,
    duration: Optional[float] = None,
    count: Optional[int] = None,
    **options: Any,
) -> Iterator[FieldReading]:
    """The field's difference from its zero-point, which the first seconds are: keep the sensor still and magnets away.

    The arguments are those of `headings` without the place; zero_seconds says how long the zero-point is averaged.
    """
    words = arguments(
        device, None, profile, zero_seconds=zero_seconds, rate=rate, duration=duration, count=count, **options
    )
    return _readings("teslameter", words, options, FieldReading)


def _readings(command: str, words: List[str], options: Dict[str, Any], kind: Type[Reading]) -> Iterator[Reading]:
    if options.get("unit") is not None:
        hint = "fields are in microtesla here; field_unit says what the device sends"
        raise UsageError(f"unit={options['unit']!r}: the names of a reading have their unit", hint, 64)
    refuse(options, ("format", "json", "csv", "output", "rose"))
    return _read([command, "--format", "json"] + words, kind)


def _read(words: List[str], kind: Type[Reading]) -> Iterator[Reading]:
    names = {field.name for field in fields(kind)}
    for values in objects(words):
        yield kind(**{name: value for name, value in values.items() if name in names})
