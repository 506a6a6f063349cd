"""The command: where it is, and how it is run."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sysconfig
import threading
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from ._errors import NotFound, UsageError, error

Place = Union[str, Tuple[float, float], Tuple[float, float, float]]
PathLike = Union[str, "os.PathLike[str]"]

log = logging.getLogger("lodestone_compass")


def program() -> str:
    """The command that came with this package, or else the one on the PATH."""
    folders = [sysconfig.get_path("scripts")]
    if os.name + "_user" in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", os.name + "_user"))
    for folder in folders:
        path = os.path.join(folder, "lodestone")
        if os.access(path, os.X_OK):
            return path
    path = shutil.which("lodestone") or ""
    if not path:
        raise NotFound("the command lodestone is not installed", "pip install lodestone-compass")
    return path


def arguments(
    device: Optional[PathLike], at: Optional[Place], profile: Optional[PathLike], **options: Any
) -> List[str]:
    """Options of the command; None leaves one out, True is a flag, and a list gives one for each of its values."""
    if at is not None and not isinstance(at, str):
        at = ",".join(repr(float(number)) for number in at)
    words: List[str] = []
    options.update(device=device, at=at, profile=profile)
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            words += [option] if one is True else [option, os.fspath(one) if hasattr(one, "__fspath__") else str(one)]
    return words


def refuse(options: Dict[str, Any], names: Tuple[str, ...]) -> None:
    """Refuses options that belong to this module."""
    for name in names:
        if options.get(name) is not None:
            raise UsageError(f"{name}={options[name]!r}: this module sets it", "leave it out", 64)


def _environment() -> Dict[str, str]:
    """That of the program, with the unit that the names here have; --unit would say it of columns that are named, too."""
    return {**os.environ, "LODESTONE_UNIT": "uT"}


def run(words: List[str]) -> str:
    """Runs it to its end; standard output."""
    done = subprocess.run(
        [program()] + words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=_environment()
    )
    if done.returncode != 0:
        raise error(done.returncode, done.stderr)
    return done.stdout


def objects(words: List[str]) -> Iterator[Dict[str, Any]]:
    """The JSON objects that it prints, one a line, as they come. Notices go to the log `lodestone_compass`."""
    process = subprocess.Popen(
        [program()] + words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=_environment(),
    )
    said: List[str] = []
    listener = threading.Thread(target=_listen, args=(process.stderr, said), daemon=True)
    listener.start()
    assert process.stdout is not None
    try:
        for line in process.stdout:
            yield json.loads(line)
        code = process.wait()
        listener.join()
        if code != 0:
            raise error(code, "\n".join(said))
    finally:
        if process.poll() is None:
            process.terminate()  # it hears no SIGINT where a shell has begun this in the background
        process.stdout.close()
        process.wait()
        listener.join()


def _listen(stream: Any, said: List[str]) -> None:
    """Keeps the last lines, which hold the error, and logs the others."""
    with stream:
        for line in stream:
            text = line.rstrip("\n")
            said.append(text)
            del said[:-20]
            if text and not text.startswith(("Error: ", "Hint: ")):
                log.info("%s", text)
