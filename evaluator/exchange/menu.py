"""Finds the enumerated question, or the single proposal, that an assistant turn ends in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from evaluator.exchange.reply_tokens import WORDS, begins_with
from evaluator.text import fold, phrases

ListKind = Literal["numbered", "lettered", "bulleted"]
LineKind = Literal["blank", "text", "item", "code"]
LETTERS = "abcdefghijklmnopqrst"
CYRILLIC = "абвгдежз"

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_FENCES = re.compile(rf"^{_FENCE.pattern}", re.MULTILINE)
_KEYED = re.compile(
    r"(?P<indent>\s*)(?:[-*+•]\s+)?(?P<mark>#{1,6}\s+)?"
    r"(?P<word>(?:option|approach|choice|variante?|opción|opção|вариант|विकल्प|方案|选项|案|オプション|옵션|방법)\s*)?"
    r"[(（\[]?(?P<key>\d{1,2}|[A-Za-zＡ-Ｔａ-ｔа-з])(?:\ufe0f?\u20e3|\s*[.．):：）\]、]|\s+[-–—](?=\s))\s*(?P<label>\S.*)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?P<indent>\s*)[-*+•]\s+(?:\[[ xX]\]\s+)?(?P<label>\S.*)")
_NOTE = re.compile(
    r"[(（](?:recommended|default|current|推荐|推奨|empfohlen|recommandé|recomendad[oa])[)）]", re.IGNORECASE
)
_CODE_SPAN = re.compile(r"`[^`\n]*`")
_SENTENCE_END = re.compile(r"[.!?](?=[\s*_)\"']|$)|[。！？](?:[)）」』\"'*_]*)")
_YES_NO = re.compile(r"[(\[]\s?y(?:es)?\s?/\s?n(?:o)?\s?[)\]]$", re.IGNORECASE)
_EMPHASIS = " \t*_"
_CLOSERS = " \t*_)]\"'」』"
QUESTION_CHARS_MAX = 1000
"""Of a longer question the end is read: its patterns cost more than linear time."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """`key` is empty for a bullet; `labelled` is true where a word or a heading makes a block of the item."""

    kind: LineKind
    text: str
    indent: int = 0
    list_kind: ListKind = "bulleted"
    key: str = ""
    labelled: bool = False


def read_lines(turn: str, limit: int) -> list[TextLine]:
    """The lines of the last `limit` characters; a code fence that was opened before them is still open."""
    lines: list[TextLine] = []
    fence = "`" if sum(1 for _ in _FENCES.finditer(turn[:-limit])) % 2 else ""
    for raw in turn[-limit:].splitlines():
        opened = _FENCE.match(raw)
        if fence:
            lines.append(TextLine("code", raw))
            if opened and (opened[1].startswith(fence) or fence == "`") and not raw.strip(" \t`~"):
                fence = ""
        elif opened:
            fence = opened[1]
            lines.append(TextLine("code", raw))
        else:
            lines.append(_parse_menu_line(raw.replace("**", "").rstrip()))
    return lines


def _parse_menu_line(raw: str) -> TextLine:
    stripped = raw.strip()
    indent = len(raw) - len(raw.lstrip())
    if not stripped:
        return TextLine("blank", "")
    if stripped.startswith(">"):
        # What is quoted is no more the agent's own question than code is.
        return TextLine("code", stripped, indent)
    if match := _KEYED.match(raw):
        key = fold(match["key"])
        if key.isdigit():
            key = str(int(key))
        kind: ListKind = "numbered" if key.isdigit() else "lettered"
        labelled = bool(match["word"] or match["mark"])
        return TextLine("item", _clean_menu_label(match["label"]), indent, kind, key, labelled)
    if match := _BULLET.match(raw):
        return TextLine("item", _clean_menu_label(match["label"]), indent)
    return TextLine("text", stripped.lstrip("#").strip(), indent)


def position(key: str) -> int:
    """The place of a list's key, from 1: "3" and "c" and "в" are the third."""
    if key.isdigit():
        return int(key)
    return max(LETTERS.find(key), CYRILLIC.find(key)) + 1


