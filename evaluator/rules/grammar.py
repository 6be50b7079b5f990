"""What one clause of a message forbids. Pure.

A ban is a denied verb with an object that is a file, a kind of file or a kind of act, or with no object but "anything".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from evaluator.record import Record, replace
from evaluator.rules.clauses import Clause, is_change, is_order, paths_in
from evaluator.rules.mentions import Mention, excepted, mentions
from evaluator.rules.vocabulary import Words, listed, shared

Sort = Literal["only", "halt", "named"]
QUOTE_CHARS_MAX = 90
INFLECTION_CHARS_MAX = 6
"""Between a verb and the denial that is tied to its end."""
_NOUN = re.compile(r"(?:ing|s|tions?|change|edit|code|work|action|implementation|near|into)$")


class Ban(Record):
    """`quote` is how the user put it, `source` the instruction file that it stands in, empty for what they typed.

    `names` and `kinds` are the files of a limit, `needs` words that a path has to hold as well; `mentions` is what any
    other ban speaks of. `spares` are names that the same message allows, `until` the words of a condition that ends it.
    `talks`: the user wants words in place of acts, or before them. `stands`: it is meant for longer than the request.
    """

    sort: Sort
    quote: str
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    talks: bool = False
    stands: bool = False
    source: str = ""
    mentions: tuple[Mention, ...] = ()


class ClauseGrammar:
    """What one clause denies, and of what. `ordered`: an order went before; `talked`: words were asked for before."""

    def __init__(self, clause: Clause, w: Words, ordered: bool, talked: bool, in_file: bool) -> None:
        self.clause, self.w, self.ordered, self.talked, self.in_file = clause, w, ordered, talked, in_file
        self.text = shared("by_hand").sub("", w.led(clause.text))
        forbids = ("deny", "denied", "asis")
        ahead = None if w.order == "first" else w["until"].search(self.text)
        ahead = ahead if ahead and w.has(self.text[ahead.end() :], *forbids) else None
        until = ahead or w["until"].search(self.text, 1)
        self.bounded = self.text[: until.start()] if until else self.text
        if until and ahead and not w.has(self.bounded, *forbids):
            # "Until I say so nothing is changed" where the condition goes before
            self.text = f"{self.text[until.end() :].strip()} {self.text[: until.end()]}"
            self.bounded = self.text[: len(self.text) - until.end() - 1]
            until = w["until"].search(self.text, len(self.bounded))
        self.until: tuple[str, ...] = ()
        if until:
            lasts = shared("lasts").fullmatch(until.group())
            self.until = w.content(self.text[until.end() :]) or (() if lasts else (until.group(),))
        deny = None if w.has(self.bounded, "subject") else w["deny"].search(self.bounded)
        if deny and w.order == "first" and deny.start():
            deny = None
        self.denied = (self.bounded[: deny.start()], self.bounded[deny.end() :]) if deny else None
        self.denial = deny.group() if deny else ""
        self.is_no = w.language == "en" and self.denial == "no"
        self.names = paths_in(self.text)

    def bans(self, ahead: Sequence[str], document: bool) -> tuple[Ban | None, tuple[Ban, ...]]:
        """(what the clause forbids, what else it names). `ahead`: the clauses before it. `document`: it stands in a
        file or a plan."""
        if document and self.clause.aside:
            return None, ()
        found, named = self.ban(), self.named(ahead)
        if document and found and found.sort in ("halt", "only"):
            found = None
        if named is None or (found and found.sort == "only"):
            return found, ()
        if named.sort == "halt" and document and not (self.in_file and named.until):
            return found, ()
        only_said = named.sort != "halt" and not any(one.edits or one.acts for one in named.mentions)
        if found is None:
            return (None, (named,)) if only_said else (named, ())
        return found, (named,)

    def ban(self) -> Ban | None:
        if self.clause.whole:
            return self._before()
        if self.w.has(self.bounded, "not_only"):
            return None
        if self.clause.limits:
            if self.ordered and self.w.content(self.text, "nothing_else", "touch", "any"):
                return None  # after other orders, "remove the helper in a.py, and nothing else" limits itself
            names = paths_in(self.clause.text)
            return self._made("only", names=names, kinds=() if names else self.w.kinds(self.clause.text))
        if self.clause.conditional:
            found = None if self.w.has(self.clause.text, "condition") else self._limit()
        else:
            found = None if self.in_file else self._halt() or self._limit()
        return replace(found, until=self.until) if found else None

    def named(self, ahead: Sequence[str]) -> Ban | None:
        """A ban on what the words of the clause name, whatever it is, or on acting at all where they name nothing.
        `ahead`: the clauses before it."""
        leaves = self.w["except"].search(self.bounded)
        everywhere = shared("everywhere").search(self.text) is not None
        ordered = self.ordered or everywhere or is_order(self.bounded, self.w)
        spares = leaves and not self.clause.whole and (ordered or (self.names and not leaves.start()))
        if spares and (left_out := excepted(self.bounded, self.w)):
            return self._made("named", mentions=left_out, until=self.until)
        denies = self.denied is not None and not (leaves and leaves.start()) and not self.denied[0].strip()
        if leaves and not (denies or self.w.has(leaves.group(), "deny")):
            return None
        if self.clause.whole or self.clause.conditional or self.w.has(self.bounded, "not_only"):
            return None
        found = mentions(self.clause, self.bounded, self.w, ahead, self.in_file)
        if found is None and self.until and self.w.has(self.text, "asis", "off", "denied"):
            # "billing/ is until Friday frozen" in another order
            found = mentions(self.clause, self.text, self.w, ahead, self.in_file) or None
        if found:
            return self._made("named", mentions=found, until=self.until)
        # "No edits to the sources until I have seen them": nothing in particular is named.
        w = self.w
        vain = self.names or self.w.has(self.text, "pronoun", "others", "only", "beyond")
        bare = (
            found == ()
            and not vain
            and (bool(self.until) if self.in_file else self.talked or not self.ordered)
        )
        bare = bare and (
            self.denied is not None or w.order != "first" or w["until"].match(self.text) is not None
        )
        if bare and (self.until or self.w.has(self.bounded, "any", "yet", "generic")):
            return self._made("halt", until=self.until)
        return None

    def _made(self, sort: Sort, **more: object) -> Ban:
        said = " ".join(self.clause.said.split())
        joint = shared("joint").match(said.casefold())
        said = said[joint.end() :] if joint else said
        quote = said if len(said) <= QUOTE_CHARS_MAX else said[: QUOTE_CHARS_MAX - 1].rstrip() + "…"
        return replace(
            Ban(sort, quote, stands=self.w.has(self.clause.text, "standing") or bool(self.until)), **more
        )

    def _object(self, key: str) -> tuple[str, str] | None:
        """(verb, what else is said) where a verb of this key is what is denied."""
        if self.denied is None:
            return None
        (head, tail), w = self.denied, self.w
        if w.order == "any":
            whole = f"{head} {tail}"
            found = w[key].search(whole)
            return (found.group(), f"{whole[: found.start()]} {whole[found.end() :]}") if found else None
        if w.order == "before":
            near = [one for one in w[key].finditer(head) if len(head) - one.end() <= INFLECTION_CHARS_MAX]
            return (near[-1].group(), head[: near[-1].start()]) if near else None
        found = w.opening(key).match(tail.lstrip())
        if found and self.is_no and not _NOUN.search(found.group()):
            return None  # "no, fix it" without the comma
        return (found.group().split()[-1], f"{head} {tail.lstrip()[found.end() :]}") if found else None

    def _stays(self) -> str | None:
        """What a clause says must stay as it is."""
        w, text = self.w, self.text
        asis = w["asis"].search(text)
        found = asis or w["off"].search(text)
        denied = w["deny"].search(text) if w.order == "first" else None
        if not found or w["weak"].match(text) or (denied and denied.end() <= found.start()):
            return None
        gap = " ".join(one for one in found.groups() if one)
        return f"{text[: found.start()]} {gap}" if asis else gap or text[found.end() :]

    def _halt(self) -> Ban | None:
        """A ban on acting at all: to stop, to answer or propose first, or a denied verb whose object is anything."""
        w, text = self.w, self.text
        if not self.names and (self._stops() or self._is_all(self._stays())):
            return self._made("halt")
        if not self.denied and not is_change(text) and self._talks():
            return self._made("halt", talks=True)
        if self.denied is None or self.names or w.has(text, "others") or w.acts(" ".join(self.denied)):
            return None
        for verb, said in filter(None, (self._object("touch"), self._object("make"))):
            if w.kinds(said) or w.content(said, "any", "yet", "talk", "make"):
                continue
            named = self.clause.names + self.clause.kinds
            told = (self.talked or w.has(verb, "make")) and not self.ordered
            universal = w.has(f"{self.denial} {said}", "any") or w.has(text, "yet")
            reviews = (
                self.talked and not self.ordered and not w.has(said, "pronoun")
            )  # "Review a.py, no changes"
            bare = reviews or not (said.strip() or named)
            if named and w.has(said, "pronoun"):
                continue
            if universal or bare or (told and not self.clause.names):
                return self._made("halt", talks=self.talked)
        return None

    def _is_all(self, said: str | None) -> bool:
        w = self.w
        if not said or w.content(said, "any", "yet") or w.kinds(said):
            return False
        return w.has(said, "any") or (self.talked and bool(said.strip()) and not self.clause.names)

    def _stops(self) -> bool:
        w, empty = self.w, ("halt", "any", "yet", "stop", "wait", "pausing", "talk")
        stop, wait = w["stop"].match(self.bounded), w["wait"].match(self.text)
        after = self.bounded[stop.end() :] if stop else self.text[wait.end() :] if wait else ""
        if (stop or (wait and not self.clause.remarks)) and (
            w.has(after, "pausing") or not w.content(after, *empty)
        ):
            return True
        return (
            w.has(self.clause.text, "halt")
            and not is_change(self.text)
            and not w.content(self.bounded, *empty)
        )

    def _talks(self) -> bool:
        w, text = self.w, shared("name").sub(" ", self.clause.text)
        only, talk = w["only"].search(text), w["talk"].search(text)
        if only and talk:
            (start, end), (more, _) = sorted((only.span(), talk.span()))
            # "Review only shows ten" tells.
            tells = (
                w.language == "en" and talk.start() < only.start() and w.content(text[only.end() :], "yet")
            )
            if not tells and not w.content(text[end:more]) and not w.content(text[:start]):
                return True
        return w.has(text, "first") and w.has(text, "propose")

    def _before(self) -> Ban | None:
        """ "Show me a plan before you change anything": said over a whole sentence."""
        w, text = self.w, self.clause.text
        condition, cut, then = text.partition(",")
        if self.clause.conditional:
            # "If you must change a.py, ask me first"
            asks = w["condition"].match(condition) and w["ask"].match(w.led(then.strip()))
            return self._of(condition) if asks and w.has(then, "first") else None
        found = w["before"].search(text)
        if found is None or is_change(self.text):
            return None
        if w.runs_on:
            text = f"{text[found.end() :]} {found.group()} {text[: found.start()]}"
            found = w["before"].search(text)
            assert found is not None
        rest, cut, more = text[found.end() :].partition(",")
        deny = w["deny"].search(text[: found.start()]) if w.order == "first" else None
        if deny and w.opening("ask").match(text[deny.end() : found.start()].lstrip()):
            return None  # "You needn't ask before pushing"
        # "Before implementing anything I want to see a plan" without the comma
        around = f"{text[: found.start()]} {cut} {more}" if found.start() or cut else rest
        if not w.has(around, "ask", "propose", "wait"):
            return None
        if acts := w.acts(rest):
            vague = "create" in acts and w.content(rest, "any", "yet")
            return None if vague else self._made("named", mentions=(Mention(acts=acts, edits=False),))
        if paths_in(rest):
            return None if w.has(around, "wait") else self._of(rest)
        return self._made("halt", talks=True) if w.has(rest, "touch", "make") else None

    def _of(self, said: str) -> Ban | None:
        """A ban on what may be changed only with the user's leave."""
        names = paths_in(said) if self.w.has(said, "touch") else ()
        return self._made("named", mentions=(Mention(names),), until=("ok",)) if names else None

    def _limit(self) -> Ban | None:
        """A ban from "only X": nothing may be touched but what is named."""
        w, text = self.w, self.bounded
        if w.has(text, "not_only") or w.acts(text):
            return None
        beyond = w["beyond"].search(text) or (w["except"].search(text) if self.clause.spares else None)
        if beyond and w.has(text, "deny", "any"):
            ahead = w.order == "first" or self.clause.spares
            what = text[beyond.end() :] if ahead else w["beyond"].sub(" ", text)
            if w.has(what, "pronoun") and not self.names and self.clause.names and not w.content(what):
                return self._made("only", names=self.clause.names)
            return self._only_what(what, strict=True)
        only = w["only"].search(text)
        if only and w.has(only.group(), "mere"):
            only = None
        if only and w.order == "first" and w.opening("touch").match(text[only.end() :].lstrip()):
            return self._only_what(text, strict=not paths_in(text))
        return self._only_what(text, strict=True) if only or w.has(text, "stay") else None

    def _only_what(self, what: str, *, strict: bool) -> Ban | None:
        """A limit to what is named in `what`; None where nothing is, or where more is said of it than a name. `strict`:
        nothing else may be said."""
        w, keys = self.w, ("stay", "yet", "any", "touch", "until", "beyond")
        for joint in shared("conj").finditer(what):
            what = what[: joint.start()] if is_order(what[joint.end() :], w) else what
        endings = [
            one for one in shared("kind_of").finditer(what) if listed("endings").intersection(one.groups())
        ]
        names = [*paths_in(what), *(f".{next(filter(None, one.groups()))}" for one in endings)]
        plain = shared("name").sub(" ", what)
        for ending in endings:
            plain = plain.replace(ending.group(), " ")
        kinds = w.kinds(plain)
        for word in (one for groups in shared("folder").findall(what) for one in groups if one):
            names += [] if w["filler"].fullmatch(word) or w.kinds(word) else [word]
        left = [one for one in w.content(w.without("kinds", kinds, plain), *keys) if one not in names]
        needs: tuple[str, ...] = ()
        if kinds and not names:
            needs = tuple(re.findall(r"([\w-]+) \n", w.without("kinds", kinds, what, "\n")))
            needs = tuple(one for one in needs if one in left and one not in listed("adjectives"))
            needs += tuple(shared("suites").findall(what)) if "tests" in kinds else ()
        unsaid = [one for one in left if one not in needs and (strict or one not in listed("adjectives"))]
        if not (names or kinds) or (unsaid and (strict or not names)) or (not names and w.has(what, "how")):
            return None
        return self._made(
            "only", names=tuple(dict.fromkeys(names)), kinds=() if names else kinds, needs=needs
        )
