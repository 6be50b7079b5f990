"""Reads settings files as leniently as a host does, and says where it could not.

A file that the host can read and Compass cannot would hide what it sets: such a file is `opaque`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from evaluator.exhaustion import raise_want
from evaluator.record import Record

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
_UTF16_MARK = b"\xff\xfe"
EMPTY: Mapping[str, object] = MappingProxyType({})


class SettingsFile(Record):
    """One file's object; empty for a file that is missing or that `problem` is wrong with.

    `opaque`: the host may make more of this file than Compass can. `missing`: there is none.
    """

    path: str
    value: Mapping[str, object] = EMPTY
    problem: str = ""
    opaque: bool = False
    missing: bool = False

    def section(self, name: str) -> Mapping[str, object] | None:
        """The object under `name`, empty where there is none; None if it is something else."""
        found = self.value.get(name, {})
        return cast(dict[str, object], found) if isinstance(found, dict) else None


NO_FILE = SettingsFile("", missing=True)


def read_settings(path: str) -> SettingsFile:
    """What is wrong is said in `problem`. Raises OSError for want of descriptors or memory alone."""
    try:
        raw = _bytes_of(path)
    except FileNotFoundError:
        return SettingsFile(path, missing=True)
    except OSError as error:
        raise_want(error)
        missing = isinstance(error, NotADirectoryError)
        return SettingsFile(path, problem=f"cannot be read ({error.__class__.__name__})", missing=missing)
    except ValueError:
        return SettingsFile(path, problem="cannot be read (ValueError)")
    if raw is None:
        return SettingsFile(path, problem="no regular file", opaque=True)
    if len(raw) > MAX_SETTINGS_BYTES:
        return SettingsFile(path, problem=f"larger than {MAX_SETTINGS_BYTES} bytes", opaque=True)
    try:
        whole = _parse(_decode(raw))
    except RecursionError:
        return SettingsFile(path, problem="not valid JSON (nested too deep)", opaque=True)
    except ValueError as error:
        return SettingsFile(path, problem=f"not valid JSON ({str(error)[:120]})")
    if not isinstance(whole, dict):
        return SettingsFile(path, problem="must hold a JSON object")
    return SettingsFile(path, cast(dict[str, object], whole))


def _bytes_of(path: str) -> bytes | None:
    """None for a pipe, which would block, and a device, which has no end. Raises OSError, ValueError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder", path)
        if not stat.S_ISREG(mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_SETTINGS_BYTES + 1)
    finally:
        os.close(descriptor)


def _decode(raw: bytes) -> str:
    """As JavaScript reads a file: either byte order mark is taken, a wrong byte becomes U+FFFD."""
    if raw.startswith(_UTF16_MARK):
        return raw[2:].decode("utf-16-le", "replace")
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")


def _parse(text: str) -> object:
    import json

    if not text.strip():
        return {}
    try:
        return cast(object, json.loads(text))
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses whole numbers of thousands of digits; JavaScript rounds them.
        return cast(object, json.loads(text, parse_int=float))
