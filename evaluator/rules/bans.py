"""What the user forbids outright, in their own words: a thing, a kind of act, or acting at all. Pure.

Read are the current request, what still stands of earlier messages, and the lines of instruction files that forbid. A
later order that names the same thing lifts a ban.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

from evaluator.effects import text_of
from evaluator.model import Effect, Effects, Exchange, PendingWrite
from evaluator.record import replace
from evaluator.rules.clauses import paths_in
from evaluator.rules.grammar import QUOTE_CHARS_MAX, Ban
from evaluator.rules.message import Message, agrees, bans_of_line, read, taken_up
from evaluator.rules.vocabulary import listed, shared, words_for
from evaluator.text import fold

LINE_CHARS_MAX = 300
GO_WORDS_MAX = 8
"""Words that let the agent go on, and say no more, meet the condition of a ban."""
ACTS = ("create", "append", "edit", "overwrite", "delete", "move", "vcs", "install")
UNNAMED = ("vcs", "network", "install", "delete", "move", "unknown", "run", "overwrite", "edit")
"""What a command may do that its text alone tells."""


_SEPARATORS = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
"""Between the words of a tool's name: "mcp__slack__post_message" is read as a command would be."""


def banned(
    exchange: Exchange,
    effects: Effects,
    pending: PendingWrite,
    messages: Sequence[str],
    *,
    instructions: Sequence[tuple[str, str]] = (),
    agreed: bool = False,
    taken: str | None = None,
) -> tuple[Ban, Effect] | None:
    """The first ban that a call breaks. `messages` are all that the user typed in the session, oldest first,
    `instructions` (file, line); `agreed`: the user answered a hold; `taken`: what they agreed to, where it is not what
    the agent said last in the exchange.
    """
    return objection(
        messages,
        exchange.request,
        effects,
        pending.project_dir,
        rules=instructions,
        settled=[answer for asked in exchange.questions for answer in asked.answers],
        taken_up=taken_up(exchange) if taken is None else taken,
        approved=any(plan.approved for plan in exchange.plans),
        agreed=agreed,
        command=text_of(pending.tool_input, "command") or _SEPARATORS.sub(" ", pending.tool_name),
    )


def objection(  # noqa: PLR0913 - what was said, by whom and how, by name
    messages: Sequence[str], current: Sequence[str], effects: Effects, project_dir: str,
    *, rules: Sequence[tuple[str, str]] = (), settled: Sequence[str] = (), taken_up: str = "", approved: bool = False,
    agreed: bool = False, command: str = "",
) -> tuple[Ban, Effect] | None:  # fmt: skip
    """The first ban that an effect breaks, the newest first.

    `messages` are what the user typed in this session, oldest first; `current` those that are acted on now. `rules` are
    (file, line) of instruction files. `settled` is what the user chose of what the agent offered, `taken_up` what they
    agreed to, `approved` whether a plan was. `agreed`: they answered a hold, and agreement is an order. `command`: all
    of it, with what its code says.
    """
    if agreed and messages and agrees(messages[-1]):
        return None
    said, now = [read(text) for text in messages], {text.strip() for text in current}
    taken = [fold(text) for text in (*settled, taken_up) if text]
    after = [Message((), (one,), (one,), goes=True, wonders=False, text=one) for one in taken]
    call = _Call(effects, project_dir, command or effects.command)
    for at in range(len(said) - 1, -1, -1):
        if not said[at].bans:
            continue
        released = approved or bool(taken) or any(map(_releases, said[at + 1 :]))
        for ban in said[at].bans:
            wondered = ban.sort == "halt" and all(one.wonders for one in said[at + 1 :])
            passed = (
                ban.sort in ("halt", "only")
                and not (ban.stands or wondered)
                and messages[at].strip() not in now
            )
            if passed or (ban.sort == "halt" and released):
                continue
            if found := call.broken(ban, said[at], [*said[at + 1 :], *after]):
                return ban, found
    for file, line in rules:
        for ban in bans_of_line(line) if len(line) <= LINE_CHARS_MAX else ():
            if found := call.broken(ban, None, [*said, *after]):
                return replace(ban, quote=line.strip()[:QUOTE_CHARS_MAX], source=file), found
    return None


