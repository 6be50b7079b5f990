"""What a tool call would do, from its name and input alone, what is at stake at the place that it touches, and what
excuses a call before anybody reads it. Pure: the file system is asked through what the caller passes in."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from evaluator.effects import (
    EXCUSABLE,
    WRITE_CLASS_TOOLS,
    edits_of,
    effect,
    folded,
    is_named,
    strings_of,
    text_of,
)
from evaluator.model import SEVERITY, Effect, Effects, Operation, OperationClass, PendingWrite, Stakes
from evaluator.record import Record, replace
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
    loaded = _split_trigger_file_list("loaded_by_builds").search(folded) is not None
    if loaded or in_builds:
        return loaded
    return is_live_git(folded) or _split_trigger_file_list("run_elsewhere").search(folded) is not None


@cache
def _split_trigger_file_list(key: str) -> re.Pattern[str]:
    """Base names, ends of paths, and folders; from the first `*` to the last one anything of a base name may stand."""
    each = (re.sub(r"\\\*(?:.*\\\*)?", "[^/]*", re.escape(one)) for one in FILES.words(key))
    return re.compile("|".join(f"/{one}" if one.endswith("/") else rf"/{one}\Z" for one in each))


def effects_of(
    pending: PendingWrite,
    *,
    classify: Callable[[str, str], Effects],
    mcp_tools: Sequence[tuple[str, str]],
    exists: Callable[[str], bool],
    resolve: Callable[[str], str],
) -> Effects | None:
    """The call's effect, or None for a tool that is not write-class.

    `classify(command, cwd)` reads shell commands; `exists(path)` and `resolve(path)` (links and `..`) ask
    the file system. `mcp_tools` are rows as `evaluator.trigger.tools` reads them.
    """
    if pending.tool_name not in WRITE_CLASS_TOOLS:
        from evaluator.trigger.tools import in_own_terms, tool_effects

        pending = in_own_terms(pending, mcp_tools)
        if pending.tool_name not in WRITE_CLASS_TOOLS:
            return tool_effects(pending, mcp_tools, exists=exists, resolve=resolve)
    name, given = pending.tool_name, pending.tool_input
    if name == "Bash":
        found = classify(text_of(given, "command"), pending.cwd)
        resolved = {target: resolve(target) if os.path.isabs(target) else target for target in found.targets}
        placed = (replace(one, target=resolved.get(one.target, "")) for one in found.each)
        each = tuple(_adjust_effect_to_disk(one, exists) if one.target else one for one in placed)
        if each == found.each or not each:
            return found
        return folded(each, opaque=found.verdict == "unknown", command=found.command, lines=found.lines)
    field = "notebook_path" if name == "NotebookEdit" else "file_path"
    path = text_of(given, field) or text_of(given, "file_path")
    target = resolve(os.path.join(pending.cwd, path)) if path else ""
    if name == "Write":
        operation: Operation = "overwrite" if target and exists(target) else "create"
        lines = _count_text_lines(text_of(given, "content"))
    elif name == "NotebookEdit":
        operation = "delete" if given.get("edit_mode") == "delete" else "edit"
        lines = _count_text_lines(text_of(given, "new_source"))
    else:
        operation = "edit"
        lines = sum(max(_count_text_lines(old), _count_text_lines(new)) for old, new in edits_of(given))
    return folded([effect(operation, target)], lines=lines)


def _adjust_effect_to_disk(one: Effect, exists: Callable[[str], bool]) -> Effect:
    """A plain write of a file that is not there creates it; what is there is not created (`mkdir -p`, `touch`)."""
    if one.operation == "overwrite" and one.excusable and not exists(one.target):
        return effect("create", one.target, identity=one.identity)
    if one.operation == "create" and exists(one.target):
        return effect("append", one.target, excusable=one.excusable, identity=one.identity)
    return one


def _count_text_lines(text: str) -> int:
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


TEMPORARY = re.compile(
    r"(?:/private)?(?:/tmp|/var/tmp|/var/folders/[^/]+/[^/]+|/dev/shm)/(?P<below>.+)", re.DOTALL
)
TEMPORARY_BY_CUSTOM = re.compile(r"\$\{?(?:TMPDIR|TMP|TEMP|RUNNER_TEMP)\}?/(?P<below>.+)", re.DOTALL)
EXPANDED = re.compile(r"[$`]|/\.\.(?:/|\Z)")
"""What may lead elsewhere once it is known."""
PATTERN = re.compile(r"[*?]")
BUILD_OUTPUTS = FILES.words("build_outputs")
"""Names of folders that builds and tests fill; one is own only where the repository ignores it as well."""
OBJECTS = re.compile(
    r"\.(?:py[co]|o|obj|class|tsbuildinfo|gcno|gcda|prof|coverprofile|test)\Z|\A\.coverage\Z"
)


class Ground(Protocol):
    """What is known of the place. Paths are absolute, links resolved."""

    @property
    def root(self) -> str:
        """Of the work tree that the project lies in, or the project's own folder."""
        ...

    def exists(self, path: str) -> bool: ...

    def is_held(self, path: str) -> bool:
        """Whether the version control system holds the file, or a file below the folder."""
        ...

    def is_unchanged(self, path: str) -> bool:
        """Whether the version control system holds the file as it stands there."""
        ...

    def is_ignored(self, path: str) -> bool:
        """Whether the version control system was told to leave it out."""
        ...


