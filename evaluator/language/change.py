"""What the pending write would do, taken apart once: targets, texts, names and values. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import cast

from evaluator.language import words
from evaluator.language.patches import Patch, patch_of
from evaluator.language.shell import shell_values
from evaluator.language.views import NAME
from evaluator.model import Subject

TEXT_CHARS = 20_000
LOOKED_CHARS = 4_000
"""Of a longer change the names and words of its first and last half of this count."""
TARGETS_MAX = 20
VALUES_MAX, VALUE_CHARS, NUMBER_MAX = 30, 400, 1e15
EDITS_MAX, NAME_WORDS = 200, 4
DEPTH_MAX = 6
PATH_CHARS = 1_000
FILE_TOOLS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
NEW_KEYS = ("content", "new_string", "new_source")
PATH_KEYS = ("file_path", "notebook_path", "path")
TEST_PIECES = frozenset(("test", "tests", "spec", "specs", "testing", "e2e", "__tests__"))


@dataclass(frozen=True, slots=True)
class Target:
    """One path. `stem` and `folders` are split into pieces."""

    path: str
    base: str
    stem: tuple[str, ...]
    folders: tuple[str, ...]
    is_test: bool

    @property
    def naming(self) -> tuple[str, ...]:
        """The pieces that tell this file from others; of a generic name those of its folder."""
        dull = words.GENERIC | TEST_PIECES
        own = tuple(piece for piece in self.stem if piece not in dull and not piece.isdigit())
        return own or tuple(piece for piece in self.folders[-2:] if piece not in dull) or self.stem


@dataclass(frozen=True, slots=True)
class PendingChange:
    """`old` and `new` are the edited texts; `values` the concrete arguments of a call without a target."""

    targets: tuple[Target, ...]
    old: str
    new: str
    command: str
    stems: frozenset[str]
    names: tuple[str, ...]
    values: tuple[str, ...]
    shell: bool


def target_of(path: str, project_dir: str) -> Target:
    path = path[-PATH_CHARS:].replace("\\", "/")
    root = project_dir.rstrip("/")
    if root and (path == root or path.startswith(f"{root}/")):
        path = path[len(root) + 1 :] or "."
    parts = PurePosixPath(path).parts
    base = parts[-1] if parts else path
    name = base.lstrip(".")
    stem = tuple(words.split(name.rsplit(".", 1)[0]))[:12]
    folders = tuple(piece for part in parts[:-1][-8:] for piece in words.split(part))
    return Target(path, base, stem, folders, bool(TEST_PIECES & {*stem, *folders, *name.lower().split(".")}))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts_of(tool_input: Mapping[str, object]) -> tuple[str, str]:
    """The old and the new text of a file tool's call, in full."""
    edits = tool_input.get("edits")
    several = cast(Sequence[object], edits)[:EDITS_MAX] if isinstance(edits, (list, tuple)) else ()
    given = [tool_input, *(cast(Mapping[str, object], edit) for edit in several if isinstance(edit, Mapping))]
    old = [_text(each.get("old_string")) for each in given]
    new = [_text(each.get(key)) for each in given for key in NEW_KEYS]
    return "\n".join(filter(None, old)), "\n".join(filter(None, new))


def _values_in(value: object, depth: int = 0) -> Iterable[str]:
    """The texts and numbers of a call's arguments, however deep they stand."""
    if isinstance(value, str):
        yield value.strip()[:VALUE_CHARS]
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < NUMBER_MAX:
        yield f"{value:g}"
    elif isinstance(value, (Mapping, list, tuple)) and depth <= DEPTH_MAX:
        kept = cast(Mapping[object, object], value).values() if isinstance(value, Mapping) else None
        for item in islice(cast(Sequence[object], value) if kept is None else kept, VALUES_MAX):
            yield from _values_in(item, depth + 1)


def _values_of(tool_input: Mapping[str, object], command: str) -> tuple[str, ...]:
    """What a call without a target is about: the words of its command, else its arguments; else its name."""
    found = shell_values(command) if set(tool_input) <= {"command"} else _values_in(tool_input)
    kept = tuple(dict.fromkeys(value for value in found if value))[:VALUES_MAX]
    return kept or tuple(words.split(command.partition("(")[0])[:NAME_WORDS])


def _patched(patch: Patch) -> tuple[str, str]:
    """The old and the new text of a patch: of each part, or nothing of a file that it only names."""
    parts = [part for file in patch.files for part in file.parts][:EDITS_MAX]
    return "\n".join(old for old, _ in parts if old), "\n".join(new for _, new in parts if new)


def change_of(subject: Subject) -> PendingChange:
    tool_input, tool_name, effects = subject.pending.tool_input, subject.pending.tool_name, subject.effects
    shell = tool_name == "Bash"
    paths = list(effects.targets[:TARGETS_MAX])
    if not paths and tool_name in FILE_TOOLS:
        paths = [path for path in (_text(tool_input.get(key)) for key in PATH_KEYS) if path][:1]
    command = words.normalise(_text(tool_input.get("command")) or effects.command, TEXT_CHARS)
    patch = patch_of(tool_name, tool_input)
    texts = _texts_of(tool_input) if patch is None else _patched(patch)
    old, new = (words.normalise(text, TEXT_CHARS) for text in texts)
    body = words.normalise(f"{old}\n{new}\n{command if shell else ''}", LOOKED_CHARS)
    return PendingChange(
        targets=tuple(target_of(path, subject.pending.project_dir) for path in paths),
        old=old,
        new=new,
        command=command,
        stems=frozenset(map(words.stem, words.split(body))),
        names=tuple(dict.fromkeys(NAME.findall(body))),
        values=() if paths else _values_of(tool_input, command),
        shell=shell,
    )