def _releases(message: Message) -> bool:
    return message.goes or (bool(message.orders) and all(ban.sort != "halt" for ban in message.bans))


class _Call:
    def __init__(self, effects: Effects, project_dir: str, command: str) -> None:
        self.effects, self.root = effects, project_dir.rstrip("/") + "/"
        self.command = " ".join(command.casefold().split())

    def broken(self, ban: Ban, own: Message | None, later: Sequence[Message]) -> Effect | None:
        """The effect that breaks a ban which neither its own message nor a later one lifts."""
        for one in self.effects.each:
            path = one.target.removeprefix(self.root)
            if one.stakes == "own" and (path.startswith("/") or not path):
                continue
            # Before what later messages say of it: of what few calls break, that is read in each of them.
            if not self._breaks(ban, one, path):
                continue
            low = path.casefold()
            spared = own is not None and _is_spared(ban, low, own)
            asked = [*later, own] if own is not None else later
            if (
                not spared
                and not any(_lifts(each, ban, low) for each in later)
                and not self._orders_it(ban, asked)
            ):
                return one
        return None

    def _orders_it(self, ban: Ban, said: Sequence[Message]) -> bool:
        """Whether an order to add or run it names the package that a ban on installing keeps out, or the program."""
        if ban.sort != "act":
            return False
        names = set(ban.names)
        if "install" in ban.acts and (adds := shared("adds").search(self.command)):
            names.update(re.findall(r"(?<=[ /])[a-z][\w-]{2,}(?=[@=<>~ ]|$)", self.command[adds.end() :]))
        newly = shared("new").search(fold(ban.quote)) is not None
        orders = (
            order
            for one in said
            for order in one.orders
            if shared("adding").search(order) or (newly and shared("updating").search(order))
        )
        return bool(names) and any(not names.isdisjoint(re.findall(r"[\w-]+", one)) for one in orders)

    def _starts(self, programs: Sequence[str]) -> bool:
        each = "|".join(map(re.escape, programs))
        return re.search(rf"(?:^|[;&|(] ?|\bsudo )(?:{each})(?![\w./-])", self.command) is not None

    def _holds(self, need: str) -> bool:
        """Whether the command has a word; an option stands whole."""
        end = r"(?![\w-])" if need.startswith("-") else ""
        return re.search(rf"(?<!\w){re.escape(need)}{end}", self.command) is not None

    def _breaks(self, ban: Ban, one: Effect, path: str) -> bool:
        outside = path.startswith("/")
        if ban.sort == "act":
            needed = all(map(self._holds, ban.needs))
            within = not ban.kinds or _is_under(path, ban)
            started = not ban.names or self._starts(ban.names)
            return needed and within and started and any(self._does(act, one) for act in ban.acts)
        if ban.sort == "halt":
            planned = ban.talks and shared("plan_file").search(path) is not None
            return (
                (one.operation in ACTS or one.stakes == "outward") and not (path and outside) and not planned
            )
        if not path and ban.sort == "thing":
            named = {*ban.kinds, *ban.names} & listed("rewrites")
            return any(shared(one, "rewrites").search(self.command) for one in named)
        if not path or one.operation == "run":
            return False
        if ban.sort == "only":
            return not outside and one.operation != "vcs" and not _is_under(path, ban)
        if one.operation == "create" and shared("existing").search(fold(ban.quote)):
            return False
        holds = one.operation in ("delete", "move") and any(
            name.strip("/").startswith(f"{path}/") for name in ban.names
        )
        return holds or _is_under(path, ban)

    def _does(self, act: str, one: Effect) -> bool:
        if (act, one.operation) in (("create", "create"), ("delete", "delete"), ("rename", "move")):
            return True
        if (act, one.operation) == ("install", "install"):
            return shared("adds").search(self.command) is not None
        told = (
            bool(self.command) if act == "run" else shared(act, "commands").search(self.command) is not None
        )
        return told and (act == "run" or one.operation in UNNAMED or not one.target)


