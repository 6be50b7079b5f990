"""Resolves a reply, or structured answers, to the options that they choose; None wherever that is unsure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evaluator.exchange.menu import Menu, settles_a_write
from evaluator.exchange.reply_tokens import (
    YES_ALONE,
    ReplyToken,
    begins_with,
    has_phrase,
    is_qualified,
    token_at,
    tokenize,
    words_for,
)
from evaluator.model import AnsweredQuestion, ResolvedOption
from evaluator.text import fold, phrases

REPLY_CHARS_MAX = 200
_HEAD_END = re.compile(r"\s+[-–—]\s|[:：]\s|\s*[(（]|\s+=>?\s|\s*——")
_REFERENCES = ("number", "ordinal", "last", "former", "latter", "key", "label")


def resolve_reply(menu: Menu, reply: str) -> ResolvedOption | None:
    """What the reply chooses of the menu. A reply over REPLY_CHARS_MAX characters chooses nothing.

    Every token must be accounted for: an option by its key, ordinal or label, "both", "all", an affirmation
    of a proposal, and listed filler. A qualifier anywhere, a question, or a declining option gives None.
    """
    folded = fold(reply) if len(reply) <= REPLY_CHARS_MAX else ""
    if not folded or "?" in folded:
        return None
    if is_qualified(folded):
        alone = menu.kind == "proposal" and folded.strip(" .!,") in phrases(YES_ALONE)
        return _resolve_reply_options(menu, (0,)) if alone else None
    tokens = tokenize(folded, _reply_phrases_of_menu(menu))
    if tokens is None:
        return None
    if menu.kind != "proposal":
        chosen = _options_chosen_in_reply(menu, tokens)
        return _resolve_reply_options(menu, chosen) if chosen else None
    kinds = [token.kind for token in tokens if token.kind not in ("filler", "comma")]
    affirms = bool(kinds) and set(kinds) <= {"yes", "deed", "label"} and kinds.count("label") <= 1
    return _resolve_reply_options(menu, (0,)) if affirms else None


def choose(menu: Menu, reply: str, own: Mapping[str, ReplyToken]) -> tuple[int, ...] | None:
    """The indexes of the options that a reply to a list chooses, by the same rules; `own` are further phrases.

    Here any option may be chosen, also one that declines, and "the last one" chooses nothing.
    """
    folded = fold(reply) if len(reply) <= REPLY_CHARS_MAX else ""
    if not folded or "?" in folded or is_qualified(folded):
        return None
    tokens = tokenize(folded, {**_reply_phrases_of_menu(menu), **own})
    if tokens is None or any(token.kind == "last" for token in tokens):
        return None
    return _options_chosen_in_reply(menu, tokens)


def resolve_answers(questions: Sequence[AnsweredQuestion]) -> ResolvedOption | None:
    """What structured answers choose: every answer an option word for word, else (free text) None."""
    labels: list[str] = []
    rejected: list[str] = []
    for question in questions:
        if not question.answers or not set(question.answers) <= set(question.options):
            return None
        labels += question.answers
        rejected += (option for option in question.options if option not in question.answers)
    if not labels or not all(settles_a_write(label) for label in labels):
        return None
    return ResolvedOption(tuple(labels), tuple(rejected))


def _resolve_reply_options(menu: Menu, chosen: Sequence[int]) -> ResolvedOption | None:
    labels = [option.label for option in menu.options]
    if not all(settles_a_write(labels[index]) for index in chosen):
        return None
    # "Both" and "all of the above" take in the options before them: those are not rejected.
    taken_in = max((index for index in chosen if _is_joint_reply_option(labels[index])), default=-1)
    rejected = (index for index in range(len(labels)) if index not in chosen and index > taken_in)
    return ResolvedOption(
        tuple(labels[index] for index in chosen), tuple(labels[index] for index in rejected)
    )


def _options_chosen_in_reply(menu: Menu, tokens: Sequence[ReplyToken]) -> tuple[int, ...] | None:
    said = [token for token in tokens if token.kind != "filler"]
    heard = [token for token in said if token.kind != "yes"]
    references = [token for token in heard if token.kind in _REFERENCES]
    joint = [place for place, token in enumerate(said) if token.kind in ("both", "all")]
    indexes = [_reply_option_index(menu, token) for token in references]
    # "Do that first" is no pick of the first option, and "all ok" no pick of all of them.
    if any(token.kind == "deed" for token in heard):
        return None
    if joint and any(token.kind == "yes" for token in said[joint[0] :]):
        return None
    if len(joint) > 1 or not _ambiguous_reply_tokens(menu).isdisjoint(references):
        return None
    if joint:
        return _options_of_joint_reply(
            menu, [token for token in heard if token.kind != "comma"], references, indexes
        )
    if not references:
        return _reply_yes_option(menu) if {token.kind for token in said} - {"comma"} == {"yes"} else None
    return _options_listed_in_reply(heard, references, indexes)


def _reply_yes_option(menu: Menu) -> tuple[int, ...] | None:
    """The one option that is an affirmation, where every other declines."""
    yes = [i for i, option in enumerate(menu.options) if begins_with(fold(option.label), words_for("yes"))]
    others = (option for i, option in enumerate(menu.options) if i not in yes)
    return (yes[0],) if len(yes) == 1 and not any(settles_a_write(one.label) for one in others) else None


def _options_listed_in_reply(
    heard: Sequence[ReplyToken], references: Sequence[ReplyToken], indexes: Sequence[int | None]
) -> tuple[int, ...] | None:
    """References joined by commas and conjunctions, none out of range; a digit and a label must agree."""
    found = [index for index in indexes if index is not None]
    if not found or len(found) < len(indexes):
        return None
    kinds = {token.kind for token in references}
    if "label" in kinds and len(kinds) > 1 and len(set(found)) > 1:
        return None
    return tuple(dict.fromkeys(found)) if _is_reply_well_joined(heard, indexes) else None


def _is_reply_well_joined(heard: Sequence[ReplyToken], indexes: Sequence[int | None]) -> bool:
    parts = [token for token in heard if token.kind != "comma"]
    if parts[0].kind == "and" or parts[-1].kind == "and":
        return False
    places = iter(indexes)
    before: tuple[ReplyToken, int | None] | None = None
    separated = True
    for token in heard:
        if token.kind in ("and", "comma"):
            separated = True
            continue
        here = (token, next(places))
        if before is not None and not separated:
            digits = before[0].kind == token.kind == "number"
            pasted = before[1] == here[1] and "label" in (before[0].kind, token.kind)
            if not digits and not pasted:
                return False
        before, separated = here, False
    return True


def _options_of_joint_reply(
    menu: Menu, heard: Sequence[ReplyToken], references: Sequence[ReplyToken], indexes: Sequence[int | None]
) -> tuple[int, ...] | None:
    """ "Both" and "all": the option that says so, else the two options or all of them."""
    size = len(menu.options)
    kind = next(token.kind for token in heard if token.kind in ("both", "all"))
    listed = words_for("both" if kind == "both" else "all")
    says_so = [i for i, option in enumerate(menu.options) if has_phrase(fold(option.label), listed)]
    distinct = tuple(dict.fromkeys(index for index in indexes if index is not None))
    chosen: tuple[int, ...] | None = None
    if None in indexes:
        chosen = None
    elif not references:
        if len(says_so) == 1 and _is_joint_reply_option(menu.options[says_so[0]].label):
            chosen = (says_so[0],)
        elif not says_so and (kind == "all" or size == 2) and len(heard) == 1:
            chosen = tuple(range(size))
    elif len(references) == 1:
        if distinct[0] in says_so:
            chosen = distinct
        elif not says_so and [heard[0].kind, *heard[1:]] == ["all", ReplyToken("number", size)]:
            chosen = tuple(range(size))
    elif kind == "both" and len(distinct) == 2 and heard[0].kind == "both":
        chosen = _options_listed_in_reply(heard[1:], references, indexes)
    return chosen


def _is_joint_reply_option(label: str) -> bool:
    """Whether an option is "both" or "all three", maybe with a remark, and so takes in the others."""
    head = _HEAD_END.split(label, maxsplit=1)[0].split(",")[0]
    kinds = [token.kind for token in tokenize(fold(head), {}) or () if token.kind != "filler"]
    return kinds in (["both"], ["all"], ["all", "number"])


def _reply_option_index(menu: Menu, token: ReplyToken) -> int | None:
    size = len(menu.options)
    found = -1
    if token.kind in ("key", "label"):
        found = token.value
    elif token.kind == "ordinal" or (token.kind == "number" and menu.kind == "numbered"):
        found = token.value - 1
    elif token.kind == "last":
        found = size - 1
    elif size == 2 and token.kind in ("former", "latter"):
        found = 0 if token.kind == "former" else 1
    return found if 0 <= found < size else None


def _ambiguous_reply_tokens(menu: Menu) -> set[ReplyToken]:
    """References that could also mean another option's label: "3" where option 2 is "3 retries"."""
    twice: set[ReplyToken] = set()
    for own, option in enumerate(menu.options):
        token, size = token_at(fold(option.label) or " ", 0, {})
        if size and token.kind in _REFERENCES and _reply_option_index(menu, token) not in (None, own):
            twice.add(token)
        if menu.kind == "lettered":
            keys = enumerate(menu.options)
            twice |= {
                ReplyToken("key", i) for i, other in keys if i != own and other.key == fold(option.label)
            }
    return twice


def _reply_phrases_of_menu(menu: Menu) -> dict[str, ReplyToken]:
    """The phrases that this menu alone understands: its letters, its labels, and the heads of its labels."""
    own: dict[str, ReplyToken] = {}
    ambiguous: set[str] = set()
    for index, option in enumerate(menu.options):
        label = fold(option.label)
        head = fold(_HEAD_END.split(option.label, maxsplit=1)[0])
        for text in {label, head, _bare_reply_label(label), _bare_reply_label(head)}:
            if text in own and own[text].value != index:
                ambiguous.add(text)
            elif len(text) > 1:
                own[text] = ReplyToken("label", index)
    for text in ambiguous:
        own.pop(text, None)
    if menu.kind == "lettered":
        own.update((option.key, ReplyToken("key", index)) for index, option in enumerate(menu.options))
    return own


def _bare_reply_label(label: str) -> str:
    """Without code marks and the final full stop, as people type it."""
    return label.replace("`", "").replace('"', "").rstrip(" .。!")
