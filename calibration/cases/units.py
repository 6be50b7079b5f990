"""Which labelled cases are independent of each other: those that are joined by no pair and by no session. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol


class Related(Protocol):
    """`pair` and `session` are empty where the case has none; `unit` is then its own name."""

    @property
    def unit(self) -> str: ...
    @property
    def pair(self) -> str: ...
    @property
    def session(self) -> str: ...


Key = tuple[int, str]
_PAIR, _SESSION, _OWN = range(3)
_KINDS = ("pair", "session", "case")


def units_of(cases: Sequence[Related]) -> list[str]:
    """The unit of each case, in their order: equal for all that a chain of shared pairs and sessions connects.

    A unit is named after its first pair, else its first session, else its only case; where two would share a name,
    each says what it is named after. So a name depends on the set of cases alone, not on their order.
    """
    above: dict[Key, Key] = {}
    for case in cases:
        first, *further = _keys(case)
        for key in further:
            one, other = sorted((_root(above, first), _root(above, key)))
            if one != other:
                above[other] = one
    roots = [_root(above, _keys(case)[0]) for case in cases]
    said = Counter(name for _, name in set(roots))
    return [name if said[name] == 1 else f"{_KINDS[kind]}:{name}" for kind, name in roots]


def _keys(case: Related) -> list[Key]:
    named = [(kind, name) for kind, name in ((_PAIR, case.pair), (_SESSION, case.session)) if name]
    return named or [(_OWN, case.unit)]


def _root(above: dict[Key, Key], key: Key) -> Key:
    """The least key of the component, which every union puts on top."""
    while key in above:
        up = above[key]
        if up in above:
            above[key] = above[up]
        key = up
    return key
