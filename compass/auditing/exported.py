"""Judged writes of a whole team: from the records that `compass team export` wrote."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

from calibration.audit.judge import JudgeMap, should_be_held
from calibration.audit.plan import AuditCase, AuditReaders, JudgedWrite
from calibration.cases.spooled import Spooled
from compass.auditing.sources import Gathered, cut, judge_named
from evaluator.errors import PayloadError
from evaluator.model import Evidence, Exchange
from evaluator.readers.sampling import SETTLED
from evaluator.record import replace
from evaluator.team.documents import evidence_of, sample_of, thresholds_of
from evaluator.verdict.convergence import converge
from evaluator.verdict.decision import deciding, judge
from evaluator.verdict.readings import agreement, clusters

BACKEND = "team"


def exported_writes(path: str, least: int, known: JudgeMap | None) -> Gathered:
    """Of a file of JSON lines, oldest first. `least` readers of a check have to be valid. Raises PayloadError.

    Whoever the service asked last are the team's readers; a check of others before them counts as theirs.
    """
    left_out = 0

    def judged() -> Iterator[JudgedWrite]:
        nonlocal left_out
        for number, row in enumerate(_rows(path), 1):
            try:
                found = _write(row, least, known)
            except (PayloadError, KeyError, TypeError, ValueError) as error:
                raise PayloadError(
                    f"{path}, line {number}: no record of a team's evaluator: {error}"
                ) from None
            if isinstance(found, JudgedWrite):
                yield found
            else:
                left_out += found

    writes = Spooled(judged())
    last = _asked(writes[-1]) if writes else None
    of_team = Spooled(_of_team(one) if _asked(one) == last else one for one in writes)
    return Gathered(of_team, left_out, judge_named(known))


def _asked(write: JudgedWrite) -> tuple[str, str, str]:
    return write.readers.backend, write.readers.model, write.readers.prompt


def _of_team(write: JudgedWrite) -> JudgedWrite:
    return dataclasses.replace(write, readers=dataclasses.replace(write.readers, backend=BACKEND))


def _rows(path: str) -> Iterator[Any]:
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    raise PayloadError(f"{path}, line {number}: no JSON") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PayloadError(f"{path}: {error}") from None


def _write(row: Mapping[str, Any], least: int, known: JudgeMap | None) -> JudgedWrite | bool:
    """Without a write that was judged: whether one was, which nobody can be shown."""
    samples = deciding([sample_of(one) for one in row["samples"]])
    found = converge(samples, min(least, max(1, len(samples))))
    if found is None or not any(one.valid and not one.blind for one in samples) or not row["thresholds"]:
        return False
    if row["evidence"] is None:
        return True
    evidence, limits = evidence_of(row["evidence"]), thresholds_of(row["thresholds"])
    seen = clusters(samples, "", Exchange((evidence.current_request,), evidence.prior_assistant_turn))
    scored = replace(found, agreement=agreement([len(one.readers) for one in seen]))
    return JudgedWrite(
        case=_case(str(row["evaluation_id"]), float(row["at"]), evidence),
        session=f"{row['person']}:{row['session']}",
        held=judge(scored, limits)[0] == "failed",
        should=should_be_held(scored, limits, row["backend"], row["model"], known),
        mean=scored.mean,
        stddev=scored.stddev,
        agreement=scored.agreement,
        readers=AuditReaders(str(row["backend"]), str(row["model"]), str(row["prompt"]), len(samples)),
        heard=scored.sample_count,
        unheard=sum(one.error == SETTLED for one in samples),
        fixed=scored.held,
    )


def _case(evaluation_id: str, at: float, evidence: Evidence) -> AuditCase:
    targets = ", ".join(evidence.targets) or "(no named target)"
    return AuditCase(
        id=evaluation_id,
        at=at,
        request=cut(evidence.current_request),
        prior_assistant_turn=cut(evidence.prior_assistant_turn, end=True),
        delegated_task=cut(evidence.delegated_task),
        write=cut(f"{evidence.tool_name}: {evidence.operation} ({evidence.operation_class}) {targets}"),
        command=cut(evidence.command),
    )
