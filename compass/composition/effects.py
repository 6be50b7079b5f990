"""What a call does on this machine: its command line, scripts that it runs, and what the disk says of its targets."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from compass import __version__
from evaluator.effects import is_unlisted, text_of
from evaluator.files import raise_want
from evaluator.model import Effect, PendingWrite
from evaluator.settings.keys import Bash, Settings
from evaluator.settings.places import HostFiles, git_dir, project_root, read_bounded
from evaluator.trigger.calls import effects_of, translated_globs, with_stakes
from hooks import registry
from hooks.host import host_programs

if TYPE_CHECKING:
    from mmap import mmap

    from evaluator.model import Effects
    from evaluator.shell.bash import Analysis
    from evaluator.state.store import Store


PATH_MAX = 4096
"""Four times what any system takes: resolving a longer one is quadratic work for a path that cannot exist."""
SCRIPT_BYTES_MAX = 64 * 1024
"""A longer script is not read: what it does is unknown."""
BUILDS = frozenset(("build", "format"))
"""Families of programs that load what a project configures them with."""
INDEX_BYTES_MAX = 64 * 1024 * 1024
IGNORED_LINES_MAX = 2000
COMPRESSED = 4
"""The version of an index whose paths are not written out; nothing is known of it."""
LENGTH = 0xFFF
TARGET_BYTES_MAX = 400_000
"""A longer file is not read. A text that is looked at has at most four bytes for each of its characters."""
INSTRUCTION_BYTES_MAX = 64_000
Lines = tuple[tuple[str, str], ...]
"""(name of the file, line)."""


def enable_packages() -> None:
    """Make packages from outside of the standard library importable, once one is needed: a hook runs as `python -I -S`,
    for reading site-packages costs as much again as the interpreter. Nothing where that was done.
    """
    if sys.flags.no_site and "site" not in sys.modules:
        import site

        site.main()


def join_programs() -> None:
    """Before the first command is read. Joined again, nothing changes."""
    from evaluator.shell import scope as shell

    for name in registry.HOSTS:
        shell.join_host(name, partial(host_programs, name))


def prepare_hosts() -> None:
    """Import what hosts bring, for the first call that asks."""
    from evaluator.shell import scope as shell

    join_programs()
    shell.joined_hosts()
    registry.guarded_hosts()


def classify(command: str, cwd: str, rules: Bash | None = None, host: str = "") -> Effects:
    """What a command line would do on this machine, by `evaluator.shell.bash.classify`."""
    from evaluator.shell import bash

    enable_packages()
    join_programs()
    return bash.classify(command, cwd, rules or Bash(), host)


def explain(command: str, cwd: str, rules: Bash | None = None) -> Analysis:
    """The analysis of a command line on this machine, by `evaluator.shell.bash.explain`."""
    from evaluator.shell import bash

    enable_packages()
    join_programs()
    return bash.explain(command, cwd, rules or Bash())


def effects_on_disk(pending: PendingWrite, settings: Settings) -> Effects | None:
    """What the call would do, with the stakes of each effect; None for what nobody knows."""
    found = effects_of(
        pending,
        classify=lambda command, cwd: classify(command, cwd, settings.bash, pending.host),
        mcp_tools=settings.gate.mcp_tools,
        exists=DiskGround.exists,
        resolve=resolved,
    )
    return with_stakes(found, DiskGround(pending.project_dir)) if found and found.each else found


def resolved(path: str) -> str:
    """Links and `..` resolved. What is longer than any system takes is cut: it names no file, and nothing may take
    longer for it."""
    if len(path) > PATH_MAX or "\0" in path:
        path = os.path.normpath(path)[:PATH_MAX]
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return os.path.normpath(path)


def builds(pending: PendingWrite, rules: Bash) -> bool:
    """Whether the command builds, tests or lints."""
    ran = explain(text_of(pending.tool_input, "command"), pending.cwd, rules).ran
    return any(outcome.family in BUILDS for one in ran for outcome in one.outcomes)


def effects_through(pending: PendingWrite, files: Mapping[str, bool]) -> tuple[Effect, ...]:
    """The effects of those of `files`, absolute paths, that the command runs; empty where it runs none.

    A file is given with whether its text was judged: what that text does is not known, and nobody read it, is a run.
    """
    import shlex

    from evaluator.effects import digest, effect
    from evaluator.shell.walk.simple_command import SCRIPT_WORDS, SHELLS, inline_form, interpreter_of

    found: dict[Effect, None] = {}
    for ran in explain(text_of(pending.tool_input, "command"), pending.cwd).ran:
        if not any(one.operation == "unknown" and one.verdict == "write" for one in ran.outcomes):
            continue
        for at, word in enumerate(ran.words[:SCRIPT_WORDS]):
            path = os.path.realpath(os.path.join(ran.cwd, word))
            text = _read_script_for_effects(path) if path in files else ""
            if text is None:
                found[effect("unknown", identity=digest(path))] = None
            elif text:
                program = interpreter_of(ran.words[0], text, runs_itself=at == 0)
                inline = inline_form(program)
                code = text if program in SHELLS else shlex.join((*inline, text)) if inline else ""
                does = classify(code, ran.cwd).each if code else ()
                found |= dict.fromkeys(does)
                if not files[path] and (not code or any(map(is_unlisted, does))):
                    found[effect("run", path)] = None
    return tuple(found)


def _read_script_for_effects(path: str) -> str | None:
    """The text of a script on disk; None for what cannot be read whole."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(SCRIPT_BYTES_MAX + 1)
    except OSError as error:
        raise_want(error)
        return ""
    return text if len(text) <= SCRIPT_BYTES_MAX else None


