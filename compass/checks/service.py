"""Is there a service behind the hooks, and is it this installation's?"""

from __future__ import annotations

import json
import os
from typing import cast

from compass import __version__
from compass.checks.finding import Check, Finding, Situation
from evaluator import wire
from evaluator.service.lifecycle import Place, holder
from hooks import client

_NAME = "service"


def service(situation: Situation) -> Finding:
    """Fails for a service that hangs or is somebody else's; none at all is fine: hooks then judge by themselves."""
    if not situation.settings.service.enabled:
        return Finding(_NAME, True, "off by service.enabled: each hook judges in its own process")
    env = {os.fsencode(name): os.fsencode(value) for name, value in situation.site.env.items()}
    path = os.fsdecode(wire.socket_path(env))
    if not path:
        where = os.fsdecode(wire.run_dir(env)) or "no home folder"
        detail = f"none possible, each hook judges by itself: {where} is too long for the address of a socket"
        return Finding(_NAME, True, f"{detail}; set XDG_RUNTIME_DIR to a shorter folder")
    pid = holder(Place(os.path.dirname(path)))
    try:
        kind, body = client.call(env, wire.STATUS)
    except (client.Refused, client.Late):
        if pid is None:
            return Finding(_NAME, True, "none runs; the next hook starts one")
        return Finding(
            _NAME, False, f"process {pid} does not answer at {path}; `compass serve --stop` ends it"
        )
    if kind != wire.ANSWER:
        return Finding(_NAME, False, f"process {pid} at {path} does not tell its state")
    found = cast("dict[str, object]", json.loads(body))
    version, root = found.get("version"), found.get("root")
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if (version, root) != (__version__, own):
        detail = f"process {pid} is {version} from {root}, not this one; `compass serve --stop` makes room"
        return Finding(_NAME, False, detail)
    return Finding(_NAME, True, f"process {pid} answers at {path}, {found.get('requests')} calls so far")


CHECKS: tuple[Check, ...] = (service,)
