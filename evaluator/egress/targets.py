"""How a line of what was looked up may speak of what a write acts on, and by what call it came."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from evaluator.effects import FILE_TOOLS, strings_of, text_of
from evaluator.model import Effects, Lookup, PendingWrite
from evaluator.record import Record
from evaluator.text import Vocabulary, alternatives
from evaluator.trigger.calls import relative_to

NAMES_MAX = 60
COMMAND_CHARS_MAX = 8000
SURE, LOOSE = range(2)
"""How surely a line that holds the name speaks of the target: its path, its last part or a word of the command; or its
stem, a number, or a name that is in every repository."""


_WORDS = Vocabulary("egress/command_words")
_COMMON, _STOPWORDS, _READERS_OF_FILES = map(_WORDS.words, ("common", "generic", "reads_files"))
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./:@+~-]*")
_TOKEN = re.compile(
    r"""(?P<end>&&|\|\|?|;|\n)|"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"';|&]+)|&""",
    re.DOTALL,
)
_FROM_HEREDOC = re.compile(r"<<.*", re.DOTALL)
_SQL = re.compile(
    r"\s*(?:select|insert|update|delete|drop|alter|truncate|create|grant|revoke|vacuum|begin|with|call|merge|replace)\s",
    re.IGNORECASE,
)


class TargetNames(Record):
    """`ranks` maps each name, as it stands, to SURE or LOOSE; stems are those that an ending may follow."""

    ranks: Mapping[str, int]
    stems: frozenset[str]


def target_names(pending: PendingWrite, effects: Effects) -> TargetNames:
    """The names by which a write's targets may be spoken of: at most NAMES_MAX, the surest first."""
    ranks: dict[str, int] = {}
    stems: set[str] = set()
    for target in effects.targets:
        for name, rank, stem in _ranked_target_names(target, pending.project_dir):
            ranks.setdefault(name, rank)
            if stem:
                stems.add(name)
    for word in _said(pending):
        for name in _target_word_parts(word):
            said = _target_name_rank(name)
            if said is not None:
                ranks[name] = min(said, ranks.get(name, LOOSE))
    if ranks and min(ranks.values()) == LOOSE:
        # `git push origin main` names nothing else.
        ranks = {name: LOOSE if name in stems or name.isdigit() else SURE for name in ranks}
    kept = sorted(ranks.items(), key=lambda item: item[1])[:NAMES_MAX]
    return TargetNames(dict(kept), frozenset(stems))


def command_words(text: str) -> Iterator[str]:
    """The words of a shell command that may name something: no flags, programs, heredocs or quoted text, but SQL."""
    text = text[:COMMAND_CHARS_MAX]
    first, after_flag = True, False
    for token in _TOKEN.finditer(_FROM_HEREDOC.sub("", text)):
        if token["end"]:
            first, after_flag = True, False
            continue
        quoted = token["double"] if token["double"] is not None else token["single"]
        word = token["bare"] or quoted or ""
        if quoted is not None and re.search(r"\s", quoted.strip()):
            if _SQL.match(quoted):
                yield from _target_words_of_sql(quoted)
        elif first:
            if "=" not in word:
                first = word in ("sudo", "doas", "env", "time", "nohup", "xargs")
        elif word.startswith("-"):
            _, equals, value = word.partition("=")
            if equals:
                yield value
        elif not (after_flag and word.isdigit() and len(word) < 3):
            yield word
        after_flag = word.startswith("-") and not word[1:].isdigit()


def _target_words_of_sql(text: str) -> Iterator[str]:
    """Its words; of `schema.table` the table too."""
    for word in _WORD.findall(text):
        yield word
        if "." in word:
            yield word.rpartition(".")[2]


@lru_cache(maxsize=8)
def target_pattern(names: frozenset[str], stems: frozenset[str]) -> re.Pattern[str] | None:
    """Finds each name as a whole word, in any case; None where there is none. A stem may have an ending."""
    whole = alternatives(names - stems)
    parts = [rf"(?:{whole})(?![\w-]|\.\w)"] if whole else []
    parts += [rf"(?:{alternatives(stems)})(?![\w-])"] if stems else []
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})", re.IGNORECASE) if parts else None


