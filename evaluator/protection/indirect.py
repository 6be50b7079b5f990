"""Commands that reach a protected place without naming it: links, searches, cleans, package managers. Pure."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Sequence

from evaluator.protection.places import Places, expanded, inside, is_above
from evaluator.shell.call import Ran
from evaluator.text import names

LINKERS = frozenset(("ln", "gln", "link", "cp", "gcp", "mount", "bindfs", "mklink"))
COPY_LINKS = re.compile(r"-[A-Za-z]*[sl][A-Za-z]*\Z|--(?:sym|link)")
VALUED = frozenset(("-t", "--target-directory", "-S", "--suffix", "-o"))
PACKAGERS = names(
    "pip pip3 uv pipx conda mamba micromamba poetry pdm hatch rye pixi brew easy_install python "
    "python3 apt apt-get"
)
REMOVING = names("uninstall remove rm delete purge prune uninstall-all")
REPLACING = re.compile(
    r"--force-reinstall\Z|--reinstall|--upgrade|-U\Z|-e\Z|--editable|--target|-t\Z|--force\Z|-f\Z"
)
SEARCHES = frozenset(("find", "gfind"))
OTHER_TESTS = names("-empty -mtime -mmin -newer -size -user -group -perm -regex -iregex -atime -ctime -links")
OPEN = re.compile(r"[$`]").search
TAKES_NAMES = frozenset(("xargs", "parallel"))


def links_of(ran: Ran, places: Places) -> dict[str, str]:
    """{absolute path of a link: where it points}, for what the command links."""
    program = os.path.basename(ran.words[0])
    if program not in LINKERS or (program in ("cp", "gcp") and not any(map(COPY_LINKS.match, ran.words[1:]))):
        return {}
    if program == "mount" and not any(word in ("-B", "-R") or "bind" in word for word in ran.words):
        return {}
    operands: list[str] = []
    words = list(ran.words[1:])
    into = ""
    while words:
        word = words.pop(0)
        if word in VALUED and words:
            value = words.pop(0)
            into = value if word in ("-t", "--target-directory") else into
        elif word.startswith("--target-directory="):
            into = word.partition("=")[2]
        elif not word.startswith("-") or word == "-":
            operands.append(word)
    flags = "".join(word[1:] for word in ran.words if word.startswith("-") and not word.startswith("--"))
    symbolic = program in ("ln", "gln") and ("s" in flags or "--symbolic" in ran.words) and "r" not in flags
    if not operands:
        return {}
    sources = operands if into else operands[:-1] or operands
    destination = into or (operands[-1] if len(operands) > 1 else ".")
    variables = places.protected.variables
    cwd = expanded(ran.cwd, variables)
    base = os.path.normpath(os.path.join(cwd, expanded(destination, variables)))
    is_folder = places.disk.identity(os.path.join(base, ".")) is not None
    landing = into or destination.endswith(("/", ".")) or len(sources) > 1 or is_folder
    found: dict[str, str] = {}
    for source in sources:
        name = os.path.basename(source.rstrip("/")) or "."
        link = os.path.join(base, name) if landing else base
        start = os.path.dirname(link) if symbolic else cwd
        found[link] = os.path.normpath(os.path.join(start, expanded(source, variables)))
    return found


def found_places(ran: Ran, line: Sequence[Ran], places: Places) -> bool:
    """Whether a search whose results are changed finds a protected place by its name."""
    program = os.path.basename(ran.words[0])
    if program not in SEARCHES:
        return False
    acts = any(one.verdict != "read_only" for one in ran.outcomes) or any(
        one.verdict != "read_only"
        and (os.path.basename(other.words[0]) in TAKES_NAMES or OPEN(str(one.targets)))
        for other in line
        for one in other.outcomes
    )
    if not acts:
        return False
    variables, cwd = places.protected.variables, expanded(ran.cwd, places.protected.variables)
    roots, tests = _parse_indirect_search(ran.words[1:])
    if tests is None:
        return False
    starts = [os.path.normpath(os.path.join(cwd, expanded(root, variables))) for root in roots or ["."]]
    starts = [form for one in starts for form in (one, places.followed(one), places.disk.resolve(one))]
    guarded = places.protected
    linked = (one for at in guarded.linked for one in places.disk.listed(at))
    kept = (*guarded.settings, *guarded.files, *linked, *guarded.folders)
    there = [one for one in kept if places.disk.identity(one) is not None]
    return any(_finds_protected_place(start, place, tests) for start in starts for place in there)


Tests = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int]
"""Patterns of names and of paths that must match, those that must not, and how many folders deep is looked."""


def _parse_indirect_search(words: Sequence[str]) -> tuple[list[str], Tests | None]:
    roots: list[str] = []
    names: list[str] = []
    paths: list[str] = []
    without: list[str] = []
    depth = 99
    rest = list(words)
    while rest and rest[0] in ("-H", "-L", "-P"):
        rest.pop(0)
    while rest and not rest[0].startswith(("-", "(", "!")):
        roots.append(rest.pop(0))
    other = not OTHER_TESTS.isdisjoint(rest)
    for at, word in enumerate(rest[:-1]):
        value = rest[at + 1]
        negated = at > 0 and rest[at - 1] in ("!", "-not")
        pruned = rest[at + 2 : at + 3] == ["-prune"]
        if word in ("-name", "-iname", "-path", "-ipath", "-wholename"):
            asked = names if word in ("-name", "-iname") else paths
            (without if negated or pruned else asked).append(value)
        elif word == "-maxdepth" and value.isdigit():
            depth = int(value)
    if not names and not paths and other:
        return roots, None
    return roots, (tuple(names), tuple(paths), tuple(without), depth)


def _finds_protected_place(root: str, place: str, tests: Tests) -> bool:
    names, paths, without, depth = tests
    if place != root and not is_above(root, (place,)):
        return False
    below = [part for part in place[len(root) :].split(os.sep) if part]
    forms = (place, "./" + "/".join(below), "/".join(below))
    if any(_matches_protected_name(part, pattern) for pattern in without for part in below) or any(
        fnmatch.fnmatchcase(text, pattern) for pattern in without for text in forms[:2]
    ):
        return False
    if not names and not paths:
        return len(below) <= depth
    return any(_matches_protected_name(part, pattern) for pattern in names for part in below[:depth]) or any(
        fnmatch.fnmatchcase(text, pattern) for pattern in paths for text in forms
    )


def _matches_protected_name(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name.lower(), pattern.lower())


def cleaned(ran: Ran, places: Places) -> bool:
    """Whether `git clean`, or a stash of what is not tracked, takes away host settings that hold the gate's keys."""
    words = list(ran.words)
    if os.path.basename(words[0]) != "git" or all(one.verdict == "read_only" for one in ran.outcomes):
        return False
    folder = expanded(ran.cwd, places.protected.variables)
    while len(words) > 1 and words[1].startswith("-"):
        if words[1] == "-C" and len(words) > 2:
            folder = os.path.join(folder, expanded(words[2], places.protected.variables))
        del words[1 : 3 if words[1] in ("-C", "-c", "--git-dir", "--work-tree") else 2]
    verb, rest = (words[1] if len(words) > 1 else ""), words[2:]
    flags = "".join(word[1:] for word in rest if word.startswith("-") and not word.startswith("--"))
    if places.holds(places.disk.resolve(os.path.normpath(folder))):
        return True
    every = "a" in flags or "--all" in rest
    if verb == "clean":
        ignored, roots = "x" in flags or "X" in flags, _indirect_clean_paths(rest)
    elif verb == "stash" and (every or "u" in flags or "--include-untracked" in rest):
        ignored, roots = every, [""]
    else:
        return False
    kept = [rest[at + 1] for at, word in enumerate(rest[:-1]) if word in ("-e", "--exclude")]
    kept += [word.partition("=")[2] for word in rest if word.startswith("--exclude=")]
    starts = [places.disk.resolve(os.path.normpath(os.path.join(folder, root))) for root in roots]
    return any(
        inside(place, starts)
        and not _is_protected_from_clean(place, ignored=ignored, only="X" in flags, kept=kept, places=places)
        for place in places.protected.settings
    )


