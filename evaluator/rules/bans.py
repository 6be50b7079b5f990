"""What the user forbids outright, in their own words: a thing, a kind of act, or acting at all. Pure.

Read are the current request, what still stands of earlier messages, and the lines of instruction files that forbid. A
later order that names the same thing lifts a ban.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence

from evaluator.exchange.fold import fold
from evaluator.model import Effect, Effects
from evaluator.rules import words
from evaluator.rules.message import QUOTE_CHARS_MAX, Ban, Message, agrees, paths_in, read

LINE_CHARS_MAX = 300
_FORBIDS = re.compile(words.FORBIDS)
_ENDINGS = frozenset(words.ENDINGS.split())
_TALK = re.compile(words.TALK)
_TO_TALK = re.compile(
    r"(?:^|/)[^/]*(?:plan|design|proposal|notes?|review|analysis|research|rfc|adr)[^/]*\.(?:md|txt|mdx|rst)$|/plans?/"
)


def objection(  # noqa: PLR0913 - what was said, by whom and how, by name
    messages: Sequence[str], current: Sequence[str], effects: Effects, project_dir: str,
    *, rules: Sequence[tuple[str, str]] = (), settled: Sequence[str] = (), taken_up: str = "", approved: bool = False,
    agreed: bool = False,
) -> tuple[Ban, Effect] | None:  # fmt: skip
    """The first ban that an effect breaks, the newest first.

    `messages` are what the user typed in this session, oldest first; `current` those that are acted on now. `rules` are
    (file, line) of instruction files. `settled` is what the user chose of what the agent offered, `taken_up` what they
    agreed to, `approved` whether a plan was. `agreed`: they answered a hold, and agreement is an order.
    """
    if agreed and messages and agrees(messages[-1]):
        return None
    said = [read(text) for text in messages]
    now = {text.strip() for text in current}
    after = [
        Message((), (fold(text),), (fold(text),), True, fold(text)) for text in (*settled, taken_up) if text
    ]
    for at in range(len(said) - 1, -1, -1):
        later = [*said[at + 1 :], *after]
        for ban in said[at].bans:
            if ban.sort in ("halt", "only") and messages[at].strip() not in now:
                continue
            if ban.sort == "halt" and (approved or settled or _is_released(said[at + 1 :]) or taken_up):
                continue
            found = _broken(ban, effects, project_dir, said[at], later)
            if found is not None:
                return ban, found
    for file, line in rules:
        if len(line) > LINE_CHARS_MAX or not _FORBIDS.search(line.casefold()):
            continue
        for ban in read(line, in_file=True).bans:
            found = _broken(ban, effects, project_dir, None, [*said, *after])
            if found is not None:
                return Ban(ban.sort, line.strip()[:QUOTE_CHARS_MAX], source=file), found
    return None


def _is_released(later: Sequence[Message]) -> bool:
    return any(one.goes or (one.orders and not any(ban.sort == "halt" for ban in one.bans)) for one in later)


def _broken(
    ban: Ban, effects: Effects, project_dir: str, own: Message | None, later: Sequence[Message]
) -> Effect | None:
    for one in effects.each:
        path = _relative(one.target, project_dir)
        outside = path.startswith("/")
        if one.stakes == "own" and (outside or not one.target):
            continue
        if _breaks(ban, one, path, effects.command, outside=outside) and not _is_lifted(
            ban, path, effects.command, own, later
        ):
            return one
    return None


def _breaks(ban: Ban, one: Effect, path: str, command: str, *, outside: bool) -> bool:
    if ban.sort == "act":
        low = " ".join(command.casefold().split())
        if not all(need in low for need in ban.needs):
            return False
        return any(_does(act, one, low) for act in ban.acts)
    if ban.sort == "halt":
        acts = (
            one.operation in ("create", "append", "edit", "overwrite", "delete", "move", "vcs", "install")
            or one.stakes == "outward"
        )
        return acts and not (one.target and outside) and not _TO_TALK.search(path)
    if not path or one.operation == "run":
        return False
    if ban.sort == "only":
        return not outside and one.operation != "vcs" and not any(_is_under(path, ban))
    return any(_is_under(path, ban)) or (
        one.operation in ("delete", "move")
        and any(name.strip("/").startswith(f"{path}/") for name in ban.names)
    )


def _does(act: str, one: Effect, command: str) -> bool:
    if act == "create":
        return one.operation == "create"
    if act == "delete" and one.operation == "delete":
        return True
    if act == "rename" and one.operation == "move":
        return True
    found = re.search(words.DOES[act], command)
    return found is not None and one.operation in (
        "vcs",
        "network",
        "install",
        "delete",
        "move",
        "unknown",
        "run",
    )


def _is_under(path: str, ban: Ban) -> Iterator[bool]:
    """Whether each of a ban's names, or kinds, is the path's."""
    low = path.casefold()
    if ban.needs and not all(_squashed(need) in _squashed(low) for need in ban.needs):
        return
    yield from (_names(name, low) for name in ban.names)
    yield from (re.search(words.KINDS[kind][1], low) is not None for kind in ban.kinds)


def _names(name: str, path: str) -> bool:
    """Whether a name is the path, a folder that holds it, its base, its stem or its ending."""
    name = name.removeprefix("./").rstrip("/")
    base = path.rpartition("/")[2]
    if "*" in name:
        whole = name.removesuffix("/**").removesuffix("/*")
        return (
            fnmatch.fnmatch(base, name)
            or fnmatch.fnmatch(path, name)
            or ("*" not in whole and _names(whole, path))
        )
    if name in (".yml", ".yaml") and base.endswith((".yml", ".yaml")):
        return True
    if name.startswith(".") and "/" not in name:
        return (
            base == name
            or base.startswith(f"{name}.")
            or (base.endswith(name) and name[1:] in _ENDINGS)
            or f"/{name}/" in f"/{path}"
        )
    if "/" in name or "." in name:
        return f"/{path}/".endswith(f"/{name.strip('/')}/") or f"/{name.strip('/')}/" in f"/{path}/"
    wanted = _squashed(name)
    parts = path.split("/")
    stem = parts[-1].partition(".")[0]
    return len(wanted) > 2 and any(
        _squashed(part) in (wanted, f"{wanted}s", wanted.removesuffix("s"))
        for part in (*parts[:-1], stem, parts[-1])
    )


def _squashed(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _relative(target: str, project_dir: str) -> str:
    root = project_dir.rstrip("/") + "/"
    return target[len(root) :] if target.startswith(root) else target


def _is_lifted(ban: Ban, path: str, command: str, own: Message | None, later: Sequence[Message]) -> bool:
    """Whether the same message spares what is touched, or a later one orders or allows it."""
    low = path.casefold()
    if own is not None and path and ban.sort in ("thing", "only"):
        named = [*ban.spares, *(name for order in own.orders for name in paths_in(order))]
        if any(_names(name, low) and len(name) >= max(map(len, ban.names), default=0) for name in named):
            return True
    if own is not None and ban.sort == "halt":
        base = low.rpartition("/")[2]
        return bool(base) and any(base in order and _TALK.search(order) for order in own.orders)
    for message in later:
        if ban.sort == "act" and any(
            re.search(words.ACTS[act], each) for each in message.says for act in ban.acts
        ):
            return True
        for order in message.orders if ban.sort != "act" else ():
            if (
                any(_names(name, low) for name in paths_in(order))
                or any(name.strip("/*") in order for name in ban.names if len(name) > 2)
                or any(re.search(words.KINDS[kind][0], order) for kind in ban.kinds)
            ):
                return True
    return False
