"""What reading prompts ahead of their writes costs here, told to whoever turns it on. Sends nothing."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping

from compass.install.site import Site
from compass.joining.backends import backend_in_force
from evaluator.configuration.settings import Settings
from evaluator.errors import PayloadError
from evaluator.exchange.replies import is_continuation
from evaluator.intervention.control import parse_control
from evaluator.readers.kinds.kind import kind_of
from evaluator.verdict.anticipation import READERS
from hooks.moments import Passed, Spoken
from hooks.sessions import Sessions

DAYS = 30
"""Whose prompts are counted."""
COUNTING_SECONDS = 3.0
HOOK_MS = 20
"""What a hook that only reads adds to its call, by the host's own process and ours: docs/performance.md."""


def told(site: Site, settings: Settings, now: float) -> list[str]:
    """What leaves and how often, in plain lines; nothing where prompts are not read ahead."""
    if not settings.sampling.anticipate:
        return []
    kind = kind_of(backend_in_force(settings, site.env, site.home, site.project_dir))
    if not kind.hosted:
        return [
            "Prompts are to be read ahead, but rules judge here: none is, until hosted readers are set up."
        ]
    prompts, whole = prompts_by_day(site, now)
    days = [READERS * count for count in prompts.values()]
    often = "no session of it is there to count by"
    if days:
        some = "some" if whole else "at least"
        often = (
            f"by this project's sessions of the last {DAYS} days {some} {round(sum(days) / len(days))} on a day of "
            f"work, {max(days)} on the busiest"
        )
    return [
        f"Prompts are read ahead: at each of yours {READERS} readers are sent what you ask for and what was said "
        f"before it, {kind.goes(settings, site.env)}, although no write may follow. "
        "`compass config set sampling.anticipate false` ends that.",
        f"That is {READERS} calls a prompt: {often}. `compass config set evaluator.daily_calls N` caps them, together "
        "with those of checks.",
        f"So that the agent can be told to ask first, tools that only read are hooked too: some {HOOK_MS} ms each.",
    ]


def prompts_by_day(site: Site, now: float) -> tuple[Mapping[str, int], bool]:
    """A person's requests by day (YYYY-MM-DD, UTC), newest sessions first, and whether all of them were counted."""
    since, ends = now - DAYS * 86_400.0, time.monotonic() + COUNTING_SECONDS
    sessions, found = site.host.sessions(), Counter[str]()
    try:
        paths = sessions.find_transcripts([site.host.setup().sessions_folder(site.home, site.project_dir)])
    except PayloadError:
        return {}, True
    touched = {path: _touched(path) for path in paths}
    for path in sorted(paths, key=lambda one: touched[one], reverse=True):
        if touched[path] < since:
            break
        if time.monotonic() > ends:
            return found, False
        found.update(_days_of(path, sessions, since))
    return found, True


def _days_of(path: str, sessions: Sessions, since: float) -> list[str]:
    """The day of each prompt that readers would have been asked about."""
    spoken = [one for one in sessions.session_moments(path, Passed()) if isinstance(one, Spoken)]
    typed = any(one.typed for one in spoken)
    return [
        time.strftime("%Y-%m-%d", time.gmtime(one.at))
        for one in spoken
        if one.at >= since
        and (one.typed or not typed)
        and parse_control(one.text) is None
        and not is_continuation(one.text)
    ]


def _touched(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
