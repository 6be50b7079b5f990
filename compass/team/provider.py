"""Who reads for a team: one hosted backend of this process, whatever team asks, and what its answers cost.

Keeps its connections open. An answer that never came may still have been paid for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Final

from compass.composition.automatic_backend import choose_backend
from compass.composition.gate import SystemClock
from compass.team.model import Line, Need
from evaluator.breaker import breaker_key, breaker_rules
from evaluator.egress.prompt import ANSWER_TOKENS, BLIND_SCHEMA, SCHEMA, build_prompt
from evaluator.errors import ConfigError, FaultKind, ReaderError
from evaluator.model import AUTO, EMBEDDED, Effects, Exchange, NamedReaders, PendingWrite, Sample, Subject
from evaluator.ports import Backend, Clock, ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.kinds.kind import BackendState, kind_of
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.readers.team.wire import EvaluationRequest
from evaluator.record import replace
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by
from evaluator.state.store import MemoryStore

FRAME_TOKENS: Final = 1_000
"""What a provider may count for roles, tools and the schema beside the text itself."""
SCHEMA_BYTES: Final = max(len(json.dumps(one)) for one in (SCHEMA, BLIND_SCHEMA))
NONCE_BYTES: Final = 6
TEAM: Final = "team"
"""The backend of laptops: a team's evaluator asks no other one."""
UNPAID: Final[frozenset[FaultKind]] = frozenset(("rate", "limit", "authentication", "refused", "server"))
"""The server itself said that it did not answer. After any other fault, or a gateway's, nobody knows what was used."""


class Metered:
    """A backend of which is booked what it is asked and what that costs. `most_usd` is the most that one request can
    cost, None where the price is not known. Connections are those of `backend`, which it does not close."""

    def __init__(self, backend: Backend, most_usd: float | None) -> None:
        self.name, self.model = backend.name, backend.model
        self.requests = 0
        self._backend = backend
        self._most_usd = most_usd
        self._told = 0.0
        self._unpriced = False
        self._unknown = 0

    @property
    def usd(self) -> float | None:
        """US dollars so far; None where an answer had no price."""
        if self._unpriced or (self._unknown and self._most_usd is None):
            return None
        return self._told + self._unknown * (self._most_usd or 0.0)

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """Booked at the most until its end is told."""
        self.requests += 1
        self._unknown += 1
        try:
            reply = await self._backend.ask(request)
        except UnusableReplyError as fault:
            self._end_provider_call(fault.reply.cost_usd)
            raise
        except ReaderError as fault:
            if fault.kind in UNPAID and not fault.forwarded:
                self._end_provider_call(0.0)
            raise
        self._end_provider_call(reply.cost_usd)
        return reply

    def _end_provider_call(self, usd: float | None) -> None:
        self._unknown -= 1
        if usd is None:
            self._unpriced = True
        else:
            self._told += usd

    async def aclose(self) -> None:
        """Somebody else's to close."""


class TeamProvider:
    """`compass.team.evaluation.Provider` of the settings' backend. Raises ConfigError for one that cannot serve."""

    def __init__(self, settings: Settings, env: Mapping[str, str], state: BackendState, clock: Clock) -> None:
        self.backend = settings.evaluator.backend
        kind = kind_of(self.backend)
        make = kind.kept or kind.backend
        lacks = kind.missing(settings, env)
        if make is None or lacks:
            raise ConfigError(lacks or f"a service cannot use the {kind.name} backend on behalf of others")
        self.model = kind.model(settings)
        self.prompt = kind.fingerprint()
        self.line = Line(
            breaker_key(self.backend, kind.address(settings, env), self.model),
            breaker_rules(settings) if settings.circuit_breaker.enabled else None,
        )
        self._plan = SamplingPlan.of(
            settings, *kind.sampling(settings), least=kind.least(settings), again=kind.again, short=kind.short
        )
        self.seconds = self._plan.sample_timeout_seconds
        plan = self._plan
        told = plan.n, plan.first_look, plan.temperature, plan.max_output_tokens, self.line.key
        self.fingerprint = json.dumps(told)
        self._price = kind.price(self.model)
        self._backend = make(settings, env, state, clock)
        self._clock = clock

    @property
    def named(self) -> NamedReaders:
        return NamedReaders(self.backend, self.model, self.prompt, self._plan.n)

    def least(self, request: EvaluationRequest) -> int:
        return self._plan.with_blind(request.blind).min_valid_samples

    def need(self, request: EvaluationRequest) -> Need:
        plan = self._plan.with_blind(request.blind)
        most = (plan.first_look + plan.n) * (1 + plan.retries) * (1 + plan.again)
        usd = self._most_usd(request)
        return Need(None if usd is None else usd * most, most, plan.n)

    async def samples(
        self, request: EvaluationRequest, seconds: float, most_usd: float | None
    ) -> tuple[tuple[Sample, ...], Metered]:
        """(those of each look in reader order, within `seconds`, failed ones included; what they took)."""
        metered = Metered(self._backend, most_usd)
        readers = SampledReaders(
            metered,
            self._plan.with_blind(request.blind),
            thresholds=lambda _: request.thresholds,
            clock=self._clock,
            nonce=lambda: os.urandom(NONCE_BYTES).hex(),
        )
        return await readers.collect_async(subject_of(request), seconds), metered

    async def aclose(self) -> None:
        await self._backend.aclose()

    def _most_usd(self, request: EvaluationRequest) -> float | None:
        """Of one request, retries apart: no token is shorter than a byte. None where the price is not known."""
        if self._price is None:
            return None
        blind = request.blind > 0
        asked = [build_prompt(request.evidence, "0" * 2 * NONCE_BYTES, short=self._plan.short)]
        asked += [build_prompt(request.evidence, "0" * 2 * NONCE_BYTES, blind=True)] if blind else []
        text = max(len((one.system + one.user).encode()) for one in asked)
        out = max(self._plan.max_output_tokens, ANSWER_TOKENS["second"])
        return self._price.usd(text + SCHEMA_BYTES + FRAME_TOKENS, out)


def provider_of(settings: Settings, env: Mapping[str, str]) -> TeamProvider:
    """The readers of the configured backend, for all teams. Raises ConfigError for one that reads for nobody else."""
    name = settings.evaluator.backend
    why = ""
    if name == AUTO:
        name, why = choose_backend(settings, env)
    if name in (EMBEDDED, TEAM):
        raise ConfigError(
            f"{why or f'the backend is `{name}`'}: a team's evaluator calls a hosted model on behalf of its gates. "
            "Set ANTHROPIC_API_KEY, or choose a server of your own with "
            f"{set_by('evaluator.backend', 'openai')} and {set_by('evaluator.base_url', 'URL')}"
        )
    chosen = replace(settings, evaluator=replace(settings.evaluator, backend=name))
    return TeamProvider(chosen, env, MemoryStore(), SystemClock())


def subject_of(request: EvaluationRequest) -> Subject:
    """What readers are asked about: of a gate's call nothing is known here but its evidence."""
    evidence = request.evidence
    act = (evidence.operation, evidence.operation_class)
    return Subject(
        PendingWrite("", request.session, evidence.tool_name, {}, "", ""),
        Effects("write", *act, evidence.targets, evidence.command, evidence.lines),
        Exchange((evidence.current_request,)),
        evidence,
    )
