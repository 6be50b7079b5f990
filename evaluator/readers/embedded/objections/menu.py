"""What the prior turn offers to choose from, and what the reply picks of it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.readers.embedded.language import cues, words
from evaluator.readers.embedded.language.clauses import ASKED, ASKS, ITEM, Clause

WHICH = re.compile(
    r"\b(?:which|what|where|prefer\w*|either|welche\w*|was|wo|lieber|quel\w*|laquelle|lequel|cuál|qué"
    r"|prefieres|qual|quale|как\w*|что|który|którą|který"
    r"|hangi\w*|welke|wat|nào|mana)\b|哪|どちら|どれ|どっち|어느|어떤|कौन|أي |איזה",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？؟])|\n")
INLINE = re.compile(
    r"(?:^|\s)\(?([a-h1-9])\)\s+(.+?)(?=(?:[,;.]?\s\(?[a-h1-9]\)\s)|[.?!]\s|$)", re.IGNORECASE
)
NUMBER = re.compile(r"(?<![\w.#@/{:-])#?(\d{1,2})(?![\w%{}]*[\w%])(?!\.\d)", re.ASCII)
NUMBER_KOREAN = re.compile(r"(\d{1,2})\s?(?:번|番|号|個目)")
OPENS = re.compile(r"\s*\(?(\d{1,2}|[a-hA-H])[.):](?=\s)")
LETTER = re.compile(
    r"(?:^|^(?:la|el|le|l|die|das|den|o|давай|вариант|yang|opsi|de) |option |variante |opción "
    r"|opção |dann |take |with |lieber |nimm |go |choose )\(?([a-h])\)?(?=$|[\s.,!:;)])"
)
FIRST_TWO = re.compile(
    r"\b(?:first|ersten|(?:deux|2) premi\w+|primer[oa]s|primeir[oa]s|prim[ie]|перв\w+|перш\w+|ilk"
    r"|pierwsz\w+|eerste|prvn\w+) (?:two|2|beiden|zwei|dos|dois|duas|due|два|две|дві|iki|dwa|dwie|twee|dvě"
    r"|dva)\b|前两|最初の2|처음 두"
)
NOT_A_PICK = re.compile(r"\b(?:before|until|after|except|without|vor|bis|avant|jusqu|antes|до|перед)\b")
MENU_CHARS, OPTIONS_MAX = 6_000, 26
SHORT_WORDS, ORDINAL_WORDS, BEYOND_WORDS = 12, 8, 4
ORDINALS = tuple(words.Table({"nth": entry}) for entry in cues.SECOND_TO)
LATTER, FORMER = (words.Table({"nth": entry}) for entry in cues.LATTER)
OR = re.compile(
    r"\s(?:or|oder|ou|o|или|або|чи|lub|albo|czy|veya|yoksa|of|nebo|hay|hoặc|atau|या|أم|أو|או)\s|还是|或者|それとも"
    r"|または|아니면|또는"
)


@dataclass(frozen=True, slots=True)
class OfferedMenu:
    """`listed`: the options stand in a list that a question is attached to; `numbered`, in one that can be counted.

    `asked`: a question belongs to them; `which`: it asks for a choice.
    """

    options: tuple[str, ...]
    listed: bool
    asked: bool
    which: bool = False
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """`beyond` is a number that the menu does not have; `open`: something was asked and nothing picked."""

    chosen: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    beyond: int | None = None
    open: bool = False


def menu_of(text: str, prior: tuple[Clause, ...]) -> OfferedMenu:
    """The last list of at least two items, else the sides of the last question's "or"."""
    text = text[-MENU_CHARS:]
    lines = text.split("\n")[-120:]
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(lines):
        mark = ITEM.match(line)
        if mark is None:
            if blocks and line.startswith("  ") and line.strip() and number - blocks[-1][-1][0] == 1:
                blocks[-1][-1] = (number, f"{blocks[-1][-1][1]} {line.strip()}")
            continue
        fresh = mark.group(1) == "1" or (mark.group(2) or "").lower() == "a"
        if not blocks or fresh or number - blocks[-1][-1][0] > 4:
            blocks.append([])
        blocks[-1].append((number, line[mark.end() :].strip()))
    asked = any(c.question for c in prior[-6:])
    if blocks and len(blocks[-1]) > 1:
        first, last = blocks[-1][0][0], blocks[-1][-1][0]
        head = next((line for line in reversed(lines[:first]) if line.strip()), "")
        foot = next((line for line in lines[last + 1 :] if line.strip()), "")
        attached = any(
            ASKED.search(line) or ASKS.search(line.rstrip("。.: ")) or (WHICH.search(line) and line is head)
            for line in (head, lines[last], foot)
        )
        marked = ITEM.match(lines[first])
        if attached or (marked is not None and marked.group(1)):
            return OfferedMenu(
                tuple(item for _, item in blocks[-1][:OPTIONS_MAX]),
                listed=attached,
                asked=attached,
                numbered=True,
            )
        return OfferedMenu((), listed=False, asked=asked)
    inline = [found.group(2) for found in INLINE.finditer(text)]
    if len(inline) > 1:
        return OfferedMenu(tuple(inline[:OPTIONS_MAX]), listed=asked, asked=asked, numbered=True)
    return OfferedMenu(sides(text), listed=False, asked=asked, which=WHICH.search(text[-200:]) is not None)


