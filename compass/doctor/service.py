"""Is there a service behind the hooks, and is it this installation's?"""

from __future__ import annotations

import os

from compass import __version__, root
from compass.doctor.finding import Examination, Finding, Situation
from compass.service.process import ask
from evaluator import wire
from evaluator.service.lifecycle import RuntimeFolder, holder
from evaluator.settings.places import set_by

_NAME = "service"


def service(situation: Situation) -> Finding:
    """Fails for a service that hangs or is somebody else's; none at all is fine: hooks then judge by themselves."""
    if not situation.settings.service.enabled:
        way = set_by("service.enabled", "true")
        return Finding(_NAME, True, f"off by service.enabled: each hook judges in its own process; {way}")
    env = wire.folder_variables(situation.site.env)
    path = os.fsdecode(wire.socket_path(env))
    if not path:
        where = os.fsdecode(wire.run_dir(env)) or "no home folder"
        detail = f"none possible, each hook judges by itself: {where} is too long for the address of a socket"
        return Finding(_NAME, True, f"{detail}; set XDG_RUNTIME_DIR to a shorter folder")
    pid = holder(RuntimeFolder(os.path.dirname(path)))
    found = ask(situation.site.env)
    if found is None and pid is None:
        return Finding(_NAME, True, "none runs; the next hook starts one")
    if found is None:
        detail = f"process {pid} does not answer at {path}; `compass serve --stop` ends it"
        return Finding(_NAME, False, detail)
    version, place = found.get("version"), found.get("root")
    if (version, place) != (__version__, root()):
        detail = f"process {pid} is {version} from {place}, not this one; `compass serve --stop` makes room"
        return Finding(_NAME, False, detail)
    return Finding(_NAME, True, f"process {pid} answers at {path}, {found.get('requests')} calls so far")


CHECKS: tuple[Examination, ...] = (service,)
