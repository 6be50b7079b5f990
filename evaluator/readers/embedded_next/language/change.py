"""What the pending write would do, taken apart once: targets, texts, names and values. Decides nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import cast

from evaluator.model import Subject
from evaluator.readers.embedded_next.language import words
from evaluator.readers.embedded_next.language.shell import segments, shell_paths, shell_values
from evaluator.readers.embedded_next.language.views import NAME, NUMBER

TEXT_CHARS = 20_000
LOOKED_CHARS = 4_000
"""Of a longer change the names and words of its first and last half of this count."""
TARGETS_MAX = 20
VALUES_MAX = 30
EDITS_MAX = 200
DEPTH_MAX = 6
PATH_CHARS = 1_000
FILE_TOOLS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
NEW_KEYS = ("content", "new_string", "new_source")
PATH_KEYS = ("file_path", "notebook_path", "path")
LITERAL = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w.])")
TEST_PIECES = frozenset(("test", "tests", "spec", "specs", "testing", "e2e", "__tests__"))


@dataclass(frozen=True, slots=True)
class Target:
    """One path. `stem` and `folders` are split into pieces; `names` what a person would call it by."""

    path: str
    base: str
    stem: tuple[str, ...]
    folders: tuple[str, ...]
    is_test: bool
    outside: bool

    @property
    def naming(self) -> tuple[str, ...]:
        """The pieces that tell this file from others; of a generic name those of its folder."""
        own = tuple(
            p for p in self.stem if p not in words.GENERIC and p not in TEST_PIECES and not p.isdigit()
        )
        if own:
            return own
        near = tuple(p for p in self.folders[-2:] if p not in words.GENERIC and p not in TEST_PIECES)
        return near or self.stem


@dataclass(frozen=True, slots=True)
class PendingChange:
    """`old` and `new` are the edited texts; `values` the concrete arguments of a call without a target."""

    targets: tuple[Target, ...]
    old: str
    new: str
    command: str
    stems: frozenset[str]
    names: tuple[str, ...]
    numbers_in: tuple[str, ...]
    numbers_out: tuple[str, ...]
    values: tuple[str, ...]
    lines: int
    shell: bool
    programs: tuple[str, ...]

    @property
    def seen(self) -> bool:
        """Whether there is any text of the change to look at."""
        return bool(self.old or self.new)


def target_of(path: str, project_dir: str) -> Target:
    path = path[-PATH_CHARS:].replace("\\", "/")
    root = project_dir.rstrip("/")
    outside = path.startswith(("/", "~")) and bool(root)
    if root and (path == root or path.startswith(f"{root}/")):
        path, outside = path[len(root) + 1 :] or ".", False
    parts = PurePosixPath(path).parts
    base = parts[-1] if parts else path
    name = base.lstrip(".")
    stem = tuple(words.split(name.rsplit(".", 1)[0] if "." in name else name))[:12]
    folders = tuple(piece for part in parts[:-1][-8:] for piece in words.split(part))
    is_test = bool(TEST_PIECES & {*stem, *folders, *name.lower().split(".")})
    return Target(path, base, stem, folders, is_test, outside and not path.startswith("/tmp/"))  # noqa: S108


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def texts_of(tool_input: Mapping[str, object]) -> tuple[str, str]:
    """The old and the new text of a file tool's call, in full."""
    given: list[Mapping[str, object]] = [tool_input]
    edits = tool_input.get("edits")
    if isinstance(edits, (list, tuple)):
        several = cast(Sequence[object], edits)[:EDITS_MAX]
        given += [cast(Mapping[str, object], edit) for edit in several if isinstance(edit, Mapping)]
    old = [text(each.get("old_string")) for each in given]
    new = [text(each.get(key)) for each in given for key in NEW_KEYS]
    return "\n".join(filter(None, old)), "\n".join(filter(None, new))


def flatten(value: object, depth: int = 0) -> Iterable[str]:
    if isinstance(value, bool) or value is None or depth > DEPTH_MAX:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)):
        if abs(value) < 1e15:
            yield f"{value:g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping):
        for item in list(cast(Mapping[object, object], value).values())[:VALUES_MAX]:
            yield from flatten(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in cast(Sequence[object], value)[:VALUES_MAX]:
            yield from flatten(item, depth + 1)


def call_values(command: str) -> Iterable[str]:
    """Arguments of `name(key='x', n=3)` or of `{"name": ..., "arguments": {...}}`."""
    if command.startswith("{"):
        try:
            parsed = cast(object, json.loads(command))
        except (ValueError, RecursionError):
            parsed = None
        if isinstance(parsed, dict):
            call = cast(dict[str, object], parsed)
            yield from flatten(call.get("arguments", call))
            return
    inner = command.split("(", 1)[-1]
    for single, double, number in LITERAL.findall(inner):
        yield single or double or number


def values_of(tool_name: str, tool_input: Mapping[str, object], command: str) -> tuple[str, ...]:
    found: Iterable[str]
    if tool_name == "Bash":
        found = shell_values(command)
    elif command and set(tool_input) <= {"command"}:
        found = call_values(command) if "(" in command or command.startswith("{") else shell_values(command)
    else:
        found = flatten(tool_input)
    kept = tuple(dict.fromkeys(value.strip()[:400] for value in found if value.strip()))[:VALUES_MAX]
    return kept or (tuple(words.split(command.split("(", 1)[0])[:4]) if tool_name != "Bash" else ())


def change_of(subject: Subject) -> PendingChange:
    tool_input, tool_name = subject.pending.tool_input, subject.pending.tool_name
    project = subject.pending.project_dir
    paths = list(subject.effects.targets[:TARGETS_MAX])
    if not paths and tool_name in FILE_TOOLS:
        paths = [path for path in (text(tool_input.get(key)) for key in PATH_KEYS) if path][:1]
    command = words.normalise(text(tool_input.get("command")) or subject.effects.command, TEXT_CHARS)
    if not paths and tool_name == "Bash":
        paths = shell_paths(command.split("\n", 1)[0])[:TARGETS_MAX]
    targets = tuple(target_of(path, project) for path in paths)
    old, new = texts_of(tool_input)
    lines = (
        subject.effects.lines
        if subject.effects.lines is not None
        else max(old.count("\n"), new.count("\n")) + 1
    )
    old, new = words.normalise(old, TEXT_CHARS), words.normalise(new, TEXT_CHARS)
    body = f"{old}\n{new}\n{command if tool_name == 'Bash' else ''}"
    body = words.normalise(body, LOOKED_CHARS)
    numbers_old, numbers_new = (
        set(NUMBER.findall(old[:LOOKED_CHARS])),
        set(NUMBER.findall(new[:LOOKED_CHARS])),
    )
    return PendingChange(
        targets=targets,
        old=old,
        new=new,
        command=command,
        stems=words.stems(words.distinct(body)),
        names=tuple(dict.fromkeys(NAME.findall(body))),
        numbers_in=tuple(sorted(numbers_new - numbers_old)),
        numbers_out=tuple(sorted(numbers_old - numbers_new)),
        values=() if targets else values_of(tool_name, tool_input, command),
        lines=lines,
        shell=tool_name == "Bash",
        programs=tuple(word for part in segments(command) for word in part[:2])
        if tool_name == "Bash"
        else (),
    )