def _indirect_clean_paths(rest: Sequence[str]) -> list[str]:
    found, skip = list[str](), False
    for word in rest:
        if skip:
            skip = False
        elif word in ("-e", "--exclude"):
            skip = True
        elif not word.startswith("-"):
            found.append(word)
    return found or [""]


def _is_protected_from_clean(
    place: str, *, ignored: bool, only: bool, kept: Sequence[str], places: Places
) -> bool:
    """Not there, without the gate's keys, tracked, excluded, or left because git ignores it."""
    text = places.disk.read(place)
    if text is None or not re.search(r"\"(?:hooks|disableAllHooks|env|compass)\"", text):
        return True
    root = place
    while root.strip(os.sep) and places.disk.identity(os.path.join(root, ".git")) is None:
        root = os.path.dirname(root)
    if root in ("", os.sep):
        return True
    relative = os.path.relpath(place, root)
    parts = relative.split(os.sep)
    spared = [pattern.strip("/").split("/")[0] for pattern in kept]
    if any(fnmatch.fnmatchcase(part, pattern) for pattern in spared for part in parts) or (
        relative in (places.disk.read(os.path.join(root, ".git", "index")) or "")
    ):
        return True
    excludes = [os.path.join(root, ".git", "info", "exclude"), os.path.join(root, ".gitignore")]
    rules = "\n".join(places.disk.read(path) or "" for path in excludes).splitlines()
    ends = [rule.strip().strip("/").split("/")[-1] or "-" for rule in rules]
    is_ignored = any(fnmatch.fnmatchcase(part, end) for end in ends for part in parts)
    return not is_ignored if only else is_ignored and not ignored


TAKEN_NAMES = ("compass", "evaluator", "calibration", "hooks")
"""Another distribution of one of these names would lie over Compass's own packages."""


def takes_out(ran: Ran, places: Places) -> bool:
    """Whether a package manager removes Compass, or replaces it by force; in its own environment, what it needs too."""
    program = os.path.basename(ran.words[0])
    if program not in PACKAGERS and not program.startswith(("pip3", "python3")):
        return False
    if all(one.verdict == "read_only" for one in ran.outcomes):
        return False
    words = ran.words[1:]
    names = {re.split(r"[\[=<>!~;@ ]", word, maxsplit=1)[0].lower().replace("_", "-") for word in words}
    # A wheel or an archive is of what its name begins with.
    names |= {os.path.basename(word).partition("-")[0].lower() for word in words if "/" in word}
    removes = not REMOVING.isdisjoint(words)
    replaces = any(REPLACING.match(word) for word in words) or any("compass-gate==" in word for word in words)
    guarded = places.protected
    if (removes or replaces) and not names.isdisjoint(guarded.packages):
        return True
    if not (removes or replaces) or names.isdisjoint((*guarded.dependencies, *TAKEN_NAMES)):
        return False
    # As written, not resolved: an interpreter in an environment is a link out of it.
    parts = (word.partition("=")[2] if word.startswith("--") and "=" in word else word for word in ran.words)
    meant = (os.path.join(ran.cwd, expanded(part, guarded.variables)) for part in parts if "/" in part)
    return any(
        inside(os.path.normpath(path), (guarded.environment,)) for path in meant if guarded.environment
    )
