"""What the shell knows of the hosts that are joined here, whose data stand in the hosts' packages.

Joined by whoever puts the parts together, before the first command is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from evaluator.record import Record


class HostPrograms(Record):
    """`variables` hold the absolute path of a folder by custom. `types_on`: the agent can type into a program that
    runs, and no hook hears of it.
    """

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


def types_on(host: str) -> bool:
    """Whether the agent of a host that joined can type into a program that runs, unheard."""
    load = _LOADERS.get(host)
    return load is not None and load().types_on


def names_a_folder(variable: str) -> bool:
    return any(variable in host.variables for host in joined())
