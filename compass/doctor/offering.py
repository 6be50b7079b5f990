"""The logged-in client as readers, as `compass init` offers it: what it costs, and one sample before it is taken.

Nothing here asks the person; nothing is sent but by `measured`.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping

from compass.doctor.asking import ANSWER_SECONDS, Asked, ask
from compass.install.site import Site
from compass.joining.backends import choose_backend
from compass.joining.surroundings import load
from compass.replay.sessions import Replay
from compass.replay.stage import ReplayPlan
from evaluator.backends import EMBEDDED
from evaluator.configuration.settings import Settings
from evaluator.errors import PayloadError
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record
from evaluator.state.store import open_store
from hooks.moments import Passed

CLIENT = "claude-cli"
DAYS = 14
"""Whose sessions are counted."""
COUNTING_SECONDS = 3.0
AGAIN = "`compass init --backend auto` asks again"


class Use(Record):
    """What of the last `DAYS` days would have been read: checks of each day with any, by YYYY-MM-DD in UTC.

    `whole`: every session was counted, else only the newest.
    """

    checks: dict[str, int]
    whole: bool = True


class Choice:
    """What the person answered, and the backend that `auto` means: `answer` once there is one, else what is ready.

    `settings` stays None until `auto` was to be resolved and only rules are ready although the client could be asked.
    `symbols`: whether names that a write touches are sent; None until that was asked.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self.answer: tuple[str, str] | None = None
        self.settings: Settings | None = None
        self.symbols: bool | None = None
        self._env = env

    def __call__(self, settings: Settings) -> tuple[str, str]:
        """(name, why)."""
        if self.answer is not None:
            return self.answer
        found = choose_backend(settings, self._env)
        if found[0] == EMBEDDED and kind_of(CLIENT).missing(settings, self._env) is None:
            self.settings = settings
            name, why = found
            return name, f"{why}; `{settings.claude_cli.command}` could read too, by `--backend {CLIENT}`"
        return found


def use_of(site: Site, now: float) -> Use:
    """Counted by the gate itself over the project's own sessions, the newest first, for `COUNTING_SECONDS` at most."""
    since, ends = now - DAYS * 86_400.0, time.monotonic() + COUNTING_SECONDS
    sessions = site.host.sessions()
    try:
        paths = sessions.find_transcripts([site.host.setup().sessions_folder(site.home, site.project_dir)])
    except PayloadError:
        return Use({})
    touched = {path: _touched(path) for path in paths}
    plan = ReplayPlan(
        site.env,
        site.home,
        CLIENT,
        None,
        since,
        lambda project: load(site.env, site.home, project),
        counting=True,
    )
    replay, checks, before = Replay(plan), Counter[str](), 0
    for path in sorted(paths, key=lambda one: touched[one], reverse=True):
        if touched[path] < since:
            break
        for judged in replay.session(path, sessions.session_moments(path, Passed())):
            checks[_day(judged.called.at)] += replay.tally.checks - before
            before = replay.tally.checks
            if time.monotonic() > ends:
                return Use(dict(+checks), whole=False)
    return Use(dict(+checks))


def costs(settings: Settings, use: Use, *, names: bool) -> list[str]:
    """What the person agrees to, in plain lines. `names`: those that a write touches are sent, too."""
    kind = kind_of(CLIENT)
    count, _ = kind.sampling(settings)
    program = settings.claude_cli.command
    days = [checks * count for checks in use.checks.values()]
    touched = " and the names of what it touches" if names else ""
    a_day = ""
    if days:
        some = "some" if use.whole else "at least"
        a_day = (
            f" By this project's sessions of the last {DAYS} days that is {some} {round(sum(days) / len(days))} on a "
            f"day of work, {max(days)} on the busiest."
        )
    return [
        f"No key and no server is set up, so rules would judge. The `{program}` on your PATH can read instead.",
        f"That takes calls on your own subscription: {count} for each check.{a_day}",
        f"Each sends what you asked for, what was said before it, the write's targets{touched}, never file contents, "
        f"{kind.goes(settings, {})}. `compass init --calls-per-day N` caps them. One is made now, to measure it.",
    ]


def measured(site: Site, settings: Settings, now: float) -> Asked:
    """One real sample, counted as any other."""
    opened = open_store(site.state_dir, now=now)
    try:
        asked = ask(kind_of(CLIENT), settings, site.env, opened.store)
        opened.store.add_spend(_day(now), asked.sample.cost_usd or 0.0, 1)
    finally:
        opened.store.close()
    return asked


def outcome(asked: Asked, settings: Settings) -> tuple[str, str]:
    """(backend, why): the client where its sample was valid and in time, else rules."""
    left = settings.deadline_seconds - ANSWER_SECONDS
    took = f"one sample took {asked.seconds:.1f} s of the {left:g} that a check has"
    if not asked.sample.valid:
        return EMBEDDED, f"{took} and was not valid: {asked.sample.error}; {AGAIN}"
    if asked.seconds > left:
        return EMBEDDED, f"{took}, which is too slow; {AGAIN}"
    return CLIENT, f"{took} and was valid; you agreed to its calls"


def declined(settings: Settings) -> tuple[str, str]:
    return EMBEDDED, f"you want no calls by `{settings.claude_cli.command}`; {AGAIN}"


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def _touched(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
