"""Makes one text fit to leave the machine: Unicode, delimiters, secrets, length. A pure function of its arguments.

Whatever the input, the result is idempotent under the same arguments, free of every listed sequence in
any case, within its limit, and costs time linear in the text. The prompt's own tags are read by a model, so
they go in whatever spelling looks like one; other sequences mean something to a tokenizer, which reads code
points, so they go as written, with spaces or without. Depends on the names of the prompt's slots
and on `redaction` alone. The order is part of it: secrets are looked for in what a reader would see, after
NFKC and removal, and whole, before any cut.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evaluator.egress.redaction import kinds, mark_of, redact, stable_prefix, stable_suffix
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, PROMPT_TAGS
from evaluator.text import alternatives

MARK = "[STRIPPED]"
PATH_CHARS_MAX = 1024
ATTRIBUTE_CHARS_MAX = 256
"""A longer run between a tag's name and its `>` stays visible: a tag must not be a way to hide text."""
NONSTARTERS_MAX = 30
"""Combining marks in a row, as in the Stream-Safe Text Format (UAX #15, section 13). CPython sorts such a
run by insertion, so that without a bound normalisation would be quadratic."""

_INVISIBLE = (
    (0x01, 0x08), (0x0B, 0x1F), (0x7F, 0x9F),
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0x10000, 0xE0000, 0x10000)),
    (0xE0000, 0x10FFFF),
)  # fmt: skip
"""Controls but tab and newline; Default_Ignorable_Code_Point (zero-width, bidi, fillers, variation
selectors: 256 of them spell any byte unseen); surrogates, private use, noncharacters, tags. NUL is apart."""

_INVISIBLE_RUN = re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _INVISIBLE) + "]+")
_MAYBE_NONSTARTERS = re.compile(f"[^\x00-\u02ff]{{{NONSTARTERS_MAX + 1},}}")
_LINE_ENDS = str.maketrans({"\u2028": "\n", "\u2029": "\n"})
_MARKS = ("Mn", "Me")
_TAG = re.compile(r"<\s*/?\s*([\w.:-]+)\s*/?\s*>")
_WORD_AND_MARK = re.compile(r"\w\W|\W\w", re.ASCII)
_SPACED_TEMPLATE = r"<\s*+\|\s*+[\w.:/-]{1,64}+\s*+\|\s*+>"
"""A chat template's token (`<|im_start|>`) written with spaces, which the listed `<|` and `|>` do not find."""
_TAG_OPENS = r"(?:<|&(?:amp;)*+(?:lt|#0*+60|#x0*+3c);?|\\u003c|\\x3c|%(?:25)*+3c)"
_LOOKS_LIKE = {
    ord(char): plain
    for plain, alike in {
        "<": "‹〈⟨❬❮❰≺˂ᐸ⧼﹤", ">": "›〉⟩❭❯❱≻˃ᐳ⧽﹥", "_": "ˍ‗‿⁀",
        "a": "аɑα", "c": "сᴄ", "d": "ԁ", "e": "еҽ", "f": "ꬵ", "g": "ɡց", "i": "іɩι", "k": "кκᴋ", "l": "ӏǀ",
        "n": "ոηп", "o": "оοօᴏ", "p": "рρ", "q": "ԛգ", "r": "гᴦ", "s": "ѕꜱ", "t": "тτᴛ", "u": "սυᴜʋ",
        "v": "νѵᴠ", "w": "ԝѡᴡ",
    }.items()
    for char in alike
}  # fmt: skip
"""What passes for the characters of a tag, of those that NFKC and case folding leave apart (compare the
confusables of UTS #39; only letters that the tags hold)."""
_PATH_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t", "\u2028": "\\n", "\u2029": "\\n"})


