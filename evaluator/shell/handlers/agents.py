"""Coding agents: how a call of one is read, and their packages and scripts. Compass's own commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluator.shell.call import Call, Handler, Outcome, dynamic, read_options, reads, unlisted, writes
from evaluator.text import NONE, Vocabulary, names, speaks_to_compass

VOCABULARY = Vocabulary("shell/programs/agents", "words")
FAMILY = "agent"
LIFTS = "starts another agent with its hooks or settings turned off, or its permissions bypassed"
CHANGES = "changes an agent's settings, servers or plugins"
RESUMES = "resumes a host session or passes a session id"
AWAY = "starts an agent session outside this one"
SPEAKS = "gives another agent words that only the user may say to Compass"

TELLING = names("--version -V --help -h help version --list-models --list-extensions completion")
ABBREVIATED_MIN = 6
"""Characters from which the beginning of an option counts as the option: parsers take abbreviations."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One program. Words are options or paths of subcommands, as they are typed.

    `lifts`, `resumes`, `away`: options. `values`: options that lift with one of these values (`*` for each but those
    of `harmless`). `letters`: short options that lift, also in a cluster. `reading`, `changing` and `resuming` are
    subcommands.
    """

    lifts: frozenset[str] = NONE
    values: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    letters: str = ""
    resumes: frozenset[str] = NONE
    resuming_letters: str = ""
    away: frozenset[str] = NONE
    reading: frozenset[str] = NONE
    changing: frozenset[str] = NONE
    resuming: frozenset[str] = NONE
    harmless: re.Pattern[str] = re.compile(r"(?!)")

    def __call__(self, call: Call) -> list[Outcome]:
        texts = call.texts
        verbs = [text for text in texts if not text.startswith("-")]
        # An option besides could be one that lifts or loads something: only plain words and `--json` are known.
        plain = all(text in ("--json", "--help", "-h") for text in texts if text.startswith("-"))
        if (len(texts) == 1 and texts[0] in TELLING) or (
            plain and any(_is_agent_subcommand(verbs, path) for path in self.reading)
        ):
            return [reads(FAMILY)]
        # A word that begins with an expansion may be any option.
        started = writes("run", (), FAMILY, "destructive" if any(word.opaque for word in call.args) else None)
        return [replace(started, offence=self._find_agent_offence(call))]

    def _find_agent_offence(self, call: Call) -> str:
        texts = call.texts
        said = " ".join((*texts, call.stdin.text, *(word.text for word in call.stdin.words)))
        if speaks_to_compass(said):
            return SPEAKS
        operands = [(at, text) for at, text in enumerate(texts) if not text.startswith("-")]
        for index, (at, _) in enumerate(operands):
            # Each option before a subcommand may have taken one of the words as its value.
            if index > at - index:
                continue
            verbs = [text for _, text in operands[index:]]
            if any(_is_agent_subcommand(verbs, path) for path in self.changing):
                return CHANGES
            if any(_is_agent_subcommand(verbs, path) for path in self.resuming):
                return RESUMES
        for at, text in enumerate(texts):
            if text == "--":
                break
            name, equals, value = text.partition("=")
            following = value if equals else texts[at + 1] if at + 1 < len(texts) else ""
            if cause := self._agent_option_offence(name, following):
                return cause
        return ""

    def _agent_option_offence(self, name: str, value: str) -> str:
        if not name.startswith("-") or name == "-":
            return ""
        if _is_agent_option(name, self.lifts):
            return LIFTS
        for option, wanted in self.values.items():
            short = len(option) == 2 and name.startswith(option)
            given = name[2:] + value if short else value
            lifts = self.harmless.match(given) is None if "*" in wanted else given.casefold() in wanted
            expanded = "*" not in wanted and any(mark in given for mark in "$`")
            if (short or _is_agent_option(name, frozenset((option,)))) and (lifts or expanded):
                return LIFTS
        if _is_agent_option(name, self.resumes):
            return RESUMES
        if _is_agent_option(name, self.away):
            return AWAY
        letters = name[1:] if re.fullmatch(r"-[a-zA-Z]{1,8}", name) else ""
        if not set(letters).isdisjoint(self.letters):
            return LIFTS
        return "" if set(letters).isdisjoint(self.resuming_letters) else RESUMES


def _is_agent_subcommand(verbs: Sequence[str], path: str) -> bool:
    wanted = path.split()
    return list(verbs[: len(wanted)]) == wanted


def _is_agent_option(name: str, options: frozenset[str]) -> bool:
    """In any spelling: cased, with other dashes, or abbreviated."""
    bare = _normalize_agent_option(name)
    if not name.startswith("--"):
        return name in options
    known = [_normalize_agent_option(option) for option in options if option.startswith("--")]
    return bare in known or (len(name) >= ABBREVIATED_MIN and any(one.startswith(bare) for one in known))


def _normalize_agent_option(option: str) -> str:
    return re.sub(r"[-_]", "", option).casefold()


def by_verb(call: Call, verbs: str, agent: Agent, otherwise: Handler | None = None) -> list[Outcome]:
    """A name that another program bears too: the agent by its first word."""
    given = [text for text in call.texts if not text.startswith("-")]
    if not given or given[0] in names(verbs) or " " in given[0]:
        return agent(call)
    return otherwise(call) if otherwise else [unlisted()]


BY_PACKAGE = VOCABULARY.texts("packages")
"""{package: its program}, for those whose program has another name."""
SCRIPT = re.compile(
    r"(?:^|/)(?P<package>"
    + "|".join(re.escape(one) for one in BY_PACKAGE if one.startswith("@") or one == "opencode-ai")
    + ")/"
)
"""Of the packages without a scope one that no other folder is named for."""
ANYWHERE = VOCABULARY.words("anywhere")
"""Known by their name wherever they lie, as those of hosts are; what lies in a place of no trust never only reads."""


def by_script(path: str) -> str:
    """The agent whose script lies at this path, or whose module has this name; empty for another."""
    found = SCRIPT.search(path)
    name = path.rpartition("/")[2]
    return BY_PACKAGE[found["package"]] if found else name if name in ANYWHERE else ""


CONTROLS = "runs a Compass control command"
READING = names("doctor check explain replay bash demo try status log why")
"""What `compass.cli` declares to read; a test compares. A command that does not stand here does not read."""
READING_WITH = {"serve": ("--status",)}
READING_BELOW = VOCABULARY.sets("reading-below")
"""The reading ones among the commands of a command."""
KEEPS = names("--record --yes --ask --backend")
"""Options with which a reading command keeps what it found, or spends."""


def compass(call: Call) -> list[Outcome]:
    if any(word.decoded or (word.dynamic and word.bare) for word in call.args[:2]):
        return [replace(dynamic("system"), offence=CONTROLS)]
    texts = call.texts
    verb = texts[0] if texts else "--help"
    if verb in names("--version -V --help -h help") or texts[1:] in (["--help"], ["-h"]):
        return [reads("system")]
    options = read_options(call.args[1:])
    if verb in READING:
        return [unlisted("system")] if options.may_have(KEEPS) else [reads("system")]
    named = next((text for text in texts if not text.startswith("-")), "")
    if not re.fullmatch(r"[a-z][a-z-]*", named):
        return [unlisted("system")]
    asked = [text for text in texts[1:] if text != "--json"]
    below = not READING_BELOW.get(verb, NONE).isdisjoint(asked[:1])
    if below or READING_WITH.get(verb) == tuple(asked):
        return [reads("system")]
    return [replace(unlisted("system"), offence=CONTROLS)]
