"""Whose payload a call's is, where only that tells: by fields that no other host sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from hooks.registry import DEFAULT, HOSTS

Shape = Mapping[str, str]
"""{field that is there: what it says, or empty for anything}"""


def recognised(payload: Mapping[str, object]) -> str:
    """The one host whose calls have this shape; the default one for a shape that none claims, or several do."""
    found = [name for name, package in HOSTS.items() if any(is_of(payload, one) for one in _shapes(package))]
    return found[0] if len(found) == 1 else DEFAULT


def _shapes(package: str) -> tuple[Shape, ...]:
    return cast(tuple[Shape, ...], __import__(package, fromlist=("SHAPES",)).SHAPES)


def is_of(payload: Mapping[str, object], shape: Shape) -> bool:
    return all(field in payload and said in ("", payload[field]) for field, said in shape.items())
