"""The trigger gate's tests: which calls are excused before anybody reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from evaluator.model import PendingWrite

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SENTINEL = "[compass:skip]"
NEVER_SKIPPED = (".git/hooks", ".git/config")
SHOWN_CHARS_MAX = 300

Translate = Callable[[tuple[str, ...]], tuple[str, ...] | None]
"""As `translated`, which it may remember."""


def has_sentinel(request: Iterable[str], tool_input: Mapping[str, object], *, trust_tool_input: bool) -> bool:
    """Whether the user's own current request, or a trusted tool input, carries the skip sentinel."""
    if any(SENTINEL in message for message in request):
        return True
    return trust_tool_input and any(SENTINEL in text for text in _strings(tool_input))


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in cast(Mapping[object, object], value).values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in cast(list[object], value):
            yield from _strings(item)


def translated(globs: tuple[str, ...]) -> tuple[str, ...] | None:
    """Regular expressions, to be searched for in a path, one of which is enough; imports pathspec.

    None where a glob takes back (`!`) what an earlier one gave: pathspec itself has to say then.
    """
    patterns: Sequence[Any] = _spec(globs).patterns
    if any(pattern.include is False for pattern in patterns):
        return None
    return tuple(pattern.regex.pattern for pattern in patterns if pattern.include)


def all_skipped(
    targets: Sequence[str], project_dir: str, globs: tuple[str, ...], translate: Translate = translated
) -> bool:
    """Whether every target matches a skip glob, gitignore-style, relative to the project.

    `targets` are absolute with links resolved. A target outside of the project never matches, and neither
    do git's hooks and config: writing those runs code.
    """
    if not targets or not globs:
        return False
    paths: list[str] = []
    for target in targets:
        path = relative_to(target, project_dir)
        if path is None or _never_skipped(path):
            return False
        paths.append(path)
    expressions = translate(globs)
    if expressions is None:
        return all(map(_spec(globs).match_file, paths))
    return all(any(re.search(one, path) for one in expressions) for path in paths)


def relative_to(target: str, project_dir: str) -> str | None:
    """The target's path below the project with forward slashes, or None outside of it."""
    path = os.path.relpath(target, project_dir) if os.path.isabs(target) else target
    if path == os.pardir or path.startswith(os.pardir + os.sep):
        return None
    return path.replace(os.sep, "/")


def _never_skipped(path: str) -> bool:
    # Case-folded: on a case-insensitive file system .GIT/hooks is the same folder.
    folded = f"/{path.casefold()}/"
    return any(f"/{name}/" in folded for name in NEVER_SKIPPED)


@lru_cache(maxsize=8)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)


def display_target(pending: PendingWrite, targets: Sequence[str]) -> str:
    """How a call's target is named to people: relative inside the project, the folder without a target.

    On one line, of bounded length, its end kept, and with nothing that a terminal would act on: the agent chose it.
    """
    if not targets:
        return _shown(pending.cwd)
    first = _shown(relative_to(targets[0], pending.project_dir) or targets[0])
    return first if len(targets) == 1 else f"{first} (+{len(targets) - 1} more)"


def _shown(path: str) -> str:
    whole = path if len(path) <= SHOWN_CHARS_MAX else f"…{path[1 - SHOWN_CHARS_MAX :]}"
    return "".join(char if char.isprintable() else "\ufffd" for char in whole)
