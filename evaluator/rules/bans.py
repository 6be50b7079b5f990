"""What the user forbids outright, in their own words: a thing, a kind of act, or acting at all. Pure.

Read are the current request, what still stands of earlier messages, and the lines of instruction files that forbid.
Only what a person typed counts: quotations, logs, code, pasted text, reports and questions forbid nothing. A later
order that names the same thing lifts a ban.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from evaluator.effects import text_of
from evaluator.model import Effect, Effects, Exchange, PendingWrite
from evaluator.record import Record, replace
from evaluator.rules.clauses import Clause, below_heading, clauses, is_change, is_order, paths_in
from evaluator.rules.grammar import QUOTE_CHARS_MAX, Ban, ClauseGrammar
from evaluator.rules.mentions import is_part, names, squashed
from evaluator.rules.vocabulary import Words, listed, of_all, shared, words, words_for
from evaluator.text import fold, parted

TEXT_CHARS_MAX = 8_000
SHORT_WORDS = 8
"""A reply of no more words takes up what the agent said last."""
LINES_MAX = 4096
"""More than the instruction files of a project hold, that are read on each call."""
LINE_CHARS_MAX = 300
GO_WORDS_MAX = 8
"""Words that let the agent go on, and say no more, meet the condition of a ban."""
ACTS = ("create", "append", "edit", "overwrite", "delete", "move", "vcs", "install")
UNNAMED = ("vcs", "network", "install", "delete", "move", "unknown", "run", "overwrite", "edit")
"""What a command may do that its text alone tells."""
_PUTS_BACK = re.compile(r"\b(?:checkout|restore|stash|rm|mv|apply|reset)\b")
_SAYING = re.compile(r"(?<!-c )(?:'[^']*\s[^']*'|\"[^\"]*\s[^\"]*\")")
"""What a command says in several words; not what it runs."""
_GOES_TO = re.compile(r"\bgit\b.*\b(?:checkout|switch)\b(?!.* -[bBcC]\b)")
_SEPARATORS = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
"""Between the words of a tool's name: "mcp__slack__post_message" is read as a command would be."""


class Message(Record):
    """`orders` and `says` are folded clauses that forbid nothing. `goes`: it lets the agent go on. `wonders`: it ends
    in a question and orders nothing."""

    bans: tuple[Ban, ...]
    orders: tuple[str, ...]
    says: tuple[str, ...]
    goes: bool
    wonders: bool
    text: str


def agrees(text: str) -> bool:
    """Whether a message opens with words that let the agent go on."""
    folded = fold(text)
    each = (words_for(folded), words("en"))
    return any(w["goes"].match(w.says(folded)) is not None for w in each)


def agrees_later(text: str) -> bool:
    """Whether a message lets the agent go on once something else is done: "back them up first, then ok"."""
    folded = fold(text).rstrip(" .!")
    each, last = (words_for(folded), words("en")), re.split(r"[,;.:!]", folded)[-1]
    if of_all("denied").search(last) or shared("before").search(last):
        return False
    return any(
        w.has(folded, "first") and any(one.end() == len(folded) for one in w["goes"].finditer(folded))
        for w in each
    )


@lru_cache(maxsize=512)
def read(text: str) -> Message:
    return _read(text, in_file=False)


@lru_cache(maxsize=LINES_MAX)
def bans_of_line(line: str) -> tuple[Ban, ...]:
    """What a line of an instruction file forbids. Kept apart: a call may read more such lines than messages."""
    if found := _read(line, in_file=True).bans:
        return found
    said = below_heading(line)
    return tuple(ban for ban in _read(said, in_file=True).bans if ban.sort != "named") if said else ()


def _own(text: str, in_file: bool) -> tuple[str, bool]:
    """(what the user wrote of a text themselves, whether it is a file's line or a plan that is handed over)"""
    own = parted(text[:TEXT_CHARS_MAX])[0]
    if in_file:
        # A row of a table tells of what stands in its first cell.
        return own.strip("| ").replace(" | ", ": "), True
    # A title orders nothing; in a plan "no changes" and "only" tell of what is written there.
    return shared("title").sub("", shared("comment").sub("", own)), shared("title").search(own) is not None


