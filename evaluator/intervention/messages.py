"""A held call, told twice: to the person in at most five lines, to the agent in one sentence. Pure.

The words are those of `texts/<language>.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, cast

from evaluator.exchange.menu import as_question, sentences
from evaluator.exchange.orders import opens_with_order
from evaluator.intervention import wording
from evaluator.model import Convergence, Sample
from evaluator.record import Record
from evaluator.text import fold, safe, table, width

Cause = Literal[
    "ambiguous", "unclear", "scope", "destructive", "question", "ban", "rule", "agent", "unfit", "budget", "thin",
    "down", "unreadable",
]  # fmt: skip
COLUMNS = 100
QUOTE_MIN = 24
"""Columns that the user's words keep where the rest of a line leaves them less."""
OF_REQUEST = ("ambiguous", "unclear", "scope", "destructive", "question")
"""Causes that an answer of the user's may settle; what is still held after it is told as such."""
ONLY_ANSWER = "only answer, change nothing"
"""The reading that writes nothing: to choose it is to refuse what is held."""
READINGS_MAX = 3
_PUBLISHED = re.compile(r"git (commit|push)(?!.* (?:-d|--delete)\b)")
_STACKED = re.compile(r"(?<=[?!…？！])(\s?[\"”“»」])[.。।](?=\s|$)")
"""A quote that ends its own sentence ends the one around it."""
TYPED_LINES_MAX = 5
"""Of more lines a message was pasted: it is quoted from its beginning."""
_LEADS = re.compile(
    r"\A(?:(?:ok|okay|so|now|then|and|but|also|well|hmm|yes|no|maybe|just|first)\b[,. ]*|- )*"
)
_WANTS = re.compile(
    r"(?:let'?s|let us|(?:we|i) (?:should|want|need|have)(?: to)?|i'd like|(?:can|could|would) you)\b"
)
_QUESTION = re.compile(r"(?:what|how|why|when|where|who|which|is|are|does|did|any|anything|was|were)\b")
"""The beginning of a question whose mark is left out."""


class HeldThing(Record):
    """What is held, as people are told of it: `kind` is a key of `acts`, `what` its file, remote, command or tool,
    `others` its further files, or the commands that `what` leaves out.

    `said` is what the user typed last that it was judged by. `again`: they have answered the hold before.
    `lasting`: it is hard to undo.
    """

    kind: str
    what: str
    said: str = ""
    language: str = "en"
    again: bool = False
    others: tuple[str, ...] = ()
    lasting: bool = True

    def act(self, language: str = "en", columns: int = COLUMNS) -> str:
        """As in "delete src/a.py"; of a path the end is kept, of a command the beginning."""
        form = texts_in(language, "acts")[self.kind]
        room = columns - width(form.format(what=""))
        if self.kind == "commit":
            return f'{form} "{fit(self.what, room - 3)}"' if self.what else form
        more = f" (+{len(self.others)} more)" if self.others and self.kind not in wording.IN_FILES else ""
        room -= width(more)
        if self.kind == "run":
            return form.format(what=f"`{fit(wording.shortened(self.what, room - 2), room - 2)}`{more}")
        if self.kind in ("call", "push"):
            return form.format(what=f"{fit(self.what, room)}{more}")
        return form.format(what=wording.named_within((self.what, *self.others), room))


class BlockTexts(Record):
    """`agent` is the reason of the denial, `person` what the user is shown."""

    agent: str
    person: str


@cache
def texts_in(language: str, *part: str) -> Mapping[str, str]:
    """The texts of a language by name; `part` is a table in its file, such as `acts`, or one in that."""
    found: Mapping[str, object] = table(f"intervention/texts/{language}")
    for name in part:
        found = cast("Mapping[str, object]", found[name])
    return cast("Mapping[str, str]", found)


@cache
def last_choices() -> tuple[str, ...]:
    """The words for "something else" in each language."""
    return tuple(texts_in(language)["other"] for language in wording.LANGUAGES)


