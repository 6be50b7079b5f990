"""What reaches the gate without naming it as it stands: names under quoting and codes, variables of later shells and of
other agents, links, searches, cleans, package managers. Pure."""

from __future__ import annotations

import binascii
import fnmatch
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from evaluator import wire
from evaluator.protection.places import Places, Protected, expanded, inside, is_above
from evaluator.shell.parse.grammar import decode_escapes
from evaluator.text import names

if TYPE_CHECKING:
    from evaluator.shell.bash import Analysis
    from evaluator.shell.call import Ran

CONTROL_COMMANDS = (
    "init", "trust", "hook", "serve", "calibrate", "hindsight", "config", "statusline", "mcp", "ui", "team", "memory",
    "forget",
)  # fmt: skip
READING_BELOW = {"config": ("get", "list"), "memory": ("list",)}
"""What follows the name of a control command that only reads."""
OWN_PROGRAMS = ("compass", "compass-gate")
PAGE_SECRET = re.compile(rf"{wire.PAGE_SECRET}[\w-]{{20}}", re.ASCII)
OWN_BY_NAME = re.compile(r"\b\w+=(?:\S*/)?compass(?:-gate)?(?![\w/.-])")
"""A variable, or an alias, that stands for Compass's program."""
_READING = "|".join(rf"{verb}\s+(?:{'|'.join(below)})\b" for verb, below in READING_BELOW.items())
CONTROL = re.compile(
    rf"(?<![\w.@-])(?:{'|'.join(OWN_PROGRAMS)})[\s,()\[\]]+(?:--json\s+)?"
    rf"(?!{_READING}|serve\s+--status)(?:{'|'.join(CONTROL_COMMANDS)})\b(?!\s+(?:--help|-h)\b)"
    r"|\b(?:killall|pkill)\b[^;&|\n]*\bcompass\b|\bbin/compass(?:-gate)?(?![\w/.-])"
)
API = re.compile(
    rf"compass/__main__\.py|hooks/plugin\.sh|/v1/hooks/|/page/link\b|COMPASS_HTTP_TOKEN|{PAGE_SECRET.pattern}"
)
"""Scripts of Compass, its HTTP API's own way in for hooks, the variable that opens it, and what opens the page."""
MODULE = re.compile(
    r"-m\s*compass\b|\bcompass[./](?:entry|cli|hook|commands|composition|configuration|service|install|page)\b|\bhooks[./]client\b"
    r"|\bfrom\s+(?:hooks|compass)\s+import\b"
)
"""What of Compass a Python program would load."""
_QUOTING = re.compile(r"\\\n|[\"'\\]")
_CODED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_STEPS = re.compile(r"/(?:\.?/)+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){4,}")
_ESCAPE = re.compile(r"\\(?:x|u|0?[0-7]{2})")
TEXT_MAX = 128 * 1024
DECODED_MAX = 40
"""Words of a command that are tried in each code."""


def bare(text: str) -> str:
    """A command without quotes, escapes and line continuations, `$'...'` decoded, and no empty step in a path."""
    if "$'" in text:
        text = _CODED.sub(lambda found: decode_escapes(found[1]), text)
    return _STEPS.sub("/", _QUOTING.sub("", text))


@lru_cache(maxsize=16)
def mentions(protected: Protected) -> re.Pattern[str]:
    """A protected path, key or variable, or a control command, in a text without its quoting."""
    words = "|".join(map(re.escape, sorted({*protected.words, *protected.rare})))
    return re.compile("|".join(filter(None, (words, CONTROL.pattern, assignments(()).pattern))))


@lru_cache(maxsize=4)
def assignments(moving: Sequence[str]) -> re.Pattern[str]:
    """The name of a variable that decides on the gate, or where it is looked for, unless its value is only read."""
    names = "|".join((r"(?:COMPASS|ONLOOKER)_[A-Z]\w*", *map(re.escape, moving)))
    return re.compile(rf"(?<![\w$])(?<!\$\{{)(?:{names})\b")


