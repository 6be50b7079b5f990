"""One JSON settings file on disk: read strictly, compared as text, replaced atomically. Knows no hooks."""

from __future__ import annotations

import difflib
import json
import math
import os
import secrets
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn, cast

from evaluator.errors import ConfigError
from evaluator.files import private_folder

MAX_BYTES = 4 * 1024 * 1024
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class WritableSettings:
    """`text` is None where there is no file; a byte order mark is kept in `text`, not in the value."""

    path: str
    text: str | None
    value: dict[str, object]


def read(path: str) -> WritableSettings:
    """Raises ConfigError, naming file, line and the way out, for all that is not a plain JSON object."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return WritableSettings(path, None, {})
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    if len(raw) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes; nothing was changed")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}: line {line}: not UTF-8; save it as UTF-8, then run again") from error
    return WritableSettings(path, text, _parse(path, text))


def text_of(path: str) -> str | None:
    """The text of a file that need not be JSON; None where there is none. Raises ConfigError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(MAX_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error


def replace(path: str, text: str | Iterable[str], *, private: bool = False) -> None:
    """Write through a temporary file beside the real one; a link stays a link, the mode stays. `text` may be in pieces.

    A new file gets the mode that the umask gives, or 0600 if `private`, in folders of 0700 then.
    Raises ConfigError.
    """
    real = os.path.realpath(path)
    temporary = f"{real}.{secrets.token_hex(6)}.tmp"
    try:
        if private:
            private_folder(os.path.dirname(real), repair=False)
        else:
            os.makedirs(os.path.dirname(real), exist_ok=True)
        mode = stat.S_IMODE(os.stat(real).st_mode) if os.path.exists(real) else None
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        descriptor = os.open(temporary, flags, 0o600 if private or mode is not None else 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for piece in (text,) if isinstance(text, str) else text:
                    file.write(piece.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, mode)
            os.replace(temporary, real)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error


def unified_diff(path: str, before: str | None, after: str | None) -> str:
    """As `diff -u` prints it, /dev/null for a file that is not there; empty if nothing changes."""
    old_name = "/dev/null" if before is None else path
    new_name = "/dev/null" if after is None else path
    old, new = (before or "").splitlines(), (after or "").splitlines()
    return "\n".join(difflib.unified_diff(old, new, old_name, new_name, lineterm=""))


def _parse(path: str, text: str) -> dict[str, object]:
    body = text.removeprefix(_BOM)
    if not body.strip():
        return {}
    try:
        value = cast(object, json.loads(body, parse_constant=_no_constant, parse_float=_finite))
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{path}: line {error.lineno}, column {error.colno}: not plain JSON ({error.msg}). "
            "Correct that line, or add the entries by hand: a file with comments or trailing commas cannot be written "
            "anew without losing them; nothing was changed"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not plain JSON ({str(error)[:80]}); nothing was changed") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: line 1: must hold a JSON object; nothing was changed")
    return cast(dict[str, object], value)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number[:20]} is beyond every number that JSON's readers know")
    return value