@cache
def answer_choices() -> frozenset[str]:
    """The words for `ONLY_ANSWER` in each language, folded."""
    return frozenset(fold(texts_in(language)["only_answer"]) for language in wording.LANGUAGES)


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

    `ran`: the gate only watches, and the agent is told of a call that ran.
    """
    forms = texts_in("en", "agent")
    why = texts_in("en", "agent", "because")[cause].format(quote=cut(quote or thing.said, COLUMNS), file=file)
    reason = _render_message_reason(thing, cause, readings, quote, file)
    person = _render_user_message(thing, "held", reason, readings)
    if ran:
        return BlockTexts(forms["observed"].format(act=thing.act(), because=why), person)
    offered = ", ".join(f"({number}) {text}" for number, text in enumerate(readings, 1))
    form = forms["asked" if offered else "unfit" if cause == "unfit" else "held"]
    return BlockTexts(form.format(act=thing.act(), because=why, readings=offered), person)


def unjudged(thing: HeldThing, met: Sequence[str], why: Literal["down", "unreadable"] = "down") -> BlockTexts:
    """The check could not complete; says so and why (`met`), so that it is not taken for a judgement.

    `unreadable`: nobody can release the call, as that would stand in the state that cannot be read.
    """
    seen = "; ".join(dict.fromkeys(cause for cause in met if cause)) or "no reader answered"
    agent = texts_in("en", "agent")["unchecked"].format(act=thing.act(), because=seen)
    last = texts_in(thing.language)["once"] if why == "down" else ""
    reason = texts_in(thing.language, "why")[why]
    return BlockTexts(agent, _render_user_message(thing, "unchecked", reason, (), last))


def guarded(thing: HeldThing, cause: str) -> BlockTexts:
    """No agent may do it, whatever was asked; `cause` follows "it". In English, as `cause` is."""
    forms = texts_in("en", "agent", "guarded_person")
    act = thing.act(columns=COLUMNS - width(forms["head"].format(act="")))
    why = _wrap_message_text(forms["why"].format(cause=cause))
    lines = [forms["head"].format(act=act), *why, forms["last"]]
    return BlockTexts(texts_in("en", "agent")["guarded"].format(cause=cause), "\n".join(lines))


def again(thing: HeldThing, readings: Sequence[str] = (), form: str = "again") -> BlockTexts:
    """Denied once more: `again`, `cancelled`; or `unattended`, and so not denied.

    The person is told where they have answered since.
    """
    agent = texts_in("en", "agent")[form].format(act=thing.act())
    if form != "again" or not thing.again:
        return BlockTexts(agent, "")
    reason = _render_message_reason(thing, "unclear", readings)
    return BlockTexts(agent, _render_user_message(thing, "held", reason, readings))


def question(language: str, cause: Cause, said: str, readings: Sequence[str]) -> list[str]:
    """Why it waits and the readings, without what can only be typed where a write is held."""
    thing = HeldThing("run", "", said, language)
    return [_render_message_reason(thing, cause, readings), *_message_option_lines(thing, readings, COLUMNS)]


def listed(thing: HeldThing, readings: Sequence[str], command: str = "") -> tuple[str, ...]:
    """The readings as they are offered: what is held is one of them, and where it only adds to another, that is said.

    Where none of them names it, it stands before them. `command` is that of the call.
    """
    act, meant = thing.act(), [one for one in readings if one != ONLY_ANSWER]
    # How the held act publishes work that is done; empty for any other.
    published = _PUBLISHED.match(thing.what) if thing.kind == "run" else None
    doing = published[1] if published else thing.kind if thing.kind in wording.PUBLISHING else ""
    others = [one for one in meant if doing not in fold(one)]
    if doing and others:
        return act, texts_in("en", "agent", "without")[doing].format(reading=others[0])
    if act in readings or wording.is_act_named((thing.what, *thing.others), command, meant):
        return tuple(readings)
    return (act, *readings)[:READINGS_MAX]


def _render_message_reason(
    thing: HeldThing, cause: Cause, readings: Sequence[str], quote: str = "", file: str = ""
) -> str:
    """One sentence that quotes the user; it takes two lines at most where nothing is listed."""
    forms = texts_in(thing.language, "why")
    found: str = "unclear" if cause == "destructive" and not thing.lasting else cause
    if thing.again and cause in OF_REQUEST:
        found = "still_which" if len(readings) > 1 else "still"
    if "{quote}" in forms[found] and not (quote or thing.said).strip():
        return forms["unsaid"].format(file=file)
    room = COLUMNS if readings else 2 * COLUMNS - QUOTE_MIN
    if len(readings) > 2:
        room -= width(texts_in(thing.language)["held"]) + width(thing.act(thing.language))
    room = max(room - width(forms[found].format(quote="", file=file)), QUOTE_MIN)
    said = quote or _quoted_message_part(thing.said, room, "question" if cause == "question" else "order")
    return _STACKED.sub(r"\1", forms[found].format(quote=cut(said, room), file=file))


def _quoted_message_part(said: str, columns: int, kind: str) -> str:
    """What is quoted of a message: all that fits, or its last order or question; of a pasted one the beginning."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    pasted = len(lines) > TYPED_LINES_MAX or any(line.endswith((":", "：")) for line in lines)
    if pasted or width(said.strip()) <= columns:
        return said
    each = [one.strip(")\"'” ").removeprefix("- ") for line in said.splitlines() for one in sentences(line)]
    return next((one for one in reversed(each) if one and _message_sentence_kind(one) == kind), said)