def sanitize(
    text: str,
    limit: int | None,
    strip_sequences: Sequence[str],
    *,
    strip_null_bytes: bool = True,
    redact_secrets: bool = True,
) -> str:
    """Normalise, redact secrets, strip delimiters, then cut to `limit` characters (None: no bound; below 0: 0).

    `strip_sequences` are literal and match in any case, with whitespace around their punctuation; one of the
    form `<name>` or `</name>` also with attributes. The prompt's own tags are stripped whether listed or not,
    with any suffix, even unclosed, escaped or in look-alike characters. A sequence becomes `[STRIPPED]`, or
    another mark that no sequence overlaps; a secret becomes `[REDACTED:kind]`, or that mark where a sequence
    overlaps this one. The cut is made before a value that would, cut, be taken for a secret: the result may
    be shorter than the limit.
    """
    shown = _sanitize_unicode(text.translate(_LINE_ENDS), strip_null_bytes=strip_null_bytes)
    stripper = _build_sequence_stripper(tuple(strip_sequences), strip_null_bytes)
    if not redact_secrets:
        stripped = stripper.strip(shown)
        return stripped if limit is None else stripped[: max(limit, 0)]
    redacted = stripper.redact(shown)
    return redacted if limit is None else stable_prefix(redacted, max(limit, 0), stripper.redaction)


def sanitize_path(
    path: str,
    limit: int | None = PATH_CHARS_MAX,
    strip_sequences: Sequence[str] = DEFAULT_STRIP_SEQUENCES,
    *,
    strip_null_bytes: bool = True,
) -> str:
    """One path, fit to leave the machine. As `sanitize`, for one path of a list that is written one a line.

    A line end or tab inside a name would forge a further line, so it becomes a visible escape. A path
    that is too long keeps its end, where the file's name is.
    """
    shown = _sanitize_unicode(path.translate(_PATH_ESCAPES), strip_null_bytes=strip_null_bytes)
    stripper = _build_sequence_stripper(tuple(strip_sequences), strip_null_bytes)
    redacted = stripper.redact(shown)
    return redacted if limit is None else stable_suffix(redacted, max(limit, 0), stripper.redaction)


def _sanitize_unicode(text: str, *, strip_null_bytes: bool) -> str:
    # Removal first: an invisible character between two others would keep NFKC from composing them.
    visible = _INVISIBLE_RUN.sub("", text)
    if strip_null_bytes:
        visible = visible.replace("\0", "")
    if visible.isascii():
        return visible
    return _sanitize_nonstarters(unicodedata.normalize("NFKC", _sanitize_nonstarters(visible)))


def _sanitize_nonstarters(text: str) -> str:
    return _MAYBE_NONSTARTERS.sub(lambda run: "".join(_sanitize_nonstarter_run(run[0])), text)


def _sanitize_nonstarter_run(run: str) -> Iterator[str]:
    marks = 0
    for char in run:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= NONSTARTERS_MAX:
            yield char


def _sanitizer_case_fold(text: str) -> str:
    """Equal for two texts that differ in case alone. Works character by character; never shortens."""
    return text.upper().casefold()


def _sanitizer_likeness(text: str) -> str:
    """What a text looks like: folded, without diacritics, look-alikes as what they pass for, character by character."""
    return text.lower() if text.isascii() else "".join(map(_sanitizer_char_likeness, text))


@lru_cache(maxsize=4096)
def _sanitizer_char_likeness(char: str) -> str:
    plain = (part for part in unicodedata.normalize("NFD", char) if unicodedata.category(part) not in _MARKS)
    return _sanitizer_case_fold("".join(plain)).translate(_LOOKS_LIKE)


