"""Who reads for a team: one hosted backend of this process, whatever team asks. Keeps its connections open."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Final

from evaluator.breaker.transitions import key_of, rules_of
from evaluator.configuration.settings import Settings
from evaluator.egress.prompt import build
from evaluator.egress.schema import ANSWER_TOKENS, BLIND_SCHEMA, SCHEMA
from evaluator.errors import ConfigError
from evaluator.model import Effects, Exchange, NamedReaders, PendingWrite, Sample, Subject
from evaluator.ports import Clock
from evaluator.readers.kinds.kind import BackendState, kind_of
from evaluator.readers.sampling import SampledReaders, SamplingPlan
from evaluator.team.metering import Meter, Metered
from evaluator.team.model import EvaluationRequest, Line, Need

FRAME_TOKENS: Final = 1_000
"""What a provider may count for roles, tools and the schema beside the text itself."""
SCHEMA_BYTES: Final = max(len(json.dumps(one)) for one in (SCHEMA, BLIND_SCHEMA))
NONCE_BYTES: Final = 6


class TeamProvider:
    """`evaluator.team.evaluating.Provider` of the settings' backend. Raises ConfigError for one that cannot serve."""

    def __init__(self, settings: Settings, env: Mapping[str, str], state: BackendState, clock: Clock) -> None:
        self.backend = settings.evaluator.backend
        kind = kind_of(self.backend)
        make = kind.kept or kind.backend
        lacks = kind.missing(settings, env)
        if make is None or lacks:
            raise ConfigError(lacks or f"{kind.name} is no backend that a service could ask for others")
        self.model = kind.model(settings)
        self.prompt = kind.fingerprint()
        self.line = Line(
            key_of(self.backend, kind.address(settings, env), self.model),
            rules_of(settings) if settings.circuit_breaker.enabled else None,
        )
        self._plan = SamplingPlan.of(
            settings, *kind.sampling(settings), least=kind.least(settings), again=kind.again, short=kind.short
        )
        self.seconds = self._plan.sample_timeout_seconds
        self.fingerprint = json.dumps(
            [
                self._plan.n,
                self._plan.first_look,
                self._plan.temperature,
                self._plan.max_output_tokens,
                self.line.key,
            ]
        )
        self._price = kind.price(self.model)
        self._backend = make(settings, env, state, clock)
        self._clock = clock

    @property
    def named(self) -> NamedReaders:
        return NamedReaders(self.backend, self.model, self.prompt, self._plan.n)

    def least(self, request: EvaluationRequest) -> int:
        return self._planned(request).min_valid_samples

    def need(self, request: EvaluationRequest) -> Need:
        plan = self._planned(request)
        most = (plan.first_look + plan.n) * (1 + plan.retries) * (1 + plan.again)
        usd = self._most_usd(request)
        return Need(None if usd is None else usd * most, most, plan.n)

    async def samples(self, request: EvaluationRequest, seconds: float, meter: Meter) -> tuple[Sample, ...]:
        """Of each look in reader order, within `seconds`; failed ones included."""
        readers = SampledReaders(
            Metered(self._backend, meter),
            self._planned(request),
            thresholds=lambda _: request.thresholds,
            clock=self._clock,
            nonce=_nonce,
        )
        return await readers.collect_async(subject_of(request), seconds)

    async def aclose(self) -> None:
        await self._backend.aclose()

    def _planned(self, request: EvaluationRequest) -> SamplingPlan:
        return self._plan.with_blind(request.blind)

    def _most_usd(self, request: EvaluationRequest) -> float | None:
        """Of one request, retries apart: no token is shorter than a byte. None where the price is not known."""
        if self._price is None:
            return None
        blind = request.blind > 0
        asked = [build(request.evidence, "0" * 2 * NONCE_BYTES, short=self._plan.short)]
        asked += [build(request.evidence, "0" * 2 * NONCE_BYTES, blind=True)] if blind else []
        text = max(len((one.system + one.user).encode()) for one in asked)
        out = max(self._plan.max_output_tokens, ANSWER_TOKENS)
        return ((text + SCHEMA_BYTES + FRAME_TOKENS) * self._price.input + out * self._price.output) / 1e6


def subject_of(request: EvaluationRequest) -> Subject:
    """What readers are asked about: of a gate's call nothing is known here but its evidence."""
    evidence = request.evidence
    return Subject(
        PendingWrite("", request.session, evidence.tool_name, {}, "", ""),
        Effects(
            "write",
            evidence.operation,
            evidence.operation_class,
            evidence.targets,
            evidence.command,
            evidence.lines,
        ),
        Exchange((evidence.current_request,)),
        evidence,
    )


def _nonce() -> str:
    return os.urandom(NONCE_BYTES).hex()
