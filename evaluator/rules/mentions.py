"""What a clause that prohibits speaks of, held against the words of the call itself. Pure.

No list can name what a ban is about: "kiosk", "the notebooks", "докерфайл" are parts of the path, its ending or of the
command. So each word of the clause that is no function word has to be explained by the call; where one is not ("users
must not delete orders"), something else is meant.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from evaluator.record import Record
from evaluator.rules.clauses import QUOTATION, Clause, is_order, paths_in
from evaluator.rules.vocabulary import NEVER, Words, listed, mapped, shared, words

FILE_ACTS = frozenset({"delete", "rename", "create"})
NARROW = frozenset({"amend", "rebase", "reset"})
POINTING_WORDS_MAX = 2
NAMING_WORDS_MAX = 4
"""A clause of more words than these tells a story, and names nothing that the next one points at."""
COMMAND_WORDS_MAX = 4
SOUND_CHARS_MIN = 3
STEM_CHARS_MIN = 4
INFLECTION_CHARS_MAX = 6
"""Between a verb and the denial that is tied to its end."""
_PIECES = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDING = re.compile(r"(?:ies|e[sn]|(?<!s)s|[aeiouy]|ов|[аеийоуыюяь]{1,2}|ами|ах)$")
_VERBAL = re.compile(r"\bnot\b|n'?t\b|never|stop|avoid|refrain")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ALIKE = str.maketrans("cqxzljgbfd", "kkssrskppt", "aeiouyhvw")
_NAMED = {"ッ": "", "フ": "fu", "ー": "", "ь": "", "ъ": ""}


class Mention(Record):
    """`words`, `kinds` and `acts` of one thing that a clause prohibits. `edits`: a file may be meant; else only an act.
    `loose`: one of its words is enough, as it stands in a clause before."""

    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    edits: bool = True
    loose: bool = False

    def says(self) -> bool:
        return bool(self.words or self.kinds or self.acts)

    def meets(self, path: str, command: str, does: Callable[[str], bool]) -> bool:
        """Whether a call on a path (empty for none), or by a command, is what is meant."""
        done = [act for act in self.acts if does(act)]
        if self.acts and not (done or self.loose):
            return False
        if not path:
            told = _told(command) if self.words else ()
            known = [any(word == one or _sounds(word, one) for one in told) for word in self.words]
            return bool(done) if self.loose else bool(done or known) and all(known) and not self.kinds
        low = path.casefold()
        known = [is_part(word, path) for word in self.words]
        known += [shared(kind, "paths").search(low) is not None for kind in self.kinds]
        if self.loose:
            return bool(done) or any(known)
        return all(known) and bool(done or (self.edits and known))


def mentions(clause: Clause, text: str, w: Words, ahead: Sequence[str]) -> tuple[Mention, ...] | None:
    """What a clause prohibits: none where it prohibits nothing, empty where it names nothing. `text`: the clause as far
    as a condition; `ahead`: the clauses before it, which a clause that names nothing may point at."""
    found = _denied(text, w)
    if found is None or text.startswith("¿") or shared("reverses").search(text):
        return None
    rest, edits, stays = found
    reason = w["because"].search(rest, 1)
    rest = rest[: reason.start()] if reason else rest
    for joint in shared("conj").finditer(rest):
        rest = rest[: joint.start()] if is_order(rest[joint.end() :], w) else rest
    if edits and w.has(rest, "others"):
        return None
    allowed = w["only"].search(rest, 1)
    if allowed and not w.has(allowed.group(), "mere"):
        rest = rest[: allowed.start()]
    code = shared("code").findall(clause.said) if QUOTATION.strip() in rest else []
    told = [Mention(tuple(one.casefold().split()), edits=False) for one in code if one[:1].islower()]
    rest = rest.replace(QUOTATION.strip(), " ")
    parts = [one for one in shared("lists").split(rest) if not w.has(one, "how")]
    if not parts:
        return None
    each = [one for part in parts if (one := _mention(part, w, edits)).says()]
    drops = not each and (stays or (w["pronoun"] is NEVER and not w.has(text, "any")))
    points = stays is not None and edits and not told and not w.has(text, "yet")
    points = points and (w.has(text, "pronoun") or drops)
    few = sum(len(one.words) for one in each) <= POINTING_WORDS_MAX
    if points and few and not any(one.kinds or one.acts for one in each):
        for before in reversed(ahead[-2:]):
            if is_order(before, w):
                break
            one = _mention(before, w, edits)
            if paths_in(before):
                each.append(Mention(one.words, edits=edits, loose=True))
                break
            if one.says() and len(one.words) <= NAMING_WORDS_MAX:
                each.append(Mention(one.words, one.kinds, one.acts, edits, loose=True))
    return (*told, *each) if told or each or edits else None


def excepted(text: str, w: Words) -> tuple[Mention, ...]:
    """What an order leaves out: "rename it everywhere except in legacy/"."""
    found = w["except"].search(text)
    if found is None:
        return ()
    what = " ".join(one for one in found.groups() if one) or text[found.end() :]
    each = [one for part in shared("lists").split(what) if (one := _mention(part, w, True)).says()]
    vague = any(set(one.words).difference(paths_in(what)) for one in each)
    return () if vague else tuple(each)


def _denied(text: str, w: Words) -> tuple[str, bool, bool | None] | None:
    """(what is said but for the denial, whether files may be meant, whether a thing must stay as it is: None where
    the user keeps it for themselves), where a clause prohibits."""
    english = w.language == "en" or not re.search("[a-z]{3}", text)
    for own in (w,) if english else (w, words("en")):
        for key in ("denied", "asis", "off", "mine"):
            found = own[key].search(text)
            if not found or own.has(text, "weak") or own["deny"].search(text[: found.start()]):
                continue
            limits = key == "mine" and (own.has(found.group(), "only") or text[found.end() :].strip())
            done = FILE_ACTS.intersection(own.acts(found.group())) and key in ("asis", "off")
            if not limits and not done:
                gap = " ".join(one for one in found.groups() if one)
                rest = f"{text[: found.start()]} {gap} {text[found.end() :]}"
                return rest, True, None if key == "mine" else True
    text = w["because"].split(text, maxsplit=1)[0] or text
    if w.has(text, "subject"):
        return None
    other = None
    for deny in w["deny"].finditer(text):
        head, tail = text[: deny.start()], text[deny.end() :].lstrip()
        head = "" if w["until"].match(text) else head
        if w.order == "before":
            bound = next(iter(verbs_at_end(w["touch"], head)), None)
            rest = f"{head[: bound.start()]} {head[bound.end() :]}" if bound else head
        else:
            rest = f"{head} {tail}"
            bound = w["touch"].search(rest) if w.order == "any" else w.opening("touch").match(tail)
        if bound:
            return rest, True, False
        of_act = _VERBAL.search(deny.group()) or w.acts(rest) or QUOTATION.strip() in rest
        if w.language == "en" and not of_act:
            continue
        if w.language != "en" and w.acts(rest):
            # "в stash ничего не убирай": with the name of an act any verb will do.
            said = w["filler"].sub(" ", tail).split()
            verbs = {*said[:1], *(said[-1:] if w.order == "any" else ())}
            rest = " ".join(one for one in rest.split() if one not in verbs or w.acts(f" {one}"))
        other = other or (rest, False, False)
    return other


def verbs_at_end(verbs: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """The verbs that a denial right behind `text` is tied to, where the verb stands last."""
    return [one for one in verbs.finditer(text) if len(text) - one.end() <= INFLECTION_CHARS_MAX]


def narrowed(acts: tuple[str, ...]) -> tuple[str, ...]:
    """The acts less what they are done to: "amend a commit" forbids no commit."""
    return tuple(one for one in acts if one not in ("commit", "push")) if NARROW.intersection(acts) else acts


def _mention(text: str, w: Words, edits: bool) -> Mention:
    acts = tuple(one for one in narrowed(w.acts(text)) if not (edits and one == "database"))
    plain = w.without("acts", acts, text)
    if edits and w.has(plain, "touch"):
        acts = tuple(one for one in acts if one not in FILE_ACTS)
    kinds = w.kinds(plain)
    names = paths_in(plain)
    plain = w.without("kinds", kinds, plain)
    keys = ("touch", "make", "run", "any", "yet", "until", "beyond", "generic")
    left = w.content(plain, *keys, *(() if edits else ("others",)))
    left = tuple(one for one in left if one not in names and not is_generic(one))
    left = tuple(one for one in left if one not in listed("vague")) or left
    return Mention((*names, *left), kinds, acts, edits)


def is_generic(word: str) -> bool:
    """Whether a word only says of what sort a thing is: "the billing service", "die Klasse"."""
    return _stem(word) in _generics()


@cache
def _generics() -> frozenset[str]:
    return frozenset(map(_stem, listed("generic")))


@lru_cache(maxsize=4096)
def is_part(word: str, path: str) -> bool:
    """Whether a word is a part of a path: a folder, its base, a piece of these, or its ending by any name."""
    whole, pieces = _parts_of(path)
    low = word.casefold()
    if "*" in low or low.startswith("."):
        return names(low, path.casefold())
    low = low.strip("/")
    if re.fullmatch(r"[a-z]{1,5}(?:/[a-z]{1,5})+", low) and listed("endings").issuperset(low.split("/")):
        return any(is_part(one, path) for one in low.split("/"))
    if "/" in low or "." in low:
        return f"/{low}/" in f"/{path.casefold()}/"
    by_name = mapped("aliases")
    aliases = (by_name.get(low) or by_name.get(low.removesuffix("s"), "")).split()
    if low in whole or low.removesuffix("s") in whole or not (whole | pieces).isdisjoint(aliases):
        return True
    each = [one for one in _PIECES.findall(low) if not is_generic(one)]
    return bool(each) and all(any(_alike(one, piece) for piece in pieces) for one in each)


def names(name: str, path: str) -> bool:
    """Whether a ban's name is the path, a folder that holds it, its base, its stem or its ending."""
    name, base = name.removeprefix("./").rstrip("/"), path.rpartition("/")[2]
    if "*" in name:
        whole = name.removesuffix("/**").removesuffix("/*")
        matched = fnmatch.fnmatch(base, name) or fnmatch.fnmatch(path, name)
        return matched or ("*" not in whole and names(whole, path))
    if name.startswith(".") and "/" not in name:
        ending = ".yml" if name == ".yaml" else name
        known = ending[1:] in listed("endings") and base.replace(".yaml", ".yml").endswith(ending)
        return known or base == name or base.startswith(f"{name}.") or f"/{name}/" in f"/{path}"
    if "/" in name or "." in name:
        return f"/{name.strip('/')}/" in f"/{path}/"
    wanted, (*folders, last) = squashed(name), path.split("/")
    parts = (squashed(part) for part in (*folders, last.partition(".")[0], last))
    return len(wanted) > 2 and any(part in (wanted, f"{wanted}s", wanted.removesuffix("s")) for part in parts)