def _clean_menu_label(text: str) -> str:
    plain = " ".join(_NOTE.sub(" ", text).split()) if _NOTE.search(text) else text.strip()
    return plain.rstrip(":：").rstrip()


def paragraphs(lines: Sequence[TextLine]) -> list[str]:
    """The running texts among the lines; lists and code end one."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line.kind == "text":
            found[-1].append(line.text)
        elif found[-1]:
            found.append([])
    return [" ".join(part) for part in found if part]


def sentences(paragraph: str) -> Iterator[str]:
    if asked := _YES_NO.search(paragraph.rstrip(_EMPHASIS)[-12:]):
        paragraph = paragraph.rstrip(_EMPHASIS)[: -len(asked[0])]
    masked = _CODE_SPAN.sub(lambda span: "`" + "x" * (len(span[0]) - 2) + "`", paragraph)
    start = 0
    for end in _SENTENCE_END.finditer(masked):
        yield paragraph[start : end.end()].strip()
        start = end.end()
    if paragraph[start:].strip(" *_)]\"'"):
        yield paragraph[start:].strip()


def as_question(sentence: str) -> str | None:
    """The sentence up to its question mark, or None if it is no question."""
    bare = sentence.rstrip(_CLOSERS)
    return bare[-QUESTION_CHARS_MAX:].lstrip("*_(\"'「『 ") if bare.endswith(("?", "？")) else None


def questions(paragraph: str) -> list[str]:
    return [found for one in sentences(paragraph) if (found := as_question(one)) is not None]


MenuKind = Literal["numbered", "lettered", "bulleted", "proposal"]
TURN_CHARS_MAX = 100_000
AFTER_LIST_CHARS_MAX = 400
OPTIONS_MAX = 20
LABEL_CHARS_MAX = 1000
LEAD_IN_CHARS_MAX = 60
_INLINE_KEY = re.compile(r"(?:(?<=\s)|^)\(?([1-9]|[a-hA-H])\)\s+")
_CONJUNCTION = re.compile(r"[\s,;]*(?:\b(?:or|and|oder|ou|или))?\s*$")


@dataclass(frozen=True, slots=True)
class Option:
    """`key` is the digit or folded letter before the option, empty for a bullet; `label` its first line."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Menu:
    """A question with its options; a proposal has one."""

    options: tuple[Option, ...]
    kind: MenuKind


def find_menu(prior_assistant_turn: str) -> Menu | None:
    """The question that the turn ends in, or None. Of a longer turn the last TURN_CHARS_MAX are read."""
    lines = read_lines(prior_assistant_turn, TURN_CHARS_MAX)
    while lines and lines[-1].kind == "blank":
        lines.pop()
    if not lines or lines[-1].kind == "code":
        return None
    group = _last_menu_group(lines)
    start = _menu_tail_start(lines, group) if group else 0
    if group and not any(line.kind == "code" for line in lines[start:]):
        before, tail = paragraphs(lines[: group[0]]), paragraphs(lines[start:])
        options = tuple(Option(lines[index].key, lines[index].text) for index in group)
        asked = _question_before_menu(lines[: group[0]])
        if asked is None and (across := _question_across_menu(before, options)):
            asked, options = across
        yes_or_no = fold(options[0].label).startswith("yes") and not settles_a_write(options[-1].label)
        if asked is not None and (asks_to_choose(fold(asked)) or yes_or_no):
            return _menu_of_list(lines[group[0]].list_kind, options, asked, before, tail)
        if menu := _menu_of_list(lines[group[0]].list_kind, options, None, before, tail):
            return menu
    return _menu_in_last_paragraph(paragraphs(lines)) if lines[-1].kind == "text" else None