def _is_under(path: str, ban: Ban) -> bool:
    """Whether a path is one of those that a ban names, or of its kinds."""
    low = path.casefold()
    if not all(_squashed(need) in _squashed(low) for need in ban.needs):
        return False
    kinds = any(shared(kind, "paths").search(low) for kind in ban.kinds)
    return kinds or any(_names(name, low) for name in ban.names)


def _names(name: str, path: str) -> bool:
    """Whether a ban's name is the path, a folder that holds it, its base, its stem or its ending."""
    name, base = name.removeprefix("./").rstrip("/"), path.rpartition("/")[2]
    if "*" in name:
        whole = name.removesuffix("/**").removesuffix("/*")
        matched = fnmatch.fnmatch(base, name) or fnmatch.fnmatch(path, name)
        return matched or ("*" not in whole and _names(whole, path))
    if name.startswith(".") and "/" not in name:
        ending = ".yml" if name == ".yaml" else name
        known = ending[1:] in listed("endings") and base.replace(".yaml", ".yml").endswith(ending)
        return known or base == name or base.startswith(f"{name}.") or f"/{name}/" in f"/{path}"
    if "/" in name or "." in name:
        return f"/{name.strip('/')}/" in f"/{path}/"
    wanted, (*folders, last) = _squashed(name), path.split("/")
    parts = (_squashed(part) for part in (*folders, last.partition(".")[0], last))
    return len(wanted) > 2 and any(part in (wanted, f"{wanted}s", wanted.removesuffix("s")) for part in parts)


def _squashed(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _is_spared(ban: Ban, path: str, own: Message) -> bool:
    """Whether the message that forbids orders it of this one thing."""
    if ban.sort == "halt":
        base, w = path.rpartition("/")[2], words_for(own.text)
        return bool(base) and any(base in order and w.has(order, "talk", "propose") for order in own.orders)
    if any(word[:5] in said and shared("met").search(said) for word in ban.until for said in own.says):
        return True
    if not path or ban.sort == "act":
        return False
    named, longest = [*ban.spares, *paths_in("\n".join(own.orders))], max(map(len, ban.names), default=0)
    return any(len(name) >= longest and _names(name, path) for name in named)


def _lifts(message: Message, ban: Ban, path: str) -> bool:
    """Whether a later message lifts a ban: it orders or allows what was forbidden, or meets its condition."""
    w = words_for(message.text)
    if ban.until and "without" in ban.quote.casefold():
        if shared("consents").search(message.text):
            return True
    elif ban.until:
        goes = not message.wonders and (message.goes or w.has(message.text, "goes"))
        short = len(message.text.split()) < GO_WORDS_MAX and not message.bans
        if (goes and short and not shared("lasts").search(fold(ban.quote))) or any(
            word[:5] in message.text for word in ban.until if len(word) > 2
        ):
            return True
    if ban.sort == "act":
        spoken = [*message.orders, *(shared("stated").sub(" ", each) for each in message.says)]
        return any(w.spoken("acts", act).search(w.says(each)) for each in spoken for act in ban.acts)
    if ban.sort == "only" and any(one.sort == "only" and _is_under(path, one) for one in message.bans):
        return True
    for said in message.orders:
        kinds = () if w.has(said, "uses") else ban.kinds
        named = any(_names(name, path) for name in paths_in(said))
        if named or any(name.strip("/*") in said for name in ban.names if len(name) > 2):
            return True
        if any(w.spoken("kinds", kind).search(said) for kind in kinds):
            return True
    return False
