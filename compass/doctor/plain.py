"""Is a host that is wired in one file of the user's wired as init would wire it now? Reads files, runs what the host's
own findings run.
"""

from __future__ import annotations

from collections.abc import Sequence

from compass.doctor.finding import Finding, Situation, shown
from compass.install import settings_file
from compass.install.entries import wiring_of
from compass.install.site import changed_text
from evaluator.errors import ConfigError
from hooks.entries import Wiring, hook_command
from hooks.promises import warnings


def wired(situation: Situation) -> Finding:
    """One that differs by a word may be one that the host does not trust, or that follows an old policy."""
    name, site, setup = "hooks wired", situation.site, situation.setup
    path = site.settings_path("user")
    again = f"run `compass init --host {site.host.NAME}`"
    wanted = setup.whole_file(_wiring(situation))
    try:
        text = settings_file.text_of(path)
        if text is None:
            return Finding(name, False, f"{shown(situation, path)} is not there: {again}")
        if wanted is None:
            value = settings_file.read(path).value
            if not setup.own_handlers(value):
                return Finding(name, False, f"{shown(situation, path)} holds no hook of Compass: {again}")
            wanted = changed_text(text, setup.merge(value, setup.entries(_wiring(situation))))
    except ConfigError as error:
        return Finding(name, False, str(error))
    if wanted != text:
        return Finding(name, False, f"{shown(situation, path)} is not as init would write it now: {again}")
    return Finding(name, True, shown(situation, path))


def promised(situation: Situation) -> Finding:
    """What no wiring can mend there."""
    told = warnings(situation.site.host.TITLE, situation.setup.PROMISES)
    return Finding("promises", True, "; ".join(told) or "all that Compass promises holds", warns=bool(told))


def own_findings(situation: Situation) -> Sequence[Finding]:
    """What the host's package looks at."""
    site = situation.site
    # What is open of the host that is asked about keeps anybody from saying that the gate holds there.
    own = not situation.setup.table.local_file
    return [
        Finding(
            name, ok is not False, told, warns=ok is None, but=f"see {name}" if own and ok is None else ""
        )
        for name, ok, told in situation.setup.findings(site.env, site.home, site.project_dir)
    ]


def commands(situation: Situation) -> list[str]:
    """What the host runs before a call; of a whole file of ours, what that file runs."""
    setup, wiring = situation.setup, _wiring(situation)
    if setup.whole_file(wiring) is not None:
        return [hook_command(wiring.interpreter, wiring.script, "pre-tool-use", wiring.said)]
    try:
        value = settings_file.read(situation.site.settings_path("user")).value
    except ConfigError:
        return []
    found = [
        str(handler.get(setup.table.command, ""))
        for event, _, handler in setup.own_handlers(value)
        if event == situation.gating
    ]
    return list(dict.fromkeys(found))


def _wiring(situation: Situation) -> Wiring:
    return wiring_of(situation.site, situation.loaded, situation.settings.mode, "user", 0)