def _menu_of_list(
    kind: ListKind, options: tuple[Option, ...], asked: str | None, before: Sequence[str], tail: Sequence[str]
) -> Menu | None:
    """The list as a menu, if `asked` before it, else one question behind it, is the only one that waits."""
    earlier = [one for text in before for one in questions(text) if one != asked]
    later = [one for text in tail for one in questions(text)]
    if _asks_beside_menu(earlier) or not all(asks_to_choose_of(fold(one)) for one in later):
        return None
    if asked is None and (len(later) != 1 or all(_DONE.match(fold(option.label)) for option in options)):
        return None
    if sum(map(len, tail)) > AFTER_LIST_CHARS_MAX:
        return None
    labels = [fold(option.label) for option in options]
    asking = [option for option in options if questions(option.label) and settles_a_write(option.label)]
    if asking or len(set(labels)) < len(labels) or max(map(len, labels)) > LABEL_CHARS_MAX:
        return None
    return Menu(options, kind)


def _asks_beside_menu(asked: Sequence[str]) -> bool:
    """Whether one of the other questions waits for an answer too."""
    return any(asks_to_choose(fold(one)) or proposal(one) is not None for one in asked)


def _question_before_menu(lines: Sequence[TextLine]) -> str | None:
    """The question that stands directly before a list, at most a short lead-in between ("Options:")."""
    rest = [line for line in lines if line.kind != "blank"]
    last: list[TextLine] = []
    while rest and rest[-1].kind == "text" and len(last) < 12:
        last.insert(0, rest.pop())
    spoken = [one for line in last for one in sentences(line.text)]
    lead_in = spoken.pop() if len(spoken) > 1 and not questions(spoken[-1]) else ""
    if len(lead_in) > LEAD_IN_CHARS_MAX:
        return None
    found = questions(spoken[-1]) if spoken else []
    return found[-1] if found else None


def _question_across_menu(
    before: Sequence[str], options: tuple[Option, ...]
) -> tuple[str, tuple[Option, ...]] | None:
    """A question that the list completes: "Should I:", and the last option ends in the question mark."""
    lead = [one for text in before[-1:] for one in sentences(text)][-1:]
    last = options[-1].label
    if not lead or not lead[0].endswith((":", "：")) or not last.endswith(("?", "？")):
        return None
    return lead[0], (*options[:-1], Option(options[-1].key, last.rstrip("?？ ")))


def _menu_tail_start(lines: Sequence[TextLine], group: Sequence[int]) -> int:
    """Where the last option ends: at the first running text that is not indented under it."""
    first, last = group[0], group[-1]
    index = last + 1
    while index < len(lines) and (lines[index].kind != "text" or lines[index].indent > lines[first].indent):
        index += 1
    return index


def _last_menu_group(lines: Sequence[TextLine]) -> list[int]:
    """The places of a list's options; empty for none."""
    keyed, bulleted = (
        found if 2 <= len(found) <= OPTIONS_MAX else []
        for found in (_last_keyed_menu(lines), _last_bulleted_menu(lines))
    )
    if not keyed or not bulleted:
        return keyed or bulleted
    if bulleted[-1] < keyed[-1]:
        return keyed
    # Bullets under the last keyed option, or anywhere in a block with a heading, are its details.
    last = lines[keyed[-1]]
    between = lines[keyed[-1] : bulleted[0]]
    apart = any(line.kind == "text" and line.indent <= last.indent for line in between)
    return bulleted if apart and not last.labelled else keyed


def _last_keyed_menu(lines: Sequence[TextLine]) -> list[int]:
    found: list[int] = []
    best: list[int] = []
    for index, line in enumerate(lines):
        if line.kind != "item" or not line.key:
            continue
        head = lines[found[0]] if found else None
        if head is not None and line.indent > head.indent + 1:
            continue
        if head is not None and line.list_kind == head.list_kind and position(line.key) == len(found) + 1:
            found.append(index)
        else:
            found = [index] if position(line.key) == 1 else []
        if len(found) > 1:
            best = found
    return best


