"""Codex CLI's config.toml, as far as Compass asks of it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from typing import cast

from evaluator.exhaustion import raise_want

HOME_VARIABLE = "CODEX_HOME"
CONFIG_FILE = "config.toml"
BYTES_MAX = 4 * 1024 * 1024


def home_of(env: Mapping[str, str], home: str) -> str:
    """Codex's own folder."""
    return env.get(HOME_VARIABLE) or os.path.join(home, ".codex")


def configuration(path: str) -> Mapping[str, object]:
    """Empty for a file that is missing or cannot be read."""
    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read(BYTES_MAX).decode("utf-8"))
    except OSError as error:
        raise_want(error)
    except ValueError:
        pass
    return {}


def turns_hooks_off(configured: Mapping[str, object]) -> bool:
    """Whether a file, or one of its profiles, says that no hook runs."""
    profiles = configured.get("profiles")
    held = cast(dict[str, object], profiles).values() if isinstance(profiles, dict) else ()
    return any(_off(one) for one in (configured, *held))


def _off(table: object) -> bool:
    features = cast(dict[str, object], table).get("features") if isinstance(table, dict) else None
    held = cast(dict[str, object], features) if isinstance(features, dict) else {}
    return any(held.get(name) is False for name in ("hooks", "codex_hooks"))