def hidden_texts(command: str) -> Iterator[str]:
    """What the words of the command may be decoded to: base64, hex, escapes, backwards, rot13."""
    text = command[:TEXT_MAX]
    for found in islice(_BASE64.finditer(text), DECODED_MAX):
        plain = found.group().rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield binascii.a2b_base64(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
        except ValueError:
            continue
    for found in islice(_HEX.finditer(text), DECODED_MAX):
        yield bytes.fromhex(found.group()).decode("utf-8", "replace")
    if _ESCAPE.search(text):
        yield bare(decode_escapes(text))
    yield text[::-1]
    if "tr " in text or "rot13" in text:
        import codecs

        yield codecs.encode(text, "rot13")


# Files that give variables to shells and to sessions of a host.
_FILES = re.compile(
    r"(?:^|/)(?:\.(?:bash(?:rc|_profile|_login|_aliases|_logout)|zsh(?:rc|env)|zprofile|zlogin|profile|k?shrc|mkshrc"
    r"|t?cshrc|login|xsession(?:rc)?|xprofile|xinitrc|pam_environment|tmux\.conf|envrc(?:\.\w+)?|env(?:\.local)?)"
    r"|environment|etc/(?:profile|bash\.bashrc|bashrc|zsh(?:rc|env|/\w+)|zprofile|launchd\.conf)"
    r"|etc/profile\.d/[^/]+|environment\.d/[^/]+|fish/(?:config\.fish|fish_variables|conf\.d/[^/]+)|nushell/\w+\.nu"
    r"|systemd/(?:[^/]+/)*[^/]+\.(?:service|conf|socket|timer|target)|Launch(?:Agents|Daemons)/[^/]+\.plist"
    r"|\.ssh/(?:environment|rc)|\.?mise(?:\.local)?\.toml|mise/config\.toml|tmux/tmux\.conf|\.?devcontainer\.json"
    r"|\.vscode/\w+\.json|Code(?: - Insiders)?/User/settings\.json|[^/]+\.code-workspace"
    r"|\.vscode-server/(?:[^/]+/)*settings\.json)\Z"
)
_SETTERS = re.compile(
    r"\blaunchctl\s+(?:setenv|config)|\bsystemctl\b[^;&|\n]*\s(?:set|unset|import)-environment|\bset-?env(?:ironment)?\b"
    r"|\bdbus-update-activation-environment\b|\bset\s+(?:-\w+\s+)*(?:-\w*U|--universal)|\bsetx\b"
)
_COMMENT = re.compile(r"\s*(?:#|//)")
GIVES = "sets variables that control the gate for later shells or sessions"
UNDER_OTHER_RULES = "starts another agent with variables that control its hooks, settings or permissions"

_AGENTS = (
    r"AI_AGENT|CODEX_\w+"
    r"|GEMINI_\w+|QWEN_\w+|COPILOT_\w+|OPENCODE_\w+|CURSOR_\w+|GOOSE_\w+|AIDER_\w+|AMP_\w+|CLINE_\w+|CRUSH_\w+"
)
_PLACES = r"HOME|ONLOOKER_\w+|XDG_\w+_(?:HOME|DIR)"
_KEYS = r"(?:CODEX|GEMINI|QWEN|COPILOT|OPENCODE|CURSOR|AMP|AIDER|CLINE|CRUSH|GOOSE)_(?:API_KEY|MODEL|PROVIDER\w*)\b"
_EMPTIES = re.compile(r"\benv\s+(?:-\S+\s+)*(?:-i|-|--ignore-\w+|-\w*i\w*)(?=\s)|\bexec\s+-\w*c")
_DYNAMIC = re.compile(
    r"\b(?:export|declare|typeset|readonly|env|printf\s+-v)\s+(?:-\w+\s+)*(?:\w*[\"']*[$`{]|\w*\{)"
)


@lru_cache(maxsize=4)
def _variable_change_pattern(hosts: tuple[str, ...]) -> re.Pattern[str]:
    """What sets or takes away a variable of an agent, of a place or of Compass; `hosts` are regexes of theirs."""
    names = "|".join((*hosts, _AGENTS, _PLACES))
    return re.compile(
        rf"(?<![$\w{{])(?!{_KEYS})(?:(?:{names})\+?=|COMPASS_(?!HTTP_TOKEN\b))"
        rf"|(?:\bunset|\s-u|\s--unset[=\s]|\bexport\s+-n)\s*[^;&|]*\b(?:{names})\b"
    )


def offence_of(command: str, analysis: Analysis, variables: tuple[str, ...]) -> str:
    """What a command does to the gate through an agent or a command of Compass, in words that follow "it".

    `variables`: regexes of the names of those by which a host decides on its hooks, settings or session.
    """
    if analysis.offence:
        return analysis.offence
    if all(one.kind != "agent" for one in analysis.effects.each):
        return ""
    text = bare(command)
    found = _variable_change_pattern(variables).search(text) or _EMPTIES.search(text) or _DYNAMIC.search(text)
    return UNDER_OTHER_RULES if found else ""


def is_given(path: str) -> bool:
    """Whether shells or sessions take variables from a file of that name."""
    return _FILES.search(path) is not None


def changes(before: str, after: str, moving: Sequence[str]) -> bool:
    """Whether other lines than before name a variable that decides on the gate."""
    return _count_assignment_lines(before, moving) != _count_assignment_lines(after, moving)


def _count_assignment_lines(text: str, moving: Sequence[str]) -> Counter[str]:
    names = assignments(tuple(moving))
    return Counter(line for line in text.split("\n") if names.search(line) and not _COMMENT.match(line))


def sets_by_command(command: str, targets: Sequence[str], moving: Sequence[str]) -> bool:
    """Whether a command sets such a variable for later sessions, or writes one into such a file."""
    text = bare(command)
    if not assignments(tuple(moving)).search(text):
        return False
    return _SETTERS.search(text) is not None or any(map(is_given, targets))


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
    if os.path.basename(ran.words[0]) not in SEARCHES:
        return False
    acts = any(
        one.verdict != "read_only"
        and (other is ran or os.path.basename(other.words[0]) in TAKES_NAMES or OPEN(str(one.targets)))
        for other in (ran, *line)
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

    def any_is(parts: Sequence[str], patterns: Sequence[str]) -> bool:
        return any(fnmatch.fnmatchcase(one, pattern) for pattern in patterns for one in parts)

    low, lowered = [part.lower() for part in below], [pattern.lower() for pattern in without]
    if any_is(low, lowered) or any_is(forms[:2], without):
        return False
    if not names and not paths:
        return len(below) <= depth
    return any_is(low[:depth], [pattern.lower() for pattern in names]) or any_is(forms, paths)


def split_git_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the folders of `-C`, the words from the subcommand on) of a git command."""
    folders, left = list[str](), list(words[1:])
    while left and left[0].startswith("-"):
        folders += left[1:2] if left[0] == "-C" else []
        del left[: 2 if left[0] in ("-C", "-c", "--git-dir", "--work-tree") else 1]
    return folders, left


def cleaned(ran: Ran, places: Places) -> bool:
    """Whether `git clean`, or a stash of what is not tracked, takes away host settings that hold the gate's keys."""
    words = ran.words
    if os.path.basename(words[0]) != "git" or all(one.verdict == "read_only" for one in ran.outcomes):
        return False
    folders, said = split_git_options(words)
    folder = os.path.join(*(expanded(one, places.protected.variables) for one in (ran.cwd, *folders)))
    verb, rest = (said[0] if said else ""), said[1:]
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
    tracked = relative in (places.disk.read(os.path.join(root, ".git", "index")) or "")
    if tracked or any(fnmatch.fnmatchcase(part, pattern) for pattern in spared for part in parts):
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
    environment = (guarded.environment,) if guarded.environment else ()
    return any(inside(os.path.normpath(path), environment) for path in meant)
