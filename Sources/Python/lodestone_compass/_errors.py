"""What the command says when it fails, as exceptions."""

from __future__ import annotations

from typing import Dict, Optional, Type


class LodestoneError(Exception):
    """The command failed: its words, and what to do about it."""

    def __init__(self, message: str, hint: Optional[str] = None, exit_code: Optional[int] = None) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


class UsageError(LodestoneError):
    """Arguments that make no sense together."""


class BadData(LodestoneError):
    """A sweep that can't be fitted, a recording without what is needed, a corrupt profile."""


class NotFound(LodestoneError):
    """No such device or file."""


class DeviceGone(LodestoneError):
    """The device was unplugged, or a connection broke."""


class InputOutputError(LodestoneError):
    """Reading or writing failed."""


class DeviceBusy(LodestoneError):
    """Another program uses the device."""


class NotPermitted(LodestoneError):
    """The user may not open the device."""


_KINDS: Dict[int, Type[LodestoneError]] = {
    64: UsageError,
    65: BadData,
    66: NotFound,
    69: DeviceGone,
    74: InputOutputError,
    75: DeviceBusy,
    77: NotPermitted,
}


def error(exit_code: int, lines: str) -> LodestoneError:
    """The exception for an exit code and what stood on standard error."""
    message = hint = None
    for line in lines.splitlines():
        if line.startswith("Error: "):
            message, hint = line[len("Error: ") :], None
        elif line.startswith("Hint: "):
            hint = line[len("Hint: ") :]
    return _KINDS.get(exit_code, LodestoneError)(message or f"lodestone ended with {exit_code}", hint, exit_code)
