"""What a shell command would do: the public face of `evaluator.shell`. Pure; raises nothing.

Imported at the first command, so that calls of other tools never pay for the parser and the program tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluator.effects import CLASS_OF, digest, effect, folded
from evaluator.model import Effect, EffectKind, Effects, Operation, OperationClass
from evaluator.settings.keys import Bash
from evaluator.shell.call import Outcome, Ran, ShellVerdict
from evaluator.shell.parse.grammar import COMMAND_MAX, Unreadable, parse, summary
from evaluator.shell.parse.lexer import lex
from evaluator.shell.scope import Scope, known_hosts, types_on
from evaluator.shell.walk.statements import CODE_MAX, Walker
from evaluator.shell.walk.walker import BashRules, ShellRun

NO_RULES = Bash()
SEGMENTS_MAX = 200
PLAIN_FAMILIES = frozenset(("redirect", "files", "text", "format", "code"))
"""Whose files are written by their own text alone: no archive, link, image or lock file of a program's making."""


ACT = re.compile(
    r"(?:\S*/)?(?:(git)\b(?:\s+-\S+(?:\s+[^-\s]\S*)?)*?\s+(add|commit|push)|(gh|glab)\s+([a-z]+(?:\s+[a-z]+)?))(?=\s|\Z)"
)
"""The kinds of acts that a person lets an agent do again and again, as their commands begin."""
TERMINAL = re.compile(
    r"/dev/(?:pts/[^/]+|tty[A-Za-z]*\d+|ttyUSB\d+|console|vcs[au]?\d*|uinput|input/.*|hidraw\d+)\Z|/proc/[^/]+/fd/\d+\Z"
)
"""Other people's terminals and keyboards. `/dev/tty` is the command's own: writing there is ordinary output."""
OUTWARD = frozenset(("forge", "push"))
"""What they do without a target is done on a server that others look at."""
KINDS: dict[str, EffectKind] = {"agent": "agent", "keyboard": "keyboard"}
"""Families with rules of their own."""


@dataclass(unsafe_hash=True, slots=True)
class Segment:
    """One command of the line, as written, and what it does. Both are None for what only reads."""

    text: str
    program: str
    family: str
    verdict: ShellVerdict
    operation: Operation | None
    operation_class: OperationClass | None
    targets: tuple[str, ...]


@dataclass(unsafe_hash=True, slots=True)
class Analysis:
    """`problem` says why a command could not be read; it is empty for one that could.

    `ran` are the commands that it runs, those inside of others before them; `values` the texts that may run later;
    `written` the files that it writes.
    """

    effects: Effects
    segments: tuple[Segment, ...] = ()
    problem: str = ""
    ran: tuple[Ran, ...] = ()
    values: tuple[str, ...] = ()
    written: frozenset[str] = frozenset()
    offence: str = ""
    """What one of the commands does to the gate, in words that follow "it"."""


def classify(command: str, cwd: str, rules: Bash = NO_RULES, host: str = "") -> Effects:
    """The effect of the whole command line. `cwd` is absolute; raises nothing.

    Where `host` lets its agent type on, a command that waits for orders is `unknown` too.

    What cannot be parsed, is dynamic, or passes a bound has verdict `unknown`. `Effect.command` has no heredoc bodies,
    no inline code and no literal text that goes to a file.
    """
    found = explain(command, cwd, rules)
    if not types_on(host):
        return found.effects
    from evaluator.shell.waiting import waits

    effects = found.effects
    if not waits(found.ran):
        return effects
    typed = effect("unknown", identity=digest(" ".join(command.split())))
    kept = () if effects.verdict == "read_only" else effects.each
    return folded([*kept, typed], opaque=True, command=effects.command, lines=effects.lines)


def explain(command: str, cwd: str, rules: Bash = NO_RULES) -> Analysis:
    """The effect of the line, with what each command of it does, and why a command could not be read."""

    return _analyse_bash(command, cwd, rules, known_hosts())


