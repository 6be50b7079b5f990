"""Asks the running service, for the commands that show, stop or examine it."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from typing import cast

from evaluator import wire
from evaluator.processes import process_of
from evaluator.service import lifecycle
from hooks import client

STOP_SECONDS = 30.0


def ask(env: Mapping[str, str], kind: int = wire.STATUS) -> Mapping[str, object] | None:
    """What the service of that environment tells of itself; None where none answers."""
    try:
        answered, body = client.call(wire.folder_variables(env), kind)
    except (client.Refused, client.Late):
        return None
    return cast("dict[str, object]", json.loads(body)) if answered == wire.ANSWER else None


def end(place: lifecycle.Place) -> tuple[int | None, bool]:
    """Lets the service of that place finish. The process that served, if one did, and whether it has ended."""
    pid = lifecycle.holder(place)
    served = process_of(str(pid))
    asked = ask(os.environ, wire.STOP) is not None
    if pid is not None and not asked:
        os.kill(pid, signal.SIGTERM)
    latest = time.monotonic() + STOP_SECONDS
    while served is not None and process_of(str(pid)) == served and time.monotonic() < latest:
        time.sleep(0.05)
    return pid, pid is not None and (served is None or process_of(str(pid)) != served)
