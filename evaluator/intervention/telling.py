"""A held call, told twice: to the person in at most five lines, to the agent in one sentence. Pure.

The words are those of `texts/<language>.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, cast

from evaluator.effects import text_of
from evaluator.exchange.menu import sentences
from evaluator.intervention.language import LANGUAGES
from evaluator.model import Convergence, Effects, PendingWrite, Sample
from evaluator.record import Record
from evaluator.tables import table
from evaluator.text import safe, width
from evaluator.trigger.rules import display_target

Cause = Literal[
    "ambiguous", "unclear", "scope", "destructive", "question", "ban", "rule", "agent", "unfit", "budget", "thin",
    "down", "unreadable",
]  # fmt: skip
COLUMNS = 100
QUOTE_MIN = 24
"""Columns that the user's words keep where the rest of a line leaves them less."""
TYPED_LINES_MAX = 5
POINT_MIN = 16
"""Columns of a sentence that can stand for a message."""
OF_REQUEST = ("ambiguous", "unclear", "scope", "destructive", "question")
"""Causes that an answer of the user's may settle; what is still held after it is told as such."""
IN_FILES = ("create", "append", "edit", "overwrite", "delete", "move", "permissions")
ONLY_ANSWER = "only answer, change nothing"
BRIEF = (
    "Compass checks writes here: where the user's request can be read in more than one way, the write is held until "
    "the user settles it.\n"
    "If the request leaves open what to change, where, or how far, ask the user first: a numbered question, before "
    "any write, saves the block."
)
"""What the agent is told as a session starts."""
_PUSH = re.compile(r"git push(?: -u| --set-upstream)? (?!-)([\w.-]+)(?: ([\w./-]+))?")
_GOES_ON = re.compile(r"(?:[|&;({\\]|\b(?:do|then|else))$")
"""A line after which the command is not over."""
_BACKSLASH = "\\"
_OUTPUT = re.compile(r" 2>&1(?: \| (?:tail|head) [\w -]+)?$")
"""What a command does with its output is not what it waits for."""
_SUBJECT = re.compile(
    r"""-\w*m[\s=]*(?:"?\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*(.+)|"([^"\n$`]+)|'([^'\n]+))"""
)
_CLAUSE = re.compile(r"[,:;]\s|\s[-–—]+\s|[，、；：]")


class Texts(Record):
    """The file of one language: `acts` by what is done, `why` by the cause."""

    rows: Mapping[str, str]
    acts: Mapping[str, str]
    why: Mapping[str, str]


class HeldThing(Record):
    """What is held, as people are told of it: `kind` is a key of `acts`, `what` its file, remote, command or tool.

    `said` is what the user typed last that it was judged by. `again`: they have answered the hold before.
    """

    kind: str
    what: str
    said: str = ""
    language: str = "en"
    again: bool = False

    def act(self, language: str = "en", columns: int = COLUMNS) -> str:
        """As in "delete src/a.py"; of a path the end is kept, of a command the beginning."""
        form = texts_in(language).acts[self.kind]
        room = columns - width(form.format(what=""))
        if self.kind == "commit":
            return f'{form} "{fit(self.what, room - 3)}"' if self.what else form
        if self.kind in ("run", "call"):
            return form.format(
                what=f"`{fit(self.what, room - 2)}`" if self.kind == "run" else fit(self.what, room)
            )
        what = self.what
        while width(what) > room:
            what = "…" + what[2:]
        return form.format(what=what)


class BlockTexts(Record):
    """`agent` is the reason of the denial, `person` what the user is shown."""

    agent: str
    person: str


@cache
def texts_in(language: str) -> Texts:
    found = table(f"intervention/texts/{language}")
    rows = {key: text for key, text in found.items() if isinstance(text, str)}
    return Texts(rows, _table(found["acts"]), _table(found["why"]))


@cache
def last_choices() -> tuple[str, ...]:
    """The words for "something else" in each language."""
    return tuple(texts_in(language).rows["other"] for language in LANGUAGES)


@cache
def _for_agent() -> tuple[Mapping[str, str], Mapping[str, str]]:
    found = cast("Mapping[str, object]", table("intervention/texts/en")["agent"])
    return _table(found), _table(found["because"])