@dataclass(frozen=True, slots=True)
class _Stripper:
    """The passes are final: nothing that they match can contain, or grow around, the mark."""

    tags: re.Pattern[str]
    listed: re.Pattern[str] | None
    mark: str
    redaction: str | None
    """What a secret becomes; None: the mark of its kind."""

    def strip(self, text: str) -> str:
        stripped = self._sanitize_matches(self.tags, text, _sanitizer_likeness)
        return (
            stripped
            if self.listed is None
            else self._sanitize_matches(self.listed, stripped, _sanitizer_case_fold)
        )

    def redact(self, text: str) -> str:
        """Stripped and redacted. Secrets are looked for before, too: a sequence may be what makes one known."""
        stripped = self.strip(text)
        if stripped != text:
            stripped = self.strip(redact(text, self.redaction))
        return redact(stripped, self.redaction)

    def _sanitize_matches(self, pattern: re.Pattern[str], text: str, view: Callable[[str], str]) -> str:
        """With the mark for what the pattern matches in the view of the text."""
        viewed = view(text)
        found = [match.span() for match in pattern.finditer(viewed)]
        if not found:
            return text
        if not text.isascii():
            # A character can have several in the view ("ß" is "ss"), or none.
            owner = [index for index, char in enumerate(text) for _ in view(char)]
            found = [(owner[start], owner[end - 1] + 1) for start, end in found]
        parts: list[str] = []
        done = 0
        for start, end in found:
            if end > done:
                parts += text[done:start], self.mark
                done = end
        parts.append(text[done:])
        return "".join(parts)


@lru_cache(maxsize=16)
def _build_sequence_stripper(listed: tuple[str, ...], strip_null_bytes: bool) -> _Stripper:
    sequences = {
        _sanitizer_case_fold(_sanitize_unicode(one, strip_null_bytes=strip_null_bytes)) for one in listed
    } - {""}
    own = {_sanitizer_case_fold(tag) for tag in PROMPT_TAGS}
    others = {match[1] for one in sequences if (match := _TAG.fullmatch(one))} - own
    attributes = rf"(?:[^<>]{{0,{ATTRIBUTE_CHARS_MAX}}}+>)?"
    patterns: list[str] = []
    if others:
        # A stranger's tag needs an end of its name (`<s>` is not `<span>`), consumed rather than looked
        # ahead to, so that a cut never makes a match.
        patterns.append(rf"<[\s/\\]*+(?:{alternatives(others)})(?:>|[\s/]{attributes})")
    if sequences:
        patterns.append(alternatives(sequences))
        patterns += sorted(_spaced_sequence_pattern(one) for one in sequences if _WORD_AND_MARK.search(one))
    if {"<|", "|>"} <= sequences:
        patterns.append(_SPACED_TEMPLATE)
    mark = next(
        mark
        for mark in _sanitizer_marks()
        if not any(_sanitizer_mark_touches(_sanitizer_case_fold(mark), one) for one in sequences)
    )
    clash = any(
        _sanitizer_mark_touches(_sanitizer_case_fold(mark_of(kind)), one)
        for kind in kinds()
        for one in sequences
    )
    # A mark of one symbol is no part of what may stand between `<` and a name: see `_Stripper`.
    other = re.escape(mark) if len(mark) == 1 else ""
    names = "|".join(tag.replace("_", r"(?:\s*+_)++\s*+") for tag in sorted(PROMPT_TAGS))
    return _Stripper(
        re.compile(rf"{_TAG_OPENS}(?:[^\w<>{other}]|_)*+(?:{names}){attributes}"),
        re.compile("|".join(patterns)) if patterns else None,
        mark,
        mark if clash else None,
    )


def _spaced_sequence_pattern(sequence: str) -> str:
    """The sequence with any whitespace beside its punctuation; a word stays one."""
    parts = [re.escape(sequence[0])]
    for before, char in pairwise(sequence):
        parts.append("" if before.isalnum() and char.isalnum() else r"\s*+")
        parts.append(re.escape(char))
    return "".join(parts)


def _sanitizer_marks() -> Iterator[str]:
    yield from (MARK, "(STRIPPED)", "{STRIPPED}", "\ufffd")
    for code in range(0x2500, 0x110000):
        char = chr(code)
        if unicodedata.category(char) == "So" and _sanitize_unicode(char, strip_null_bytes=True) == char:
            yield char


def _sanitizer_mark_touches(mark: str, sequence: str) -> bool:
    """Whether the sequence can occur in a text where it shares a character with the mark."""
    return (
        sequence in mark
        or mark in sequence
        or any(
            mark.endswith(sequence[:size]) or mark.startswith(sequence[-size:])
            for size in range(1, min(len(mark), len(sequence)))
        )
    )