@lru_cache(maxsize=8)
def _analyse_bash(command: str, cwd: str, rules: Bash, known: tuple[str, ...]) -> Analysis:
    """Several steps of a check ask about the same command. `known`: the hosts that were joined."""
    return analyse(command, cwd, rules)


def analyse(command: str, cwd: str, rules: Bash = NO_RULES) -> Analysis:
    """`cwd` is absolute. Bounds are those of `walk`, `lexer` and `grammar`; past one the verdict is unknown."""
    source = command.encode("utf-8", "surrogatepass")
    problem = "" if source else "there is no command"
    problem = problem or (
        "too long" if len(source) > CODE_MAX else "a NUL character" if b"\0" in source else ""
    )
    if problem:
        return _unreadable_analysis(command, problem)
    run = ShellRun(BashRules.of(rules))
    try:
        lexed = lex(source)
        walker = Walker(run, lexed, Scope(cwd), root=True, depth=0)
        walker.walk(parse(lexed))
    except Unreadable as error:
        return _unreadable_analysis(command, str(error))
    segments = tuple(_shell_segment(outcome, text) for outcome, text in walker.found[:SEGMENTS_MAX])
    text = run.content.without(lexed)
    seen = (tuple(run.ran), tuple(run.values), frozenset(run.written))
    changing = [(outcome, said) for outcome, said in walker.found if outcome.verdict != "read_only"]
    if not changing:
        effects = Effects("read_only", "read", CLASS_OF["read"], command=text)
        return Analysis(effects, segments, "", *seen)
    opaque = any(outcome.verdict == "unknown" for outcome, _ in changing)
    # Whether their targets or their own words tell what they are.
    named = all(
        all(outcome.targets) if outcome.targets else outcome.verdict == "write" and outcome.does
        for outcome, _ in changing
    )
    whole = "" if named else digest(" ".join(command.split()))
    each = dict.fromkeys(one for outcome, said in changing for one in _analyse_outcome(outcome, said, whole))
    effects = folded(list(each), opaque=opaque, command=text, lines=run.lines)
    offence = next((outcome.offence for outcome, _ in walker.found if outcome.offence), "")
    return Analysis(effects, segments, "", *seen, offence)


def _analyse_outcome(outcome: Outcome, said: str, whole: str) -> list[Effect]:
    """`said` is its command, `whole` names the line: what cannot be read depends on all that stands before it."""
    plain = outcome.verdict == "write" and outcome.family in PLAIN_FAMILIES
    alone = outcome.does if outcome.verdict == "write" else ""
    kind, act = KINDS.get(outcome.family, ""), ACT.match(said.lstrip())
    return [
        effect("unknown", target, kind="keyboard")
        if TERMINAL.match(target)
        else effect(
            outcome.operation,
            target,
            severity=outcome.operation_class,
            excusable=plain and "$" not in target and "`" not in target,
            identity="" if target else digest(alone) if alone else whole,
            kind=kind,
            outward=not target and outcome.family in OUTWARD,
            act="" if target or not act else " ".join(filter(None, act.groups())),
        )
        for target in outcome.targets or ("",)
    ]


def _shell_segment(outcome: Outcome, text: str) -> Segment:
    reading = outcome.verdict == "read_only"
    does, severity = (None, None) if reading else (outcome.operation, outcome.operation_class)
    return Segment(text, outcome.program, outcome.family, outcome.verdict, does, severity, outcome.targets)


def _unreadable_analysis(command: str, problem: str) -> Analysis:
    only = effect("unknown", identity=digest(" ".join(command.split())))
    effects = folded([only], opaque=True, command=summary(command)[:COMMAND_MAX])
    segment = Segment(command[:COMMAND_MAX], "", "unreadable", "unknown", "unknown", "destructive", ())
    return Analysis(effects, (segment,), problem)