def _table(found: object) -> Mapping[str, str]:
    return cast("Mapping[str, str]", found)


def act_of(pending: PendingWrite, effects: Effects) -> tuple[str, str]:
    """(`kind`, `what`) of a call, for `HeldThing`."""
    if effects.operation in IN_FILES and effects.targets:
        return effects.operation, display_target(pending, effects.targets)
    lines = [line.strip() for line in effects.command.splitlines() if not line.lstrip().startswith("#")]
    joined = "".join(
        f"{line.rstrip(_BACKSLASH)} " if _GOES_ON.search(line) else f"{line}; " for line in lines if line
    )
    command = _OUTPUT.sub("", " ".join(safe(joined.removesuffix("; "), " ").replace("`", "'").split()))
    if pushed := _PUSH.fullmatch(command):
        return "push", "/".join(filter(None, pushed.groups()))
    if _only_commits(effects) and "--amend" not in command:
        subject = _SUBJECT.search(text_of(pending.tool_input, "command"))
        said = next(filter(None, subject.groups())) if subject else ""
        return "commit", " ".join(safe(said, " ").replace('"', "'").split())
    if command:
        return "run", command
    return "call", safe(pending.tool_name.removeprefix("mcp__").replace("__", ": "), " ")


def _only_commits(effects: Effects) -> bool:
    """Whether it commits, and does no more than to stage first."""
    stages = all(
        one.operation == "vcs" and (one.act in ("git add", "git commit") or (one.target and not one.act))
        for one in effects.each
    )
    return stages and any(one.act == "git commit" for one in effects.each)


def cause_of(convergence: Convergence, samples: Sequence[Sample], readings: Sequence[str]) -> Cause:
    """Why readers held a call of which these `readings` are offered."""
    if asked(samples):
        return "question"
    concern = convergence.primary_concern
    if concern in ("scope", "destructive"):
        return concern
    return "ambiguous" if len(readings) > 1 else "unclear"


def asked(samples: Sequence[Sample]) -> bool:
    """Whether most readers take the request for a question."""
    actions = [sample.reading.action for sample in samples if sample.valid and sample.reading is not None]
    return 2 * actions.count("answer") > len(actions)


def held(
    thing: HeldThing,
    cause: Cause,
    readings: Sequence[str] = (),
    *,
    quote: str = "",
    file: str = "",
    ran: bool = False,
) -> BlockTexts:
    """`quote` are the words that forbid it, or that the user chose, else those of the request; `file` where they stand.

    `ran`: the gate only watches, so nobody is interrupted.
    """
    forms, because = _for_agent()
    why = because[cause].format(quote=_cut(quote, COLUMNS), file=file)
    if ran:
        return BlockTexts(forms["observed"].format(act=thing.act(), because=why), "")
    offered = ", ".join(f"({number}) {text}" for number, text in enumerate(readings, 1))
    form = forms["asked" if offered else "unfit" if cause == "unfit" else "held"]
    agent = form.format(act=thing.act(), because=why, readings=offered)
    texts = texts_in(thing.language)
    last = texts.rows["choose" if offered else "say"]
    return BlockTexts(agent, _shown(thing, "held", _why(thing, cause, readings, quote, file), readings, last))


def unjudged(thing: HeldThing, met: Sequence[str], why: str = "") -> BlockTexts:
    """The check could not complete; says so and why (`met`), so that it is not taken for a judgement."""
    seen = "; ".join(dict.fromkeys(cause for cause in met if cause)) or "no reader answered"
    agent = _for_agent()[0]["unchecked"].format(act=thing.act(), because=seen)
    texts = texts_in(thing.language)
    return BlockTexts(agent, _shown(thing, "unchecked", why or texts.why["down"], (), texts.rows["once"]))


def unreadable(thing: HeldThing, cause: str) -> BlockTexts:
    """Nobody can release the call: that would stand in the state that cannot be read."""
    agent = _for_agent()[0]["unchecked"].format(act=thing.act(), because=cause)
    return BlockTexts(agent, _shown(thing, "unchecked", texts_in(thing.language).why["unreadable"], (), ""))