def _message_sentence_kind(sentence: str) -> Literal["question", "order", ""]:
    if as_question(sentence) is not None:
        return "question"
    bare = _LEADS.sub("", fold(sentence), count=1)
    if _WANTS.match(bare) or opens_with_order(bare):
        return "order"
    return "question" if _QUESTION.match(bare) else ""


def cut(said: str, columns: int) -> str:
    """The user's words from their beginning, on one line, cut between two of them."""
    plain = " ".join(safe(said, " ").replace('"', "'").split()).rstrip(".!。！")
    if width(plain) <= columns:
        return plain
    short = fit(plain, columns).rstrip("…")
    kept, blank, _ = short.rpartition(" ")
    return f"{kept.rstrip(' ,;:') if blank and len(kept) > len(short) // 2 else short}…"


def fit(text: str, columns: int) -> str:
    """One line of at most `columns`, its end cut."""
    line = " ".join(text.split()) if "\n" in text else text
    if width(line) <= columns:
        return line
    while width(line) > columns - 1:
        line = line[:-1]
    return line.rstrip() + "…"


def _render_user_message(
    thing: HeldThing, frame: str, why: str, readings: Sequence[str], last: str | None = None
) -> str:
    """What waits, why, what it can mean, what to type. With three readings the first two share a line."""
    texts = texts_in(thing.language)
    form = texts[frame]
    room = COLUMNS - width(form.format(act=""))
    head = form.format(act=thing.act(thing.language, room))
    first = [f"{head}. {why}"] if len(readings) > 2 else [head, *_wrap_message_text(why)]
    if last is None:
        plain = len(readings) == 2 and readings[0] == thing.act() and readings[1] == ONLY_ANSWER
        last = texts["pick" if plain else "choose" if readings else "say"]
    return "\n".join(line for line in (*first, *_message_option_lines(thing, readings, room), last) if line)


def _message_option_lines(thing: HeldThing, readings: Sequence[str], room: int) -> list[str]:
    """What is held in the words of the headline; what writes nothing in the person's language."""
    rows, act = texts_in(thing.language), thing.act()
    shown = {act: thing.act(thing.language, room), ONLY_ANSWER: rows["only_answer"]}
    return [fit(f"  {number}. {shown.get(text, text)}", COLUMNS) for number, text in enumerate(readings, 1)]


def _wrap_message_text(text: str) -> list[str]:
    """On lines of `COLUMNS`, broken between words where there are any."""
    lines: list[str] = []
    rest = text
    while width(rest) > COLUMNS:
        line = rest
        while width(line) > COLUMNS:
            line = line[:-1]
        broken = line.rpartition(" ")[0]
        line = broken if len(broken) > len(line) // 2 else line
        lines.append(line)
        rest = rest[len(line) :].lstrip()
    return [*lines, rest]
