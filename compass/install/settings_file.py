"""The files of an installation: one JSON settings file on disk, read strictly, compared as text, rewritten in its own
layout and replaced atomically; and the clone's `info/exclude`, which keeps one out of git. Knows no hooks."""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import stat
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn, cast

from evaluator.errors import ConfigError
from evaluator.files import private_folder
from evaluator.processes import run_git

MAX_BYTES = 4 * 1024 * 1024
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class WritableSettings:
    """`text` is None where there is no file; a byte order mark is kept in `text`, not in the value."""

    path: str
    text: str | None
    value: dict[str, object]


def read(path: str) -> WritableSettings:
    """A JSON settings file with its text. Raises ConfigError, naming file, line and way out, for all but an object."""
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
        raise ConfigError(f"{path}: line {line}: not UTF-8; save it as UTF-8, then try again") from error
    body = text.removeprefix(_BOM)
    try:
        loaded = json.loads(
            body if body.strip() else "{}",
            parse_constant=_refuse_file_constant,
            parse_float=_finite_settings_number,
        )
        value = cast(object, loaded)
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"{path}: line {error.lineno}, column {error.colno}: not plain JSON ({error.msg}). Correct that line, or "
            "add the entries by hand: a file with comments or trailing commas cannot be rewritten without losing "
            "them; nothing was changed"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not plain JSON ({str(error)[:80]}); nothing was changed") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: line 1: must contain a JSON object; nothing was changed")
    return WritableSettings(path, text, cast(dict[str, object], value))


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


def remove(path: str) -> None:
    """Deletes a file that may be there. Raises ConfigError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{path}: cannot be deleted: {error.strerror}") from error


def _refuse_file_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite_settings_number(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number[:20]} is too large a number for JSON")
    return value


_INDENT = re.compile(r"\n([ \t]+)\S")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def rewrite(text: str, value: object) -> str:
    """A dump of `value` with the indentation, the newlines and the end of `text`; `text` itself if it says `value`.

    Keys keep the order that `value` has. Raises ValueError if `text` is no JSON document, and for a number that is
    none in JSON.
    """
    if _dump_settings(json.loads(text), None) == _dump_settings(value, None):
        return text
    indent = _INDENT.search(text)
    dumped = _dump_settings(value, indent.group(1) if indent else "  ")
    if "\r\n" in text:
        dumped = dumped.replace("\n", "\r\n")
    return text[: len(text) - len(text.lstrip())] + dumped + text[len(text.rstrip()) :]


def render(value: object) -> str:
    """A fresh document, two spaces deep, with a final newline."""
    return _dump_settings(value, "  ") + "\n"


def _dump_settings(value: object, indent: str | None) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    # Half of a pair has no form in UTF-8; only an escape can say it.
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_SECONDS = 10.0
_SPECIAL = re.compile(r"([\\*?\[])")


def exclusion_of(folder: str, name: str) -> tuple[str, str] | None:
    """(a clone's `info/exclude`, the line there that would make git ignore a file of the project); None where git does
    already, or does not answer. Raises ConfigError for a file that git tracks. `name` is relative to `folder`; the file
    need not exist."""
    try:
        inside = run_git(folder, "rev-parse", "--show-prefix", "--git-path", "info/exclude", seconds=_SECONDS)
        tracked = run_git(folder, "ls-files", "--error-unmatch", "--", name, seconds=_SECONDS)
        ignored = run_git(folder, "check-ignore", "--quiet", "--", name, seconds=_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None
    if tracked.returncode == 0:
        raise ConfigError(
            f"{os.path.join(folder, name)} is tracked by git, and an absolute interpreter path in it would block "
            f"every teammate. Run `git rm --cached {name}` first, or use `compass init --user`"
        )
    if inside.returncode != 0 or ignored.returncode != 1:
        return None
    prefix, _, exclude = inside.stdout.removesuffix("\n").partition("\n")
    return os.path.join(folder, exclude), "/" + _SPECIAL.sub(r"\\\1", prefix + name)


def exclude(path: str, line: str) -> None:
    """Appends a line to git's `info/exclude`. Raises ConfigError."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = _read_exclude_file(path)
        with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
            file.write(("\n" if text and not text.endswith("\n") else "") + line + "\n")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error


def include_again(exclude: str, line: str) -> bool:
    """Take the last occurrence of the line out; False if it is not there. Raises ConfigError."""
    try:
        lines = _read_exclude_file(exclude).splitlines(keepends=True)
        places = [index for index, text in enumerate(lines) if text.rstrip("\r\n") == line]
        if not places:
            return False
        del lines[places[-1]]
        with open(exclude, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write("".join(lines))
    except OSError as error:
        raise ConfigError(f"{exclude}: cannot be written: {error.strerror}") from error
    return True


def _read_exclude_file(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()
