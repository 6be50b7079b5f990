"""Views of an exchange: each text that a reader may look at, taken apart once. Decides nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from evaluator.language import words
from evaluator.model import Action, Exchange, ResolvedOption

REQUEST_CHARS = 8_000
PRIOR_CHARS = 12_000
SETTLED_CHARS = 8_000
MENTIONS_MAX = 40
NAMES_MAX = 150
EMPTY_CUES = "pronoun plural affirm decline polite hedge offer question thanks".split()  # noqa: SIM905
"""Cues that say nothing of what is asked for."""

FILE = re.compile(
    r"(?<![\w@.~+\-/\\])(?:[A-Za-z]:)?[\w.@~+\-/\\]*[\w\-]\.[A-Za-z][A-Za-z0-9]{0,4}(?![A-Za-z0-9])",
    re.ASCII,
)
NO_EXTENSIONS = ("a", "com", "e", "g", "io", "m", "net", "org")
"""What ends an abbreviation or a host, and no file."""
FOLDER = re.compile(
    r"(?<![\w:/.@\-])\.{0,2}/?[\w.@\-]+(?:/[\w.@\-]+)*/(?![\w/])|(?<![\w:/.@\-])[\w.@\-]+(?:/[\w.@\-]+){2,}",
    re.ASCII,
)
URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://\S+")
QUOTED = re.compile(
    r"`([^`\n]{1,80})`|\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|「([^」\n]{1,40})」|(?<!\w)'([^'\n]{1,60})'(?!\w)"
)
NAME = re.compile(
    r"(?<![\w.])(?:[A-Za-z][A-Za-z0-9]*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|_+[a-z]\w+|[A-Za-z_]\w*(?=\(\)))",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class View:
    """One text and what stands in it.

    `files` and `folders` are mentioned paths as written, `names` identifiers and quoted values, `kinds` the
    table's kinds with the words seen, `actions` those of an order, `content` what says something by itself.
    """

    text: str
    low: str
    words: tuple[str, ...]
    stems: frozenset[str]
    kinds: dict[str, list[str]]
    content: tuple[str, ...]
    files: tuple[str, ...]
    folders: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def actions(self) -> list[str]:
        return [kind for kind in self.kinds if kind in words.ACTIONS]

    @property
    def empty(self) -> bool:
        return not self.words


def mentions(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files and folders that a text names, in order, each once, with `/` between the parts."""
    files: dict[str, None] = {}
    for match in FILE.finditer(text):
        path = match.group().replace("\\", "/")
        if path.rsplit(".", 1)[1].lower() not in NO_EXTENSIONS:
            files[path.removeprefix("./")] = None
    folders: dict[str, None] = {}
    for match in FOLDER.finditer(text):
        path = match.group().strip("/").removeprefix("./")
        if path and not path.replace("/", "").isdigit() and not any(path in file for file in files):
            folders[path] = None
    return tuple(files)[:MENTIONS_MAX], tuple(folders)[:MENTIONS_MAX]


def _content(found: list[str], seen: dict[str, list[str]]) -> tuple[str, ...]:
    """Words left when function words, action words and cues are taken away; unspaced scripts by length."""
    empty = {word for kind in (*words.ACTIONS, *EMPTY_CUES) for word in seen.get(kind, ())}
    content: dict[str, None] = {}
    for word in found:
        if word in words.STOP or word in empty or (len(word) < 2 and not word.isdigit()):
            continue
        if not words.UNSPACED.search(word):
            content[words.stem(word)] = None
            continue
        rest = word
        for known in sorted(empty, key=len, reverse=True):
            rest = rest.replace(known, "")
        content |= dict.fromkeys(rest[start : start + 3] for start in range(0, len(rest) - 1, 3))
    return tuple(content)


def view(text: str, limit: int, project_dir: str = "") -> View:
    text = words.normalise(text, limit)
    if project_dir and project_dir != "/":
        text = text.replace(f"{project_dir.rstrip('/')}/", "")
    plain = URL.sub(" ", text)
    low = plain.lower().replace("./", "/" if "../" in plain else "")
    found = words.split(plain)
    seen = words.seen(found, low)
    files, folders = mentions(plain)
    names = [next(filter(None, match.groups())) for match in QUOTED.finditer(plain)]
    names += NAME.findall(plain)
    return View(
        text=text,
        low=low,
        words=tuple(found),
        stems=frozenset(map(words.stem, found)),
        kinds=seen,
        content=_content(found, seen),
        files=files,
        folders=folders,
        names=tuple(dict.fromkeys(name.strip() for name in names))[:NAMES_MAX],
    )


@dataclass(frozen=True, slots=True)
class Views:
    """`settled` is what the user chose, approved or delegated, `last` their last message."""

    request: View
    prior: View
    settled: View
    last: View


def views_of(exchange: Exchange, resolved: ResolvedOption | None, project_dir: str) -> Views:
    settled = [exchange.delegated_task]
    for asked in exchange.questions:
        settled += [asked.question, *asked.answers]
    settled += [plan.text for plan in exchange.plans if plan.approved]
    if resolved is not None:
        settled += resolved.labels
    request = exchange.request_text
    last = exchange.request[-1] if exchange.request else ""
    full = view(request, REQUEST_CHARS, project_dir)
    return Views(
        request=full,
        prior=view(exchange.prior_assistant_turn, PRIOR_CHARS, project_dir),
        settled=view("\n".join(filter(None, settled)), SETTLED_CHARS, project_dir),
        last=full if len(exchange.request) == 1 else view(last, REQUEST_CHARS, project_dir),
    )


def action_of(request: View, prior: View | None = None) -> Action:
    """The action whose word comes first; a reply without one takes that of the prior turn."""
    found = [*request.actions, *(kind for kind in (prior.actions if prior else ()) if kind != "answer")]
    return cast(Action, found[0]) if found else "other"
