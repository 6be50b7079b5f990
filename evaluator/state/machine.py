"""The anonymous id of this machine, shared with the other Onlooker plugins."""

from __future__ import annotations

import os
from collections.abc import Callable

from evaluator.files import PRIVATE_FILE, locked, private_folder

FILE_NAME = "machine_id"
LOCK_SECONDS = 1.0
HEX = frozenset("0123456789abcdefABCDEF")
GROUPS = [8, 4, 4, 4, 12]


def uuid4(randomness: bytes) -> str:
    """16 random bytes as a version 4 UUID (RFC 9562, section 5.4)."""
    value = bytearray(randomness[:16])
    value[6] = value[6] & 0x0F | 0x40
    value[8] = value[8] & 0x3F | 0x80
    digits = value.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def is_uuid(text: str) -> bool:
    groups = text.split("-")
    return [len(group) for group in groups] == GROUPS and all(HEX.issuperset(group) for group in groups)


def machine_id(folder: str, random: Callable[[int], bytes]) -> str:
    """The UUID in `<folder>/machine_id`; made, 0600, if there is none or the file holds something else.

    All racers get the same id. Raises OSError.
    """
    path = os.path.join(folder, FILE_NAME)
    found = _read(path)
    if found is not None:
        return found
    private_folder(folder, repair=False)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with locked(descriptor, LOCK_SECONDS, folder):
            return _read(path) or _write(path, uuid4(random(16)))
    finally:
        os.close(descriptor)


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            text = file.read(64).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    return text if is_uuid(text) else None


def _write(path: str, fresh: str) -> str:
    """A link fails where another plugin, which does not know our lock, was first."""
    temporary = f"{path}.{fresh}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        try:
            os.write(descriptor, fresh.encode("ascii") + b"\n")
        finally:
            os.close(descriptor)
        try:
            os.link(temporary, path)
        except FileExistsError:
            other = _read(path)
            if other is not None:
                return other
            os.replace(temporary, path)
            return fresh
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
    return fresh
