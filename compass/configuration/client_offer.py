"""The logged-in client offered as readers: what it would cost, one measured sample, what the person says.

Only the sample spends and sends: an exchange of Compass's own, never a word of the user's."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing

from compass.composition import automatic_backend
from compass.composition.gate import SystemClock
from compass.composition.settings import load
from compass.install import settings_file
from compass.install.consent import agreement_here
from compass.install.installation import Site
from compass.install.plan import stored_backend
from compass.replay.recorded_gate import ReplayPlan
from compass.replay.sessions import Replay, ReplayedSession
from evaluator.egress.evidence import leaving
from evaluator.errors import CompassError, PayloadError
from evaluator.gate.evaluation import day_is_spent
from evaluator.model import EMBEDDED, Effects, Evidence, Exchange, PendingWrite, Subject
from evaluator.readers.kinds.claude_cli import PROGRAM
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import Record, replace
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by
from evaluator.state.store import open_store
from evaluator.text import DAY_SECONDS, day_of
from hooks.sessions import session_written

REQUEST = "Add a --verbose flag to the import command in tools/import.py: it prints each file that is read."
SUBJECT = Subject(
    pending=PendingWrite("compass", "doctor", "Edit", {}, "/", "/"),
    effects=Effects("write", "edit", "modifying", ("/tools/import.py",), lines=6),
    exchange=Exchange((REQUEST,)),
    evidence=Evidence("Edit", "edit", "modifying", ("tools/import.py",), REQUEST, lines=6),
)


class SpentError(CompassError):
    """No call is left today, or none may be made."""


def sample_client(
    settings: Settings, env: Mapping[str, str], folder: str, now: float
) -> automatic_backend.MeasuredClient:
    """One sample of the client, under the day's caps and counted there. `folder` of the state. Raises SpentError."""
    from evaluator.readers.sampling import SampledReaders, SamplingPlan

    day, kind, clock = day_of(now), kind_of(automatic_backend.CLIENT), SystemClock()
    assert kind.backend is not None
    with closing(open_store(folder, now=now).store) as store:
        if day_is_spent(settings, lambda: store.spent(day)):
            raise SpentError(
                "no reader was asked: today's budget for readers is used up; "
                f"{set_by('evaluator.daily_budget_usd', 'N')} raises it"
            )
        # As a check asks, with its time-outs, but one reader and once.
        _, timeout = kind.sampling(settings)
        plan = replace(SamplingPlan.of(settings, 1, timeout, least=1, short=kind.short), retries=0, blind=0)
        readers = SampledReaders(
            kind.backend(settings, env, store, clock),
            plan,
            thresholds=lambda _: None,
            clock=clock,
            nonce=lambda: os.urandom(6).hex(),
        )
        started = time.monotonic()
        (found,) = readers.collect(SUBJECT, automatic_backend.seconds_for(settings))
        seconds = time.monotonic() - started
        store.add_spend(day, found.cost_usd or 0.0, 1)
    fault = "" if found.valid else found.error or "no answer"
    return automatic_backend.MeasuredClient(PROGRAM, settings.evaluator.model, seconds, fault, now)


DAYS = 14
"""Whose sessions are counted."""
COUNTING_SECONDS = 3.0
STORED = (
    "The backend is set to rules here: either you chose it, or an older version found nothing else ready."
)
MAY_RETURN = (
    "keeping the rules backend: either you chose it here, or an older version found nothing else ready; "
    "`compass init --backend auto` picks whatever is ready at the start of each session"
)
AGAIN = "`compass init --backend auto` asks you again and measures it again"


class Use(Record):
    """What of the last `DAYS` days would have been read: checks of each day with any, by YYYY-MM-DD in UTC.

    `whole`: every session was counted, else only the newest.
    """

    checks: dict[str, int]
    whole: bool = True


class BackendChoice:
    """The backend that `auto` means: with `agreement`, which `agree` and `decline` change.

    `settings` stays None until `auto` was to be resolved and only rules are ready although the client could be asked:
    by a person who was not asked before, or asks for it by `again`. `sends`: the answer to `layers.ASKED`, None until
    that was asked.
    """

    def __init__(self, site: Site, *, again: bool) -> None:
        self.agreement = agreement_here(site)
        self.settings: Settings | None = None
        self.sends: bool | None = None
        self._env = site.env
        self._again = again
        self._why = ""

    def __call__(self, settings: Settings) -> tuple[str, str]:
        """(name, why)."""
        name, why = automatic_backend.choose_backend(settings, self._env, self.agreement)
        if name != EMBEDDED or automatic_backend.wrong_address(settings):
            return name, why
        if kind_of(automatic_backend.CLIENT).missing(settings, self._env) is None and (
            self._again or self.agreement.agreed is None
        ):
            self.settings = settings
            if self.agreement.agreed is None:
                why = f"{why}; `{PROGRAM}` could also be used as a reader, with `--backend {automatic_backend.CLIENT}`"
        return name, self._why or why

    def may_return(self, site: Site) -> bool:
        """Whether rules are stored here that an older version may have stored for lack of better."""
        stored = stored_backend(settings_file.read(site.own_settings).value)
        return stored == EMBEDDED and not self.agreement.keeps_rules

    def keep_rules(self) -> None:
        self.agreement = replace(self.agreement, keeps_rules=True)

    def agree(self, measured: automatic_backend.MeasuredClient | None, settings: Settings) -> None:
        """`measured` None: there was no call left for a sample."""
        self.agreement = automatic_backend.Agreement(True, measured)
        objects = automatic_backend.objection_to_client(settings, self._env, self.agreement)
        self._why = f"{objects}; {AGAIN}" if objects else ""

    def decline(self) -> None:
        self.agreement = replace(self.agreement, agreed=False)
        self._why = f"you declined calls through `{PROGRAM}`; {AGAIN}"


def use_of(site: Site, now: float) -> Use:
    """Counted by the gate itself over the project's own sessions, the newest first, for `COUNTING_SECONDS` at most."""
    since, ends = now - DAYS * DAY_SECONDS, time.monotonic() + COUNTING_SECONDS
    sessions = site.host.sessions()
    try:
        paths = sessions.find_transcripts([site.host.setup().sessions_folder(site.home, site.project_dir)])
    except PayloadError:
        return Use({})
    touched = {path: session_written(path) for path in paths}
    plan = ReplayPlan(
        site.env,
        site.home,
        automatic_backend.CLIENT,
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
    """What the person agrees to, in plain lines. `names`: those that a write touches are sent."""
    kind = kind_of(automatic_backend.CLIENT)
    count, _ = kind.sampling(settings)
    days = [checks * count for checks in use.checks.values()]
    a_day = ""
    if days:
        some = "some" if use.whole else "at least"
        a_day = (
            f" Judging by this project's sessions in the last {DAYS} days, that is {some} "
            f"{round(sum(days) / len(days))} on a working day, {max(days)} on the busiest."
        )
    return [
        f"Nothing else is ready here, so no model would be in use. The `{PROGRAM}` on your PATH can be the reader "
        "instead.",
        f"That makes calls on your own subscription: {count} for each check.{a_day}",
        f"Each sends {leaving(settings, names=names)}, {kind.goes(settings, {})}. "
        "`compass config set evaluator.daily_budget_usd N` caps them. One call is made now, to measure how long it "
        "takes.",
    ]
