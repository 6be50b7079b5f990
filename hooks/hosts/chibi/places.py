"""Where chibi keeps what is its own."""

from __future__ import annotations

from collections.abc import Mapping


def home_of(env: Mapping[str, str]) -> str:
    """chibi's own folder."""
    return env.get("CHIBI_HOME") or f"{env.get('HOME', '')}/.chibi"