def sides(text: str) -> tuple[str, ...]:
    """Both sides of "A or B?" in the last question, or in the sentence right before a bare "Which one?"."""
    tail = [part for part in SENTENCE.split(text) if part and part.strip()][-3:]
    if not any(ASKED.search(sentence) or ASKS.search(sentence) for sentence in tail):
        return ()
    for sentence in reversed(tail):
        joint = list(OR.finditer(sentence))
        if joint:
            left, right = sentence[: joint[-1].start()], sentence[joint[-1].end() :]
            return (re.split(r"[:：]", left)[-1], right)
    return ()


def own_terms(options: tuple[str, ...]) -> list[frozenset[str]]:
    """What each option alone says."""
    every = [frozenset(t for t in words.terms(option) if t not in words.STOP) for option in options]
    return [
        mine - frozenset[str]().union(*(one for place, one in enumerate(every) if place != number))
        for number, mine in enumerate(every)
    ]


def numbered(reply: tuple[Clause, ...], menu: OfferedMenu) -> tuple[set[int], set[int]]:
    """Places (from 0) that the reply names by number, letter or ordinal: picked, and set aside."""
    picked, aside = set[int](), set[int]()
    size = len(menu.options)
    for number, clause in enumerate(reply):
        low = clause.text.lower()
        if clause.quoted or (clause.question and not clause.order):
            continue
        into = aside if clause.turned else picked
        found = [int(n) for n in NUMBER_KOREAN.findall(low)]
        if not NOT_A_PICK.search(low) and (len(clause.words) <= SHORT_WORDS or not clause.turned):
            short = len(clause.words) <= 4 or number == 0
            if (menu.listed or menu.numbered) and (short or clause.turned or re.match(r"\W*\d", low)):
                found += [int(n) for n in NUMBER.findall(low)]
            elif menu.listed or menu.numbered:
                found += [
                    int(n)
                    for n in re.findall(
                        r"(?:option|number|step|point|punkt|und|and|for|et|y|e|,)\s#?(\d)\b", low
                    )
                ]
            letter = LETTER.search(low) if (menu.listed or menu.numbered) and (short or number == 0) else None
            found += [ord(letter.group(1)) - 96] if letter else []
        flat = f" {' '.join(clause.words)} "
        if len(clause.words) <= ORDINAL_WORDS and menu.asked and not found:
            for place, table in enumerate(ORDINALS, start=1):
                if table.of(flat, list(clause.words), low):
                    found.append(place)
            if len(clause.words) <= 4 and LATTER.of(flat, list(clause.words), low):
                found.append(size)
            if FORMER.of(flat, list(clause.words), low):
                found.append(1)
        if FIRST_TWO.search(low):
            found += [1, 2]
        into |= {n - 1 for n in found}
    return picked, aside


def pick(text: str, reply: tuple[Clause, ...], menu: OfferedMenu, *, whole: bool) -> Pick:
    """`whole`: the reply agrees to all that was laid out ("plan approved", "both")."""
    size = len(menu.options)
    if not size:
        return Pick()
    picked, aside = numbered(reply, menu)
    mark = OPENS.match(text) if menu.listed else None
    if mark and mark.group(1):
        picked.add(int(mark.group(1)) - 1 if mark.group(1).isdigit() else ord(mark.group(1).lower()) - 97)
    short = sum(len(c.words) for c in reply if not c.quoted) <= SHORT_WORDS
    beyond = next((n + 1 for n in picked if n >= size), None)
    picked, aside = {n for n in picked if n < size}, {n for n in aside if n < size}
    brief = sum(len(c.words) for c in reply) <= BEYOND_WORDS
    if not picked and beyond is not None and brief and menu.listed:
        return Pick(beyond=beyond)
    if not picked and not whole:
        own = own_terms(menu.options)
        for clause in reply:
            if clause.quoted or (clause.question and not clause.order):
                continue
            if picked and not (clause.order or clause.turned):
                continue
            for place, mine in enumerate(own):
                if clause.content & mine:
                    (aside if clause.against in ("spare", "later") else picked).add(place)
        if len(picked) == size:
            picked = set[int]()
    if not picked and (whole or aside) and (whole or short):
        picked = set(range(size)) - aside
    picked -= aside
    if not picked:
        return Pick(open=menu.asked and (menu.listed or menu.which))
    return Pick(
        tuple(option for n, option in enumerate(menu.options) if n in picked),
        tuple(option for n, option in enumerate(menu.options) if n not in picked),
    )