def would_have(thing: HeldThing, why: str) -> str:
    """Of a call that ran because the gate only watches."""
    return _for_agent()[0]["observed"].format(act=thing.act(), because=why)


def again(thing: HeldThing, readings: Sequence[str] = (), form: str = "again") -> BlockTexts:
    """Denied once more: `again`, `exceeding` what was released, `cancelled`; or `unattended`, and so not denied.

    The person is told where they have answered since.
    """
    agent = _for_agent()[0][form].format(act=thing.act())
    if form != "again" or not thing.again:
        return BlockTexts(agent, "")
    last = texts_in(thing.language).rows["choose" if readings else "say"]
    return BlockTexts(agent, _shown(thing, "held", _why(thing, "unclear", readings), readings, last))


def question(language: str, cause: Cause, said: str, readings: Sequence[str]) -> list[str]:
    """Why it waits and the readings, without what can only be typed where a write is held."""
    return [_why(HeldThing("run", "", said, language), cause, readings), *_numbered(readings)]


def _why(thing: HeldThing, cause: Cause, readings: Sequence[str], quote: str = "", file: str = "") -> str:
    """One sentence that quotes the user."""
    found: str = cause
    if thing.again and cause in OF_REQUEST:
        found = "still_which" if len(readings) > 1 else "still"
    forms, said = texts_in(thing.language).why, quote or thing.said
    form = forms[found]
    if "{quote}" in form and not said.strip():
        form = forms["unsaid"]
    room = max(COLUMNS - width(form.format(quote="", file=file)), QUOTE_MIN)
    return form.format(
        quote=_cut(said if quote else _point(said, room, asks=cause == "question"), room), file=file
    )


def _shown(thing: HeldThing, frame: str, why: str, readings: Sequence[str], last: str) -> str:
    """What waits, why, what it can mean, what to type. With three readings the first two share a line."""
    form = texts_in(thing.language).rows[frame]
    head = form.format(act=thing.act(thing.language, COLUMNS - width(form.format(act=""))))
    first = [f"{head}. {why}"] if len(readings) > 2 else [head, why]
    return "\n".join(line for line in (*first, *_numbered(readings), last) if line)


def _numbered(readings: Sequence[str]) -> list[str]:
    return [fit(f"  {number}. {text}") for number, text in enumerate(readings, 1)]


def _point(said: str, columns: int, *, asks: bool) -> str:
    """Of a longer message the sentence that it comes down to: its last question where it `asks`, else its last one, and
    of a longer sentence what it says last. What seems to be pasted is quoted from its beginning."""
    text = said.strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    pasted = len(lines) > TYPED_LINES_MAX or any(line.endswith((":", "：")) for line in lines)
    if width(text) <= columns or pasted:
        return said
    each = [one.strip(")\"'”") for line in lines for one in sentences(line)]
    asked = [one for one in each if one.endswith(("?", "？"))] if asks else []
    found = asked or [one for one in each if width(one) >= POINT_MIN]
    if not found:
        return said
    point = found[-1]
    if width(point) <= columns:
        return point
    tails = [point[one.end() :] for one in _CLAUSE.finditer(point) if width(point[one.end() :]) >= POINT_MIN]
    fitting = [one for one in tails if width(one) < columns]
    return f"…{(fitting or tails[-1:])[0]}" if tails else point


def _cut(said: str, columns: int) -> str:
    """The user's words from their beginning, on one line, cut between two of them."""
    plain = " ".join(safe(said, " ").replace('"', "'").split()).rstrip(".!。！")
    if width(plain) <= columns:
        return plain
    short = fit(plain, columns).rstrip("…")
    kept, blank, _ = short.rpartition(" ")
    return f"{kept.rstrip(' ,;:') if blank and len(kept) > len(short) // 2 else short}…"


def fit(text: str, columns: int = COLUMNS) -> str:
    """One line of at most `columns`, its end cut."""
    line = " ".join(text.split()) if "\n" in text else text
    if width(line) <= columns:
        return line
    while width(line) > columns - 1:
        line = line[:-1]
    return line.rstrip() + "…"
