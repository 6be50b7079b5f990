"""Asks the running service, for the commands that show, stop or examine it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from evaluator import wire
from hooks import client


def ask(env: Mapping[str, str], kind: int = wire.STATUS) -> Mapping[str, object] | None:
    """What the service of that environment tells of itself; None where none answers."""
    try:
        answered, body = client.call(wire.folder_variables(env), kind)
    except (client.Refused, client.Late):
        return None
    return cast("dict[str, object]", json.loads(body)) if answered == wire.ANSWER else None