def with_stakes(effects: Effects, ground: Ground) -> Effects:
    """The effects, each with the stakes that its place gives it."""
    links = any(one.operation in EXCUSABLE and not one.excusable for one in effects.each)
    each = ((one, stakes_of(one, ground, links=links)) for one in effects.each)
    placed = (one if found == one.stakes else replace(one, stakes=found) for one, found in each)
    return replace(effects, each=tuple(placed))


def stakes_of(one: Effect, ground: Ground, *, links: bool = False) -> Stakes:
    """`links`: the call makes something that may lead elsewhere, so that a path says little of the place."""
    if not one.target or one.kind:
        return one.stakes
    if not links and (is_temporary(one.target, ground.root) or is_build_output(one.target, ground)):
        return "own"
    if one.operation in ("overwrite", "move") and is_named(one.target):
        kept = not ground.exists(one.target) or ground.is_held(one.target)
        return "reversible" if kept else "lossy"
    unchanged = one.operation == "delete" and is_named(one.target) and not links
    return "reversible" if unchanged and ground.is_unchanged(one.target) else one.stakes


def is_temporary(path: str, root: str) -> bool:
    """Whether a path names something in a temporary folder, which is neither the folder whole nor the project."""
    found = TEMPORARY.match(path) or TEMPORARY_BY_CUSTOM.match(path)
    if found is None or EXPANDED.search(found["below"]) or PATTERN.search(found["below"].split("/")[0]):
        return False
    folder = f"{path.rstrip('/')}/"
    return not folder.startswith(f"{root}/") and not f"{root}/".startswith(folder)


def has_build_name(path: str) -> bool:
    """Whether a part of it is the name of a folder of build outputs, or its end that of a compiler's or a test's."""
    parts = path.strip("/").split("/")
    return not BUILD_OUTPUTS.isdisjoint(parts) or OBJECTS.search(parts[-1]) is not None


def is_build_output(path: str, ground: Ground) -> bool:
    """Whether a path lies in the project, under a name that builds use, ignored and not held."""
    folder = ground.root.rstrip("/") + "/"
    if not path.startswith(folder) or EXPANDED.search(path):
        return False
    parts = path[len(folder) :].rstrip("/").split("/")
    at = next((at for at, part in enumerate(parts) if part in BUILD_OUTPUTS), None)
    if at is None and not OBJECTS.search(parts[-1]):
        return False
    whole = posixpath.join(ground.root, *(parts if at is None else parts[: at + 1]))
    known = not is_live_git(posixpath.join(*parts)) and not PATTERN.search(whole)
    return known and ground.is_ignored(whole) and not ground.is_held(whole)
