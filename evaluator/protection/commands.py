"""What a shell command would do to the protected places. Pure; the file system is asked through `Disk`.

First by the text as it stands: where it names a protected place, key or variable, or a control command of Compass, each
command that holds the name must be proven to read, or do nothing but writes of which the targets are known. Then by
what the parse says of links, targets and searches.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence

from evaluator.protection import indirect
from evaluator.protection.places import MARKS, Disk, Places, Protected
from evaluator.shell.bash import Analysis, Segment, explain
from evaluator.shell.call import Outcome, Ran
from evaluator.shell.rows.tables import program_of
from evaluator.shell.scope import ITEM
from evaluator.text import names, speaks_to_compass

NAMES = "names Compass's files or the host's settings in a command that Compass cannot fully parse"
LINKS = "creates a link to Compass's files or the host's settings"
REACHES = "affects Compass's files or the host's settings, among other files"
TYPED = "types or schedules text that Compass would mistake for the user's own"
CONTROLS = "runs a Compass control command"
LOOKED_AT_MAX = 2000
"""Past these commands one must not spell a place."""
DEPTH_MAX = 4
HIDDEN_MAX = 12
"""So many words of a command are tried as the beginning of another."""
PLAINLY = frozenset(("text", "files", "format", "redirect", "archive", "links"))
"""Families that run nothing of their own."""
SAYING = frozenset(("git", "forge", "agent"))
"""Families whose words are texts for somebody to read."""
PRINTS = names(
    "echo printf ls ll find fd fdfind realpath readlink dirname basename tree stat file du pgrep ps"
)
TAKES_UP = names("alias read mapfile readarray export local declare readonly set")
"""What they print, or take up, may be the name of a place, which something else then takes for a target."""
GOVERNED = frozenset(("system", "unlisted", "database", "keyboard"))
"""Families whose commands are unknown for what they destroy or govern, not for what they run."""
_PIPED = re.compile(r"\s*(?:2>&1\s*)?\|(?!\|)")
_CAUGHT = re.compile(r"(?:[$<]\(|`)\s*\Z")
_LINKED = re.compile(r"link\w*\(\s*\w?['\"]([^'\"\n]+)['\"]")
"""What code makes a link to."""
_PATH = re.compile(r"[\w~$./{}*?\[\],-]*[/.*~][\w~$./{}*?\[\],-]*")
_NAME = re.compile(r"[\w.-]+")
_COMMENT = re.compile(r"^[ \t]*#[^\n]*|(?<=\s)#\s[^\n\"'`$()]*$", re.MULTILINE)
OPEN_NAME = re.compile(rf"[$`*?]|{ITEM}")
RUN_SCRIPTS = names("sh bash zsh dash ksh fish python python3 node ruby perl php lua deno bun source .")
_TAKES = re.compile(
    r"\b(?:rm|mv|cp|ln|shred|chmod|chown|rsync|tar|unzip|tee|truncate|unlink|install|svn|hg|cpio|pax|ditto|rclone|unar"
    r"|dtrx|aunpack|atool|robocopy|xcopy|mklink)\b"
)
COPIES = frozenset(("cp", "gcp", "install", "rsync", "scp"))
INDEX_ONLY = names("add stage commit restore reset rm update-index tag notes branch")


def offence_of_command(command: str, cwd: str, protected: Protected, disk: Disk) -> str:
    """What the command would do to the gate; empty for nothing."""
    return _Look(Places(protected, disk)).at(command, cwd, 0)


class _Look:
    def __init__(self, places: Places) -> None:
        self.places = places
        self.named = indirect.mentions(places.protected)
        self.programs = (*indirect.OWN_PROGRAMS, *places.protected.programs)

    def at(self, command: str, cwd: str, depth: int) -> str:
        protected, found = self.places.protected, explain(command, cwd)
        if cause := indirect.offence_of(command, found, protected.host_variables):
            return cause
        if indirect.sets_by_command(command, found.effects.targets, protected.moving):
            return indirect.GIVES
        if found.effects.verdict != "read_only" and (cause := self._said(command, cwd, found, depth)):
            return cause
        for ran in found.ran[:LOOKED_AT_MAX]:
            self.places.links.update(indirect.links_of(ran, self.places))
        causes = (self._parsed_command_offence(ran, found) for ran in found.ran[:LOOKED_AT_MAX])
        return next(filter(None, causes), "")

    def _said(self, command: str, cwd: str, found: Analysis, depth: int) -> str:
        """By the text: what is left of it without the commands that are settled must name nothing."""
        if any(one.family == "keyboard" for one in found.segments):
            # Words that Compass listens to; keys one by one may come to them as well.
            typed = (one for one in found.ran if any(each.family == "keyboard" for each in one.outcomes))
            pieces = ("".join((*one.words, one.text)).casefold() for one in typed)
            if speaks_to_compass(indirect.bare(command)) or any("compass" in one for one in pieces):
                return TYPED
        if any(map(_command_runs_compass, found.segments)):
            return CONTROLS
        if any(self._is_protected_path(place, cwd) for place in _LINKED.findall(command)):
            return LINKS
        # What runs is not known: not so a service or a process that it is told to stop by name.
        opaque = any(
            (one.verdict == "unknown" and (one.family not in GOVERNED or re.search(r"[$`]", one.text)))
            or _is_vague_command_write(one)
            for one in found.segments
        )
        named = opaque or self._spells_protected_name(command)
        if named and self._is_name_left_in_command(command, found, opaque=opaque):
            return NAMES
        for ran in found.ran[:LOOKED_AT_MAX]:
            opened = any(map(_is_open_ended_command, ran.outcomes))
            if opened and (cause := self._cause_by_command_words(ran, depth)):
                return cause
        if not opaque:
            return ""
        dark = (
            one.text
            for one in found.segments
            if one.verdict == "unknown" or _passes_names_to_command(one, command)
        )
        # A name in a code, and not as it stands.
        plain, coded = indirect.bare(command), map(self.named.search, indirect.hidden_texts(command))
        hidden = any(one is not None and one[0] not in plain for one in coded)
        return NAMES if hidden or self._reaches_protected_place(" ".join((*found.values, *dark)), cwd) else ""

    def _is_name_left_in_command(self, command: str, found: Analysis, *, opaque: bool) -> bool:
        """Whether a name is left in the command, or in one of its parts, without those that may hold it."""
        # A piece without a name could only cut one of another part in two.
        pieces = _safe_command_texts(command, found, opaque=opaque)
        settled = [piece for piece in pieces if self._spells_protected_name(piece)]
        opened = (one.text for one in found.segments if _is_open_ended_command(one))
        for text in dict.fromkeys((command, *opened)):
            left = text
            for piece in settled:
                left = left.replace(piece, " ", 1)
            spells = self._spells_protected_name(_COMMENT.sub("", left))
            if spells or (opaque and indirect.OWN_BY_NAME.search(indirect.bare(left))):
                return True
        return False

    def _spells_protected_name(self, text: str) -> bool:
        """Whether a command spells a name, or the folder and the file of settings apart from each other."""
        plain = indirect.bare(text)
        if self.named.search(plain):
            return True
        parts = set(_NAME.findall(plain))
        return any({*place.rsplit("/", 2)[1:]} <= parts for place in self.places.protected.settings)

    def _cause_by_command_words(self, ran: Ran, depth: int) -> str:
        """By the words, as they stand after expansion, of a command of which it is not known what it does."""
        words = ran.words
        if ran.inner:
            return ""
        if self._spells_protected_name(ran.text) or self._spells_protected_name(" ".join(words)):
            return NAMES
        run = posixpath.basename(words[0])
        if any(mark in run for mark in MARKS) and any(fnmatch.fnmatchcase(one, run) for one in self.programs):
            return NAMES
        means = any(self.places.names(word, ran.cwd) for word in words[1:])
        if means or self._reaches_protected_place(" ".join((*words, ran.text)), ran.cwd):
            return NAMES
        for at, word in enumerate(words[:HIDDEN_MAX]):
            first = word.split(None, 1)[0] if word.strip() else ""
            begins = first != word or at or ran.outcomes[0].family == "dynamic"
            if begins and depth < DEPTH_MAX and program_of(first) in self.programs:
                code = shlex.join(words[at:]) if first == word else word
                if cause := self.at(code, ran.cwd, depth + 1):
                    return cause
        return ""

    def _reaches_protected_place(self, text: str, cwd: str) -> bool:
        """Whether one of the paths in it means a place, or a folder of settings beside what takes folders away."""
        plain, means = indirect.bare(text), self.places.names
        takes, paths = _TAKES.search(plain), dict.fromkeys(_PATH.findall(plain))
        return any(means(one, cwd) or (takes and self._is_protected_path(one, cwd)) for one in paths)

    def _parsed_command_offence(self, ran: Ran, whole: Analysis) -> str:
        for one in ran.outcomes:
            if one.verdict != "read_only" and not _is_git_index_command(ran, one):
                # Words with `..` in them, as written: behind a link they mean another folder than their text says.
                upward = [word for word in ran.words[1:] if "/../" in word or word.endswith("/..")]
                for target in (*_command_copy_targets(ran, one, self.places), *upward):
                    operation, severity = one.operation, one.operation_class
                    if one.family == "links" and posixpath.basename(target).startswith("."):
                        operation = "overwrite"  # It stands for all that lies in a folder of that name.
                    above = posixpath.basename(ran.words[0]) not in indirect.SEARCHES
                    if cause := self.places.harm(target, ran.cwd, operation, severity, above=above):
                        return cause
                vague = one.targets if _is_vague_command_write(one) else ()
                if any(self.places.means(target, ran.cwd) for target in vague):
                    return NAMES
        if any(
            self._is_protected_path(source, ran.cwd)
            for source in indirect.links_of(ran, self.places).values()
        ):
            return LINKS
        if indirect.found_places(ran, whole.ran, self.places) or indirect.cleaned(ran, self.places):
            return REACHES
        return "removes or replaces Compass's own programs" if indirect.takes_out(ran, self.places) else ""

    def _is_protected_path(self, path: str, cwd: str) -> bool:
        """Whether a link to it would be one to a protected place, or to the folder of the host's settings."""
        protected = self.places.protected
        kept = {*protected.settings, *map(posixpath.dirname, protected.settings), *protected.named}
        return any(self.places.holds(form) or form in kept for form in self.places.forms(path, cwd))


