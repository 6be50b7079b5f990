"""The places that self-protection guards, and whether a path is one of them by name or by identity. Pure."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from evaluator.model import Operation, OperationClass
from evaluator.record import Record

LINKS_MAX = 8
"""Links that are followed one after the other."""
MARKS = "*?["
PATH_MAX = 4096
OWN_NAMES = frozenset(("compass.db", "pyvenv.cfg"))
"""Names that hardly any other file has, as `Protected.rare` are."""
ADDRESS = re.compile(r"-{0,2}[\w-]*=?https?://")


class Disk(Record):
    """What is asked of the file system; nothing raises.

    `read`: a file's text, None if there is none. `resolve`: links and `..`. `identity`: device, inode and number of
    links, None where nothing is. `listed`: the paths of the files below a folder, bounded.
    """

    read: Callable[[str], str | None]
    resolve: Callable[[str], str]
    identity: Callable[[str], tuple[int, int, int] | None]
    listed: Callable[[str], tuple[str, ...]]


class HostProtected(Record):
    """What of one host is guarded in addition to its settings files; the host's package says it.

    `files`: absolute paths of further settings, such as managed ones. `keys`: the keys of a settings file that
    decide on the gate. `words`: settings files as a command would spell them, `rare`: names of theirs that hardly any
    other file has. `programs`: the names of its own programs. `variables`: regexes of the names of variables that
    decide on its hooks, settings or session; `moving`: those that move its settings or switch its hooks off, wherever
    a shell or a session sets them at its start. `plugin_variable`: names the folder of a plugin of ours, empty for
    none. `beside`: further settings, below the home and below a project alike, in which Compass has no keys of its
    own. `placed`: files and folders that no agent may change at all, absolute or relative to the home; `within`:
    folders of a project whose files the host runs. `homes` are (variable, folder of the home that it stands for):
    where one is set, what lies there counts too.
    """

    files: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    plugin_variable: str = ""
    beside: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    homes: tuple[tuple[str, str], ...] = ()

    def moved(self, names: Iterable[str], env: Mapping[str, str]) -> list[str]:
        """The paths that files below the home have where a variable has moved their folder."""
        found: list[str] = []
        for variable, usual in self.homes:
            folder, prefix = env.get(variable, ""), f"{usual}/" if usual else ""
            below = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
            found += [f"{folder.rstrip('/')}/{name}" for name in below if folder.startswith("/")]
        return found


class Protected(Record):
    """Absolute paths with links resolved: `folders` and `files` are guarded whole, `settings` by certain keys.

    `named` are those that a command may not name unless it reads (`holders` alone, not what lies in them), `words`
    such names as a command would spell them, `variables` what `~`, `$HOME` and the like stand for. `linked` are the
    files below whose hard links count as them. `packages` are what no package manager may take out, `environment` is
    the one that holds them, empty for none, and there `dependencies` too. `keys` are
    (how the path of a settings file ends, which of its keys decide on the gate); of all hosts joined, `rare`,
    `programs`, `host_variables` and `moving` are as in `HostProtected`.
    """

    folders: tuple[str, ...]
    settings: tuple[str, ...]
    words: tuple[str, ...]
    variables: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    packages: tuple[str, ...] = ("compass-gate",)
    dependencies: tuple[str, ...] = ()
    environment: str = ""
    keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rare: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    host_variables: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()

    def keys_of(self, path: str) -> tuple[str, ...]:
        """Of a settings file, which may lie below the project: those of the host that reads one of that name, and of
        one that bears another name, since a link leads to it, those of all."""
        found = [keys for ending, keys in self.keys if path == ending or path.endswith(f"/{ending}")]
        each = found or [keys for _, keys in self.keys]
        return tuple(dict.fromkeys(key for keys in each for key in keys))


class Places:
    """The protected places as one call meets them: `links` are those that the call itself makes, {link: where to}."""

    def __init__(self, protected: Protected, disk: Disk, links: Mapping[str, str] | None = None) -> None:
        self.protected, self.disk, self.links = protected, disk, dict(links or {})

    def forms(self, target: str, cwd: str = "") -> tuple[str, ...]:
        """The target as the absolute paths that it may mean: as written, through the call's links, and as resolved."""
        path = expanded(target, self.protected.variables)
        whole = os.path.join(expanded(cwd, self.protected.variables), path)
        path = os.path.normpath(whole)
        if len(path) > PATH_MAX:
            return (path,)  # no system opens it
        found = dict.fromkeys((path, self.followed(path)))
        if ".." in whole and len(whole) < PATH_MAX:
            # `..` behind a link leads to the folder above of what the link points to.
            at = os.sep
            for part in whole.split(os.sep):
                if part not in ("", "."):
                    at = os.path.dirname(at) if part == ".." else os.path.join(at, part)
                link = self.followed(at)
                at = link if is_pattern(link) or "$" in link else self.disk.resolve(link)
            found[at] = None
        for one in tuple(found):
            if os.path.isabs(one) and not is_pattern(one) and "$" not in one:
                found[self.canonical(one)] = None
        return tuple(found)

    def followed(self, path: str) -> str:
        for _ in range(LINKS_MAX):
            link = next((at for at in above(path) if at in self.links), None)
            if link is None:
                break
            path = os.path.normpath(self.links[link] + path[len(link) :])
        return path

    def canonical(self, path: str) -> str:
        """Links resolved; a protected place under another name (hard link, bind mount, letter case) as it is listed."""
        real = self.disk.resolve(path)
        found = self.disk.identity(real)
        if found is not None and found[2] > 1 and found[:2] in self._hard_links:
            return self._hard_links[found[:2]]
        for at in above(real):
            if at != real:
                found = self.disk.identity(at)
            known = self._guarded.get(found[:2]) if found is not None else None
            if known is not None:
                return known + real[len(at) :]
        return real

    @cached_property
    def _guarded(self) -> dict[tuple[int, int], str]:
        guarded = self.protected
        return self._places_by_identity((*guarded.folders, *guarded.files, *guarded.settings))

    @cached_property
    def _hard_links(self) -> dict[tuple[int, int], str]:
        below = [path for folder in self.protected.linked for path in self.disk.listed(folder)]
        return self._places_by_identity((*self.protected.files, *self.protected.settings, *below))

    def _places_by_identity(self, paths: Sequence[str]) -> dict[tuple[int, int], str]:
        known: dict[tuple[int, int], str] = {}
        for path in paths:
            found = self.disk.identity(path)
            if found is not None:
                known.setdefault(found[:2], path)
        return known

    def holds(self, path: str) -> bool:
        """Whether the path is guarded whole, or lies in what is."""
        return path in self.protected.files or inside(path, self.protected.folders)

    def harm(
        self, target: str, cwd: str, operation: Operation, severity: OperationClass, *, above: bool = True
    ) -> str:
        """What writing there would do to the gate, in words that follow "it"; empty for nothing.

        With `above` false a folder above a place is not all that is written there.
        """
        causes = (self._harm_to_place(path, operation, severity, above) for path in self.forms(target, cwd))
        return next(filter(None, causes), "")

    def _harm_to_place(self, path: str, operation: Operation, severity: OperationClass, below: bool) -> str:
        guarded = self.protected
        whole = (*guarded.folders, *guarded.files)
        if self.holds(path) or any(matches(path, place) for place in whole):
            return "changes Compass's own files"
        if path in guarded.settings or any(matches(path, place, whole=True) for place in guarded.settings):
            name = os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path))
            return f"uses a command to write to the settings in {name}"
        if operation == "create" or not below:
            return ""
        if severity == "destructive" and operation != "vcs":
            taken = any(matches(path, place) for place in guarded.settings)
            if taken or is_above(path, (*whole, *guarded.settings)):
                return "removes or moves a folder that contains Compass's files or the host's settings"
        elif operation != "vcs" and is_above(path, guarded.folders):
            return "overwrites a folder that contains Compass's files"
        holder = any(path == os.path.dirname(place) for place in guarded.settings)
        return "overwrites a settings folder" if holder else ""

    def names(self, word: str, cwd: str) -> bool:
        """Whether a word of a command means a place that only a reading command may name."""
        parts = () if ADDRESS.match(word) else _possible_paths_in_word(word)
        return any(self.means(part, cwd) for part in parts)

    def means(self, path: str, cwd: str) -> bool:
        named, others = self.protected.named, (*self.protected.holders, *self.protected.settings)
        return any(
            form in others
            or inside(form, named)
            or any(matches(form, place, whole=True) for place in (*named, *others))
            or (("$" in form or "`" in form) and self._may_mean_place(form))
            for form in self.forms(path, cwd)
        )

    def _may_mean_place(self, path: str) -> bool:
        """A path of which a part is not known: what it ends in, or begins with, is hidden where a place is."""
        places = (*self.protected.named, *self.protected.settings)
        known = re.split(r"[$`]", path, maxsplit=1)[0]
        last, begun = os.path.basename(path), os.path.basename(known)
        if last in OWN_NAMES or last in self.protected.rare:
            return True
        if any(known == os.path.dirname(one) + os.sep for one in self.protected.settings):
            return True
        ends = last.startswith(".") and len(last) > 1 and any(f"/{last}/" in f"{place}/" for place in places)
        begins = begun.startswith(".") and len(begun) > 1 and any(one.startswith(known) for one in places)
        return ends or begins


