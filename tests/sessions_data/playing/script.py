"""Sessions as data: reads `fixtures/sessions/*.jsonl` and says what is wrong with a line. Plays nothing.

The format is described in `fixtures/sessions/README.md`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast, get_args

from repository import ROOT

from evaluator.model import Decision, Reason

FOLDER = ROOT / "fixtures" / "sessions"
FIRST = "a"
"""The session that a step belongs to where it names none."""

HEADER = {"session", "title", "spec", "settings", "attended", "files", "home", "project", "environment"}
BARE = ("machine", "agent", "interrupt", "compact", "resume", "rewind", "wait", "events")
STEPS: dict[str, set[str]] = {kind: set() for kind in BARE} | {
    "user": {"expect", "source"}, "queued": {"expect", "waits"}, "parallel": {"readers", "expect"},
    "call": {"readers", "expect", "result", "effects"}, "ask": {"answer"}, "plan": {"approved"},
    "slash": {"expands_to"}, "builtin": {"output"},
}  # fmt: skip
JUDGED = {"call", "parallel"}


class SessionFormatError(ValueError):
    """A file that is not in the format; the message names the file and the line."""


@dataclass(frozen=True)
class Step:
    """One line. `kind` is its key, `given` what stands under that key, `line` the whole object."""

    kind: str
    given: Any
    line: Mapping[str, Any]
    number: int

    @property
    def session(self) -> str:
        return str(self.line.get("session", FIRST))


@dataclass(frozen=True)
class Expected:
    """The outcome that the SPEC gives to a call; empty where it leaves it open. Of the first three, one of several."""

    decision: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    reader_calls: tuple[int, ...] = ()
    message_has: tuple[str, ...] = ()
    shown_has: tuple[str, ...] = ()
    shown_lacks: tuple[str, ...] = ()
    ends_turn: bool | None = None
    condensed: bool | None = None


EXPECTED = {one.name: one.default == () for one in fields(Expected)}
"""{name: whether it has several values}."""


@dataclass(frozen=True)
class Script:
    """A whole session: where it starts, and its steps in order."""

    name: str
    header: Mapping[str, Any]
    steps: tuple[Step, ...]

    @property
    def calls(self) -> int:
        return sum(len(step.given) if step.kind == "parallel" else step.kind == "call" for step in self.steps)


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*.jsonl"))


def load(path: Path) -> Script:
    """Raises SessionFormatError."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    header, *rest = lines
    if header.get("session") != path.stem or not header.get("title") or not header.get("spec"):
        raise SessionFormatError(f"{path.name}:1: session (the file's name), title and spec are needed")
    if unknown := set(header) - HEADER:
        raise SessionFormatError(f"{path.name}:1: unknown {sorted(unknown)}")
    steps = tuple(_step(path.name, number, line) for number, line in enumerate(rest, start=2))
    return Script(path.stem, header, steps)


def expected(line: Mapping[str, Any]) -> Expected:
    given = line.get("expect", {})
    told = {name: given[name] for name in EXPECTED if name in given}
    return Expected(**{name: _several(value) if EXPECTED[name] else value for name, value in told.items()})


def filled(value: Any, names: Mapping[str, str]) -> Any:
    """`value` with every `${NAME}` in its strings (not its keys) replaced; an unknown name is a KeyError."""
    if isinstance(value, str):
        return re.sub(r"\$\{([A-Z]+)\}", lambda found: names[found[1]], value)
    if isinstance(value, dict):
        table = cast(Mapping[str, Any], value)
        return {key: filled(inner, names) for key, inner in table.items()}
    if isinstance(value, list):
        return [filled(inner, names) for inner in cast(Sequence[Any], value)]
    return value


def _step(file: str, number: int, line: Mapping[str, Any]) -> Step:
    kinds = [key for key in line if key in STEPS]
    if len(kinds) != 1:
        raise SessionFormatError(f"{file}:{number}: one kind of step is needed, found {kinds}")
    kind = kinds[0]
    if unknown := set(line) - {kind, "session", "why"} - STEPS[kind]:
        raise SessionFormatError(f"{file}:{number}: unknown {sorted(unknown)}")
    for call in line[kind] if kind == "parallel" else [line]:
        if kind in JUDGED:
            _must_be_derived(f"{file}:{number}", {**line, **call})
    return Step(kind, line[kind], line, number)


def _must_be_derived(place: str, line: Mapping[str, Any]) -> None:
    if not line.get("why"):
        raise SessionFormatError(f"{place}: why is needed: the sentence that the outcome follows from")
    if unknown := set(line.get("expect", {})) - set(EXPECTED):
        raise SessionFormatError(f"{place}: unknown expectation {sorted(unknown)}")
    wanted = expected(line)
    if not wanted.decision or set(wanted.decision) - set(get_args(Decision)):
        raise SessionFormatError(f"{place}: decision must be of {get_args(Decision)}")
    if unknown := set(wanted.reason) - set(get_args(Reason)):
        raise SessionFormatError(f"{place}: no reason of a check: {sorted(unknown)}")


def _several(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(cast(Sequence[Any], value)) if isinstance(value, list) else (value,)