def squashed(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


@lru_cache(maxsize=64)
def _parts_of(path: str) -> tuple[frozenset[str], frozenset[str]]:
    """(the parts of a path as they stand, their pieces)"""
    parts = path.split("/")
    base, _, ending = parts[-1].rpartition(".")
    whole = {part.casefold() for part in (*parts, base, ending) if part}
    pieces = {
        piece.casefold()
        for part in (*parts[:-1], base or ending)
        for hump in (part, *_HUMPS.split(part))
        for piece in _PIECES.findall(hump.replace("_", " "))
    }
    return frozenset(whole), frozenset(pieces | {"".join(_PIECES.findall(one)) for one in whole})


def _alike(word: str, piece: str) -> bool:
    """Whether a word is a piece of a name but for its ending, or sounds like it in another script."""
    if word == piece:
        return True
    if all(char < "\u0370" for char in word):
        one, other = _stem(word), _stem(piece)
        return len(one) >= STEM_CHARS_MIN and one == other
    return _sounds(word, piece)


def _sounds(word: str, piece: str) -> bool:
    sound = "" if word.isascii() or not piece.isascii() else _sound(word)
    return len(sound) >= SOUND_CHARS_MIN and sound == _sound(piece)


def _stem(word: str) -> str:
    word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    return _ENDING.sub("", word) if len(word) > STEM_CHARS_MIN else word


@lru_cache(maxsize=1024)
def _sound(word: str) -> str:
    """The consonants of a word in Latin letters, those alike in one: "докерфайл" and "Dockerfile" are "tkrfr"."""
    if not word.isascii():
        named = (_NAMED.get(char, unicodedata.name(char, "").rpartition(" ")[2]) for char in word)
        word = "".join(named).casefold()
    word = re.sub("[csz]h|ts|tion", "s", word.replace("tion", "sn").replace("ph", "f"))
    return re.sub(r"(.)\1+", r"\1", re.sub("[^a-z]", "", word.translate(_ALIKE)))


@lru_cache(maxsize=64)
def _told(command: str) -> frozenset[str]:
    """The programs and subcommands of a command, its options, and their parts; nothing of what it says in quotes."""
    each = [one.split() for one in re.split(r"&&|\|\||[;|\n]", _QUOTED.sub(" ", command.casefold()))]
    said = [
        word
        for part in each
        for at, word in enumerate(part)
        if re.fullmatch(r"-+[a-z][\w-]*" if at >= COMMAND_WORDS_MAX else r"-*[a-z][\w.-]*", word)
    ]
    return frozenset((*said, *(part for one in said for part in one.strip("-").split("-"))))
