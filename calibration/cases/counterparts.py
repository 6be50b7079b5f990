"""The ambiguous counterpart of a clear request, made by removing what disambiguates it. Pure, and by stated rules.

- Every name of the target (path, file name, stem in any spelling) is taken out; every symbol of the change, and
  whatever is spelled like code, becomes "it".
- In an English request, all but the verb becomes "it": "Fix the retry loop in client.py" becomes "Fix it".

A result counts only if nothing in it names the target any more. Where both do, one is taken by the case's id, so that a
set holds a mix of them, and the same case always the same one.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_VERBS = (
    "add adjust allow apply avoid bump change check clean clear convert correct create delete deprecate disable "
    "document drop enable ensure expose extend extract fix format guard handle ignore implement improve inline "
    "introduce keep limit log make mark merge migrate move patch pin port prevent provide refactor reject reduce "
    "remove rename reorder replace report reset restore restrict return rewrite run set show simplify skip sort "
    "split stop strip support switch tighten tidy tweak undo unify update upgrade use validate wrap write"
)
_GENERIC = (
    "app base code common config core data docs file files index init lib main misc mod model module package "
    "project readme script setup source src test tests types util utils"
)
VERBS, GENERIC = frozenset(_VERBS.split()), frozenset(_GENERIC.split())
"""GENERIC: words that are in a path and name nothing by themselves."""
LEAST_LETTERS = 3
_CODE = re.compile(
    r"`[^`\n]{1,80}`"
    r"|\b[A-Za-z_][\w.]*\(\)"
    r"|\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b_\w+\b"
    r"|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
    r"|\b[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+\b"
    r"|(?<!\w)--?[a-z][\w-]+"
)
_LEAD = (
    r"(?:\b(?:in|into|inside|within|of|from|to|for|at|on|under)\s+)?(?:\b(?:the|a|an|our|your|this|that)\s+)?"
)
_KIND = r"(?:\s+(?:file|module|script|class|component|page|function|method|package|test|helper)s?\b)?"


@dataclass(frozen=True, slots=True)
class PairChange:
    """What a clear request is about: its targets, relative to the project, and the symbols that it touches."""

    targets: tuple[str, ...]
    symbols: tuple[str, ...] = ()


def names_target(text: str, change: PairChange) -> bool:
    """Whether a word of the text leads to the change: a name of its target, a symbol, anything spelled like code."""
    folded = text.casefold()
    words = set(re.findall(r"[^\W_]+", folded))
    named = any(_case_target_pattern(name).search(text) for name in _case_target_names(change.targets))
    symbols = any(
        re.search(rf"(?<!\w){re.escape(s.casefold())}(?!\w)", folded)
        for s in _specific_case_symbols(change.symbols)
    )
    return (
        named or symbols or bool(words & _case_target_path_words(change.targets)) or bool(_CODE.search(text))
    )


def counterpart(request: str, change: PairChange, case_id: str) -> str | None:
    """A request's vague counterpart. None where no rule leaves a request that names nothing of the change."""
    made = [
        _tidy_counterpart(text)
        for text in (
            _replace_case_symbols(_drop_case_file_names(request, change), change),
            _pronoun_counterpart(request),
        )
    ]
    fitting = [
        text
        for text in made
        if text and text.casefold() != request.strip().casefold() and not names_target(text, change)
    ]
    if not fitting:
        return None
    return fitting[int.from_bytes(hashlib.sha256(case_id.encode()).digest()[:4], "big") % len(fitting)]


def _drop_case_file_names(request: str, change: PairChange) -> str:
    text = request
    for name in _case_target_names(change.targets):
        text = re.sub(
            _LEAD + r"[`'\"(]?" + _case_target_pattern(name).pattern + r"[`'\")]?" + _KIND,
            " ",
            text,
            flags=re.I,
        )
    words = "|".join(
        re.escape(word) for word in sorted(_case_target_path_words(change.targets), key=len, reverse=True)
    )
    if words:
        text = re.sub(_LEAD + rf"\b(?:{words})\b" + _KIND, " ", text, flags=re.IGNORECASE)
    return text


def _replace_case_symbols(request: str, change: PairChange) -> str:
    text = _CODE.sub("it", request)
    for symbol in _specific_case_symbols(change.symbols):
        text = re.sub(rf"(?<!\w){re.escape(symbol)}(?!\w)", "it", text, flags=re.IGNORECASE)
    return re.sub(r"\b(?:the|a|an|our|your)\s+it\b", "it", re.sub(r"\bit(?:[\s,.:]+it\b)+", "it", text))


def _pronoun_counterpart(request: str) -> str:
    """Empty unless the request opens with an English imperative, after a scope such as "auth:"."""
    words = re.findall(
        r"[^\W\d_]+", re.sub(r"^\s*(?:please\s+|[\w./-]+:\s+)", "", request, flags=re.IGNORECASE)
    )
    return f"{words[0]} it" if words and words[0].casefold() in VERBS else ""


def _case_target_names(targets: Iterable[str]) -> tuple[str, ...]:
    """Longest first, so that a path goes before its stem."""
    found: set[str] = set()
    for target in targets:
        base = os.path.basename(target.rstrip("/"))
        stem = base.split(".")[0] if not base.startswith(".") else base
        found.update(name for name in (target, base, stem) if _identifies_case_target(name))
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def _identifies_case_target(name: str) -> bool:
    return len(re.sub(r"\W|_", "", name)) >= LEAST_LETTERS and name.casefold() not in GENERIC


def _specific_case_symbols(symbols: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        sorted({symbol for symbol in symbols if _identifies_case_target(symbol)}, key=len, reverse=True)
    )


def _case_target_pattern(name: str) -> re.Pattern[str]:
    """The name in any spelling: `user_session`, `user-session`, `UserSession`, "user session"."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+|[A-Z]", name) or [re.escape(name)]
    return re.compile(r"(?<!\w)" + r"[\s_./\\-]*".join(map(re.escape, parts)) + r"(?!\w)", re.IGNORECASE)


def _case_target_path_words(targets: Iterable[str]) -> frozenset[str]:
    """Words of the file's own name and of the folder that it is in."""
    found: set[str] = set()
    for target in targets:
        near = "/".join(target.strip("/").split("/")[-2:])
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", near.rpartition(".")[0] or near)
        found.update(word.casefold() for word in re.findall(r"[^\W_]+", spaced))
    return frozenset(word for word in found if len(word) > LEAST_LETTERS and word not in GENERIC)


def _tidy_counterpart(text: str) -> str:
    line = re.sub(r"\s+", " ", text)
    line = re.sub(r"\s+([,.;:!?])", r"\1", line)
    line = re.sub(
        r"\b(?:in|into|inside|within|of|from|to|for|at|on|under|the|a|an|and|with|by)\s*(?=$|[,.;:])",
        "",
        line,
    )
    return re.sub(r"^[\s,.;:()-]+|[\s,;:(-]+$", "", line)
