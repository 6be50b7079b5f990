"""What one clause of a message forbids. Pure.

A ban is a denied verb with an object that is a file, a kind of file or a kind of act, or with no object but "anything".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from evaluator.record import Record, replace
from evaluator.rules.clauses import QUOTATION, Clause, is_change, is_order, paths_in
from evaluator.rules.mentions import Mention, excepted, is_generic, mentions, narrowed, verbs_at_end
from evaluator.rules.vocabulary import NEVER, Words, listed, shared

Sort = Literal["thing", "only", "act", "halt", "named"]
QUOTE_CHARS_MAX = 90
OPTION_WORDS_MAX = 3
PROPOSAL_WORDS_MAX = 18
"""A clause of more words tells of an order of things, rather than asks for a plan first."""
OUTWARD = frozenset({"send", "ticket", "page", "apply", "format", "comment", "deploy", "publish"})
"""Acts of which a command says little: "no comments on their issues" is met by any comment."""
_NOUN = re.compile(r"(?:ing|s|tions?|change|edit|code|work|action|implementation|near|into)$")


class Ban(Record):
    """`quote` is how the user put it, `source` the instruction file that it stands in, empty for what they typed.

    `names` and `kinds` say which files, `acts` which acts; `needs` are words that a path or a command has to hold as
    well. `spares` are names that the same message allows, `until` the words of a condition that ends it. `talks`: the
    user wants words in place of acts, or before them. `stands`: it is meant for longer than the request.
    """

    sort: Sort
    quote: str
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
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
        seen = shared("tells_ahead").match(ahead[-1]) if ahead else shared("report").match(self.clause.text)
        remark = self.clause.bracketed and not self.clause.aside and not self.w.has(self.text, "yet", "any")
        if (self.is_no and seen) or remark:
            # "I refreshed it. No changes." "No change. The button stays grey." "(locked, do not change)"
            found, named = (None if one and one.sort == "halt" else one for one in (found, named))
        if document and found and (found.sort in ("halt", "only") or shared("needless").search(self.text)):
            found = None
        if named is None or (found and found.sort == "only"):
            return found, ()
        needless = not self.in_file and shared("needless").search(self.text)
        if document and (needless or (named.sort == "halt" and not (self.in_file and named.until))):
            return found, ()
        options = any(word[:1] == "-" for one in named.mentions for word in one.words)
        tells = named.sort == "halt" or any(one.edits or one.acts for one in named.mentions)
        if found is None and not tells:
            return None, (named,)
        if found is None or options:  # "never `git commit --no-verify`" forbids no commit
            return named, ()
        if found.sort == "halt":
            return found, (named,)
        return replace(found, mentions=named.mentions), ()

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
            found = None if self.w.has(self.clause.text, "condition") else self._limit() or self._thing()
        else:
            found = None if self.in_file else self._halt() or self._limit()
            each = (self._thing, self._act) if self.in_file and self.names else (self._act, self._thing)
            found = found or each[0]() or each[1]()
        return replace(found, until=self.until) if found else None

    def named(self, ahead: Sequence[str]) -> Ban | None:
        """A ban on what the words of the clause name, whatever it is, or on acting at all where they name nothing.
        `ahead`: the clauses before it."""
        leaves = self.w["except"].search(self.bounded)
        if leaves and (self.ordered or is_order(self.bounded, self.w) or (self.names and not leaves.start())):
            left_out = excepted(self.bounded, self.w)
            return self._made("named", mentions=left_out, until=self.until) if left_out else None
        if leaves and not self.w.has(leaves.group(), "deny"):
            return None
        if self.clause.whole or self.clause.conditional or self.w.has(self.bounded, "not_only"):
            return None
        found = mentions(self.clause, self.bounded, self.w, ahead)
        if found:
            return self._made("named", mentions=found, until=self.until)
        # "No edits to the sources until I have seen them": nothing in particular is named.
        w = self.w
        vain = self.names or self.w.has(self.text, "pronoun", "others", "only", "beyond")
        bare = found == () and not vain and (self.until if self.in_file else self.talked or not self.ordered)
        denies = self.denied is not None or w.order != "first" or w["until"].match(self.text) is not None
        if bare and denies and (self.until or self.w.has(self.bounded, "any", "yet", "generic")):
            return self._made("halt", until=self.until)
        return None

    def _made(self, sort: Sort, **more: object) -> Ban:
        said = " ".join(self.clause.said.split())
        joint = shared("joint").match(said.casefold())
        said = said[joint.end() :] if joint else said
        quote = said if len(said) <= QUOTE_CHARS_MAX else said[: QUOTE_CHARS_MAX - 1].rstrip() + "…"
        stands = self.w.has(self.clause.text, "standing") or bool(self.until)
        return replace(Ban(sort, quote, stands=stands), **more)

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
            near = verbs_at_end(w[key], head)
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
            # "Review a.py, no changes"
            reviews = self.talked and not self.ordered and not w.has(said, "pronoun")
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
        pauses = w["pausing"].search(after)
        said = after[: pauses.start()] if pauses and w.order == "first" else after
        opens = stop or (wait and not self.clause.remarks)
        if opens and ((pauses and w.order != "first") or not w.content(said, *empty)):
            return True
        halts = w.has(self.clause.text, "halt") and not is_change(self.text)
        return halts and not w.content(self.bounded, *empty)

    def _talks(self) -> bool:
        w, text = self.w, shared("name").sub(" ", self.clause.text)
        only, talk = w["only"].search(text), w["talk"].search(text)
        if only and talk:
            (start, end), (more, _) = sorted((only.span(), talk.span()))
            # "Review only shows ten" tells.
            behind = w.language == "en" and talk.start() < only.start()
            tells = behind and w.content(text[only.end() :], "yet")
            if not tells and not w.content(text[end:more]) and not w.content(text[:start]):
                return True
        plain = len(text.split()) <= PROPOSAL_WORDS_MAX
        return plain and w.has(text, "first") and w.has(text, "propose")

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
        around = f"{text[: found.start()]} {cut} {more}"
        if not w.has(around, "ask", "propose", "wait"):
            return None
        if acts := w.acts(rest):
            vague = "create" in acts and w.content(rest, "any", "yet")
            return None if vague else self._made("act", acts=acts)
        if paths_in(rest):
            return None if w.has(around, "wait") else self._of(rest)
        return self._made("halt", talks=True) if w.has(rest, "touch", "make") else None

    def _of(self, said: str) -> Ban | None:
        """A ban on what may be changed only with the user's leave."""
        touched = self.w["touch"].search(said)
        found = self._things("thing", said.replace(touched.group(), " ", 1)) if touched else None
        return replace(found, until=("ok",)) if found and found.names else None

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
            return self._things("only", what, strict=True)
        only = w["only"].search(text)
        if only and w.has(only.group(), "mere"):
            only = None
        if only and w.order == "first" and w.opening("touch").match(text[only.end() :].lstrip()):
            return self._things("only", text, strict=not paths_in(text))
        return self._things("only", text, strict=True) if only or w.has(text, "stay") else None

    def _act(self) -> Ban | None:
        """A ban on a kind of act that is denied, or that the user keeps for themselves."""
        w = self.w
        mine = w.has(self.bounded, "mine")
        if mine or w.has(self.text, "denied") or w.has(self.bounded, "asis"):
            said = self.bounded
        elif self.denied:
            near = self.denied[w.order != "before"]
            said = near if w.acts(near) else " ".join(self.denied)
        elif (excepted := w["except"].match(self.bounded)) and self.ordered:
            said = self.bounded[excepted.end() :]
            if w.content(w.without("acts", w.acts(said), said)):
                return None
        else:
            return None
        kept = mine or not self.denied or w.order != "first"
        runs = self._object("run") or ((mine or not self.denied) and QUOTATION.strip() in said)
        code = " ".join(shared("code").findall(self.clause.said)).casefold() if runs else ""
        acts = w.acts(f"{shared('beside').split(said)[0]} {code}") or (w.acts(said) if kept else ())
        if not acts and "migrations" in self.clause.kinds and self._object("run"):
            return self._made("act", acts=("migrate",))
        if not acts:
            needs = self._command(said)
            return self._made("act", acts=("run",), needs=needs) if needs else None
        left = w.without("acts", acts, said.replace(QUOTATION.strip(), "") if code else said)
        acts = narrowed(acts)
        names, kinds = paths_in(left), w.kinds(said)
        done, _, beside = shared("beside").sub("\n", left, count=1).partition("\n")
        needs = () if mine else w.content(done, "yet", "denied", "asis", "mine", "any", "run", "others")
        needs = tuple(one for one in needs if not one.endswith("ly"))
        if OUTWARD.intersection(acts):
            needs = tuple(one for one in needs if not one.isalpha() or one in listed("targets"))
        if "install" in acts:
            needs = tuple(one for one in needs if not shared("packages").match(one))
        needs += tuple(one for one in w.content(beside) if one in listed("targets"))
        if set(acts) <= {"delete", "rename", "create", "format"}:
            vague = [one for one in needs if not any(w.spoken("kinds", kind).search(one) for kind in kinds)]
            answers = self.is_no and "create" not in acts and not _NOUN.search(said.split()[0])
            return None if names or vague or answers else self._made("act", acts=acts, kinds=kinds)
        return None if "delete" in acts and names else self._made("act", acts=acts, needs=(*needs, *names))

    def _command(self, said: str) -> tuple[str, ...]:
        """The words of a command, or its options, that a clause says must not be run."""
        if self.denied is None:
            return ()
        options = re.findall(r"(?<![\w-])--[a-z][\w-]+", said)
        if options and len(self.w.content(said)) <= OPTION_WORDS_MAX:
            return tuple(options)
        code = [one for one in shared("code").findall(self.clause.said) if one.islower()]
        run = self._object("run")
        if code and (code[0] == said.strip() or (run and " " in code[0])):
            return tuple(code[0].split())
        return tuple(one for one in self.w.content(run[1], "any") if one.isascii()) if run else ()

    def _thing(self) -> Ban | None:
        """A ban on a file, or a kind of files, that must stay as it is."""
        w, stays, touched = self.w, self._stays(), self._object("touch")
        if stays is None or not (stays.strip() or self.in_file):
            found = None
        else:
            found = self._things("thing", stays, bare=not self.in_file, beside=True)
        if found:
            return found
        if touched:
            return self._things("thing", touched[1], bare=w.order == "first")
        denied = self.denied if w.order == "first" and w.has(self.text, "yet", "polite") else None
        if denied and w.kinds(denied[1]):
            return self._things("thing", denied[1], strict=True)
        excepted = w["except"].search(self.bounded)
        if excepted and (self.ordered or is_order(self.bounded, w) or (self.names and not excepted.start())):
            gap = " ".join(one for one in excepted.groups() if one)
            return self._things("thing", gap or self.bounded[excepted.end() :], strict=True)
        return None

    def _things(
        self, sort: Sort, what: str, *, bare: bool = False, strict: bool = False, beside: bool = False
    ) -> Ban | None:
        """What is named in `what`; None where nothing is, or where more is said of it than a name.

        `bare`: a plain word may name a file or folder. `strict`: nothing else may be said. `beside`: it may be named
        after other things.
        """
        w, keys = self.w, ("stay", "yet", "any", "touch", "until", "beyond")
        if w.has(what, "others") and sort == "thing":
            return None
        for joint in shared("conj").finditer(what):
            what = what[: joint.start()] if is_order(what[joint.end() :], w) else what
        first = next(iter(shared("name").finditer(what)), None) if paths_in(what) else None
        of_kind = shared("kind_of").finditer(what)
        endings = [one for one in of_kind if listed("endings").intersection(one.groups())]
        names = [*paths_in(what), *(f".{next(filter(None, one.groups()))}" for one in endings)]
        plain = shared("name").sub(" ", what)
        for ending in endings:
            plain = plain.replace(ending.group(), " ")
        kinds = w.kinds(plain)
        for word in (one for groups in shared("folder").findall(what) for one in groups if one):
            names += [] if w["filler"].fullmatch(word) or w.kinds(word) else [word]
        left = [one for one in w.content(w.without("kinds", kinds, plain), *keys) if one not in names]
        told = [one for one in left if one not in listed("adjectives")]
        silent = (self.in_file or not what.strip()) and not (self.is_no or self.denial == "without")
        points = w.has(what, "pronoun") or w["pronoun"] is NEVER or silent
        if not names and not kinds and not left and sort == "thing" and not strict and points:
            names, kinds = list(self.clause.names), () if self.clause.names else self.clause.kinds
            return self._made(sort, names=tuple(names), kinds=kinds) if names or kinds else None
        if first and w.order == "first" and sort == "thing":
            # "The header in layout.html" is not all of it.
            behind = what[what.rfind(names[-1]) + len(names[-1]) :] if names[-1] in what else ""
            if beside and w.content(behind, *keys):
                return None  # "The signature of a.go stays" in another order
            ahead = what[: first.start()].rpartition(",")[2]
            ahead = shared("and").split(ahead)[-1] if beside else ahead
            named = [*listed("adjectives"), *re.split(r"[/.]", "/".join(names))]
            if [one for one in w.content(ahead, *keys) if one not in named and not w.kinds(one)]:
                return None
        needs: tuple[str, ...] = ()
        if kinds and not names:
            ahead = w.without("kinds", kinds, what, "\n")
            needs = tuple(one for one in re.findall(r"([\w-]+) \n", ahead) if one in told)
            needs += tuple(shared("suites").findall(what)) if "tests" in kinds else ()
        if endings and first and first.group().endswith("/") and endings[0].end() < first.start():
            # "The json files in locales/"
            names, needs = [one for one in names if "/" in one], (next(filter(None, endings[0].groups())),)
        if first and (apposed := what[: first.start()].rstrip(" `")) and sort == "thing":
            # "The config prod.yaml"
            ends = {one: rf"(?:{w.spoken('kinds', one).pattern})$" for one in kinds}
            kinds = tuple(one for one in kinds if not re.search(ends[one], apposed))
        unsaid = [one for one in (left if strict else told) if one not in needs]
        if not names and not kinds:
            if all(map(is_generic, left)) or (w.runs_on and w["generic"].fullmatch("".join(left))):
                left = []
            if not bare or not 1 <= len(left) <= 2 or w.has(what, "how"):
                return None
            is_ending = len(left) == 1 and len(left[0]) > 2 and left[0] in listed("endings")
            names = [f".{left[0]}" if is_ending else "-".join(left)]
        elif (unsaid and (strict or not names)) or (not names and w.has(what, "how")):
            return None
        kinds = () if names and sort == "only" else kinds
        return self._made(sort, names=tuple(dict.fromkeys(names)), kinds=kinds, needs=needs)
