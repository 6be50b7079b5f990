"""The page of every setting, from the registry that settings files are read by."""

from __future__ import annotations

import json
from collections.abc import Mapping

from cells import code, table, words

from evaluator.settings.keys import KEYS, Key

KINDS = {
    "bool": "`true` or `false`", "int": "whole number", "float": "number", "str": "text", "strs": "list of texts",
    "table": "object",
}  # fmt: skip
TIGHTER = {
    "up": "higher", "down": "lower", "true": "on", "false": "off", "subset": "fewer", "superset": "more",
    "ranked": "later in the list",
}  # fmt: skip


def settings() -> str:
    """Every key of the registry."""
    rows = [_key(path, key) for path, key in sorted(KEYS.items())]
    return (
        "---\nhide: [toc]\n---\n\n# Every key\n\n"
        "Generated from the registry that settings files are read with. *Tighter* is the direction in which a "
        "repository may move a key; without one, only you can set it. See [settings](../settings.md) for which layer "
        "overrides which.\n\n"
        "`compass config get KEY` shows what applies here; `compass config set KEY VALUE` sets it.\n\n"
        + table(("key", "what it is for", "kind", "default", "tighter"), rows)
    )


def _key(path: str, key: Key) -> tuple[str, ...]:
    kind = KINDS[key.kind]
    if key.choices:
        kind = ", ".join(code(str(one)) for one in key.choices)
    low, high = (f"{bound:g}" if bound is not None else None for bound in (key.low, key.high))
    if low is not None or high is not None:
        kind += f", {low} to {high}" if low and high else f", from {low}" if low else f", to {high}"
    if key.optional:
        kind += ", or `null`"
    told = _default(key.default)
    tighter = "" if key.tighter is None else TIGHTER[key.tighter]
    return code(path), words(key.about), kind, told, tighter


def _default(value: object) -> str:
    if isinstance(value, tuple) and value:
        return " ".join(code(str(one)) for one in value)
    if isinstance(value, Mapping) and value:
        return "the known tools"
    return code(json.dumps([] if isinstance(value, tuple) else value))
