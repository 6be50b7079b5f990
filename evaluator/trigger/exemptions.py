"""The tests of the trigger gate: which calls are excused before anybody reads them. Pure; no I/O."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from evaluator.effects import strings_of
from evaluator.model import SEVERITY, Effect, OperationClass, PendingWrite
from evaluator.record import Record
from evaluator.text import Vocabulary, safe

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SENTINEL = "[compass:skip]"
FILES = Vocabulary("trigger/files")
SHOWN_CHARS_MAX = 300
PROSE_LINES = 3
"""Lines of a message that one types and does not paste."""
_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|[“„«「『][^”“»」』]*[”“»」』]|(?<!\w)'[^']*'(?!\w)")
_OPEN = re.compile(r"[\"`“”„«»「」『』]|(?<!\w)'|^\s*[>|]", re.MULTILINE)
"""A quotation that has not ended."""

Translate = Callable[[tuple[str, ...]], tuple[str, ...] | None]
"""As `translated_globs`, which it may remember."""


def holds_script(tool_input: Mapping[str, object]) -> bool:
    """Whether any text of a tool's input has the mark by which a system runs a file."""
    return any("#!" in text for text in strings_of(tool_input))


def is_typed_sentinel(text: str) -> bool:
    """Whether a message asks for the skip in prose of its own: at its very beginning, or at the end of one paragraph
    that holds nothing pasted or quoted. What stands in a log, a block or a quotation is somebody else's.
    """
    from evaluator.text import lines_of

    said = text.strip()
    if "```" in said or "~~~" in said:
        # Only in front of a block nobody else can have put it.
        return said.startswith(SENTINEL) and said.partition("\n")[0].count("`") == 0
    pasted = any(is_pasted for _, is_pasted in lines_of(said))
    if said.startswith(SENTINEL):
        # The first line of something pasted may open so, too.
        return not pasted or said.partition("\n")[0].strip() == SENTINEL
    whole = said.rstrip(".!")
    before = whole.removesuffix(SENTINEL).rstrip()
    if before == whole or pasted or "\n\n" in said or before.count("\n") >= PROSE_LINES:
        return False
    line = before.rpartition("\n")[2].strip()
    return not line.endswith((":", "：", "=", "(", "[")) and not _OPEN.search(_QUOTED.sub("", before))


@lru_cache(maxsize=8)
def translated_globs(globs: tuple[str, ...]) -> tuple[str, ...] | None:
    """Regular expressions, to be searched for in a path, one of which is enough; imports pathspec.

    None where a glob takes back (`!`) what an earlier one gave: pathspec itself has to say then.
    """
    patterns: Sequence[Any] = _exempt_globs_spec(globs).patterns
    if any(pattern.include is False for pattern in patterns):
        return None
    return tuple(pattern.regex.pattern for pattern in patterns if pattern.include)


def skipped_by_globs(
    each: Sequence[Effect], project_dir: str, globs: tuple[str, ...], translate: Translate = translated_globs
) -> list[Effect]:
    """The effects whose target matches a skip glob, gitignore-style, relative to the project.

    Targets are absolute with links resolved. One outside of the project never matches, and neither does what git
    runs or takes its state from.
    """
    paths = [(one, relative_to(one.target, project_dir)) for one in each if globs and one.excusable]
    asked = [(one, path) for one, path in paths if path is not None and not is_live_git(path)]
    expressions = translate(globs) if asked else ()
    if expressions is None:
        return [one for one, path in asked if _exempt_globs_spec(globs).match_file(path)]
    return [one for one, path in asked if any(re.search(expression, path) for expression in expressions)]


def relative_to(target: str, project_dir: str) -> str | None:
    """The target's path below the project with forward slashes, or None outside of it."""
    path, folder = target, os.path.normpath(project_dir) + os.sep
    if os.path.isabs(target):
        path = os.path.normpath(target)
        # As `os.path.relpath`, in a tenth of its time for what lies below.
        below = folder[0] == os.sep and path.startswith(folder) and path != folder
        path = path[len(folder) :] if below else os.path.relpath(target, project_dir)
    if path == os.pardir or path.startswith(os.pardir + os.sep):
        return None
    return path.replace(os.sep, "/")


