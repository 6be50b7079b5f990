"""The programs of hosts, whose rows stand in the hosts' packages: `join` makes them known here.

Joined by whoever puts the parts together, before the first command is read. What was not joined is a program that
nobody knows, and so held to be one that may write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from evaluator.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Row = Callable[[Any], list[Any]]
    """A `Handler`: what a call is, stands above this module."""


class HostPrograms(Record):
    """`names` of programs, and their `rows`, which are asked for at the first call of one. `packages`: {package of a
    registry: its program}. `variables` hold the absolute path of a folder by custom. `types_on`: the agent can type
    into a program that runs, and no hook hears of it.
    """

    names: tuple[str, ...]
    rows: Callable[[], Mapping[str, Row]]
    packages: Mapping[str, str] = MappingProxyType({})
    variables: tuple[str, ...] = ()
    types_on: bool = False


_LOADERS: dict[str, Callable[[], HostPrograms]] = {}


def join(host: str, load: Callable[[], HostPrograms]) -> None:
    """Add a host's programs, which `load` gives at the first look-up. Joined again, nothing changes."""
    if host not in _LOADERS:
        _LOADERS[host] = load
        joined.cache_clear()


def known() -> tuple[str, ...]:
    """The names of those that joined."""
    return tuple(_LOADERS)


@lru_cache(maxsize=1)
def joined() -> tuple[HostPrograms, ...]:
    return tuple(load() for load in tuple(_LOADERS.values()))


def row_of(program: str) -> Row | None:
    return next((host.rows()[program] for host in joined() if program in host.names), None)


def lists(program: str) -> bool:
    """Whether a host has a row for the program; imports none."""
    return any(program in host.names for host in joined())


def packages() -> Iterator[tuple[str, str]]:
    for host in joined():
        yield from host.packages.items()


def types_on(host: str) -> bool:
    """Whether the agent of a host that joined can type into a program that runs, unheard."""
    load = _LOADERS.get(host)
    return load is not None and load().types_on


def names_a_folder(variable: str) -> bool:
    return any(variable in host.variables for host in joined())