def _read(text: str, *, in_file: bool) -> Message:
    own, document = _own(text, in_file)
    w = words_for(fold(own))
    bans: list[Ban] = []
    orders: list[str] = []
    says: list[str] = []
    ordered, talked, named, asked, spares = in_file, False, "", False, False
    ahead: list[str] = []
    lasting = ""
    for clause in clauses(own, w):
        taken_back = shared("retracts").search(clause.text) is not None
        silent = clause.asks or clause.doubted or taken_back
        grammar = None if silent else ClauseGrammar(clause, w, ordered, talked, in_file)
        found, beside = grammar.bans(ahead, document) if grammar else (None, ())
        ahead = ahead if clause.whole else [*ahead[-1:], clause.text]
        bans = [] if taken_back and not clause.whole else [*bans, *beside]
        shut = in_file and not clause.whole and not clause.asks and shared("no_writes").search(clause.text)
        asked = clause.asks
        talked = talked or clause.asks or (not clause.whole and w.has(clause.text, "talk", "propose"))
        if shut:
            bans.append(Ban("halt", clause.said[:QUOTE_CHARS_MAX], stands=True))
        elif spares and not clause.asks and (more := _excepted(clause, w)):
            # "Leave all of it alone, except a.py"
            bans[-1] = replace(bans[-1], spares=(*bans[-1].spares, *more))
            continue
        elif found is not None:
            bans.append(replace(found, stands=True) if clause.text in lasting else found)
        if clause.whole:
            lasting = clause.text if w.has(clause.text, "standing") else ""
        spares = (found is not None and found.sort in ("thing", "act")) or (spares and clause.whole)
        if found is not None or clause.asks or clause.whole:
            named = "" if found is not None and not clause.whole else named
            continue
        says.append(clause.text)
        listed = shared("listed").search(clause.text) is not None
        orders_it = (listed or is_order(clause.text, w)) and not w.has(clause.text, "pausing")
        allows = w.has(clause.text, "allows")
        ordered = ordered or orders_it or allows
        if orders_it and not w.has(clause.text, "talk", "propose"):
            bans = [ban for ban in bans if ban.sort != "halt"]
        paths = " ".join(paths_in(clause.text))
        if is_change(clause.text) and w.has(clause.text, "pronoun") and not paths:
            last = bans[-1] if bans else None  # half of a choice: "don't rename a.py, delete it"
            if last and last.sort == "thing" and last.names and w.acts(fold(last.quote)):
                bans.pop()
        if orders_it or allows or agrees(clause.text):
            points = not paths and (w.has(clause.text, "pronoun") or not w.kinds(clause.text))
            orders.append(f"{clause.text} {named}" if points else clause.text)
        named = paths or named
    bans = _spared(bans, fold(own))
    # "OK, and how would you do it?" lets nothing go on.
    orders = [one for one in orders if not (asked and w["goes"].fullmatch(one.strip(" ,.!")))]
    wonders = asked and not orders
    goes = agrees(own) and not wonders and all(ban.sort != "halt" for ban in bans)
    return Message(tuple(bans), tuple(orders), tuple(says), goes, wonders, fold(own))


def _spared(bans: list[Ban], text: str) -> list[Ban]:
    """The bans, less what a limit leaves; "package.json only" says nothing of "the kiosk". None to stop where the
    message tells what to do instead."""
    if shared("redirects").search(text):
        w = words_for(text)
        # "Stop editing" has an object, and stands.
        said = {ban: fold(ban.quote).strip(" .!,") for ban in bans if ban.sort == "halt"}
        bare = {
            ban
            for ban, text in said.items()
            if w["wait"].fullmatch(text) or (" " not in text and w["stop"].fullmatch(text))
        }
        bans = [ban for ban in bans if ban not in bare]
    left = tuple(name for ban in bans if ban.sort == "only" for name in ban.names)
    plain = {ban for ban in bans if ban.names and all(re.fullmatch(r"\w+", name) for name in ban.names)}
    return [
        ban if ban.sort == "only" or ban in plain else replace(ban, spares=(*ban.spares, *left))
        for ban in bans
    ]


def _excepted(clause: Clause, w: Words) -> tuple[str, ...]:
    """The names that a clause takes out of the ban before it; "and not a.py" forbids more."""
    found = w["except"].match(clause.text)
    return paths_in(clause.text) if found and not shared("negates").search(found.group()) else ()


def compile_words() -> None:
    """Compiles what nearly every message is looked at with, some 90 ms, so that no call waits for it."""
    read("Fix the parser, but don't touch the tests.")


