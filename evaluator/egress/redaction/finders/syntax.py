"""How a name and its value are joined in the notations that developers paste: the patterns of `assignments`.

Every repetition is bounded: one name costs a constant however hostile the text around it. Pure.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache

from evaluator.egress.redaction.secret_names import joins, named, pattern, vocabulary
from evaluator.text import alternatives

VALUE_CHARS_MAX = 512
"""How much of a value is judged; what goes on beyond goes with it."""


class Bind(Enum):
    """How surely the two belong together."""

    PAIR = auto()
    """`name=value`, `name => value`, an attribute with its value."""
    SPACED = auto()
    """`name = value`: of a settings file, or the assignment of a variable."""
    COLON = auto()
    COMMA = auto()
    """`("name", "value")`, as of a default."""
    ELEMENT = auto()
    """`<name>value</name>`."""
    CALL = auto()
    """`name("value")`."""
    PROSE = auto()
    """The value in a line below, or in the next cell of a table."""
    ARROW = auto()
    """`name -> value`, `name - value`."""
    SAID = auto()
    """`the name is value`, in any language."""
    RENAME = auto()
    """`name to value`, as a password is set and a variable renamed."""
    BESIDE = auto()
    """`name value`."""


_SPACE = r"[ \t]{0,40}"
_CLOSE = r"(?:\\{0,4}[\"'`]|\*{1,2}|_{1,2}|\]|\)){0,4}"
_QUOTE = r"\\{0,4}[\"']"
_OF = r"[\w@'\"-](?:[\w@.'\"-]{0,38}[\w@'\"-])?"
_TYPE = r"(?:string|\[\]byte|const char \*)?"
_NOW = r"(?:[ \t](?:now|currently|jetzt|aktuell|maintenant|ahora|agora|ora|adesso|теперь|сейчас))?"


ARROWS = r"[-=]{1,3}>|→|⇒|➜"


@cache
def whose() -> str:
    """What may say whose a secret is: `the password for the server`."""
    return (
        rf"(?:'s value)?(?:[ \t](?:{'|'.join(sorted(vocabulary('adjectives')))}))?(?:[ \t]\([^()\n]{{1,30}}\))?"
        rf"(?:[ \t](?:{alternatives(named('of'))})(?:[ \t]|(?<=')){_OF}"
        rf"(?:[ \t](?!(?:{alternatives(joins())})[ \t]){_OF}){{0,4}})?"
    )


@cache
def says() -> str:
    """What joins a label to its value in a sentence."""
    return (
        rf"(?:(?:,? which|,)?[ \t]{{1,8}}(?:{alternatives(joins())}){_NOW}[ \t]{{0,2}}:?[ \t\n]{{1,8}}"
        r"|[ \t]{0,8}[:=](?!={0,2}>)[ \t]{0,8}"
        rf"|[ \t]{{1,4}}(?:{ARROWS}|–|—|-)[ \t]{{1,4}})"
    )


@cache
def separators() -> tuple[tuple[re.Pattern[str], Bind], ...]:
    """What may stand between a name and its value, in order of trial."""
    forms: tuple[tuple[str, Bind], ...] = (
        (rf"{_CLOSE}[ \t]{{1,4}}{_TYPE}[ \t]{{0,4}}:?={_SPACE}", Bind.SPACED),
        (rf"{_CLOSE}(?:\[\])?{_SPACE}:[ \t]{{0,4}}[\w.\[\]<>&?'| ]{{1,60}}?=(?![=>]){_SPACE}", Bind.SPACED),
        (rf"(?:{_QUOTE})?\s{{0,8}},\s{{0,99}}(?:{_QUOTE})?value(?:{_QUOTE})?[ \t]{{0,8}}[:=]{_SPACE}", Bind.PAIR),
        (rf"(?:{_QUOTE})?[ \t]{{0,8}}(?:\n[ \t]{{0,99}})?\bvalue[ \t]{{0,8}}[:=]{_SPACE}", Bind.PAIR),
        (rf"{_CLOSE}(?:=>|:=|={{1,3}}(?![=>])|!==?|\?=|:-){_SPACE}", Bind.PAIR),
        (rf"{_CLOSE}{_SPACE}(?:=>|={{2,3}}|!==?|\?=|\?\?|\|\|| or (?=[\"'])){_SPACE}", Bind.SPACED),
        (
            rf"{_CLOSE}[ \t]{{0,4}}:[ \t]{{0,4}}(?:[>|][+-]?)?(?:\n[ \t]{{0,40}}){{1,3}}"
            r"(?:```\w{0,10}\n[ \t]{0,40}|[->*] )?",
            Bind.PROSE,
        ),
        (rf"{_CLOSE}{_SPACE}:(?:\*{{1,2}}|_{{1,2}})?{_SPACE}", Bind.COLON),
        (rf"[\"']\s{{0,99}},\s{{0,99}}(?={_QUOTE})", Bind.COMMA),
        (r"(?:[ \t][\w:-]{1,20}=\"[^\"\n]{0,40}\"){0,3}[\"']?>", Bind.ELEMENT),
        (rf"{_CLOSE}{_SPACE}(?:{ARROWS}|–|—|-(?= )){_SPACE}", Bind.ARROW),
        (rf"[ \t]{pattern('things').pattern}[ \t]{{0,4}}(?:{ARROWS}|–|—|[:=]|-(?= )){_SPACE}", Bind.ARROW),
        (rf"{_CLOSE}{_SPACE}\|{_SPACE}", Bind.PROSE),
        (r"\(", Bind.CALL),
        (rf"{_CLOSE}[ \t]{{1,8}}(?:{alternatives(named('towards'))}|as)[ \t]{{1,8}}", Bind.RENAME),
        (rf"{_CLOSE}(?![ \t]{{0,8}}[:=–—→-]){whose()}{says()}", Bind.SAID),
        (rf"{_CLOSE}[ \t]?(?:{alternatives(joins(spaced=False))})[ \t:]{{0,4}}", Bind.SAID),
        (r"[\"'][ \t]?\{\n(?:[^\n}]{0,80}\n){0,4}?[ \t]{0,8}default[ \t]{0,8}=[ \t]{0,8}", Bind.PAIR),
        (rf"{_CLOSE}[ \t]{{1,40}}", Bind.BESIDE),
    )  # fmt: skip
    return tuple((re.compile(form, re.IGNORECASE), bind) for form, bind in forms)


@cache
def opening() -> re.Pattern[str]:
    """The `quote` that opens a literal, perhaps behind a prefix or inside a constructor that wraps it."""
    wrapper = r"(?:new )?(?:Secret|Secure|Password|String|quote_plus|str)[A-Za-z]{0,20}\((?=[\"'])"
    return re.compile(rf"(?:[bBrRuUfF@]{{1,2}}(?=[\"'])|{wrapper})?(?P<quote>\\{{0,4}}(?:\"\"\"|'''|[\"'`]))")


@cache
def inside(quote: str) -> re.Pattern[str]:
    """What stands between quotes of one character, at most to the end of the line."""
    return re.compile(rf"(?:[^{quote}\\\n]|\\.){{0,{VALUE_CHARS_MAX}}}+")


@cache
def bare() -> re.Pattern[str]:
    """A value without quotes, up to white space, or to what begins the next pair or ends the statement."""
    return re.compile(r"(?:[^\s\"'`<>;|,&]++|[,&](?![ \t]{0,4}[\w.-]{1,40}=))++")


@cache
def rest() -> re.Pattern[str]:
    return re.compile(r"[^\s\"'`<>]*+")


@cache
def scheme() -> re.Pattern[str]:
    """What stands before the credential in an Authorization header."""
    names = "bearer|basic|token|apikey|api-key|ssws|digest|key|genie-?key|splunk|jwt|dpop"
    return re.compile(rf"(?:{names})[ \t]{{1,8}}", re.IGNORECASE)