def _ranked_target_names(target: str, project_dir: str) -> Iterator[tuple[str, int, bool]]:
    """(name, rank, whether it is a stem)."""
    if not target or re.search(r"[*?$`\s]", target):
        return
    shown = relative_to(target, project_dir) if os.path.isabs(target) else None
    base = os.path.basename(target.rstrip("/"))
    if len(target.strip("/")) > 1:
        yield target.rstrip("/"), SURE, False
    if shown and "/" in shown:
        yield shown, SURE, False
    if len(base) > 2:
        yield base, LOOSE if base.casefold() in _COMMON else SURE, False
    stem = os.path.splitext(base)[0]
    if len(stem) > 3 and stem != base and stem.casefold() not in _COMMON | _STOPWORDS:
        yield stem, LOOSE, True


def _said(pending: PendingWrite) -> Iterable[str]:
    if pending.tool_name == "Bash":
        return command_words(text_of(pending.tool_input, "command"))
    if pending.tool_name in FILE_TOOLS:
        return ()
    found: list[str] = []
    for text in strings_of(pending.tool_input, numbers=True):
        if _SQL.match(text):
            found += _target_words_of_sql(text[:COMMAND_CHARS_MAX])
        elif len(text) <= 200 and not re.search(r"\s", text):
            found.append(text)
    return found


def _target_word_parts(word: str) -> Iterator[str]:
    """The word without the marks around it; of a refspec both sides, of a path its last part too."""
    bare = word.strip("'\"()[],;+^").rstrip(".:/")
    if "://" not in bare and bare.count(":") == 1 and not bare.startswith(":"):
        yield from bare.split(":")
    bare = bare.lstrip(":")
    yield bare
    if "/" in bare:
        yield bare.rsplit("/", 1)[1]
    if "@" in bare[1:]:
        # A package and its version.
        yield bare[: bare.rindex("@")]


def _target_name_rank(name: str) -> int | None:
    folded = name.casefold()
    odd = re.search(r"[*?$`<>=|\\]|^[sy]/.*/", name) or not _WORD.match(name.lstrip("/.~@"))
    if folded in _STOPWORDS or odd:
        return None
    if name.isdigit():
        return None if len(name) < 2 else LOOSE if len(name) < 3 else SURE
    if len(name) < 3 or len(name) > 200:
        return None
    return LOOSE if folded in _COMMON else SURE


LABEL_CHARS_MAX = 70
_QUOTED = re.compile(r"""\$?(?:"(?:[^"\\]|\\.)*"|'[^']*')""", re.DOTALL)
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")
_GOES_THERE = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")


def call_label(call: Lookup, project_dir: str) -> str:
    """The call by which a line was looked up, as readers are shown it: at most LABEL_CHARS_MAX, on one line, not
    sanitized: a shell command without comments and quoted sentences, else the tool and the single words that it was
    given."""
    if call.tool_name == "Bash":
        bare = _FROM_HEREDOC.sub("", text_of(call.tool_input, "command")[:COMMAND_CHARS_MAX])
        bare = _QUOTED.sub(lambda found: "..." if re.search(r"\s", found[0]) else found[0], bare)
        said = _GOES_THERE.sub("", _COMMENT.sub("", bare))
    else:
        given = [
            text for text in strings_of(call.tool_input, numbers=True) if text and not re.search(r"\s", text)
        ]
        shown = [relative_to(text, project_dir) or text if os.path.isabs(text) else text for text in given]
        said = " ".join((call.tool_name.removeprefix("mcp__"), *shown))
    said = " ".join(said.split())
    if len(said) > LABEL_CHARS_MAX:
        space = said.rfind(" ", LABEL_CHARS_MAX // 2, LABEL_CHARS_MAX + 1)
        said = said[: space if space > 0 else LABEL_CHARS_MAX]
    return f"{said} (failed)" if call.failed else said


def reads_files(call: Lookup) -> bool:
    """Whether what comes back is the text of files, and not a word about them."""
    if call.tool_name != "Bash":
        return not call.tool_name.startswith("mcp__")
    for pipeline in re.split(r"&&|\|\||[;\n]", text_of(call.tool_input, "command")):
        words = pipeline.split("|", 1)[0].split()
        program = next((word for word in words if "=" not in word), "")
        if os.path.basename(program) in _READERS_OF_FILES:
            return True
    return False


def names_one_of(call: Lookup, paths: Collection[str], project_dir: str) -> bool:
    """Whether the call's own words name one of these files."""
    said = " ".join(strings_of(call.tool_input, numbers=True))
    spelled = {
        name
        for path in paths
        for name in (path, relative_to(path, project_dir), os.path.basename(path))
        if name
    }
    return any(name in said and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) for name in spelled)
