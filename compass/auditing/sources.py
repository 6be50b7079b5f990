"""Judged writes: from the project's recorded checks, or from sessions that are judged once more."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from calibration.audit.judge import JudgeMap, map_of, should_be_held
from calibration.audit.plan import AuditCase, AuditReaders, JudgedWrite
from calibration.cases.spooled import Spooled
from compass.show.stored import check_of
from evaluator.configuration.project import project_root
from evaluator.errors import StateError
from evaluator.model import Check
from evaluator.readers.sampling import SETTLED
from evaluator.record import Record
from evaluator.state.recorded import checks

JUDGED = frozenset(("confident", "low_confidence", "disagreement", "low_agreement"))
"""Reasons of a verdict that readers gave."""
TEXT_CHARS_MAX = 4000


class Gathered(Record):
    """`left_out`: judged writes that nobody could be asked about, because what led to them was not kept."""

    writes: Sequence[JudgedWrite]
    left_out: int
    judge: str


def recorded_writes(state_dir: str, project: str, known: JudgeMap | None) -> Gathered:
    """Of the work tree `project`, oldest first. Raises ValueError for a database that cannot be read."""
    left_out = 0
    roots: dict[str, str] = {}

    def judged() -> Iterator[JudgedWrite]:
        nonlocal left_out
        for record in checks(state_dir):
            if record.get("reason") not in JUDGED:
                continue
            pending = record.get("pending")
            folder = (
                str(cast(Mapping[str, object], pending).get("project_dir"))
                if isinstance(pending, dict)
                else ""
            )
            if folder not in roots:
                roots[folder] = project_root(folder) if folder else ""
            if roots[folder] != project:
                continue
            try:
                write = judged_write(check_of(record), known)
            except StateError:
                write = None
            if write is None:
                left_out += 1
            else:
                yield write

    return Gathered(Spooled(judged()), left_out, judge_named(known))


def judged_write(check: Check, known: JudgeMap | None) -> JudgedWrite | None:
    """None for a check that readers did not decide, or that a person could not be shown."""
    found, limits, exchange = check.convergence, check.thresholds, check.exchange
    if check.reason not in JUDGED or found is None or limits is None or exchange is None:
        return None
    effects = check.effects
    case = AuditCase(
        id=check.check_id,
        at=check.at,
        request=cut(exchange.request_text),
        prior_assistant_turn=cut(exchange.prior_assistant_turn, end=True),
        delegated_task=cut(exchange.delegated_task),
        write=cut(_write_line(check)),
        command=cut(effects.command) if effects else "",
    )
    return JudgedWrite(
        case=case,
        session=check.pending.session_id,
        held=check.verdict == "failed",
        should=should_be_held(found, limits, check.backend, check.model, known),
        mean=found.mean,
        stddev=found.stddev,
        agreement=found.agreement,
        readers=AuditReaders(check.backend or "", check.model or "", check.prompt, len(check.samples)),
        heard=found.sample_count,
        unheard=sum(one.error == SETTLED for one in check.samples),
        fixed=found.held,
    )


def known_map(path: str) -> JudgeMap | None:
    """What `calibration.json` says of these readers' scores; None where there is none that can be used."""
    try:
        with open(path, encoding="utf-8") as file:
            document: object = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    return map_of(cast(Mapping[str, object], document)) if isinstance(document, dict) else None


def judge_named(known: JudgeMap | None) -> str:
    """Where the probabilities come from, in words."""
    if known is None:
        return "the distance of each score from the thresholds (no calibration to go by)"
    who = f"{known.backend} {known.model}".rstrip()
    return f"a calibration of {who} on {known.cases} labelled cases; other readers by the distance from the thresholds"


def _write_line(check: Check) -> str:
    """As `compass explain` tells it, targets below the project without its path."""
    effects = check.effects
    if effects is None:
        return check.pending.tool_name
    inside = check.pending.project_dir.rstrip("/") + "/"
    targets = ", ".join(one.removeprefix(inside) for one in effects.targets) or "(no named target)"
    return f"{check.pending.tool_name}: {effects.operation} ({effects.operation_class}) {targets}"


def cut(text: str, *, end: bool = False) -> str:
    """Of what an agent said, the end leads to the request; of all else the beginning tells most."""
    if len(text) <= TEXT_CHARS_MAX:
        return text
    return "[...] " + text[-TEXT_CHARS_MAX:] if end else text[:TEXT_CHARS_MAX] + " [...]"
