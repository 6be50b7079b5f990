"""What a shell command would do to the protected places. Pure; the file system is asked through `Disk`.

A command that names such a place is let through only if it is known to read, or if all that it writes is known and
lies elsewhere. What another program may run from its words, what a variable, alias or function holds, and what a
command that cannot be read spells, pieced together or encoded, counts as run.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from evaluator.protection.agents import offence_of
from evaluator.protection.places import Disk, Places, Protected
from evaluator.protection.reach import SEARCHES, cleaned, found_places, links_of, takes_out
from evaluator.protection.reading import INTERPRETERS, PRINT_NAMES, READERS, reads_only
from evaluator.protection.text import hidden_texts, literals, pieced_together, quoting_removed
from evaluator.shell.analysis import Analysis
from evaluator.shell.bash import explain
from evaluator.shell.options import names
from evaluator.shell.outcome import Outcome
from evaluator.shell.parse.evaluated import RUNS_IN_INDEX
from evaluator.shell.parse.lexed import Unreadable
from evaluator.shell.parse.lexer import commands_in_body
from evaluator.shell.ran import Ran
from evaluator.shell.registry import program_of
from evaluator.shell.scope import ITEM

NAMES = "names Compass's files or the host's settings in a command that cannot be read"
LINKS = "makes a link to Compass's files or the host's settings"
REACHES = "reaches Compass's files or the host's settings among others"
DEPTH_MAX = 4
"""Commands that are read out of the words of others."""
READ_MAX = 200
LOOKED_AT_MAX = 2000
"""Past these bounds a command must not spell a place."""
HIDDEN_MAX = 12
"""So many words of a command are tried as the beginning of another."""
RISKY = names(
    "rm rmdir unlink shred srm wipe trash rimraf mv cp ln link install dd tee truncate chmod chown "
    "chgrp chattr touch rsync tar unzip bsdtar cpio sed perl ruby python python3 node sh bash zsh "
    "dash ksh fish busybox env sudo doas xargs eval exec command find fd git sqlite3 rename mount "
    "umount compass compass-gate pip pip3 uv pipx conda ed ex vim printf echo cat curl wget "
    "scp timeout nohup setsid"
)
SHELL_SIGNS = re.compile(r"[;|&`><\n]|\$\(")
PLAINLY = frozenset(("text", "files", "format", "redirect", "archive", "links"))
"""Families that run nothing of their own."""
CONTAINERS = names("docker podman nerdctl bwrap systemd-nspawn")
"""What runs there finds a place by another path, once that is mounted."""
COPIES = frozenset(("cp", "gcp", "install", "rsync", "scp"))
SENDING = frozenset(("network", "forge"))
STRONG_DOUBT = re.compile(
    r"\blinks?\b|symlink|locals|globals|getattr|setattr|__\w+__|\beval\b|\bexec\b|importlib|compile\("
)
INDEX_ONLY = frozenset(
    ("add", "stage", "commit", "restore", "reset", "rm", "update-index", "tag", "notes", "branch")
)
SPEAKING = frozenset(("git", "gh", "echo", "printf", "tee", "cat"))
"""Their words and input are texts."""
TAKES_UP = frozenset(("read", "mapfile", "readarray"))
VALUE = re.compile(r"\A(?:-{0,2}[A-Za-z_][\w.-]*\+?=)?!?", re.ASCII)
"""What may stand before code in a word: a name that it is given, the sign of a shell alias."""

OWN_NAMES = ("compass", "compass-gate")
TYPED = "types or schedules what would pass for the user's word to Compass"

Runs = Callable[[str, str], str]


def offence_of_command(command: str, cwd: str, protected: Protected, disk: Disk, runs: Runs) -> str:
    """What the command would do to the gate; empty for nothing. `runs` says what a program with its text starts."""
    return _Look(Places(protected, disk), runs).at(command, cwd, 0)


class _Look:
    def __init__(self, places: Places, runs: Runs) -> None:
        self.places, self.runs = places, runs
        self.hosts = places.protected.programs
        self.risky = RISKY.union(self.hosts)
        self.seen: set[tuple[str, str]] = set()

    def at(self, command: str, cwd: str, depth: int) -> str:
        if (command, cwd) in self.seen:
            return ""
        if depth > DEPTH_MAX or len(self.seen) > READ_MAX:
            return NAMES if self.places.spells(quoting_removed(command)) else ""
        self.seen.add((command, cwd))
        found = explain(command, cwd)
        if cause := offence_of(command, found, self.places.protected.host_variables):
            return cause
        for segment in found.segments:
            running = segment.verdict != "read_only" and segment.family not in PLAINLY
            if running and (cause := self.runs(segment.program, quoting_removed(segment.text))):
                return cause
        for ran in found.ran[:LOOKED_AT_MAX]:
            if _typed_in_pieces(ran):
                return TYPED
            named = _named_by_pattern(ran, (*OWN_NAMES, *self.hosts))
            if named and (cause := self.at(named, ran.cwd, depth + 1)):
                return cause
            self.places.links.update(links_of(ran, self.places))
        for ran in found.ran[:LOOKED_AT_MAX]:
            if cause := self._ran(ran, found, depth):
                return cause
        if found.problem and (cause := self._substituted(command, cwd, depth)):
            return cause
        if len(found.ran) > LOOKED_AT_MAX and self.places.spells(quoting_removed(command)):
            return NAMES
        return self._unread(command, found) or self._later(found, cwd, depth)

    def _substituted(self, text: str, cwd: str, depth: int) -> str:
        """What no grammar accepts may hold commands that a shell would run."""
        try:
            codes = commands_in_body(text)
        except Unreadable:
            return NAMES if self.places.spells(quoting_removed(text)) else ""
        return next((cause for code in codes if (cause := self.at(code, cwd, depth + 1))), "")

    def _ran(self, ran: Ran, whole: Analysis, depth: int) -> str:
        for one in ran.outcomes:
            if one.verdict != "read_only" and not _index_only(ran, one):
                for target in (*_landed(ran, one, self.places), *_upward(ran)):
                    operation, severity = one.operation, one.operation_class
                    if cause := self.places.harm(
                        target, ran.cwd, operation, severity, above=not _is_selective(ran)
                    ):
                        return cause
        if any(self._is_kept(source, ran.cwd) for source in links_of(ran, self.places).values()):
            return LINKS
        if found_places(ran, whole.ran, self.places) or cleaned(ran, self.places):
            return REACHES
        if takes_out(ran, self.places):
            return "takes out, or replaces, the programs that Compass is made of"
        program = ran.outcomes[0].program if ran.outcomes else ""
        outer = program_of(ran.words[0])
        if ran.inner and outer not in INTERPRETERS:
            changes = any(one.verdict != "read_only" for one in ran.outcomes)
            mounts = outer in CONTAINERS and changes and self._named(ran.words[1:], ran.cwd)
            return NAMES if mounts else ""
        if self._names(ran, program, whole):
            return NAMES
        return self._hidden(ran, program, depth)

    def _is_kept(self, path: str, cwd: str) -> bool:
        """Whether a link to it would be one to a protected place, or to the folder of the host's settings."""
        protected = self.places.protected
        holders = {posixpath.dirname(place) for place in protected.settings}
        return any(
            self.places.holds(form)
            or form in protected.settings
            or form in holders
            or form in protected.named
            for form in self.places.forms(path, cwd)
        )

    def _names(self, ran: Ran, program: str, whole: Analysis) -> bool:
        """Whether a place is named where it is not known that it is only read."""
        words = ran.words[1:]
        verdicts = {one.verdict for one in ran.outcomes}
        if verdicts <= {"read_only"}:
            if reads_only(program, ran.words):
                return False
            return self._named_in_code(ran) if program in INTERPRETERS else self._named(words, ran.cwd)
        if program in INTERPRETERS:
            text = " ".join((*words, ran.text))
            known = all(one.verdict == "write" and one.operation != "unknown" for one in ran.outcomes)
            doubt = not known or STRONG_DOUBT.search(text) is not None
            return doubt and (self._named_in_code(ran) or self._named(words, ran.cwd))
        if any(one.verdict == "unknown" or one.operation == "unknown" for one in ran.outcomes):
            return self._named(words, ran.cwd, prose=program not in self.risky)
        if any(_is_vague(one) for one in ran.outcomes):
            # What a dynamic target stands for may have been named anywhere before.
            open_words = words[-1:] if program in COPIES else words
            if any(self.places.names(one, ran.cwd) for one in open_words) or self._named_before(ran, whole):
                return True
        if all(one.targets or one.family in SENDING for one in ran.outcomes) or _index_only(
            ran, ran.outcomes[0]
        ):
            return False
        return self._named(words, ran.cwd)

    def _named(self, words: Sequence[str], cwd: str, *, prose: bool = True) -> bool:
        """With `prose` a text of several words names nothing, unless it is code: that is read by itself."""
        return any(
            self.places.names(word, cwd) for word in words if not (prose and re.search(r"\s", word.strip()))
        )

    def _named_in_code(self, ran: Ran) -> bool:
        codes = [word for word in (*ran.words[1:], ran.text) if word]
        for code in codes:
            if self.places.spells(code):
                return True
            linking = STRONG_DOUBT.search(code) is not None
            for text in literals(code):
                hidden = posixpath.basename(text.rstrip("/"))
                if self.places.means(text, ran.cwd) or (linking and self._is_hidden_name(hidden)):
                    return True
            if pieced_together(code, self.places.protected.words) and STRONG_DOUBT.search(code):
                return True
        return False

    def _is_hidden_name(self, name: str) -> bool:
        places = (*self.places.protected.named, *self.places.protected.settings)
        return name.startswith(".") and len(name) > 1 and any(f"/{name}/" in f"{place}/" for place in places)

    def _named_before(self, ran: Ran, whole: Analysis) -> bool:
        """Whether the command holds the name of a place apart from what reads the content of files."""
        for other in whole.ran:
            if other is ran or other.inner:
                continue
            program = other.outcomes[0].program if other.outcomes else ""
            content = program in READERS and program not in PRINT_NAMES
            if not content and any(
                self.places.names(word, other.cwd) for word in (*other.words[1:], other.text)
            ):
                return True
        return any(self.places.names(text, ran.cwd) for text in whole.values)

    def _hidden(self, ran: Ran, program: str, depth: int) -> str:
        """A command among the words of a program of which it is not known that it runs none."""
        words = ran.words
        if program in TAKES_UP and RUNS_IN_INDEX.search(ran.text):
            return self.at(ran.text, ran.cwd, depth + 1)
        if all(one.verdict == "read_only" for one in ran.outcomes) and reads_only(program, words):
            return ""
        if program in SPEAKING and not any(one.verdict == "unknown" for one in ran.outcomes):
            return ""
        if (
            program not in SPEAKING
            and self._looks_like_code(ran.text)
            and (cause := self.at(ran.text, ran.cwd, depth + 1))
        ):
            return cause
        # The first word may have come out of a variable.
        first = 0 if any(one.verdict == "unknown" for one in ran.outcomes) else 1
        for at in range(first, min(len(words), HIDDEN_MAX)):
            word = words[at]
            if re.search(r"\s", word.strip()):
                code = VALUE.sub("", word, count=1)
                if self._looks_like_code(code) and (cause := self.at(code, ran.cwd, depth + 1)):
                    return cause
                continue
            begins = program_of(word) in self.risky and at + 1 < len(words)
            if begins and (cause := self.at(_quoted(words[at:]), ran.cwd, depth + 1)):
                return cause
        return ""

    def _later(self, found: Analysis, cwd: str, depth: int) -> str:
        """Texts that variables hold, bodies of functions, lines of a script: they may run by a way not followed."""
        texts = list(found.values)
        if any(_runs_what_was_written(one, found) for one in found.ran):
            texts += (text for one in found.ran for text in (*one.words[1:], one.text))
        for text in dict.fromkeys(texts):
            code = re.search(r"\s", text.strip()) and self._looks_like_code(text)
            if code and (cause := self.at(text, cwd, depth + 1)):
                return cause
        return ""

    def _unread(self, command: str, found: Analysis) -> str:
        """A command of which a part cannot be read must not spell a place, in pieces or encoded either."""
        opaque = found.effects.verdict == "unknown" or any(
            _runs_what_was_written(one, found) for one in found.ran
        )
        vague = [one for one in found.ran for outcome in one.outcomes if _is_vague(outcome)]
        if not opaque and not vague:
            return ""
        words = self.places.protected.words
        bare = quoting_removed(command)
        if opaque:
            if _named_run(self.hosts).search(bare) and found.effects.verdict == "unknown":
                return "names Compass or the host in a command that cannot be read"
            if self.places.spells(_without_reads(bare, found, self.places)):
                return NAMES
        if any(self.places.spells(text) for text in hidden_texts(command)):
            return NAMES
        return NAMES if pieced_together(bare, words) and not self.places.spells(bare) else ""

    def _looks_like_code(self, text: str) -> bool:
        first = text.split(None, 1)[0] if text.split() else ""
        return program_of(first) in self.risky or SHELL_SIGNS.search(text) is not None


