"""A message as clauses, and what each is: a question, somebody else's words, a condition, an aside; an instruction file
as lines. Pure."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from evaluator.exchange import reply_tokens
from evaluator.record import Record, replace
from evaluator.rules.vocabulary import Words, listed, shared, words, words_for
from evaluator.text import fold, is_unspaced

CLAUSES_MAX = 120
QUOTATION = " citation "
"""Stands for what somebody else said, or for code: a thing that nothing more is known of."""
EDGES = " \t.!…*_-•>。！"
LINES_MAX = 600
HEADING_WORDS_MAX = 6
"""A heading of more words says more than that what follows is forbidden."""
_BULLET = re.compile(r"\s*(?:[-*+•>]|\d+[.)])\s")


class Clause(Record):
    """`text` is folded, `said` as it was written. `names` and `kinds` are what "it" may stand for.

    `asks`: it belongs to a question that is no polite order. `doubted`: its sentence reports what somebody said.
    `conditional`: a condition stands in it. `limits`: nothing but what it names may be touched. `aside`: it opens
    brackets, `bracketed`: it stands in some. `whole`: it is all of a sentence whose clauses follow. `remarks`: the
    sentence goes on to tell something: what opens it ("wait, so the issue was ...") is an interjection. `spares`:
    "nothing" is denied, and an exception follows.
    """

    text: str
    said: str
    asks: bool = False
    doubted: bool = False
    conditional: bool = False
    limits: bool = False
    aside: bool = False
    bracketed: bool = False
    whole: bool = False
    remarks: bool = False
    spares: bool = False
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def lines_in(text: str) -> tuple[str, ...]:
    """Those of an instruction file, without markup, code blocks and blank lines. A heading that forbids ("Off limits",
    "Never:") stands before each line of its list."""
    kept: list[str] = []
    fenced, heading = False, ""
    for line in text.splitlines()[:LINES_MAX]:
        plain = line.strip().lstrip("#>*+- \t").replace("**", "").strip()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif plain and not fenced:
            listed = _BULLET.match(line) is not None
            leads = line.lstrip().startswith("#") or (not listed and plain.endswith((":", "：")))
            if leads or not (listed or "/" in plain):
                title = plain.rstrip(" :：")
                heading = title if leads and _forbids(title) else ""
            kept.append(f"{heading}: {plain}" if heading and not leads else plain)
    return tuple(kept)


def below_heading(line: str) -> str:
    """ "Off limits: a.py, b.py" as a clause; empty for other lines."""
    heading, colon, rest = line.partition(": ")
    sort = _forbids(heading) if colon else ""
    if not sort:
        return ""
    rest = rest.replace(", ", " and ")
    return f"{rest} is off limits" if sort == "stays" else f"{heading} {rest}"


def _forbids(heading: str) -> Literal["", "stays", "denies"]:
    """Whether a heading says that the files below it must stay, or denies what is said below it, and says no more."""
    folded = fold(heading)
    w = words_for(folded)
    if len(folded.split()) > HEADING_WORDS_MAX:
        return ""
    denied = w["deny"].match(w.led(folded)) is not None
    if w.has(folded, "asis", "off", "denied") or (denied and w.has(folded, "touch")):
        return "" if w.content(folded, "asis", "off", "denied", "touch") else "stays"
    return "denies" if denied and not w.content(folded, "make", "any") else ""


def clauses(text: str, w: Words) -> list[Clause]:
    found: list[Clause] = []
    for sentence in shared("sentence").split(shared("quoted").sub(_unquoted, text)):
        low, said = _folded(sentence, w), _trimmed(sentence)
        if low and w.has(low, "nothing_else") and (paths_in(low) or w.kinds(low)):
            found.append(Clause(low, said, limits=True))
        elif low:
            found += _parts(Clause(low, said), sentence, w, found[-1] if found else None)
        if len(found) > CLAUSES_MAX:
            break
    return found[:CLAUSES_MAX]


def _stands_in_brackets(part: str, sentence: str) -> bool:
    """Whether a part of a sentence stands in brackets that are not shut before it."""
    ahead, _, _ = sentence.partition(part.strip())
    return ahead.count("(") > ahead.count(")") and part.count("(") == 0


def _parts(whole: Clause, sentence: str, w: Words, last: Clause | None) -> list[Clause]:
    low = whole.text
    each = (low[: one.start()] for one in w["polite"].finditer(low))
    polite = any(shared("interrogative").search(ahead) is None for ahead in each)
    asks = low.rstrip(" \"')").endswith(("?", "？", "؟")) and not polite
    asks = asks and shared("tag").search(low.rstrip(" \"')")) is None
    asks = asks or shared("asks").search(low) is not None
    doubted = _reports(low, w) and not w.has(low, "own")
    whole = replace(whole, asks=asks, doubted=doubted, conditional=w.has(low, "condition"), whole=True)
    parts = [part for part in shared("clause").split(sentence) if part.strip(EDGES)]
    # "First, tell me", "only one file: a.py" and "do not move, edit or delete a.py" are one clause.
    for at in range(len(parts) - 1, 0, -1):
        before, more = fold(parts[at - 1]), fold(parts[at])
        named = not shared("and").sub("", shared("name").sub("", more)).strip(EDGES)
        spares = w["except"].match(more.strip()) and _spares(f"{before} {more}", w)
        if named or spares or w["first"].fullmatch(before) or _goes_on(before, more, w):
            parts[at - 1 : at + 1] = [f"{parts[at - 1]}{',' * named} {parts[at]}"]
    opening = len(shared("clause").split(sentence.partition(": ")[0])) if asks and ": " in sentence else 0
    trimmed = [_trimmed(part) for part in parts]
    texts = [_folded(one, w) for one in trimmed]
    waits = len(parts) > 1 and _waits(texts[0], w)
    # "Don't stash, use a worktree if you have to": the condition is that of its own clause.
    bound = w.runs_on or any(w["condition"].match(w.led(one)) for one in texts)
    silent = (_waits(one, w) or w.has(one, "pausing", "stop") or w["deny"].match(one) for one in texts[1:])
    remarks = waits and not asks and not all(silent)
    found = [whole] if len(parts) > 1 or w.has(low, "before") else []
    reports = next((at for at, one in enumerate(texts) if _reports(one, w)), 0)
    names, kinds = (paths_in(last.text) or last.names, w.kinds(last.text) or last.kinds) if last else ((), ())
    for at, (part, said, text) in enumerate(zip(parts, trimmed, texts, strict=True)):
        one = replace(
            whole,
            text=text,
            said=said,
            whole=False,
            names=names,
            kinds=kinds,
            conditional=whole.conditional and (bound or w.has(text, "condition")),
            spares=_spares(text, w),
            aside=f"({part.strip()}" in sentence,
            bracketed=_stands_in_brackets(part, sentence),
            # "Leave the changelog, the release manager writes it."
            doubted=doubted and at >= reports,
            asks=asks and at >= opening and not (waits and at == 0),
            remarks=remarks and at == 0,
        )
        found.append(one)
        if paths_in(text) or w.kinds(text):
            names, kinds = paths_in(text), w.kinds(text)
    return found


def _reports(text: str, w: Words) -> bool:
    return w.has(text, "reported") or words("en").has(text, "reported")


def _goes_on(text: str, more: str, w: Words) -> bool:
    """Whether a clause denies a verb, and nothing is said of what before another one."""
    deny = w["deny"].search(text) if w.order == "first" else None
    said = text[deny.end() :].strip() if deny else ""
    verbs = ("touch", "make")
    return any(w[key].fullmatch(said) for key in verbs) and any(w.opening(key).match(more) for key in verbs)


def _spares(text: str, w: Words) -> bool:
    """Whether a clause denies all but what it names: "change nothing except a.py"."""
    excepted = w["except"].search(text)
    if excepted is None or not w.has(text[: excepted.start()], "any"):
        return False
    return w.has(text[: excepted.start()], "deny") and bool(paths_in(text[excepted.end() :]))


def _folded(text: str, w: Words) -> str:
    """Of what stands in backticks single words count; a command is read from what was said."""
    plain = shared("code").sub(lambda one: QUOTATION if " " in one[1] else one[1], text)
    return w.says(fold(plain)).replace("`", "")


def _trimmed(text: str) -> str:
    """Without marks around it; the dot of ".env" is none."""
    edges = EDGES.replace("_", "") if re.search(r"[/\s]__\w+__", text) else EDGES
    return "." * bool(re.match(r"[\s*_•>-]*\.\w", text)) + text.strip(edges)


def _waits(text: str, w: Words) -> bool:
    return any(w[key].match(w.led(text)) for key in ("wait", "stop"))


def _unquoted(found: re.Match[str]) -> str:
    inner = found.group()[1:-1]
    named = shared("name").fullmatch(inner.strip().casefold()) or re.fullmatch(r"[\w@./*-]{1,40}", inner)
    return inner if named else QUOTATION


def paths_in(text: str) -> tuple[str, ...]:
    found = (name.strip(",;:").rstrip(".") for name in shared("name").findall(text))
    known = (one for one in found if one not in listed("no_names") and one.strip("./*"))
    return tuple(one for one in known if not re.fullmatch(r"[\d./]+", one))


@cache
def _orders() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """The verbs of an order where it begins, those that change what is there, and those of unspaced scripts."""
    leads = "|".join(re.escape(entry.strip()) for entry in reply_tokens.BESIDE["leads"].split(","))

    def opening(entries: list[str], more: str = "") -> re.Pattern[str]:
        spaced = (re.escape(one) for one in entries if not any(map(is_unspaced, one)))
        spaced = (re.sub(r"\\\*$", r"\\w*", one) for one in spaced)
        return re.compile(rf"(?:(?:{leads})(?!\w)[\s,]*)*(?:{'|'.join(spaced)}{more})(?!\w)")

    each = {
        action: [one.strip() for one in entries.split(",")] for action, entries in reply_tokens.ORDERS.items()
    }
    every = [one for entries in each.values() for one in entries]
    changing = [one for action, entries in each.items() if action not in ("create", "run") for one in entries]
    unspaced = [one.rstrip("*") for one in every if any(map(is_unspaced, one))]
    allows = words("en")["allows"].pattern
    return opening(every, f"|{allows}"), opening(changing), re.compile("|".join(map(re.escape, unspaced)))


def is_order(text: str, w: Words) -> bool:
    begins, _, anywhere = _orders()
    if begins.match(text) is not None:
        return True
    if any(is_unspaced(char) for char in text):
        return anywhere.search(text) is not None
    if w.language != "de" or text.startswith(("ich ", "wir ", "er ", "sie ")):
        return False
    return re.search(r"(?<! ist)(?<! sind) [a-zäöü]{3,}en$", text) is not None


def is_change(text: str) -> bool:
    """Whether a clause begins with an order to change what is there."""
    return _orders()[1].match(text) is not None
