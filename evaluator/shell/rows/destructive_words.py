"""Whether a command that no table knows says in its own words that it destroys.

Words are those of its name, of what it is asked to do and of its flags, split at `-`, `_`, `:`, `.` and where the case
changes. Paths and free text that it is given are data, whatever they say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

VOCABULARY = Vocabulary("shell/rows/destructive_words")
DESTROYING = VOCABULARY.words("destroying")
"""Each destroys alone. Left out: `clean`, `clear`, `format` (what they touch is mostly made again, see `BESIDE`),
`overwrite`, `replace`, `migrate`, `stop`, `restart` (they modify), and every other form (`deleted`, `dropout`)."""
BESIDE = VOCABULARY.words("beside")
"""Destroy beside the name of a store of data (`clean-db`, `db:fresh`) or with a flag that insists."""
INSISTED = names("migrate sync replace overwrite") | BESIDE
STORES = VOCABULARY.words("stores")
PAIRS = frozenset(tuple(pair.split("-")) for pair in VOCABULARY.words("pairs"))
"""Two words of one name that destroy together."""
MADE_AGAIN = VOCABULARY.words("made-again")
"""What the next build makes again. It excuses the mild words."""
MILD = VOCABULARY.words("mild")
UNLESS = VOCABULARY.sets("unless")
"""Neighbours in the same name with which a word means something else (`css-reset`, `drag-drop`, `remove-bg`)."""
UNLESS["drop"] |= UNLESS["remove"]
HEADS = VOCABULARY.words("heads")
"""Verbs and prefixes: a name that begins with one does that, to what follows (`create-reset-token`, `no-delete`)."""
NAMING = VOCABULARY.words("naming")
"""Subcommands after which only names follow: `generate migration RemoveEmail`."""
GENERATES = VOCABULARY.words("generates")
"""The same as a part of a name: `make:migration drop_users`, `ecto.gen.migration drop_users`."""
GENERATORS = VOCABULARY.words("generators")
INSISTS = VOCABULARY.words("insists")
ALONE_FLAGS = VOCABULARY.words("alone-flags")
OBJECTS = VOCABULARY.words("objects")
"""What a destroying flag may name besides its verb: `--drop-tables` destroys, `--drop-rate` and `--reset-lr` do not."""
NO_FLAGS = VOCABULARY.words("no-flags")
REHEARSES = VOCABULARY.words("rehearses")
RUNNERS = VOCABULARY.words("runners")
"""They keep such an option to themselves: the script that they run never sees it."""
TAKES_TEXT = VOCABULARY.words("takes-text")
"""Options whose value is a name or a text, not what is to be done."""
NO = names("false 0 no off none never")
ASKED_MAX = 4
"""How many operands may say what is to be done."""
WORDS_MAX = 64
SPLIT = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"
CLAUSES = r"[:,/]|(?<![A-Za-z])(?:and|then)(?![A-Za-z])|(?<=[a-z])(?:And|Then)(?=[A-Z])"
VERB_LIKE = r"@?[A-Za-z][\w:.@-]*\Z"
SCRIPTS = VOCABULARY.words("scripts")
"""Endings of scripts. The name of one that is run is the command's own."""
ENDING_MAX = 5
INSIDE = (
    r"\s*(?:drop\s+(?:table|database|schema|index|view|user|role|collection|keyspace|column)\b|truncate\s+(?:table\s+)?\w+\s*;?\s*\Z"
    r"|delete\s+from\s|alter\s+table\s.*\bdrop\b|flushall\b|flushdb\b)"
    r"|(?:^|[;&|]\s*)(?:sudo\s+)?(?:rm|rmdir|shred|mkfs\S*|wipefs|dd|kill|killall|pkill|shutdown|reboot)\s+\S"
)
"""SQL or a shell command that destroys, given as one word to a program that nobody knows."""


