"""Where readers are asked: addresses of servers and what may not be sent there, and the program of a client."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from evaluator.settings.files import is_address
from evaluator.settings.places import set_by

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def address_fault(url: str, credential: str) -> str:
    """Why nothing may be asked at `url`, empty for a public API; `credential` names what would be sent there."""
    if not url:
        return ""
    if not is_address(url):
        return f"the server's address is not an http or https address: {set_by('evaluator.base_url', 'URL')}"
    key = credential or ("the password in the address" if "@" in url.split("/")[2] else "")
    where = in_the_clear(url) if key else ""
    if not where:
        return ""
    return (
        f"{key} would go to {where} over plain http, which others can read: use an https address "
        f"({set_by('evaluator.base_url', 'URL')}) or a tunnel to this machine, or leave the key out"
    )


def is_of_loopback(url: str) -> bool:
    import ipaddress
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def place_of(url: str) -> str:
    """Host and port of an address, without anything that it may carry besides; empty if it is none."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return ""
    return f"{parts.hostname}{port}" if parts.scheme in ("http", "https") and parts.hostname else ""


def in_the_clear(url: str) -> str:
    """Host and port of an address whose traffic others on its way can read; empty for any other."""
    from urllib.parse import urlsplit

    place = place_of(url)
    return place if place and urlsplit(url).scheme == "http" and not is_of_loopback(url) else ""


def find_program(command: str, env: Mapping[str, str]) -> str | None:
    """The absolute path of `command`. What the working directory offers is not taken: a project owns that."""
    found = shutil.which(command, path=env.get("PATH", ""))
    return found if found and Path(found).is_absolute() else None