def _safe_command_texts(command: str, found: Analysis, *, opaque: bool) -> Iterator[str]:
    """The texts of commands that may name a place: they are proven to read, or write nothing but known targets."""
    if any(_runs_script_of_command(one, found) for one in found.ran):
        return
    is_open = opaque or any(map(_is_open_ended_command, found.segments))
    texts = {
        one.text
        for one in found.segments
        if (_is_open_ended_command(one) and one.family != "redirect")
        or (is_open and _passes_names_to_command(one, command))
    }
    yield from sorted({one.text for one in found.segments} - texts, key=len, reverse=True)
    taken = {
        one.text
        for one in found.ran
        if any(map(_is_open_ended_command, one.outcomes)) or one.words[0] in TAKES_UP
    }
    yield from {one.text for one in found.ran if one.text} - taken
    if not opaque:
        yield from (value for value in found.values if value and not re.search(r"\s", value))


def _passes_names_to_command(segment: Segment, command: str) -> bool:
    """Whether names that the command prints, or takes up, come to another one."""
    if segment.program in TAKES_UP:
        return True
    before, _, after = command.partition(segment.text)
    return segment.program in PRINTS and bool(_PIPED.match(after) or _CAUGHT.search(before))


def _is_open_ended_command(one: Outcome | Segment) -> bool:
    """Whether a command may do more than its targets tell."""
    if one.verdict != "write":
        return one.verdict == "unknown"
    if one.operation == "unknown" or not (one.targets or one.family in SAYING):
        return True
    return _is_vague_command_write(one) and one.program not in COPIES


