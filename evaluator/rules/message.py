"""A message as what it forbids and what it orders, clause by clause, in eleven languages. Pure.

Only what a person typed counts: quotations, logs, code, pasted text, reports and questions forbid nothing. Whatever is
unsure is no ban.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from evaluator.exchange import verbs
from evaluator.exchange.fold import fold, is_unspaced
from evaluator.exchange.pasted import parted
from evaluator.record import Record
from evaluator.rules import words

Sort = Literal["thing", "only", "act", "halt"]
TEXT_CHARS_MAX, CLAUSES_MAX, QUOTE_CHARS_MAX = 8_000, 120, 90
_MARKS = words.MARKS
_SENTENCE = re.compile(words.SENTENCE)
_CLAUSE = re.compile(words.CLAUSE)
_QUOTED = re.compile(words.QUOTED)
_EDGES = " \t.!…*_-•>。！"
_INTERJECTION = re.compile(words.INTERJECTION)
_NAME = re.compile(words.NAME, re.ASCII)
_NO_NAMES = frozenset(words.NO_NAMES.split())
_KIND_OF = re.compile(words.KIND_OF)
_ENDINGS = frozenset(words.ENDINGS.split())
_FOLDER = re.compile(words.FOLDER)
_REPORTED = re.compile(words.REPORTED)
_OWN_WORDS = re.compile(words.OWN_WORDS)
_CONDITION = re.compile(words.CONDITION)
_TALK = re.compile(words.TALK)
_SUITES = re.compile(words.SUITES)
_ADJECTIVES = frozenset(words.ADJECTIVES.split())
"""Before a kind of file they do not tell which."""
_CONDITION_OF_ACT = re.compile(words.CONDITION_OF_ACT)
"""When an act may be done after all: that is for the user to say."""
_NOT_ONLY = re.compile(words.NOT_ONLY)
_ONLY_OF = re.compile(words.ONLY_OF)
_NOTHING_ELSE = re.compile(words.NOTHING_ELSE)
_WORD = re.compile(r"[^\W_][\w'-]*|[\u0900-\u097f]+")
_PREPOSITION = re.compile(words.PREPOSITION)
_OTHERS = re.compile(words.OTHERS)


class Ban(Record):
    """`quote` is how the user put it, `source` the instruction file that it stands in, empty for what they typed.

    `names` and `kinds` say which files, `acts` which acts (keys of `words.ACTS`); `needs` are words that a path or a
    command has to hold as well. `spares` are names that the same message allows.
    """

    sort: Sort
    quote: str
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    source: str = ""


class Clause(Record):
    """`text` is folded, `said` as it was written; `asks`: it belongs to a question that is no polite order."""

    text: str
    said: str
    asks: bool
    first: bool
    doubted: bool = False
    """Its sentence reports what somebody said."""
    conditional: bool = False
    limits: bool = False
    """Nothing but what it names may be touched."""
    remarks: bool = False
    """Its sentence goes on to tell something: what opens it ("wait, so the issue was ...") is an interjection."""


class Message(Record):
    """A message as what it forbids, and what it orders or allows, clause by clause."""

    bans: tuple[Ban, ...]
    orders: tuple[str, ...]
    says: tuple[str, ...]
    goes: bool
    text: str


def agrees(text: str) -> bool:
    """Whether a message opens with words that let the agent go on."""
    folded = fold(text)
    return any(_compiled(words.LANGUAGES[one]["goes"]).search(folded) for one in _languages(folded))


@lru_cache(maxsize=512)
def read(text: str, *, in_file: bool = False) -> Message:
    own = parted(text[:TEXT_CHARS_MAX])[0]
    clauses = _clauses(own)
    bans: list[Ban] = []
    orders: list[str] = []
    says: list[str] = []
    ordered = in_file
    lifts_halt = False
    for clause in clauses:
        found = None if clause.asks or clause.doubted else _ban(clause, ordered=ordered, in_file=in_file)
        if found is not None and not (in_file and found.sort in ("halt", "only")):
            bans.append(found)
            continue
        if found is not None:
            continue
        if not clause.asks:
            says.append(clause.text)
        if not clause.asks and (_is_order(clause.text) or agrees(clause.text)):
            orders.append(clause.text)
        if not clause.asks and _is_order(clause.text):
            ordered = True
            if not _TALK.search(clause.text):
                lifts_halt = any(ban.sort == "halt" for ban in bans)
    if lifts_halt:
        bans = [ban for ban in bans if ban.sort != "halt"]
    spared = tuple(name for ban in bans if ban.sort == "only" for name in ban.names)
    if spared:
        bans = [ban if ban.sort == "only" else _sparing(ban, spared) for ban in bans]
    halts = any(ban.sort == "halt" for ban in bans)
    return Message(tuple(bans), tuple(orders), tuple(says), agrees(own) and not halts, fold(own))


def _sparing(ban: Ban, names: tuple[str, ...]) -> Ban:
    return Ban(
        ban.sort, ban.quote, ban.names, ban.kinds, ban.acts, ban.needs, (*ban.spares, *names), ban.source
    )


def _clauses(text: str) -> list[Clause]:
    found: list[Clause] = []
    plain = _QUOTED.sub(_unquoted, text)
    for sentence in _SENTENCE.split(plain):
        if not sentence.strip():
            continue
        low = fold(sentence)
        if _NOTHING_ELSE.search(low) and (paths_in(low) or _kinds_in(low)):
            said = sentence.strip(_EDGES)
            found.append(Clause(low.replace("`", ""), said, False, not found, limits=True))
            continue
        languages = _languages(low)
        asks = low.rstrip(" \"')").endswith(("?", "？", "؟")) and not any(
            re.search(words.LANGUAGES[one]["polite"], low) for one in languages
        )
        asks = asks or re.search(r"(?:吗|呢|ですか|ますか|でしょうか|까요)[?？。]?$", low) is not None
        doubted = _REPORTED.search(low) is not None and _OWN_WORDS.search(low) is None
        conditional = _CONDITION.search(low) is not None
        parts = [part for part in _CLAUSE.split(sentence) if part.strip(_EDGES)]
        opening = len(_CLAUSE.split(sentence.partition(": ")[0])) if asks and ": " in sentence else 0
        for at, part in enumerate(parts):
            said = part.strip(_EDGES)
            interjected = at == 0 and len(parts) > 1 and _INTERJECTION.match(fold(said)) is not None
            remarks = (
                not asks
                and interjected
                and not all(_INTERJECTION.match(fold(one.strip(_EDGES))) for one in parts)
            )
            asked = asks and at >= opening and not interjected
            found.append(
                Clause(
                    fold(said).replace("`", ""), said, asked, not found, doubted, conditional, remarks=remarks
                )
            )
            if len(found) >= CLAUSES_MAX:
                return found
    return found


def _unquoted(found: re.Match[str]) -> str:
    inner = found.group()[1:-1]
    return (
        inner
        if _NAME.fullmatch(inner.strip().casefold()) or re.fullmatch(r"[\w@./*-]{1,40}", inner)
        else " … "
    )


def _languages(low: str) -> tuple[str, ...]:
    if low.isascii() or not any(char > "\u024f" for char in low):
        return ("en", *(one for one, marks in _MARKS.items() if _compiled(marks).search(low)))
    found = ["en"]
    if re.search(r"[\u3040-\u30ff]", low):
        found.append("ja")
    elif re.search(r"[\u4e00-\u9fff]", low):
        found.append("zh")
    for name, span in (("ko", "[\uac00-\ud7af]"), ("ru", "[\u0400-\u04ff]"), ("hi", "[\u0900-\u097f]")):
        if re.search(span, low):
            found.append(name)
    return tuple(found)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _ban(clause: Clause, *, ordered: bool, in_file: bool) -> Ban | None:
    if clause.limits:
        return Ban(
            "only",
            _quote(clause),
            names=paths_in(clause.text),
            kinds=() if paths_in(clause.text) else _kinds_in(clause.text),
        )
    best: Ban | None = None
    for language in _languages(clause.text):
        table = words.LANGUAGES[language]
        found = (
            _english(clause, table, ordered=ordered)
            if language == "en"
            else _other(clause, table, ordered=ordered)
        )
        if found is not None and (best is None or (best.needs and not found.needs)):
            best = found
    return best


def _quote(clause: Clause) -> str:
    said = " ".join(clause.said.split())
    return said if len(said) <= QUOTE_CHARS_MAX else said[: QUOTE_CHARS_MAX - 1].rstrip() + "…"


def _english(  # noqa: PLR0911, PLR0912 - one way of forbidding after another
    clause: Clause, table: dict[str, str], *, ordered: bool
) -> Ban | None:
    """Where a denial opens the clause. A denial further in tells of something."""
    text = _compiled(rf"(?:(?:{table['lead']})\b[ ,]*)*").sub("", clause.text, count=1)
    text = re.sub(r"^i (?:do not|don'?t|dont) want (?:you to|any) ", "don't ", text)
    if not text:
        return None
    if _is_halt(clause, text, table):
        return Ban("halt", _quote(clause))
    limits = _compiled(rf"{table['beyond']}$").search(text)
    only = _compiled(rf"(?:{table['only']})$").match(text)
    if limits:
        found = _things("only", clause, _what(limits), table, bare=False)
        if found is not None:
            return found
    if only and not _compiled(rf"{table['neg']}\b").match(text):
        found = _things("only", clause, _what(only), table, bare=False, strict=True)
        if found is not None:
            return found
    neg = _compiled(rf"(?:you )?{table['neg']}(?: (?:ever|even|also|you|dare|to|be|in any case))*\s+").match(
        text
    )
    if neg and not _compiled(table["subject"]).match(text):
        rest = _CONDITION_OF_ACT.sub("", text[neg.end() :])
        touched = _compiled(table["touch"]).match(rest)
        # What is denied of a thing inside another is its own: "commit" comes first.
        acts = None if clause.conditional else _acts(clause, rest, table)
        if acts is not None and not (touched and _NAME.search(rest)):
            return acts
        if touched:
            found = _things("thing", clause, rest[touched.end() :], table, bare=True)
            if found is not None:
                return found
        if acts is not None:
            return acts
    alone = _compiled(rf"(?:{table['alone']})$").match(text)
    if alone and not text.startswith(("keep it", "let it")):
        strong = not text.startswith(("let ", "ignore "))
        found = _things("thing", clause, _what(alone), table, bare=strong)
        if found is not None:
            return found
    mine = re.match(r"leave (?:the |any )?(.+?) (?:to|for) me$", text)
    if mine and (acts := _acts(clause, mine[1], table)):
        return acts
    left = (
        None
        if clause.conditional
        else re.match(r"leave (?:it|them|everything|the changes|that) (?:un)(commit|push|stag)", text)
    )
    if left is not None:
        return Ban("act", _quote(clause), acts=("push" if left[1] == "push" else "commit",))
    mine = re.match(
        r"i(?:'ll| will| want to|'d like to| do the)? (?:do the )?(.+?)(?: it| this| that| them)?"
        r" (?:myself|by myself|on my own)$",
        clause.text,
    )
    if mine:
        return _acts(clause, mine[1], table)
    excepted = _compiled(rf"(?:{table['except']})$").match(text)
    if excepted and ordered:
        return _things("thing", clause, _what(excepted), table, bare=False, strict=True)
    if neg and ordered:
        return _things("thing", clause, text[neg.end() :], table, bare=False, strict=True)
    return None


def _other(clause: Clause, table: dict[str, str], *, ordered: bool) -> Ban | None:
    """A denial and what it denies, wherever they stand: the verb comes last in half of these languages."""
    text = re.sub(rf"^(?:(?:{table['lead']})[\s,]*)*", "", clause.text) or clause.text
    if _is_halt(clause, text, table):
        return Ban("halt", _quote(clause))
    if _compiled(table["subject"]).search(clause.text):
        return None
    denies = _compiled(table["neg"]).search(clause.text)
    touches = _compiled(table["touch"]).search(clause.text)
    if _compiled(table["beyond"]).search(clause.text):
        return _things("only", clause, clause.text, table, bare=False)
    if _compiled(table["alone"]).search(clause.text):
        found = _things("thing", clause, clause.text, table, bare=False)
        if found is not None:
            return found
    if (
        _compiled(table["only"]).search(clause.text)
        and _NAME.search(clause.text)
        and not _NOT_ONLY.search(clause.text)
    ):
        found = _things("only", clause, _ONLY_OF.sub(" ", clause.text), table, bare=False)
        if found is not None:
            return found
    bounded = _CONDITION_OF_ACT.sub("", clause.text)
    acts = None
    if denies and not clause.conditional:
        acts = _acts(clause, _compiled(table["neg"]).sub(" ", bounded), table)
    if acts is not None and not (touches and _NAME.search(clause.text)):
        return acts
    if denies and touches:
        return _things("thing", clause, clause.text, table, bare=False)
    if _compiled(table["only"]).search(clause.text) and not denies:
        return _things("only", clause, clause.text, table, bare=False, strict=True)
    excepted = _compiled(rf"(?:{table['except']})").match(text)
    if excepted and (ordered or "＾" in text or not clause.first):
        return _things("thing", clause, _what(excepted), table, bare=False)
    return None


def _what(found: re.Match[str]) -> str:
    return next((group for group in found.groups() if group), "")


def _is_halt(clause: Clause, text: str, table: dict[str, str]) -> bool:
    if clause.conditional or (clause.remarks and len(text.split()) < 6):
        return False
    return _halts(text, table) or _halts(clause.text, table)


def _halts(text: str, table: dict[str, str]) -> bool:
    found = _compiled(rf"(?:{table['halt']})").fullmatch(text)
    if found is None or _NAME.search(text):
        return False
    until = next((group for group in found.groups() if group), None) if found.groups() else None
    vague = re.search(
        r"\b(?:do|change|write|touch|edit|make|start|begin|act|proceed) (?:it|this|that|the code|code)\b",
        text,
    )
    if (
        vague
        and "un" not in (until or "")
        and not re.search(r"yet|until|before|without|for now|still|first", text)
    ):
        return re.search(r"(?:write|touch|edit|implement|start) (?:code|the code|any code)", text) is not None
    if until is not None:
        return (
            re.search(
                r"\b(?:yet|for now|until|before|without|at all|please|still|today|first|now|to|in|on|unless|till)\b",
                until,
            )
            is not None
        )
    return True


def _acts(clause: Clause, rest: str, table: dict[str, str]) -> Ban | None:
    """The acts that what is denied names; nothing where it says more of them than a command can show."""
    found = tuple(act for act, spoken in words.ACTS.items() if _compiled(spoken).search(rest))
    if not found:
        return None
    left = rest
    for act in found:
        left = _compiled(words.ACTS[act]).sub(" ", left)
    needs = _content(left, table)
    of_files = found in (("delete",), ("rename",), ("create",))
    if of_files and (_NAME.search(rest) or _kinds_in(left) or needs):
        return None
    names = tuple(name for name in paths_in(left))
    if "delete" in found and names:
        return None
    return Ban("act", _quote(clause), acts=found, needs=(*needs, *names))


def _content(text: str, table: dict[str, str]) -> tuple[str, ...]:
    """The words that say something of an object."""
    plain = _NAME.sub(" ", text)
    if any(is_unspaced(char) or "\u0900" <= char <= "\u097f" for char in plain):
        for key in ("neg", "touch", "filler", "lead", "only", "polite"):
            plain = _compiled(table[key]).sub(" ", plain)
        return tuple(
            word for word in re.findall(r"[\u3041-\u9fff\uac00-\ud7a3\u0900-\u097f]{2,}|[a-z]{3,}", plain)
        )
    for key in ("only", "beyond", "neg") if table is not words.LANGUAGES["en"] else ():
        plain = _compiled(table[key]).sub(" ", plain)
    filler = _compiled(rf"(?:{table['filler']}|{table['lead']})")
    return tuple(word for word in _WORD.findall(plain) if len(word) > 1 and not filler.fullmatch(word))


def _kinds_in(text: str) -> tuple[str, ...]:
    plain = _NAME.sub(" ", text)
    return tuple(kind for kind, (spoken, _) in words.KINDS.items() if _compiled(spoken).search(plain))


def paths_in(text: str) -> tuple[str, ...]:
    found = [name.strip(",;:").rstrip(".") for name in _NAME.findall(text)]
    return tuple(
        name
        for name in found
        if name not in _NO_NAMES and len(name.strip("./*")) > 0 and not re.fullmatch(r"[\d./]+", name)
    )


def _things(
    sort: Sort, clause: Clause, what: str, table: dict[str, str], *, bare: bool, strict: bool = False
) -> Ban | None:
    """What is named in `what`; None where nothing is, or (`strict`) where more is said than a name.

    `bare`: a plain word may name a file or folder.
    """
    names = [*paths_in(what)]
    names += [f".{one}" for pair in _KIND_OF.findall(what) for one in pair if one in _ENDINGS]
    kinds = _kinds_in(what)
    for groups in _FOLDER.findall(what):
        names += [
            one
            for one in groups
            if one and not _compiled(table["filler"]).fullmatch(one) and not _kinds_in(one)
        ]
    if _OTHERS.search(what) and sort == "thing":
        return None
    plain = what
    for kind in kinds:
        plain = _compiled(words.KINDS[kind][0]).sub(" ", plain)
    left = _content(_compiled(table["touch"]).sub(" ", plain), table)
    left = tuple(word for word in left if word not in names)
    needs: tuple[str, ...] = ()
    if kinds and not names:
        before = [
            word for kind in kinds for word in re.findall(rf"([\w-]+) (?:{words.KINDS[kind][0]})", what)
        ]
        needs = tuple(
            word
            for word in (*_PREPOSITION.findall(plain), *before)
            if word in left and word not in _ADJECTIVES
        )
        needs += tuple(word for word in _SUITES.findall(what) if "tests" in kinds)
    if strict and [word for word in left if word not in needs]:
        return None
    if not names and not kinds:
        if (
            not bare
            or not 1 <= len(left) <= 2
            or re.search(r"\b(?:that|which|because|so|behaviou?r|api|way)\b", what)
        ):
            return None
        names = ["-".join(left)] if len(left) == 2 else list(left)
    return Ban(sort, _quote(clause), names=tuple(dict.fromkeys(names)), kinds=kinds, needs=needs)


@cache
def _orders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The verbs of an order where it begins, and those of scripts without blanks, anywhere."""
    entries = [entry.strip() for listed in verbs.ORDERS.values() for entry in listed.split(",")]
    inner = [entry.rstrip("*") for entry in entries if any(map(is_unspaced, entry))]
    spaced = [
        re.escape(entry.rstrip("*")) + (r"\w*" if entry.endswith("*") else "")
        for entry in entries
        if not any(map(is_unspaced, entry))
    ]
    leads = "|".join(re.escape(entry.strip()) for entry in verbs.LEADS.split(","))
    return (
        re.compile(rf"(?:(?:{leads})(?!\w)[\s,]*)*(?:{'|'.join(spaced)}|{words.ALLOWS})(?!\w)"),
        re.compile("|".join(map(re.escape, inner))),
    )  # fmt: skip


def _is_order(text: str) -> bool:
    begins, inner = _orders()
    if begins.match(text) is not None:
        return True
    if any(is_unspaced(char) for char in text):
        return inner.search(text) is not None
    return re.search(r"[a-zäöü]{3,}en$", text) is not None and " " in text