def is_live_git(path: str) -> bool:
    """Whether a path lies in a git folder and is no mere note there: code, configuration, refs, the index.

    A bare repository (`name.git/`) is a git folder too, and so is what git would run wherever it is told to look.
    """
    # Case-folded and without invisible characters: on some file systems .GIT/hooks and .g\u200cit/hooks are the folder.
    folded = path.casefold()
    parts = (folded if folded.isprintable() else "".join(filter(str.isprintable, folded))).split("/")
    if parts[-2:-1] == ["hooks"] and parts[-1] in FILES.words("git_hooks"):
        return True
    at = next((at for at, part in enumerate(parts) if part.endswith(".git")), None)
    if at is None or (parts[at] != ".git" and at == len(parts) - 1):
        return False
    return "/".join(parts[at + 1 :]) not in FILES.words("git_notes")


@lru_cache(maxsize=8)
def _exempt_globs_spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)


def display_target(pending: PendingWrite, targets: Sequence[str]) -> str:
    """How a call's target is named to people: relative inside the project, the folder without a target.

    On one line, of bounded length, its end kept, and with nothing that a terminal would act on: the agent chose it.
    """
    first = display(targets[0], pending.project_dir) if targets else _display_safe_path(pending.cwd)
    return first if len(targets) < 2 else f"{first} (+{len(targets) - 1} more)"


def display(target: str, project_dir: str) -> str:
    """One target, as `display_target` names it."""
    return _display_safe_path(relative_to(target, project_dir) or target)


def _display_safe_path(path: str) -> str:
    whole = path if len(path) <= SHOWN_CHARS_MAX else f"…{path[1 - SHOWN_CHARS_MAX :]}"
    return safe(whole, "\ufffd")


class Cooldown(Record):
    """A judged write that then succeeded. `at` is wall time."""

    directory: str
    stem: str
    operation_class: OperationClass
    at: float


def directory_and_stem(path: str) -> tuple[str, str]:
    """(directory, stem) of an absolute, normalised path.

    The stem drops only the last extension (`/p/foo.bak.py` gives `("/p", "foo.bak")`); a name that begins
    with a dot is kept whole.
    """
    directory, _, name = path.rstrip("/").rpartition("/")
    stem, dot, extension = name.rpartition(".")
    whole = name.startswith(".") or not dot or not extension
    return directory or "/", name if whole else stem


def has_cooled_down(effect: Effect, cooldowns: Sequence[Cooldown], now: float, seconds: float) -> bool:
    """Whether the effect's target has a live cooldown of the same or a severer class than the effect's.

    A cooldown lives `seconds` from its `at`; one that lies in the future (the clock jumped back) does not
    count, and 0 seconds turn cooldowns off. False for what is not excusable.
    """
    if not effect.excusable or seconds <= 0:
        return False
    place = directory_and_stem(effect.target)
    return any(
        (cooldown.directory, cooldown.stem) == place
        and 0 <= now - cooldown.at <= seconds
        and SEVERITY[cooldown.operation_class] >= SEVERITY[effect.operation_class]
        for cooldown in cooldowns
    )


def runs_by_itself(path: str, *, in_builds: bool = False) -> bool:
    """Whether a file runs, or says what runs, once something usual is done; `in_builds`: a build, test or linter."""
    folded = f"/{path.casefold()}"
    if _split_trigger_file_list("loaded_by_builds").search(folded):
        return True
    return not in_builds and (
        is_live_git(folded) or _split_trigger_file_list("run_elsewhere").search(folded) is not None
    )


@cache
def _split_trigger_file_list(key: str) -> re.Pattern[str]:
    """Base names, ends of paths, and folders; from the first `*` to the last one anything of a base name may stand."""
    each = (re.sub(r"\\\*(?:.*\\\*)?", "[^/]*", re.escape(one)) for one in FILES.words(key))
    return re.compile("|".join(f"/{one}" if one.endswith("/") else rf"/{one}\Z" for one in each))