def _last_bulleted_menu(lines: Sequence[TextLine]) -> list[int]:
    found: list[int] = []
    best: list[int] = []
    for index, line in enumerate(lines):
        head = lines[found[0]] if found else None
        if line.kind == "item" and not line.key:
            if head is None or line.indent < head.indent:
                found = [index]
            elif line.indent <= head.indent + 1:
                found.append(index)
        elif line.kind == "item" or (line.kind == "text" and (head is None or line.indent <= head.indent)):
            found = []
        if len(found) > 1:
            best = found
    return best


def _menu_in_last_paragraph(texts: Sequence[str]) -> Menu | None:
    """An inline menu, "(a) this or (b) that?", or a proposal: the turn's last sentence is the question."""
    spoken = list(sentences(texts[-1]))
    asked = questions(texts[-1])
    if len(asked) != 1 or not questions(spoken[-1]) or is_closing(fold(asked[0])):
        return None
    if _asks_beside_menu([one for text in texts[:-1] for one in questions(text)]):
        return None
    if inline := _parse_inline_menu(asked[0]):
        return inline
    deed = proposal(asked[0])
    return Menu((Option("", deed),), "proposal") if deed else None


def _parse_inline_menu(question: str) -> Menu | None:
    keys = list(_INLINE_KEY.finditer(question))
    names = "".join(match[1].lower() for match in keys)
    if len(keys) < 2 or not ("123456789".startswith(names) or LETTERS.startswith(names)):
        return None
    ends = [*(match.start() for match in keys[1:]), len(question)]
    texts = (question[key.end() : end].rstrip("?？ ") for key, end in zip(keys, ends, strict=True))
    labels = [_CONJUNCTION.sub("", text).strip(" ,;") for text in texts]
    if not all(labels) or not asks_to_choose(fold(question)):
        return None
    options = tuple(Option(name, label) for name, label in zip(names, labels, strict=True))
    return Menu(options, "numbered" if names[0] == "1" else "lettered")


@cache
def _menu_question_pattern(name: str) -> re.Pattern[str]:
    return re.compile(WORDS["questions"][name].replace("\n", ""), re.IGNORECASE)


@cache
def _menu_option_phrases(name: str) -> tuple[str, ...]:
    return phrases(WORDS["options"][name])


_DONE = re.compile(r"✅|✓|✔|☑|\[x\]|(?:\w+ed|wrote|made|ran|built|put|took|split|done)\b")


def asks_to_choose(question: str) -> bool:
    """Whether a folded question right before a list asks to choose from it."""
    return _menu_question_pattern("asks_for_choice").search(question) is not None


def asks_to_choose_of(question: str) -> bool:
    """The same for one after a list, which must point back at it: the list may tell what was done."""
    return _menu_question_pattern("asks_for_choice_of_listed").search(
        question
    ) is not None and not is_closing(question)


def is_closing(question: str) -> bool:
    """ "Anything else?", "does that make sense?": an affirmation of it approves nothing."""
    return _menu_question_pattern("closing").search(question) is not None


def proposal(question: str) -> str | None:
    """The deed that a yes/no question asks leave for, in its own words, or None.

    An either-or, and leave to look or to wait, is no proposal: a write after its "yes" is not settled.
    """
    bare = question.rstrip("?？ \t")
    folded = fold(bare)
    if (
        is_closing(folded)
        or _menu_question_pattern("alternative").search(folded)
        or _menu_question_pattern("reads_inside").search(folded)
    ):
        return None
    if _menu_question_pattern("leave_as_a_whole").search(folded):
        return bare
    asked = _menu_question_pattern("leave").search(bare)
    if asked is None:
        return None
    deed = asked["deed"].strip(" :,") or bare[: asked.start()].strip(" ,;:-–—")
    first = fold(deed)
    for adverb in _menu_option_phrases("adverbs"):
        first = first.removeprefix(adverb + " ")
    return deed if deed and not begins_with(first, _menu_option_phrases("reads")) else None


def settles_a_write(label: str) -> bool:
    """Whether choosing this option says what to write: not so for "leave it" or "something else"."""
    return not begins_with(
        fold(label), (*_menu_option_phrases("declining"), *_menu_option_phrases("unsettled"))
    )
