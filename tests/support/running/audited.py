"""A project with recorded checks to audit: kept by the store itself, as hooks keep them."""

from __future__ import annotations

from pathlib import Path

from compass.joining.thresholds import Standing
from evaluator.model import (
    Check,
    Convergence,
    Effects,
    Exchange,
    PendingWrite,
    Sample,
    Thresholds,
)
from evaluator.record import replace
from evaluator.state.store import open_store

LIMITS = Thresholds(0.65, 0.20)
PER_SESSION = 10


def recorded(
    state: Path,
    project: Path,
    count: int,
    *,
    blocked_every: int = 5,
    request: str = "",
    who: Standing | None = None,
) -> None:
    """`count` judged writes; every so manieth was held. Scores differ from write to write.

    `who` judged them, by default rules of which nobody kept what they were told.
    """
    opened = open_store(str(state / "compass"), now=0.0)
    assert opened.fault is None
    for number in range(count):
        held = number % blocked_every == 0
        mean = 0.2 + 0.4 * (number % 7) / 7 if held else 0.7 + 0.3 * (number % 11) / 11
        check = _check(number, project, mean, held, request)
        if who is not None:
            samples = tuple(Sample(f"reader-{place}", mean, "target") for place in range(1, who.n + 1))
            check = replace(check, backend=who.backend, model=who.model, prompt=who.prompt, samples=samples)
        opened.store.save_check(check, None, store_evidence=True)
    opened.store.close()


def _check(number: int, project: Path, mean: float, held: bool, request: str) -> Check:
    name = f"src/file{number}.py"
    return Check(
        check_id=f"check-{number:04}",
        verdict="failed" if held else "passed",
        decision="deny" if held else "allow",
        reason="low_confidence" if held else "confident",
        pending=PendingWrite(
            host="claude_code",
            session_id=f"session-{number // PER_SESSION}",
            tool_name="Bash",
            tool_input={"command": f"rm {name}"},
            cwd=str(project),
            project_dir=str(project),
        ),
        effects=Effects("write", "delete", "destructive", (str(project / name),), f"rm {name}"),
        exchange=Exchange((request or f"delete file {number}",), f"There is file {number}."),
        convergence=Convergence(mean, 0.05, 5, "target", "no target"),
        thresholds=LIMITS,
        samples=(Sample("reader-1", mean, "target"),),
        backend="embedded",
        model="",
        at=1_760_000_000.0 + number,
    )