class DiskGround:
    """`evaluator.trigger.calls.Ground` of one project."""

    def __init__(self, project_dir: str) -> None:
        self.root = project_root(project_dir)

    @staticmethod
    def exists(path: str) -> bool:
        try:
            return len(path) <= PATH_MAX and os.path.lexists(path)
        except ValueError:
            return False

    def is_held(self, path: str) -> bool:
        """Whether git tracks the path, by the paths of its index (gitformat-index: each ends with a NUL)."""
        return self._in_index(path, _git_index_has_path)

    def is_unchanged(self, path: str) -> bool:
        """Whether git tracks the file, with the time and size that it has now."""
        try:
            there = os.lstat(path)
        except (OSError, ValueError):
            return False
        return stat.S_ISREG(there.st_mode) and self._in_index(
            path, lambda index, name: _git_index_stands(index, name, there)
        )

    def _in_index(self, path: str, found: Callable[[mmap, bytes], bool]) -> bool:
        from mmap import ACCESS_READ, mmap

        name = self._path_below_work_tree(path).encode("utf-8", "surrogateescape")
        place = os.path.join(git_dir(os.path.join(self.root, ".git")), "index")
        try:
            with open(place, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as index:
                readable = len(index) <= INDEX_BYTES_MAX and index[:4] == b"DIRC" and index[7] < COMPRESSED
                return readable and bool(name) and found(index, name)
        except (OSError, ValueError):
            return False

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores the path: by the .gitignore of each folder from the root to the path's own."""
        name = self._path_below_work_tree(path)
        if not name:
            return False
        enable_packages()
        from pathspec import GitIgnoreSpec

        folder, found = self.root, False
        parts = name.split("/")
        for at, part in enumerate(parts):
            lines = read_bounded(os.path.join(folder, ".gitignore")).splitlines()[:IGNORED_LINES_MAX]
            if lines:
                below = "/".join(parts[at:]) + ("/" if os.path.isdir(path) else "")
                told = GitIgnoreSpec.from_lines(lines).check_file(below).include
                found = found if told is None else told
            folder = os.path.join(folder, part)
        return found

    def _path_below_work_tree(self, path: str) -> str:
        """A path below the git work tree's root; empty for what lies elsewhere."""
        return path[len(self.root) + 1 :].rstrip("/") if path.startswith(f"{self.root}/") else ""


def _git_index_has_path(index: mmap, name: bytes) -> bool:
    """Whether an entry has that path, or one below it: the two bytes before an entry's path hold its length."""
    at = index.find(name)
    while at >= 0:
        length = int.from_bytes(index[at - 2 : at], "big") & LENGTH
        whole = length == LENGTH or index[at + length : at + length + 1] == b"\0"
        if whole and index[at + len(name) : at + len(name) + 1] in (b"\0", b"/"):
            return True
        at = index.find(name, at + 1)
    return False


def _git_index_stands(index: mmap, name: bytes, there: os.stat_result) -> bool:
    """Whether the entry of that very path has a file's time of change and size: 54 and 26 bytes before its path."""
    at = index.find(name + b"\0")
    while at >= 0:
        if int.from_bytes(index[at - 2 : at], "big") & LENGTH == min(len(name), LENGTH):
            seconds, size = (int.from_bytes(index[at - back : at - back + 4], "big") for back in (54, 26))
            return (seconds, size) == (int(there.st_mtime) % 2**32, there.st_size % 2**32)
        at = index.find(name + b"\0", at + 1)
    return False


def text_on_disk(path: str) -> str | None:
    """The text of a file. None for what is no regular file, cannot be read, is too long or not UTF-8. Never waits for
    another process.

    Whoever asks parses it next, with packages that a hook starts without.
    """
    enable_packages()
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(TARGET_BYTES_MAX + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    try:
        return data.decode("utf-8") if len(data) <= TARGET_BYTES_MAX else None
    except UnicodeDecodeError:
        return None


def instruction_lines(files: HostFiles, home: str, project_dir: str) -> Lines:
    """The lines of instruction files, bounded; one is read again once it changed. What cannot be read has no lines."""
    found: list[tuple[str, str]] = []
    places = [(name, os.path.join(project_dir, name)) for name in files.instructions]
    own = "" if home == project_dir else "~/"
    places += [(f"{own}{name}", os.path.join(home, name)) for name in files.own_instructions]
    for shown, path in places:
        try:
            seen = os.stat(path)
        except (OSError, ValueError):
            continue
        found += [(shown, line) for line in _read_instruction_lines(path, seen.st_mtime_ns, seen.st_size)]
    return tuple(found)


@lru_cache(maxsize=32)
def _read_instruction_lines(path: str, _changed: int, _size: int) -> tuple[str, ...]:
    try:
        with open(path, "rb") as file:
            text = file.read(INSTRUCTION_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ()
    from evaluator.rules.clauses import lines_in

    return lines_in(text)


def remembered_globs(globs: tuple[str, ...], notes: Store) -> tuple[str, ...] | None:
    """As `translated`. What pathspec made of these globs holds as long as this version of Compass."""
    key = f"skip globs of {__version__}: {json.dumps(globs)}"
    kept = notes.get_note(key)
    if kept is not None:
        return tuple(json.loads(kept))
    enable_packages()
    found = translated_globs(globs)
    if found is not None:
        notes.set_note(key, json.dumps(found))
    return found