def taken_up(exchange: Exchange) -> str:
    """What a short reply agrees to: the options that it picks, or all that the agent said last; empty for none."""
    last = exchange.request[-1] if exchange.request else ""
    if not exchange.prior_assistant_turn or not last or len(last.split()) > SHORT_WORDS:
        return ""
    from evaluator.exchange.menu import find_menu
    from evaluator.exchange.reply import resolve_reply

    menu = find_menu(exchange.prior_assistant_turn)
    resolved = resolve_reply(menu, last) if menu else None
    # "Shall I do them?" points at what was said before it.
    if menu and resolved and (menu.kind != "proposal" or paths_in("\n".join(resolved.labels))):
        return "\n".join(resolved.labels)
    agreed = agrees(last) and not read(last).wonders
    return exchange.prior_assistant_turn if resolved or agreed else ""


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
    """The first ban that an effect of a call breaks, the newest first, and that effect.

    `messages` are what the user typed in this session, oldest first; those of the exchange are acted on now.
    `instructions` are (file, line). `agreed`: they answered a hold, and agreement is an order. `taken`: what the user
    agreed to, where it is not what the agent said last in the exchange.
    """
    if agreed and messages and agrees(messages[-1]):
        return None
    answers = [answer for asked in exchange.questions for answer in asked.answers]
    agreed_to = [*answers, taken_up(exchange) if taken is None else taken]
    after = [
        Message((), (one,), (one,), goes=True, wonders=False, text=one)
        for one in map(fold, filter(None, agreed_to))
    ]
    approved = bool(after) or any(plan.approved for plan in exchange.plans)
    command = text_of(pending.tool_input, "command") or _SEPARATORS.sub(" ", pending.tool_name)
    call = _Call(effects, pending.project_dir, command)
    said, now = [read(text) for text in messages], {text.strip() for text in exchange.request}
    for at in range(len(said) - 1, -1, -1):
        if not said[at].bans:
            continue
        released = approved or any(
            one.goes or (one.orders and all(ban.sort != "halt" for ban in one.bans)) for one in said[at + 1 :]
        )
        for ban in said[at].bans:
            wondered = ban.sort == "halt" and all(one.wonders for one in said[at + 1 :])
            limits = ban.sort in ("halt", "only") and not (ban.stands or wondered)
            passed = limits and messages[at].strip() not in now
            if passed or (ban.sort == "halt" and released):
                continue
            if found := call.broken(ban, said[at], [*said[at + 1 :], *after]):
                return ban, found
    for file, line in instructions:
        for ban in bans_of_line(line) if len(line) <= LINE_CHARS_MAX else ():
            if found := call.broken(ban, None, [*said, *after]):
                return replace(ban, quote=line.strip()[:QUOTE_CHARS_MAX], source=file), found
    return None


