"""A calibration: made from samples, loaded, applied."""

from __future__ import annotations

import json
import math
import numbers
import os
import secrets
import tempfile
from typing import Any, Dict, List, Optional, Sequence

from ._command import PathLike, Place, arguments, refuse, run
from ._errors import BadData, UsageError

_UNITS = ("nT", "uT", "mT", "G", "mG")
_SENSORS = ("mx_{0} my_{0} mz_{0}", "ax_g ay_g az_g", "gx_dps gy_dps gz_dps")


class Profile:
    """Hard iron and soft iron: the calibrated field is ``soft_iron · (field - hard_iron)``, in microtesla."""

    def __init__(self, content: Dict[str, Any]) -> None:
        if not isinstance(content, dict) or content.get("format") != "lodestone-profile":
            raise BadData("it is not a profile of Lodestone", "lodestone profiles import reads those of other programs")
        self.content = content

    @classmethod
    def load(cls, path: PathLike) -> "Profile":
        """A profile's file, as `lodestone calibrate --profile` and `save` write it.

        The command checks it: what it refuses is refused here, in its words.
        """
        path = os.path.abspath(os.fsdecode(path))
        run(["profiles", "show", path])
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def save(self, path: PathLike) -> None:
        """Writes the file that `--profile` takes, whole or not at all. One that is there keeps its permissions."""
        path = os.fsdecode(os.path.realpath(path))
        draft = os.path.join(os.path.dirname(path), f".lodestone-{secrets.token_hex(8)}")
        file = open(draft, "x", encoding="utf-8")
        try:
            with file:
                if os.path.exists(path):
                    os.chmod(draft, os.stat(path).st_mode & 0o777)
                json.dump(self.content, file, indent=2, sort_keys=True, ensure_ascii=False)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise

    @property
    def hard_iron(self) -> List[float]:
        """What is subtracted, in microtesla."""
        return [float(value) for value in self.content["hard_iron_uT"]]

    @property
    def soft_iron(self) -> List[List[float]]:
        """The matrix, by rows."""
        return [[float(value) for value in row] for row in self.content["soft_iron"]]

    @property
    def field_uT(self) -> Optional[float]:
        """The field's strength where it was calibrated, in microtesla."""
        return self.content.get("field_uT")

    @property
    def inclination_deg(self) -> Optional[float]:
        """The field's inclination there; None without an accelerometer."""
        return self.content.get("inclination_deg")

    @property
    def quality(self) -> Dict[str, Any]:
        """All figures of the fit."""
        return dict(self.content.get("quality", {}))

    @property
    def verdict(self) -> str:
        """good, fair or poor."""
        return str(self.quality.get("verdict", "poor"))

    @property
    def heading_error_deg(self) -> Optional[float]:
        """The predicted error of headings in degrees, root mean square; None where it can't be predicted."""
        return self.quality.get("heading_error_deg")

    @property
    def warnings(self) -> List[str]:
        """What its user should know."""
        return list(self.quality.get("warnings", []))

    def correct(self, field: Any) -> Any:
        """The calibrated field of one sample or of many (n × 3), in microtesla: an array where numpy is installed, else
        lists."""
        try:
            import numpy
        except ImportError:
            return self._corrected(field) if _is_number(field[0]) else [self._corrected(row) for row in field]
        samples = numpy.asarray(field, dtype=float)
        return (samples - numpy.array(self.hard_iron)) @ numpy.array(self.soft_iron).T

    def _corrected(self, field: Sequence[float]) -> List[float]:
        raw = [float(value) - offset for value, offset in zip(field, self.hard_iron)]
        return [sum(factor * value for factor, value in zip(row, raw)) for row in self.soft_iron]

    def __repr__(self) -> str:
        return f"<Profile {self.verdict}, hard iron {self.hard_iron} µT>"


def calibrate(
    samples: Any,
    *,
    rate: float = 50,
    unit: str = "uT",
    at: Optional[Place] = None,
    force: bool = False,
    **options: Any,
) -> Profile:
    """Fits a sweep.

    samples -- a recording's path; or an array or list of n rows: field; field, acceleration; or field, acceleration,
        rotation (3, 6 or 9 numbers, acceleration in g, rotation in degrees per second)
    rate -- rows a second, of an array
    unit -- the field's unit, of an array: nT, uT, mT, G or mG
    at -- (latitude, longitude[, altitude]): resolves axes, sign and field strength
    force -- accept what can't support a good calibration; its verdict is then poor
    """
    if not (isinstance(rate, numbers.Real) and 0 < rate < math.inf):
        raise UsageError(f"rate {rate!r}: must be a number of rows a second, more than 0", exit_code=64)
    if unit not in _UNITS:
        raise UsageError(f"unit {unit}: there are {', '.join(_UNITS[:-1])} and {_UNITS[-1]}", exit_code=64)
    refuse(options, ("json", "csv", "output", "quiet"))
    with tempfile.TemporaryDirectory() as folder:
        device = samples
        if not isinstance(samples, (str, os.PathLike)):
            device = os.path.join(folder, "sweep.csv")
            _write(samples, device, rate, unit)
        profile = os.path.join(folder, "profile.json")
        run(["calibrate", "--json", "--quiet"] + arguments(device, at, profile, force=force, **options))
        return Profile.load(profile)


def _write(samples: Any, path: str, rate: float, unit: str) -> None:
    """A recording of rows of numbers, all of the same length. Rows with a field that is not finite are samples that the
    sensor missed."""
    rows = samples.tolist() if hasattr(samples, "tolist") else samples
    rate, width, known = float(rate), 0, 0
    with open(path, "w", encoding="utf-8") as file:
        for number, row in enumerate(rows):
            if _is_number(row):
                raise ValueError(f"row {number} is a number: rows of 3, 6 or 9 numbers are needed")
            values = [float(value) for value in row]
            if number == 0:
                width = len(values)
                if width not in (3, 6, 9):
                    raise ValueError(f"rows of 3, 6 or 9 numbers are needed, not of {width}")
                names = " ".join(_SENSORS[: width // 3]).format(unit).split()
                file.write(",".join(["time_s"] + names) + "\n")
            if len(values) != width:
                raise ValueError(f"row {number} has {len(values)} numbers, and the first one {width}")
            known += all(map(math.isfinite, values[:3]))
            file.write(",".join([repr(number / rate)] + [repr(value) for value in values]) + "\n")
    if known == 0:
        raise BadData("there are no samples with a field in the array", "give a row for each sample", 65)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real)