@lru_cache(maxsize=4)
def _named_run(hosts: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(("compass", *map(re.escape, hosts)))
    return re.compile(rf"(?:(?<![\w./-])|(?<=bin/))(?:{names})(?![\w./-])", re.ASCII)


def _typed_in_pieces(ran: Ran) -> bool:
    """Keys one by one may come to a word that Compass listens to."""
    typed = any(one.family == "keyboard" for one in ran.outcomes)
    return typed and "compass" in "".join(ran.words).casefold()


def _named_by_pattern(ran: Ran, own: Sequence[str]) -> str:
    """The command with its program spelled out, where the name is a pattern that fits Compass or a host."""
    folder, _, name = ran.words[0].rpartition("/")
    if not any(mark in name for mark in "*?["):
        return ""
    found = next((one for one in own if fnmatch.fnmatchcase(one, name)), "")
    return _quoted((posixpath.join(folder, found), *ran.words[1:])) if found else ""


def _runs_what_was_written(ran: Ran, found: Analysis) -> bool:
    """A script that the same line writes."""
    unknown = any(one.operation == "unknown" for one in ran.outcomes)
    return unknown and any(
        posixpath.normpath(posixpath.join(ran.cwd, word)) in found.written for word in ran.words[:4]
    )


def _without_reads(text: str, found: Analysis, places: Places) -> str:
    """The command without the places that a command which prints the content of files was given, each once."""
    for ran in found.ran:
        program = ran.outcomes[0].program if ran.outcomes else ""
        reading = all(one.verdict == "read_only" for one in ran.outcomes) and reads_only(program, ran.words)
        if ran.inner or not reading or program in PRINT_NAMES:
            continue
        for word in ran.words[1:]:
            if places.spells(word):
                text = text.replace(word, "", 1)
    return text


def _is_vague(outcome: Outcome) -> bool:
    """A write whose target is not known, but for those that have none by nature."""
    if outcome.verdict == "read_only":
        return False
    return any("$" in one or "`" in one or ITEM in one for one in outcome.targets)


def _index_only(ran: Ran, outcome: Outcome) -> bool:
    """git takes the file up, and leaves it as it is."""
    plain = outcome.program == "git" and outcome.operation == "vcs" and outcome.operation_class == "modifying"
    return plain and not INDEX_ONLY.isdisjoint(ran.words)


def _landed(ran: Ran, outcome: Outcome, places: Places) -> Sequence[str]:
    """A copy onto a folder that exists lands in it."""
    words = ran.words
    if program_of(words[0]) != "cp" or len(outcome.targets) != 1 or len(words) < 3:
        return outcome.targets
    target, source = outcome.targets[0], posixpath.basename(words[-2].rstrip("/"))
    plain = source not in ("", ".", "..") and not any(mark in source for mark in "*?[$")
    holders = {posixpath.dirname(one) for one in places.protected.settings}
    if plain and target in holders and places.disk.identity(target) is not None:
        return (posixpath.join(target, source),)
    return outcome.targets


def _upward(ran: Ran) -> list[str]:
    """Words with `..` in them, as written: behind a link they mean another folder than their text says."""
    return [word for word in ran.words[1:] if "/../" in word or word.endswith("/..")]


def _is_selective(ran: Ran) -> bool:
    """A search that takes only some of what lies in its folders; `found_places` says whether a place is among them."""
    return posixpath.basename(ran.words[0]) in SEARCHES


def _quoted(words: Sequence[str]) -> str:
    return " ".join(
        word if re.fullmatch(r"[\w./~=:@%+,{}*?\[\]$-]+", word) else "'" + word.replace("'", "'\\''") + "'"
        for word in words
    )
