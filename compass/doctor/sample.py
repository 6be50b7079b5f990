"""`compass doctor --ask`: one real sample of the configured backend, and the logged-in client as readers, as `compass
init` offers it. Only a sample spends and sends: an exchange of Compass's own, never a word of the user's."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from compass.composition.automatic_backend import (
    CLIENT,
    Agreement,
    MeasuredClient,
    backend_in_force,
    choose_backend,
    objection,
    seconds_for,
    wrong_address,
)
from compass.composition.gate import SystemClock
from compass.composition.settings import load
from compass.doctor.finding import Finding, Situation
from compass.install import settings_file
from compass.install.consent import agreement_here, keep_measured
from compass.install.installation import Site
from compass.install.plan import stored_backend
from compass.replay.recorded_gate import ReplayPlan
from compass.replay.sessions import Replay, ReplayedSession
from evaluator.backends import AUTO, EMBEDDED
from evaluator.egress.evidence import leaving
from evaluator.errors import CompassError, PayloadError
from evaluator.gate.verdicts import day_is_spent
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Sample, Subject
from evaluator.readers.kinds.claude_cli import PROGRAM
from evaluator.readers.kinds.kind import BackendKind, BackendState, kind_of
from evaluator.record import Record, replace
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by, state_dir
from evaluator.state.store import open_store
from evaluator.text import DAY_SECONDS, day_of

if TYPE_CHECKING:
    from evaluator.ports import Backend, ReaderReply, ReaderRequest


DEADLINE = set_by("deadline_seconds", "N")
PASSING = ("limit", "rate", "transport")
"""Faults that say nothing of whether readers are in time."""

REQUEST = "Add a --verbose flag to the import command in tools/import.py: it prints each file that is read."
SUBJECT = Subject(
    pending=PendingWrite("compass", "doctor", "Edit", {}, "/", "/"),
    effects=Effects("write", "edit", "modifying", ("/tools/import.py",), lines=6),
    exchange=Exchange((REQUEST,)),
    evidence=Evidence("Edit", "edit", "modifying", ("tools/import.py",), REQUEST, lines=6),
)


class AskedSample(Record):
    """One sample, in `seconds`. `keeps_schema` None: nothing came by which that can be told."""

    sample: Sample
    seconds: float
    keeps_schema: bool | None
    model: str = ""
    """As the answer named it, where whoever samples chooses it."""


def sample(situation: Situation) -> Finding:
    """Not ok where a check would get no verdict. Under `auto` the client is measured that the person may let read."""
    settings, env, site = situation.settings, situation.loaded.clean.env, situation.site
    agreement = agreement_here(site)
    name, offered = backend_in_force(settings, env, site.home, site.project_dir), False
    meant = settings.evaluator.backend == AUTO and not wrong_address(settings)
    if name == EMBEDDED and meant and agreement.agreed is not False:
        offered = kind_of(CLIENT).missing(settings, env) is None
    kind = kind_of(CLIENT if offered else name)
    if not kind.hosted:
        return Finding("sample", True, f"nothing was asked: {kind.label or name} read in this process")
    missing = kind.missing(settings, env) or settings.data_egress.forbids(kind.name)
    if missing:
        return Finding("sample", False, f"nothing was asked: {name}: {missing}")
    try:
        asked = ask_booked(kind, settings, env, state_dir(env, situation.loaded.clean.home), situation.now)
    except SpentError as error:
        return Finding("sample", False, str(error))
    passing = (asked.sample.error or "").partition(":")[0] in PASSING
    if kind.name == CLIENT and settings.evaluator.backend == AUTO and not (passing and agreement.measured):
        keep_measured(site, measured(asked, settings, situation.now))
    found = told(kind, settings, asked, kind.goes(settings, env))
    if offered and not agreement.agreed:
        detail = f"{found.detail}; `compass init --backend auto` asks whether it may read here"
        return Finding(found.name, found.ok, detail, found.warns, found.but)
    return found


class SpentError(CompassError):
    """No call is left today, or none may be made."""


def ask_booked(
    kind: BackendKind, settings: Settings, env: Mapping[str, str], folder: str, now: float
) -> AskedSample:
    """One sample as by `ask`, under the caps of the day and counted there. `folder` of the state. Raises SpentError."""
    opened, day = open_store(folder, now=now), day_of(now)
    store = opened.store
    try:
        if settings.data_egress.forbids(kind.name):
            raise SpentError(settings.data_egress.forbids(kind.name))
        if day_is_spent(settings, lambda: store.spent(day), lambda: store.samples_of(day)):
            raise SpentError(
                f"nothing was asked: today's budget for readers is used up; {set_by('evaluator.daily_calls', 'N')} or "
                f"{set_by('evaluator.daily_budget_usd', 'N')} allows more"
            )
        asked = ask(kind, settings, env, store)
        store.add_spend(day, asked.sample.cost_usd or 0.0, 1)
    finally:
        store.close()
    return asked


def measured(asked: AskedSample, settings: Settings, now: float) -> MeasuredClient:
    """How long the client took as a reader, as it is kept."""
    fault = "" if asked.sample.valid else asked.sample.error or "no answer"
    return MeasuredClient(PROGRAM, settings.evaluator.model, asked.seconds, fault, now)


def ask(kind: BackendKind, settings: Settings, env: Mapping[str, str], state: BackendState) -> AskedSample:
    """As a check asks, with its time-outs and retries, but one reader and once; a service that samples by itself asks
    all of its own."""
    clock = SystemClock()
    if kind.backend is None:
        return _ask_remote(kind, settings, env)
    from evaluator.readers.sampling import SampledReaders, SamplingPlan

    _, seconds = kind.sampling(settings)
    plan = replace(SamplingPlan.of(settings, 1, seconds, least=1, short=kind.short), retries=0, blind=0)
    backend = _Noting(kind.backend(settings, env, state, clock))
    readers = SampledReaders(
        backend, plan, thresholds=lambda _: None, clock=clock, nonce=lambda: os.urandom(6).hex()
    )
    started = clock.monotonic()
    (found,) = readers.collect(SUBJECT, seconds_for(settings))
    return AskedSample(found, clock.monotonic() - started, backend.keeps_schema)


def _ask_remote(kind: BackendKind, settings: Settings, env: Mapping[str, str]) -> AskedSample:
    from evaluator.readers.team.readers import TeamReaders

    assert kind.remote is not None
    clock = SystemClock()
    readers = TeamReaders(
        kind.remote(settings, env),
        held=lambda _: None,
        repository=lambda _: "",
        clock=clock,
        heard=lambda _: None,
    )
    started = clock.monotonic()
    samples = readers.collect(SUBJECT, seconds_for(settings))
    found = next((sample for sample in samples if sample.valid), samples[0])
    return AskedSample(found, clock.monotonic() - started, None, readers.model)


def told(kind: BackendKind, settings: Settings, asked: AskedSample, goes: str) -> Finding:
    """The finding: what came back, and what to change."""
    found, model = asked.sample, kind.model(settings) or asked.model or "readers"
    said = [f"{model} by {kind.name} at {goes}", f"{asked.seconds:.1f} s"]
    if found.input_tokens or found.output_tokens:
        said.append(f"{found.input_tokens} tokens in, {found.output_tokens} out")
        said.append("price not known" if found.cost_usd is None else f"${found.cost_usd:.4f}")
    if asked.keeps_schema is not None:
        said.append("schema kept" if asked.keeps_schema else "schema not kept, so answers are read leniently")
    changes = _changes(kind, settings, asked)
    verdict = f"valid, score {found.score:g}" if found.valid else f"not valid: {found.error}"
    detail = f"{verdict}; {', '.join(said)}{''.join(f': {change}' for change in changes)}"
    return Finding("sample", found.valid, detail, warns=bool(changes))


def _changes(kind: BackendKind, settings: Settings, asked: AskedSample) -> list[str]:
    """What the user may want to change, the most pressing alone."""
    n, _ = kind.sampling(settings)
    whole = asked.seconds * (n if kind.in_turn else 1)
    left = seconds_for(settings)
    fault = (asked.sample.error or "").partition(":")[0]
    if fault == "timeout":
        return [
            f"ask again, in case the model was being loaded; then use a faster one, or a longer deadline: {DEADLINE}"
        ]
    if fault == "transport":
        return ["start the server, or correct its address"]
    if fault == "invalid" and asked.keeps_schema is False:
        return ["update the server to one that honours the schema, or use a model that follows the prompt"]
    if fault == "invalid":
        return ["ask again; a model that keeps failing like this cannot read here"]
    if fault == "limit":
        return [f"wait until it is reset; rules judge meanwhile with {set_by('error_policy', 'embedded')}"]
    if fault:
        return []
    if whole > left:
        return [
            f"{n} readers one after the other may take {whole:.0f} s of {left:.0f}: use a faster model, or "
            f"a longer deadline ({DEADLINE}); later ones are faster where the server keeps the prompt that it has read"
        ]
    if asked.keeps_schema is False:
        return ["a newer version of the server may honour the schema"]
    return []


class _Noting:
    """A backend, and whether its last answer came from a server that keeps the schema."""

    def __init__(self, backend: Backend) -> None:
        self.name, self.model = backend.name, backend.model
        self.keeps_schema: bool | None = None
        self._backend = backend

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        from evaluator.ports import UnusableReplyError

        try:
            reply = await self._backend.ask(request)
        except UnusableReplyError as fault:
            # An answer that was cut off says nothing of the schema, unless that is known already.
            self.keeps_schema = None if fault.reply.keeps_schema else False
            raise
        self.keeps_schema = reply.keeps_schema
        return reply

    async def aclose(self) -> None:
        await self._backend.aclose()


DAYS = 14
"""Whose sessions are counted."""
COUNTING_SECONDS = 3.0
STORED = (
    "Rules are set here as the readers, either by name or by an older version that found nothing else ready."
)
MAY_RETURN = (
    "rules stay: they are set here, either by name or by an older version that found nothing else ready; "
    "`compass init --backend auto` picks whatever is ready at the start of each session"
)
AGAIN = "`compass init --backend auto` asks again"


class Use(Record):
    """What of the last `DAYS` days would have been read: checks of each day with any, by YYYY-MM-DD in UTC.

    `whole`: every session was counted, else only the newest.
    """

    checks: dict[str, int]
    whole: bool = True


class BackendChoice:
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
                why = f"{why}; `{PROGRAM}` could read too, with `--backend {CLIENT}`"
        return name, self._why or why

    def may_return(self, site: Site) -> bool:
        """Whether rules are stored here that an older version may have stored for lack of better."""
        stored = stored_backend(settings_file.read(site.own_settings).value)
        return stored == EMBEDDED and not self.agreement.keeps_rules

    def keep_rules(self) -> None:
        self.agreement = replace(self.agreement, keeps_rules=True)

    def agree(self, asked: AskedSample | None, settings: Settings, now: float) -> None:
        """`asked` None: there was no call left for a sample."""
        self.agreement = Agreement(True, None if asked is None else measured(asked, settings, now))
        objects = objection(settings, self._env, self.agreement)
        self._why = f"{objects}; `compass doctor --ask` measures it again" if objects else ""

    def decline(self, settings: Settings) -> None:
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
    touched = {path: _touched(path) for path in paths}
    plan = ReplayPlan(
        site.env,
        site.home,
        CLIENT,
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
    days = [checks * count for checks in use.checks.values()]
    a_day = ""
    if days:
        some = "some" if use.whole else "at least"
        a_day = (
            f" Judging by this project's sessions of the last {DAYS} days, that is {some} "
            f"{round(sum(days) / len(days))} on a working day, {max(days)} on the busiest."
        )
    return [
        f"Nothing else is ready to read here, so no model would read. The `{PROGRAM}` on your PATH can read instead.",
        f"That takes calls on your own subscription: {count} for each check.{a_day}",
        f"Each sends {leaving(settings, names=names)}, {kind.goes(settings, {})}. "
        "`compass config set evaluator.daily_calls N` caps them. One is made now, to measure it.",
    ]


def _touched(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
