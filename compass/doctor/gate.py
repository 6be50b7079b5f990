"""What is in force: the settings, their problems, the readers and whether they could answer."""

from __future__ import annotations

import importlib.util
import os

import compass
from compass.composition.backends import (
    Agreement,
    agreement_of,
    backend_in_force,
    better_than,
    choose_backend,
)
from compass.doctor.finding import Examination, Finding, Situation
from evaluator.backends import AUTO, ROWS
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.files import TEAM_LAYER as TEAM
from evaluator.settings.layers import ASKED, HISTORY, LOOKUPS, SYMBOLS, Loaded
from evaluator.settings.places import set_by

_PACKAGES = ("evaluator", "hooks", "calibration")


def in_force(situation: Situation) -> Finding:
    settings = situation.settings
    if situation.loaded.lost:
        does = "every write is blocked" if situation.blocks else "nothing is checked"
        way = "restore the file, or delete it and run `compass init`; `compass init --uninstall` takes the gate out"
        return Finding("gate", False, f"its settings are lost, and {does}: {situation.loaded.lost}: {way}")
    if not settings.enabled:
        return Finding("gate", False, f"not enabled for this project: run `{situation.again}`")
    watches = settings.mode != "enforce"
    observe = f"; nothing is blocked, `{situation.again} --enforce` switches" if watches else ""
    return Finding(
        "gate",
        True,
        f"mode {settings.mode}{observe}; a check fails below mean {settings.confidence('reversible'):g}, or "
        f"{settings.confidence('irreversible'):g} where it cannot be taken back, or above "
        f"deviation {settings.stddev_threshold:g}; error policy {settings.error_policy}, "
        f"deadline {settings.deadline_seconds:g} s",
        but=f"it only watches and holds nothing (`{situation.again} --enforce` switches)" if watches else "",
    )


def settings_problems(situation: Situation) -> Finding:
    ignored = situation.loaded.ignored
    theirs = [str(item) for item in ignored if item.origin == TEAM]
    problems = [str(item) for item in ignored if item.origin != TEAM]
    if theirs and not problems:
        said = f"{'; '.join(theirs)}: tell whoever runs your team's evaluator"
        return Finding("settings", True, said, warns=True)
    problems += theirs
    if problems:
        return Finding(
            "settings",
            False,
            "; ".join(problems)
            + f": correct or remove these keys, yours by {set_by('KEY', 'VALUE')}; those of a project count once "
            "`compass trust` has pinned them",
        )
    return Finding("settings", True, f"{_said(situation.loaded)} keys set, none refused")


def _said(loaded: Loaded) -> int:
    return len(loaded.origins) - sum(map(loaded.waits_for_yes, ASKED))


def names_sent(situation: Situation) -> Finding:
    """What leaves grew with a version, and the user was not asked yet."""
    loaded = situation.loaded
    site = situation.site
    hosted = kind_of(backend_in_force(loaded.settings, site.env, site.home, site.project_dir)).hosted
    if not loaded.settings.sends_exchange:
        return Finding("names sent", True, "none, as both excerpt limits are 0")
    evidence = loaded.settings.evidence
    sent = "those that a write touches, to hosted readers" if evidence.symbols else "none"
    if evidence.lookups != "off":
        sent += f"; lines about its targets that the agent looked up are sent, too ({LOOKUPS})"
    if evidence.history:
        sent += f"; so are your earlier messages of the session and the calls of the turn ({HISTORY})"
    waits = [
        f"{told}: {set_by(key, value)}"
        for key, value, told in (
            (SYMBOLS, "true", "which names a write touches, never its text"),
            (HISTORY, "true", "your earlier messages of the session and the calls of the turn"),
            (LOOKUPS, "targets", "lines that name a target, of what the agent read"),
        )
        if loaded.waits_for_yes(key)
    ]
    if waits and loaded.settings.enabled:
        sent += f"; waits for your yes, which `compass init` in a terminal asks for: {'; '.join(waits)}"
    return Finding("names sent", True, sent, warns=hosted and bool(waits) and loaded.settings.enabled)


def _told(name: str, situation: Situation) -> str:
    """What it was measured to find and miss and what would be better, to go on with."""
    finds = kind_of(name).finds
    better = better_than(name, situation.settings, situation.site.env, _agreement(situation))
    return "".join([f". {finds}" if finds else "", f" Better: {better}" if better else ""])


def _agreement(situation: Situation) -> Agreement:
    site = situation.site
    return agreement_of(site.env, site.home, site.project_dir)


def backend(situation: Situation) -> Finding:
    settings = situation.settings
    chosen = settings.evaluator.backend
    if chosen == AUTO:
        name, why = choose_backend(settings, situation.site.env, _agreement(situation))
        return Finding("backend", True, f"auto takes {name}: {why}{_told(name, situation)}")
    origin = situation.loaded.origins.get("evaluator.backend", "the settings")
    missing = kind_of(chosen).missing(settings, situation.site.env)
    if missing is None:
        return Finding("backend", True, f"{chosen}, set by {origin}{_told(chosen, situation)}")
    way = "provide it, or run `compass init --backend auto`"
    return Finding("backend", False, f"{chosen}, set by {origin}: {missing} here: {way}")


def credentials(situation: Situation) -> Finding:
    """Names alone: no value is ever shown."""
    settings, env = situation.settings, situation.site.env
    known = [name for backend in ROWS for name in kind_of(backend).credentials]
    present = [name for name in known if env.get(name, "").strip()]
    said = f"{' and '.join(present)} set" if present else f"none of {', '.join(known)} set"
    chosen = settings.evaluator.backend
    kind = None if chosen == AUTO else kind_of(chosen)
    needs = kind.credentials if kind is not None else ()
    ok = kind is None or not needs or bool(set(needs) & set(present)) or kind.missing(settings, env) is None
    way = ": set one where the host is started, or run `compass init --backend embedded`"
    return Finding("credentials", ok, said if ok else said + way)


def packages(situation: Situation) -> Finding:
    """Plain names (hooks, evaluator) must not be a stranger's of the same environment."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(compass.__file__)))
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        place = os.path.realpath(spec.origin) if spec and spec.origin else "nowhere"
        if os.path.dirname(os.path.dirname(place)) != home:
            way = "install Compass into an environment of its own"
            return Finding("packages", False, f"{name} is imported from {place}, not from {home}: {way}")
    return Finding("packages", True, f"{compass.__version__}, all from {home}")


CHECKS: tuple[Examination, ...] = (in_force, settings_problems, backend, credentials, names_sent, packages)
