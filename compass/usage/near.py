"""What a word that is none was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable

from evaluator.errors import ConfigError

MOST = 3


class MistakenError(ConfigError):
    """A word that is none. `near` are those that it may have been meant to be."""

    def __init__(self, message: str, near: tuple[str, ...]) -> None:
        self.near = near
        super().__init__(message)


def near(word: str, words: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """The likeliest first; those that begin with `word` come before those that resemble it."""
    import difflib

    known = [one for one in words if one]
    folded = word.casefold()
    begun = [one for one in known if len(folded) > 1 and one.casefold().startswith(folded)]
    alike = difflib.get_close_matches(folded, [one.casefold() for one in known], most)
    found = [one for like in alike for one in known if one.casefold() == like]
    return tuple(dict.fromkeys((*begun, *found)))[:most]


def did_you_mean(words: Iterable[str], prog: str = "") -> str:
    """`; did you mean A or B?`, or `;` where there is nothing to offer: a sentence goes on behind it."""
    named = [f"{prog} {word}".strip() for word in words]
    named = [f"`{one}`" for one in named] if prog else named
    return f"; did you mean {' or '.join(named)}?" if named else ";"