class _Call:
    def __init__(self, effects: Effects, project_dir: str, command: str) -> None:
        self.effects, self.root = effects, project_dir.rstrip("/") + "/"
        self.command = " ".join(command.casefold().split())
        self.unquoted = _SAYING.sub(" ", self.command)

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
            lifted = spared or any(_lifts(each, ban, low) for each in later)
            if not lifted and not self._orders_it(ban, [*later, own] if own is not None else later):
                return one
        return None

    def _orders_it(self, ban: Ban, said: Sequence[Message]) -> bool:
        """Whether an order to add or update it names the package that a ban keeps out."""
        if not (acts := _acts_of(ban)):
            return False
        names = set(ban.names)
        if "install" in acts and (adds := shared("adds").search(self.command)):
            names.update(re.findall(r"(?<=[ /])[a-z][\w-]{2,}(?=[@=<>~ ]|$)", self.command[adds.end() :]))
        newly = shared("new").search(fold(ban.quote)) is not None
        return any(
            not names.isdisjoint(re.findall(r"[\w-]+", order))
            for one in said
            for order in one.orders
            if shared("adding").search(order) or (newly and shared("updating").search(order))
        )

    def _holds(self, need: str, acts: Iterable[str]) -> bool:
        """Whether what does the act, or goes to a branch before it, has a word outside of what it quotes; an option
        stands whole."""
        word = rf"(?<!\w){re.escape(need)}" + (r"(?![\w-])" if need.startswith("-") else "")
        does = [shared(act, "commands") for act in acts if act != "run"] or [re.compile("")]
        return any(
            re.search(word, part) and (_GOES_TO.search(part) or any(one.search(part) for one in does))
            for part in re.split(r"&&|\|\||[;|\n]", self.unquoted)
        )

    def _breaks(self, ban: Ban, one: Effect, path: str) -> bool:
        outside = path.startswith("/")
        of_file = path and ban.sort in ("thing", "named") and not _acts_of(ban)
        if of_file and one.operation == "vcs" and not _PUTS_BACK.search(self.command):
            return False  # what is committed was changed before
        for each in ban.mentions:
            if each.meets(path, self.command, lambda act: self._does(act, one)):
                # "Old migrations" leaves room for a new one.
                return one.operation != "create" or not shared("existing").search(fold(ban.quote))
        if ban.sort == "named":
            words = (word for one in ban.mentions for word in (*one.kinds, *one.words))
            return not path and self._rewrites(words)
        if ban.sort == "act":
            needed = all(self._holds(need, ban.acts) for need in ban.needs) and (
                not ban.kinds or _is_under(path, ban)
            )
            return needed and any(self._does(act, one) for act in ban.acts)
        if ban.sort == "halt":
            planned = ban.talks and shared("plan_file").search(path) is not None
            prose = shared("code_only").search(fold(ban.quote)) and shared("documents").search(path)
            acts = one.operation in ACTS or one.stakes == "outward"
            return acts and not (outside or planned or prose)
        if not path and ban.sort == "thing":
            return self._rewrites((*ban.kinds, *ban.names))
        if not path or one.operation == "run":
            return False
        if ban.sort == "only":
            return not outside and one.operation != "vcs" and not _is_under(path, ban)
        if one.operation == "create" and shared("existing").search(fold(ban.quote)):
            return False
        takes = one.operation in ("delete", "move")
        holds = takes and any(name.strip("/").startswith(f"{path}/") for name in ban.names)
        return holds or _is_under(path, ban)

    def _rewrites(self, what: Iterable[str]) -> bool:
        """Whether the command changes what is so called, without naming a file."""
        known = listed("rewrites").intersection(what)
        return any(shared(one, "rewrites").search(self.command) for one in known)

    def _does(self, act: str, one: Effect) -> bool:
        if (act, one.operation) in (("create", "create"), ("delete", "delete"), ("rename", "move")):
            return True
        if (act, one.operation) == ("install", "install"):
            return shared("adds").search(self.command) is not None
        told = bool(self.command) if act == "run" else bool(shared(act, "commands").search(self.command))
        return told and (act in ("run", "format") or one.operation in UNNAMED or not one.target)


def _acts_of(ban: Ban) -> set[str]:
    return {*ban.acts, *(act for one in ban.mentions for act in one.acts)}


def _is_under(path: str, ban: Ban) -> bool:
    """Whether a path is one of those that a ban names, or of its kinds."""
    low = path.casefold()
    if not all(squashed(need) in squashed(low) for need in ban.needs):
        return False
    kinds = any(shared(kind, "paths").search(low) for kind in ban.kinds)
    return kinds or any(names(name, low) for name in ban.names)


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
    return any(len(name) >= longest and names(name, path) for name in named)


def _lifts(message: Message, ban: Ban, path: str) -> bool:
    """Whether a later message lifts a ban: it orders or allows what was forbidden, or meets its condition."""
    w = words_for(message.text)
    if ban.until and "without" in ban.quote.casefold():
        if shared("consents").search(message.text):
            return True
    elif ban.until:
        goes = not message.wonders and (message.goes or w.has(message.text, "goes"))
        short = len(message.text.split()) < GO_WORDS_MAX and not message.bans
        met = any(word[:5] in message.text for word in ban.until if len(word) > 2)
        if met or (goes and short and not shared("lasts").search(fold(ban.quote))):
            return True
    if acts := _acts_of(ban):
        makes, told = w.opening("make"), shared("stated")
        says = (each if makes.match(each) else told.sub(" ", each) for each in message.says)
        spoken = [*message.orders, *says]
        if any(w.spoken("acts", act).search(w.says(each)) for each in spoken for act in acts):
            return True
    if ban.sort == "act":
        return False
    if ban.sort == "only" and any(one.sort == "only" and _is_under(path, one) for one in message.bans):
        return True
    meets = (shared("met"), shared("retracts"), w["allows"])
    now = [one for one in message.says if any(each.search(one) for each in meets)]
    words = [word for one in ban.mentions for word in one.words if is_part(word, path)]
    every = {*ban.kinds, *(kind for one in ban.mentions for kind in one.kinds)}
    for said in (*message.orders, *now):
        kinds = () if w.has(said, "uses") else every
        named = any(names(name, path) for name in paths_in(said))
        if named or any(name.strip("/*") in said for name in (*ban.names, *words) if len(name) > 2):
            return True
        if any(w.spoken("kinds", kind).search(said) for kind in kinds):
            return True
    return False