def destroys(words: Sequence[Word]) -> bool:
    """`words` are the program as written and its arguments."""
    texts = [word.text for word in words[:WORDS_MAX]]
    if not texts:
        return False
    own = [text.split("=")[0] for text in texts[1:]]
    taken_back = "--no-dry-run" in own or "--dry-run=false" in texts or _word_base_name(texts[0]) in RUNNERS
    if not REHEARSES.isdisjoint(own) and not taken_back:
        return False
    asked, flags = _split_words_and_flags(texts)
    if any(map(_flag_destroys, flags)):
        return True
    if any(" " in text and re.search(INSIDE, text, re.IGNORECASE) for text in texts[1:]):
        return True
    insists = any(flag.split("=")[0] in INSISTS for flag in flags) or any(
        # `-f compose.yml` names a file.
        text == "-y" or (text == "-f" and "".join(texts[at + 1 : at + 2])[:1] in ("", "-"))
        for at, text in enumerate(texts)
    )
    nearby = [parts(name) for name in asked]
    for at, name in enumerate(asked):
        near = (*nearby[max(0, at - 1) : at], *nearby[at + 1 : at + 2])
        if named_so(name, {word for one in near for word in one}, insists=insists):
            return True
    flat = [word for near in nearby[1:] for word in near]
    return any(pair in PAIRS for pair in pairwise(flat))


def named_so(name: str, around: Collection[str] = (), *, insists: bool = False) -> bool:
    """Whether a name says so: `db:reset`, `dropAll`, `scripts/wipe`. `around`: words of the names beside it."""
    whole = parts(name)
    near = {*around, *(whole[1:] if whole[:1] == ["build"] else whole)}
    for clause in re.split(CLAUSES, name):
        own = parts(clause)
        if own and own[0] not in HEADS and _clause_destroys(own, near, insists):
            return True
    return any(pair in PAIRS for pair in pairwise(whole))


def parts(name: str) -> list[str]:
    return [part.lower() for part in re.findall(SPLIT, name)]


def _clause_destroys(own: list[str], near: set[str], insists: bool) -> bool:
    for word in own:
        if word in MILD and not MADE_AGAIN.isdisjoint(near):
            continue
        if word in DESTROYING and UNLESS.get(word, NONE).isdisjoint(own):
            return True
        if (insists and word in INSISTED) or (word in BESIDE and not STORES.isdisjoint(near)):
            return True
    return False


def _split_words_and_flags(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names that say what is to be done, the program's own first; and the flags."""
    asked, flags = [_word_base_name(texts[0])], list[str]()
    named, skip = asked[0] in GENERATORS or parts(asked[0])[:1] == ["create"], False
    first = True
    for text in texts[1:]:
        if text.startswith("-") and len(text) > 1:
            flags.append(text)
            # The module of `python -m` is what runs.
            skip = text in TAKES_TEXT and not (text == "-m" and asked[0].startswith("py"))
        elif skip:
            skip = False
        elif not named and len(asked) <= ASKED_MAX:
            if first and _word_file_ending(text) in SCRIPTS and " " not in text:
                asked.append(_word_base_name(text))
            elif re.match(VERB_LIKE, text, re.ASCII) and (
                not 0 < len(ending := _word_file_ending(text)) <= ENDING_MAX or ending in DESTROYING | BESIDE
            ):
                asked.append(text)
                named = text in NAMING or not GENERATES.isdisjoint(re.split(r"[:.]", text))
            first = False
    return asked, flags


def _word_file_ending(text: str) -> str:
    return text.rpartition(".")[2].lower() if "." in text else ""


def _word_base_name(path: str) -> str:
    name = path.rstrip("/").rpartition("/")[2]
    return name.rpartition(".")[0] if _word_file_ending(name) in SCRIPTS else name


def _flag_destroys(flag: str) -> bool:
    name, _, value = flag.partition("=")
    if not name.startswith("--") or name in NO_FLAGS or value.lower() in NO:
        return False
    if name in ALONE_FLAGS:
        return True
    first, *others = parts(name) or [""]
    if first == "force" and others:
        first, *others = others
    return first in DESTROYING and all(word in OBJECTS for word in others)
