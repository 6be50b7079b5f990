"""A turn's markdown as typed lines, paragraphs and questions. Knows the form alone, not what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.exchange.fold import fold

ListKind = Literal["numbered", "lettered", "bulleted"]
LineKind = Literal["blank", "text", "item", "quote", "code"]
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
    r"[(（](?:recommended|default|current|推荐|推奨|empfohlen|recommandé|recomendad[oa])[)）]",
    re.IGNORECASE,
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
            lines.append(_line(raw.replace("**", "").rstrip()))
    return lines


def _line(raw: str) -> TextLine:
    stripped = raw.strip()
    indent = len(raw) - len(raw.lstrip())
    if not stripped:
        return TextLine("blank", "")
    if stripped.startswith(">"):
        return TextLine("quote", stripped, indent)
    if match := _KEYED.match(raw):
        key = fold(match["key"])
        if key.isdigit():
            key = str(int(key))
        kind: ListKind = "numbered" if key.isdigit() else "lettered"
        labelled = bool(match["word"] or match["mark"])
        return TextLine("item", _label(match["label"]), indent, kind, key, labelled)
    if match := _BULLET.match(raw):
        return TextLine("item", _label(match["label"]), indent)
    return TextLine("text", stripped.lstrip("#").strip(), indent)


def position(key: str) -> int:
    """Of a list's key, from 1: "3" and "c" and "в" are the third."""
    if key.isdigit():
        return int(key)
    return max(LETTERS.find(key), CYRILLIC.find(key)) + 1


def _label(text: str) -> str:
    plain = " ".join(_NOTE.sub(" ", text).split()) if _NOTE.search(text) else text.strip()
    return plain.rstrip(":：").rstrip()


def paragraphs(lines: Sequence[TextLine]) -> list[str]:
    """The running texts among the lines; lists, quotes and code end one."""
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
