"""What a program is told: of a call, of a message that its user wrote, and of a project's past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evaluator.verdict.readings import choices, words

if TYPE_CHECKING:
    from evaluator.model import (
        Check,
        Concern,
        Operation,
        OperationClass,
        Reason,
        VerdictName,
    )


@dataclass(frozen=True, slots=True)
class ReaderAnswer:
    """What one reader said. `reading` is what it took the request for; readers of the same `group`, counted from 1,
    took it for the same thing. `rival` is another thing that it could mean, `fits` whether the write is what was asked
    for: None from a `blind` reader, who was not shown it. One with an `error` says nothing else.
    """

    reader: str
    score: float | None = None
    concern: Concern | None = None
    rationale: str = ""
    reading: str = ""
    group: int = 0
    rival: str | None = None
    fits: bool | None = None
    blind: bool = False
    latency_ms: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one pending call was judged. Figures are None where no reader was asked.

    `allowed` decides: a failed check is let run where the gate only observes. `question` is for the person, as a
    numbered question where the request was read in several ways; empty where nothing is to be said, as when a call that
    they were asked about is tried again. `agent_message` is why the call does not run, for the agent; `ends_turn`: it
    tried so often that its turn should end. `confidence` is the mean and `deviation` the population standard deviation
    of the readers' scores, in [0, 1], `agreement` the chance that two of them understood the same; the check passes
    within `least_confidence`, `most_deviation` and, if there is one, `least_agreement`. `cost_usd` is None where no
    price is known. `readings` are what the request was taken for, in words for people, at most three; `chosen` is the
    option that the user's answer resolved to. `request`, `prior` and `task` are what was said, `tool`, `operation` and
    `targets` what the call would do. `notes` tell what else came of it, as that rules judged where readers failed.
    """

    verdict: VerdictName
    reason: Reason
    allowed: bool
    question: str = ""
    agent_message: str = ""
    readings: tuple[str, ...] = ()
    confidence: float | None = None
    deviation: float | None = None
    concern: Concern | None = None
    rationale: str | None = None
    backend: str | None = None
    model: str | None = None
    cost_usd: float | None = None
    ends_turn: bool = False
    check_id: str = ""
    agreement: float | None = None
    least_confidence: float | None = None
    most_deviation: float | None = None
    least_agreement: float | None = None
    answers: tuple[ReaderAnswer, ...] = ()
    chosen: tuple[str, ...] = ()
    request: str = ""
    prior: str = ""
    task: str = ""
    tool: str = ""
    operation: Operation | None = None
    operation_class: OperationClass | None = None
    targets: tuple[str, ...] = ()
    mode: str = ""
    notes: tuple[str, ...] = ()
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a message, or of the end of a call. `message` is for the person, `agent_message` for the agent,
    beside what the user wrote; most are empty. `stops`: the message was for Compass alone, and no model is to see it.
    """

    message: str = ""
    agent_message: str = ""
    stops: bool = False


def verdict_of(check: Check, told: str) -> Verdict:
    """A check as a program is told of it. `told` is what the person is shown."""
    found, denied, limits = check.convergence, check.decision == "deny", check.thresholds
    said, effects = check.exchange, check.effects
    costs = [one.cost_usd for one in check.samples if one.cost_usd is not None]
    return Verdict(
        verdict=check.verdict,
        reason=check.reason,
        allowed=not denied,
        question=told,
        agent_message=check.detail if denied else "",
        readings=tuple(one.text for one in choices(check.samples, check.pending.project_dir, said))
        if said
        else (),
        confidence=found.mean if found else None,
        deviation=found.stddev if found else None,
        concern=found.primary_concern if found else None,
        rationale=found.rationale if found else None,
        backend=check.backend,
        model=check.model or None,
        cost_usd=sum(costs) if costs else None,
        ends_turn=check.ends_turn,
        check_id=check.check_id,
        agreement=found.agreement if found else None,
        least_confidence=limits.confidence if limits else None,
        most_deviation=limits.deviation if limits else None,
        least_agreement=limits.agreement if limits else None,
        answers=_answers(check),
        chosen=check.resolved.labels if check.resolved else (),
        request=said.request_text if said else "",
        prior=said.prior_assistant_turn if said else "",
        task=said.delegated_task if said else "",
        tool=check.pending.tool_name,
        operation=effects.operation if effects else None,
        operation_class=effects.operation_class if effects else None,
        targets=effects.targets if effects else (),
        mode=check.mode,
        notes=check.notes,
        duration_ms=check.duration_ms,
    )


def _answers(check: Check) -> tuple[ReaderAnswer, ...]:
    groups = {reader: number for number, one in enumerate(check.clusters, 1) for reader in one.readers}
    return tuple(
        ReaderAnswer(
            reader=one.reader,
            score=one.score,
            concern=one.primary_concern,
            rationale=one.rationale,
            reading=words(one.reading) if one.reading else "",
            group=groups.get(one.reader, 0),
            rival=one.rival,
            fits=one.fits,
            blind=one.blind,
            latency_ms=one.latency_ms,
            error=one.error,
        )
        for one in check.samples
    )


@dataclass(frozen=True, slots=True)
class PastCheck:
    """One check that was kept, with the verdict as it was given.

    `at` is in seconds since the epoch, `session` and `host` whose call it was, `project` the folder that it was made
    in. `write` is the call in words, `outcome` what became of it (`let run`: it failed, and the gate only observed),
    `why` the reason in words. `evidence` is what readers were shown; None where nothing was, or it is not kept.
    """

    verdict: Verdict
    at: float
    session: str
    host: str
    project: str
    write: str
    outcome: Literal["held", "let run", "passed", "skipped"]
    why: str
    evidence: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """What is held in one session and waits for its user, `since` then, in seconds since the epoch.

    `readings` are what the request can mean, in the order of their numbers; none where it was read in one way.
    `user_said` is what they chose or wrote since, `user_may` what can be typed there, in words for people.
    """

    session: str
    since: float
    held: tuple[str, ...]
    readings: tuple[str, ...]
    user_said: tuple[str, ...]
    user_may: str
