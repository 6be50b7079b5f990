"""Checks of some days, kept as the program keeps them, for what the page shows."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from running.httpserving import Answer, ask
from samples.state_stores import CHECK

from evaluator.model import (
    Check,
    Cluster,
    Convergence,
    Effects,
    Evidence,
    Exchange,
    Reading,
    ResolvedOption,
    Sample,
)
from evaluator.record import replace
from evaluator.state.store import open_store

HELD_ID = "01M80F7MRS8E7KDP66FYZ4VW5T"
HOSTILE_ID = "01M80F7MRS8E7KDP66FYZ4VW5X"
HOSTILE = (
    "<script>window.hit=1</script><img src=x onerror='window.hit=2'><svg onload=window.hit=3>"
    "\"'><a href='javascript:window.hit=4'>go</a> \u202egnp.exe\u202c \x1b[31mred\x1b[0m &lt;b&gt; \u2066x\u2069"
)
ENDS: tuple[Any, ...] = (
    ("passed", "allow", "confident"), ("passed", "allow", "confident"), ("failed", "deny", "low_confidence"),
    ("skipped", "allow", "reply_to_question_pattern"), ("failed", "allow", "disagreement"),
    ("skipped", "allow", "released"),
)  # fmt: skip
FILES = (
    "src/auth/session.py",
    "src/auth/tokens.py",
    "migrations/0042_rename_user_to_account_with_constraints.sql",
    "README.md",
)
PRIOR = "I found two unused files: src/auth/session.py and src/auth/tokens.py. Which should go?"
READINGS = Reading("delete", "src/auth/session.py", "one_file"), Reading("change", "src/auth/", "folder")
DOUBT = "The pronoun has two referents, and the write touches one of them."


def sample(place: int, score: float) -> Sample:
    return Sample(
        f"reader-{place}", score, "target" if score < 0.65 else "none",
        DOUBT if score < 0.65 else "The request names this file.", READINGS[place % 2 if score < 0.65 else 0],
        latency_ms=900 + 130 * place, input_tokens=900, output_tokens=80, cost_usd=0.0021,
    )  # fmt: skip


def check(project: Path, number: int, at: float, check_id: str = "") -> Check:
    """The one of that number: their ends and files go round. What failed is a deletion, all else an edit."""
    verdict, decision, reason = ENDS[number % len(ENDS)]
    failed, name = verdict == "failed", FILES[number % len(FILES)]
    act: Any = ("delete", "destructive") if failed else ("edit", "modifying")
    command = f"rm {name}" if failed else ""
    request = "Just delete it." if failed else f"Add a timeout to the session file, please ({number})."
    found = replace(
        CHECK,
        check_id=check_id or f"01M80F7MRS8E7KDP66FYZ{number:05}",
        verdict=verdict, decision=decision, reason=reason,
        pending=replace(
            CHECK.pending, session_id=f"session-{number // 12}", tool_name="Bash" if failed else "Edit",
            cwd=str(project), project_dir=str(project),
        ),
        effects=Effects("write", act[0], act[1], (str(project / name),), command, 12),
        exchange=Exchange((request,), PRIOR),
        resolved=ResolvedOption(("the session file",)) if reason == "reply_to_question_pattern" else None,
        detail="Two readings are possible; ask the user which." if decision == "deny" else "",
        duration_ms=3, at=at, notes=(),
    )  # fmt: skip
    if verdict == "skipped":
        nobody: dict[str, Any] = dict.fromkeys(("evidence", "convergence", "thresholds", "backend", "model"))
        return replace(found, samples=(), **nobody)
    scores = (0.35, 0.2, 0.55, 0.3, 0.8) if failed else (0.92, 0.9, 0.95, 0.88, 0.91)
    names = tuple(f"reader-{place}" for place in range(1, 6))
    return replace(
        found,
        evidence=Evidence("Bash", act[0], act[1], (name,), request, PRIOR, command),
        convergence=Convergence(
            sum(scores) / 5, 0.207 if failed else 0.024, 5, "target" if failed else "none",
            "The pronoun has two referents.", 0.4,
        ),
        samples=tuple(sample(place, score) for place, score in enumerate(scores, 1)),
        clusters=tuple(map(Cluster, (names[::2], names[1::2]), READINGS[::-1])) if failed
        else (Cluster(names, READINGS[0]),),
        model="claude-haiku-4-5", duration_ms=1400 + 37 * (number % 29),
    )  # fmt: skip


def fill(state: Path, project: Path) -> None:
    """Checks of three days, one of them held with HELD_ID, and one with HOSTILE_ID whose every text is hostile."""
    now = time.time() - 60
    opened = open_store(str(state / "compass"), now=now)
    assert opened.fault is None
    made = [check(project, number, now - 3600 * (70 - number)) for number in range(70)]
    made += [hostile(check(project, 2, now - 40, HOSTILE_ID)), check(project, 2, now - 30, HELD_ID)]
    for one in made:
        opened.store.save_check(one, None, store_evidence=True)
    opened.store.close()


def hostile(found: Any) -> Check:
    reading = Reading("delete", HOSTILE, "one_file")
    said = {"current_request": HOSTILE, "targets": (HOSTILE,)}
    target = f"{found.pending.project_dir}/{HOSTILE}"
    return replace(
        found, effects=replace(found.effects, targets=(target,), command=f"rm {HOSTILE}"),
        exchange=Exchange((HOSTILE,), HOSTILE, delegated_task=HOSTILE),
        evidence=replace(found.evidence, prior_assistant_turn=HOSTILE, **said),
        samples=tuple(
            replace(one, rationale=HOSTILE, reading=reading, rival=HOSTILE) for one in found.samples
        ),
        clusters=(Cluster(("reader-1",), reading),), detail=HOSTILE, notes=(HOSTILE,),
    )  # fmt: skip


@dataclass
class Link:
    """What `compass ui` gave: the service's port, and the secret."""

    port: int
    secret: str

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/#link={self.secret}"

    def get(self, path: str, token: str = "", **headers: str) -> Answer:
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return ask(self.port, "GET", path, None, **{**given, **headers})

    def post(self, path: str, body: Any, token: str = "") -> Answer:
        given = {"Authorization": f"Bearer {token}"} if token else {}
        own = {"Origin": self.origin, "Content-Type": "application/json"}
        return ask(self.port, "POST", path, body, **own, **given)

    def exchange(self) -> str:
        """The token, once."""
        found = self.post("/page/link", {"secret": self.secret})
        assert found.status == 200, found.body
        return str(found.json["token"])


def link_of(place: Any, *words: str) -> Link:
    """By the command itself, in the place's project."""
    done = place.command("ui", "--json", *words)
    assert done.returncode == 0, done.stderr
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#link=([\w-]+)", json.loads(done.stdout)["url"])
    assert found is not None, done.stdout
    return Link(int(found[1]), found[2])