def expanded(target: str, variables: Sequence[tuple[str, str]]) -> str:
    """The target with a leading `~` or known variable replaced, also after the folder that it was joined to."""
    for word, value in variables:
        at = target.find(word)
        if at >= 0 and (at == 0 or (word != "~" and target[at - 1] == os.sep)):
            rest = target[at + len(word) :]
            if not rest or rest.startswith(os.sep):
                return value + rest
    return target


def is_pattern(path: str) -> bool:
    return any(mark in path for mark in MARKS)


def matches(pattern: str, place: str, *, whole: bool = False) -> bool:
    """Whether a pattern takes the place, or (not `whole`) a folder above it; `*` stays within one name."""
    if not is_pattern(pattern):
        return False
    wanted, given = re.sub(r"(?:\*\*/)+", "**/", pattern).split(os.sep), place.split(os.sep)
    if "**" not in pattern and (len(wanted) > len(given) or (whole and len(wanted) != len(given))):
        return False
    return _matches_place_parts(wanted, given, whole)


def _matches_place_parts(wanted: Sequence[str], given: Sequence[str], whole: bool) -> bool:
    if not wanted:
        return not given or not whole
    if not given:
        return False
    if wanted[0] == "**":
        deeper = not given[0].startswith(".") and _matches_place_parts(wanted, given[1:], whole)
        return deeper or _matches_place_parts(wanted[1:], given, whole)
    if given[0].startswith(".") and wanted[0][:1] in ("*", "?"):
        return False
    return fnmatch.fnmatchcase(given[0], wanted[0]) and _matches_place_parts(wanted[1:], given[1:], whole)


def above(path: str) -> Iterator[str]:
    """The path and each folder above it, without the root."""
    while path.strip(os.sep):
        yield path
        path = os.path.dirname(path)


def is_above(folder: str, places: Sequence[str]) -> bool:
    start = folder.rstrip(os.sep) + os.sep
    return any(place == folder or place.startswith(start) for place in places)


def inside(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


def _possible_paths_in_word(word: str) -> Iterator[str]:
    """What of a word may be a path: itself, and what follows a sign that introduces a value."""
    if len(word) > PATH_MAX or "\n" in word:
        return
    yield word
    if word.startswith("-") and len(word) > 2:
        yield word[2:]
    for sign in "=:@,":
        if sign in word:
            yield from word.split(sign)[1:4]
    if word.startswith("{") or ":" in word:
        yield word.split(":", maxsplit=1)[0]
