"""What a team pushes to its members' gates, as it is kept in the user's state: settings that only tighten.

The file is written by what `compass team login` set up, and read with the settings. It is this user's own, so it
binds agents and projects, not the user.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from evaluator.configuration.files import EMPTY, read_settings
from evaluator.model import NamedReaders
from evaluator.record import Record

POLICY_FILE = "team-policy.json"
LAYER = "your team's policy"
"""As the origin of a value."""


class KeptPolicy(Record):
    """`backends` are where evidence may go, None for anywhere. `problem`: why the file does not count. `readers` are
    not pushed: they are kept beside it, None where they are not known."""

    settings: Mapping[str, object] = EMPTY
    backends: tuple[str, ...] | None = None
    digest: str = ""
    address: str = ""
    problem: str = ""
    readers: NamedReaders | None = None


NONE = KeptPolicy()


def policy_path(state_dir: str) -> str:
    return os.path.join(state_dir, POLICY_FILE)


def kept_policy(state_dir: str) -> KeptPolicy:
    """NONE where nothing is kept. Raises OSError for want of descriptors or memory alone."""
    file = read_settings(policy_path(state_dir))
    if file.problem:
        return KeptPolicy(problem=f"{file.problem}; ignored: `compass team login` fetches it anew")
    settings, backends = file.section("settings"), file.value.get("backends")
    listed = cast("list[object]", backends) if isinstance(backends, list) else []
    names = tuple(name for name in listed if isinstance(name, str))
    return KeptPolicy(
        settings=EMPTY if settings is None else settings,
        # What is no list allows nothing: a policy that cannot be read must not open what it closed.
        backends=None if backends is None else names,
        digest=str(file.value.get("digest") or ""),
        address=str(file.value.get("address") or ""),
        readers=_readers(file.section("readers")),
    )


def _readers(kept: Mapping[str, object] | None) -> NamedReaders | None:
    if kept is None:
        return None
    n = kept.get("n")
    backend, model, prompt = (kept.get(name) for name in ("backend", "model", "prompt"))
    texts = isinstance(backend, str) and isinstance(model, str) and isinstance(prompt, str)
    if not texts or not isinstance(n, int) or n < 1:
        return None
    return NamedReaders(str(backend), str(model), str(prompt), n)