def _is_vague_command_write(one: Outcome | Segment) -> bool:
    """A write to a target that is not known: of a new file with a name of its own the folder alone does not matter."""
    open_targets = [target for target in one.targets if "$" in target or "`" in target or ITEM in target]
    writes, new = one.verdict != "read_only", one.operation == "create"
    return writes and any(not new or OPEN_NAME.search(posixpath.basename(target)) for target in open_targets)


def _command_runs_compass(one: Segment) -> bool:
    """Whether a command runs what of Compass is no command of its own."""
    if one.verdict == "read_only" or one.family in PLAINLY or one.program == "git":
        return False
    text = indirect.bare(one.text)
    return bool(
        indirect.API.search(text)
        or (one.program.startswith(("python", "pypy")) and indirect.MODULE.search(text))
    )


def _runs_script_of_command(ran: Ran, found: Analysis) -> bool:
    """A script that the same line writes."""
    if all(one.operation != "unknown" for one in ran.outcomes):
        return False
    words = ran.words[: 4 if program_of(ran.words[0]) in RUN_SCRIPTS else 1]
    return any(posixpath.normpath(posixpath.join(ran.cwd, word)) in found.written for word in words)


def _is_git_index_command(ran: Ran, outcome: Outcome) -> bool:
    """git takes the file up, and leaves it as it is."""
    plain = outcome.program == "git" and outcome.operation == "vcs" and outcome.operation_class == "modifying"
    elsewhere = not {"--git-dir", "--work-tree"}.isdisjoint(ran.words)
    said = indirect.split_git_options(ran.words)[1]
    return plain and not elsewhere and bool(said) and said[0] in INDEX_ONLY


def _command_copy_targets(ran: Ran, outcome: Outcome, places: Places) -> Sequence[str]:
    """A copy onto a folder that exists lands in it."""
    words = ran.words
    if program_of(words[0]) != "cp" or len(outcome.targets) != 1 or len(words) < 3:
        return outcome.targets
    target, source = outcome.targets[0], posixpath.basename(words[-2].rstrip("/"))
    plain = source not in ("", ".", "..", posixpath.basename(target)) and not re.search(r"[*?\[$]", source)
    holders = {posixpath.dirname(one) for one in places.protected.settings}
    if plain and target in holders and places.disk.identity(target) is not None:
        return (posixpath.join(target, source),)
    return outcome.targets
