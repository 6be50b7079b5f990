"""The logged-in client as readers, as `compass init` offers it: what it costs, and one sample before it is taken.

Nothing here asks the person or sends anything.
"""

from __future__ import annotations

import os
import time
from collections import Counter

from compass.composition.backends import CLIENT, Agreement, choose_backend, objection, wrong_address
from compass.composition.settings import load
from compass.doctor.asking import Asked, measured
from compass.install import settings_file
from compass.install.agreed import agreement_here
from compass.install.plan import stored_backend
from compass.install.site import Site
from compass.replay.sessions import Replay, ReplayedSession
from compass.replay.stage import ReplayPlan
from evaluator.backends import EMBEDDED
from evaluator.egress.leaving import leaving
from evaluator.errors import PayloadError
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record, replace
from evaluator.settings.keys import Settings
from evaluator.stamps import day_of

DAYS = 14
"""Whose sessions are counted."""
COUNTING_SECONDS = 3.0
STORED = (
    "Rules are stored here as the readers, by name or by an older version to which nothing else was ready."
)
MAY_RETURN = (
    "rules stay: they are stored here, by name or by an older version to which nothing else was ready; "
    "`compass init --backend auto` takes at each session's start what is ready"
)
AGAIN = "`compass init --backend auto` asks again"


class Use(Record):
    """What of the last `DAYS` days would have been read: checks of each day with any, by YYYY-MM-DD in UTC.

    `whole`: every session was counted, else only the newest.
    """

    checks: dict[str, int]
    whole: bool = True


class Choice:
    """The backend that `auto` means: with `agreement`, which `agree` and `decline` change.

    `settings` stays None until `auto` was to be resolved and only rules are ready although the client could be asked:
    by a person who was not asked before, or asks for it by `again`. `symbols`: whether names that a write touches are
    sent, `history`: whether what happened before in the session is, `share`: whether what the user settled is; None
    until that was asked.
    """

    def __init__(self, site: Site, *, again: bool) -> None:
        self.agreement = agreement_here(site)
        self.settings: Settings | None = None
        self.symbols: bool | None = None
        self.history: bool | None = None
        self.share: bool | None = None
        self._env = site.env
        self._again = again
        self._why = ""

    def __call__(self, settings: Settings) -> tuple[str, str]:
        """(name, why)."""
        name, why = choose_backend(settings, self._env, self.agreement)
        if name != EMBEDDED or wrong_address(settings):
            return name, why
        if kind_of(CLIENT).missing(settings, self._env) is None and (
            self._again or self.agreement.agreed is None
        ):
            self.settings = settings
            if self.agreement.agreed is None:
                why = f"{why}; `{settings.claude_cli.command}` could read too, by `--backend {CLIENT}`"
        return name, self._why or why

    def may_return(self, site: Site) -> bool:
        """Whether rules are stored here that an older version may have stored for lack of better."""
        stored = stored_backend(settings_file.read(site.own_settings).value)
        return stored == EMBEDDED and not self.agreement.keeps_rules

    def keep_rules(self) -> None:
        self.agreement = replace(self.agreement, keeps_rules=True)

    def agree(self, asked: Asked | None, settings: Settings, now: float) -> None:
        """`asked` None: there was no call left for a sample."""
        self.agreement = Agreement(True, None if asked is None else measured(asked, settings, now))
        objects = objection(settings, self._env, self.agreement)
        self._why = f"{objects}; `compass doctor --ask` measures it again" if objects else ""

    def decline(self, settings: Settings) -> None:
        self.agreement = replace(self.agreement, agreed=False)
        self._why = f"you want no calls by `{settings.claude_cli.command}`; {AGAIN}"


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
        lambda project, _host: load(site.env, site.home, project),
        counting=True,
    )
    replay, checks = Replay(plan), Counter[str]()
    for path in sorted(paths, key=lambda one: touched[one], reverse=True):
        if touched[path] < since:
            break
        found, before = ReplayedSession[None](), 0
        for judged in replay.judged(path, found):
            checks[day_of(judged.called.at)] += found.tally.checks - before
            before = found.tally.checks
            if time.monotonic() > ends:
                return Use(dict(+checks), whole=False)
    return Use(dict(+checks))


def costs(settings: Settings, use: Use, *, names: bool) -> list[str]:
    """What the person agrees to, in plain lines. `names`: those that a write touches are sent, too."""
    kind = kind_of(CLIENT)
    count, _ = kind.sampling(settings)
    program = settings.claude_cli.command
    days = [checks * count for checks in use.checks.values()]
    a_day = ""
    if days:
        some = "some" if use.whole else "at least"
        a_day = (
            f" By this project's sessions of the last {DAYS} days that is {some} {round(sum(days) / len(days))} on a "
            f"day of work, {max(days)} on the busiest."
        )
    return [
        f"Nothing else is ready to read here, so no model would read. The `{program}` on your PATH can read instead.",
        f"That takes calls on your own subscription: {count} for each check.{a_day}",
        f"Each sends {leaving(settings, names=names)}, {kind.goes(settings, {})}. "
        "`compass init --calls-per-day N` caps them. One is made now, to measure it.",
    ]


def _touched(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
