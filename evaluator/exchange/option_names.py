"""Names in the labels of options, in plans and in replies: what tells one entry from the others, and whether a write
keeps to what was settled. Pure text work."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.exchange import reply_tokens
from evaluator.exchange.reply_tokens import ReplyToken, known_phrases
from evaluator.model import ResolvedOption
from evaluator.text import fold, is_unspaced, phrases

LABEL_CHARS_MAX = 2_000
NAMES_MAX = 60
_WORD = re.compile(r"[^\s,;:!?()\[\]{}\"'`«»„“”。、，！？；：「」]+")
_CHUNK = re.compile(r"[\u4e00-\u9fff]+[\u3041-\u3096]{0,2}|[\u30a0-\u30ff]+")
"""Of Chinese and Japanese: characters with the ending that belongs to them, or a run of katakana."""
_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def own_names(labels: Sequence[str]) -> dict[str, ReplyToken]:
    """Each word, path and piece of an identifier that one label alone has, as a reference to it."""
    own: dict[str, set[int]] = {}
    for index, label in enumerate(labels):
        for name in _names_of_label(label[:LABEL_CHARS_MAX]):
            own.setdefault(name, set()).add(index)
    listed = known_phrases()
    return {
        name: ReplyToken("label", min(held))
        for name, held in own.items()
        if len(held) == 1 and name not in listed and not name.isdigit()
    }


def shared_names(labels: Sequence[str], places: Sequence[str]) -> dict[str, ReplyToken]:
    """What says nothing beside the name of an entry: words that no label has alone, the folders of `places`, and words
    for sorts of things."""
    found = dict.fromkeys(phrases(reply_tokens.BESIDE["nouns"]), ReplyToken("filler"))
    each = [set(_names_of_label(label[:LABEL_CHARS_MAX])) for label in labels]
    own = own_names(labels)
    folders = {fold(part) for place in places for part in place.split("/")[:-1] if len(part) > 1}
    found |= dict.fromkeys(folders.union(*each), ReplyToken("filler"))
    return {name: token for name, token in found.items() if name not in own and not name.isdigit()}


def told_in_another_order(text: str, labels: Sequence[str]) -> bool:
    """Whether a text names what tells the labels apart, and not in their order: "the second" is then unsure."""
    folded, places = fold(text), dict[int, int]()
    for name, token in own_names(labels).items():
        found = re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-]|\.\w)", folded) if len(name) > 2 else None
        if found is not None:
            places[token.value] = min(found.start(), places.get(token.value, found.start()))
    order = [places[index] for index in sorted(places)]
    return order != sorted(order)


def without_verbs(folded: str, labels: Sequence[str]) -> str:
    """The text without the verbs that mean what all entries would do: they choose none of them."""
    actions = {action_of(label) for label in labels}
    data = next((verbs for action, verbs in reply_tokens.ORDERS.items() if actions == {action}), "")
    listed = sorted(phrases(data), key=len, reverse=True)
    for verb in listed:
        stem = verb.rstrip("*")
        if is_unspaced(stem[-1]):
            folded = folded.replace(stem, " ")
        elif " " in stem:
            folded = re.sub(rf"\b{re.escape(stem)}\b", " ", folded)
    exact = {verb for verb in listed if not verb.endswith("*")}
    stems = tuple(verb[:-1] for verb in listed if verb.endswith("*"))

    def is_form(word: str) -> bool:
        return word in exact or ("." not in word and word.startswith(stems))

    return " ".join(word for word in folded.split() if not is_form(word.strip(".,!")))


def action_of(label: str) -> str:
    """What an entry would do: its first word, as readings begin."""
    return fold(label[:LABEL_CHARS_MAX]).partition(" ")[0]


def _names_of_label(label: str) -> Iterator[str]:
    for count, word in enumerate(_WORD.findall(label)):
        if count >= NAMES_MAX:
            return
        plain = fold(word).strip(".-")
        if not plain:
            continue
        yield plain
        if any(map(is_unspaced, plain)):
            yield from (part for run in _CHUNK.findall(plain) for part in (run, *run.split("的")) if part)
            continue
        for part in [part for part in re.split(r"[/\\]", word.strip("./-")) if part]:
            name, _, _ = part.partition(".")
            yield from (fold(part), fold(name))
            pieces = [piece for chunk in re.split(r"[_\-.]", name) for piece in _PIECE.findall(chunk)]
            if len(pieces) > 1:
                yield " ".join(map(fold, pieces))
            yield from (fold(piece) for piece in pieces if len(piece) > 1)


PLAN_CHARS_MAX = 100_000
_TEXT_CHARS_MAX = 8_000
_FOLDERS_LOOKED_AT = 2

_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|「([^」\n]+)」|(?<!\w)'([^'\n]+)'(?!\w)")
_PATH = re.compile(r"[\w.@+~/-]+")
_IS_PATH = re.compile(r"/|\w\.\w")
_SYMBOL = re.compile(
    r"(?<=`)[A-Za-z_]\w*(?=(?:\(\))?`)|\b[a-z]\w*(?:_\w+|[a-z][A-Z]\w*)\b|\b[A-Za-z_]\w+(?=\(\))"
)
"""An identifier of code: in code quotes, in snake_case or camelCase, or called."""
_SPARED = re.compile(reply_tokens.WORDS["plans"]["spares"].replace("\n", ""), re.IGNORECASE)


def contradicts(resolved: ResolvedOption, targets: Sequence[str], text: str) -> bool:
    """Whether a write touches what only a rejected option names.

    `targets` are paths, `text` is the command or empty. Names are paths, file names, stems and quoted
    identifiers of a rejected label that no chosen label has. Errs to true: the write is then evaluated.
    """
    chosen = _Place.of(" ".join(resolved.labels)[:_TEXT_CHARS_MAX])
    touched: set[str] = set()
    for target in targets:
        # The last folders of a target, its file name and its stem.
        parts = [part for part in target.split("/") if part][-1 - _FOLDERS_LOOKED_AT :]
        touched.update(part for part in (*parts, *map(_name_stem, parts[-1:])) if not chosen.mentions(part))
    places = [_Place.of(place[:_TEXT_CHARS_MAX]) for place in (*targets, text)]
    for label in (one[:LABEL_CHARS_MAX] for one in resolved.rejected):
        only_there = {name for name in _names_in_option(label) if not chosen.mentions(name)}
        if any(place.mentions(name) for name in only_there for place in places):
            return True
        here = _Place.of(label)
        if any(here.mentions(part) for part in touched):
            return True
    return False


def covered_by_option(resolved: ResolvedOption, target: str, change: str, *, runs: bool) -> bool:
    """Whether one of the chosen options orders a write of `target`, a path in the project: it names the path, its file,
    its stem or a folder of it; or it names no path, and an identifier that stands in `change`, or no identifier either.

    `runs`: the file runs by itself, and must be named whole. An option that leaves something alone orders nothing of
    what it names.
    """
    return any(
        _option_orders_write(label[:LABEL_CHARS_MAX], target, change, runs) for label in resolved.labels
    )


def _option_orders_write(label: str, target: str, change: str, runs: bool) -> bool:
    here, name = _Place.of(label), target.rsplit("/", 1)[-1]
    paths = [path for path in _paths_named_in(label) if _IS_PATH.search(path)]
    within = not runs and any("/" in path and f"/{path.strip('/')}/" in f"/{target}" for path in paths)
    if within or any(
        here.mentions(one) for one in ((target, name) if runs else (target, name, _name_stem(name)))
    ):
        return _SPARED.search(label) is None
    if runs or paths:
        return False
    symbols = [one.group() for one in _SYMBOL.finditer(label)]
    changed = _Place.of(change[:PLAN_CHARS_MAX])
    return not symbols or any(changed.mentions(one) for one in symbols)


def covered_by_plan(plan_text: str, targets: Sequence[str], project_dir: str) -> bool:
    """Whether an approved plan names every target: by relative or absolute path, or by unique file name.

    A file name that the plan also gives to another path is not unique. A name on a line, or under a heading,
    that says what is left alone does not count. No target, or a pattern, is not covered.
    """
    named: set[str] = set()
    spared: set[str] = set()
    under_spared = False
    for line in plan_text[:PLAN_CHARS_MAX].splitlines():
        is_spared = _SPARED.search(line) is not None
        bare = line.strip(" *_")
        if bare.startswith("#") or bare.endswith((":", "：")):
            under_spared = is_spared
        (spared if is_spared or under_spared else named).update(_paths_named_in(line))
    return bool(targets) and all(_plan_names_target(target, named, spared, project_dir) for target in targets)


def _plan_names_target(target: str, named: set[str], spared: set[str], project_dir: str) -> bool:
    root = posixpath.normpath(project_dir)
    path = posixpath.normpath(posixpath.join(root, target))
    relative = path.removeprefix(root.rstrip("/") + "/")
    parts = relative.split("/")
    same_name = {path for path in named | spared if path.split("/")[-1] == parts[-1]}
    exact = same_name & {target, relative}
    inside = not relative.startswith("/")
    fitting = exact | {path for path in same_name if inside and f"/{relative}".endswith(f"/{path}")}
    if not fitting or fitting & spared:
        return False
    if exact and "/" in relative:
        return True
    # A bare name, or the end of the path: it must be a file's name, and no other path may share it.
    return fitting == same_name and "." in parts[-1].strip(".")


def _paths_named_in(line: str) -> Iterator[str]:
    for match in _PATH.finditer(line):
        path = match[0].rstrip(".").removeprefix("./")
        if path:
            yield path


def _names_in_option(label: str) -> Iterator[str]:
    """Quoted identifiers, and paths with their file names and stems."""
    for match in _QUOTED.finditer(label):
        yield next(group for group in match.groups() if group)
    for path in _paths_named_in(label):
        if _IS_PATH.search(path):
            name = path.rstrip("/").rsplit("/", 1)[-1]
            yield from (path.strip("/"), name, _name_stem(name))


def _name_stem(name: str) -> str:
    return name.rsplit(".", 1)[0] or name


@dataclass(frozen=True, slots=True)
class _Place:
    """A text to look for names in, folded; and without the separators of `snake_case` and `kebab-case`."""

    folded: str
    squeezed: str

    @classmethod
    def of(cls, text: str) -> _Place:
        folded = fold(text)
        return cls(folded, _squeeze_name(folded))

    def mentions(self, name: str) -> bool:
        """As a whole name, in any case."""
        wanted = fold(name[:LABEL_CHARS_MAX]).strip("/ ")
        return len(wanted) > 1 and (
            _has_whole_name(wanted, self.folded) or _has_whole_name(_squeeze_name(wanted), self.squeezed)
        )


def _has_whole_name(wanted: str, text: str) -> bool:
    # The plain test first: most names are nowhere, and a pattern costs more to build than to run.
    return wanted in text and bool(
        wanted and re.search(rf"(?<![0-9a-z_]){re.escape(wanted)}(?![0-9a-z_])", text)
    )


def _squeeze_name(text: str) -> str:
    return text.replace("_", "").replace("-", "")
